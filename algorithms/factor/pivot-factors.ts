/**
 * Factors of a matrix by its pivots: systems through a generalized inverse, vectors of the kernel from free columns.
 *
 *   R, C, G : generalized-inverse.ts       rest of b : b − A·G·b, zero where A·x = b has a solution
 *
 * A rest with an entry at row i is refuted by u = e_i − Gᵀ·(row i of A): uᵀ·A = 0, and uᵀ·b is that entry, since u has
 * no other entry at a row where A·G·b and b differ. Source of the certificate: Giesbrecht, Lobo, Saunders 1998.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { isOdd } from '../elimination/pivot-signs.js';
import { type RoundBlocks, roundBlocks, transposeBlocks } from './blocks.js';
import { GeneralizedInverse } from './generalized-inverse.js';
import { basisBatches } from './kernel-basis.js';
import type { FoundPivots } from './pivot-search.js';
import { multiply, subtract, vanishesOn } from './products.js';
import { randomBatches } from './random-vectors.js';
import type { Factors, Kernel, KernelOptions, SparseVectors, SystemOptions, SystemResult } from './types.js';

export class PivotFactors implements Factors {
  readonly method = 'sparse-elimination';
  readonly rank: number;
  readonly determinant: number;
  readonly explanation: readonly string[];
  readonly seconds: Readonly<Record<string, number>>;
  private readonly field: WordPrime;
  private readonly matrix: ResidueMatrix;
  private readonly found: FoundPivots;
  private transposedMatrix: ResidueMatrix | null = null;
  private readonly blocks: RoundBlocks[];
  private transposedBlocks: RoundBlocks[] | null = null;

  constructor(field: WordPrime, matrix: ResidueMatrix, found: FoundPivots) {
    [this.field, this.matrix, this.found] = [field, matrix, found];
    this.rank = found.rows.length;
    this.explanation = found.explanation;
    this.seconds = found.seconds;
    this.blocks = cutBlocks(matrix, found);
    this.determinant = this.multiplyPivots();
  }

  async solve(
    context: RunContext,
    b: Uint32Array,
    s: number,
    { random = false, transposed = false }: SystemOptions = {},
  ): Promise<SystemResult> {
    const start = performance.now();
    const { field: F } = this;
    const a = this.matrixOf(transposed);
    const inverse = this.inverse(context, transposed);
    try {
      const z = random ? uniform(context, F, a.cols * s) : null;
      const right = z === null ? b : subtract(F, b, multiply(F, a, z, s));
      const x = await inverse.apply(right, s);
      const rest = subtract(F, right, multiply(F, a, x, s));
      const column = firstColumn(rest, s);
      const seconds = () => ({ substitution: (performance.now() - start) / 1000 });
      if (column >= 0) {
        const inconsistent = await this.refute(context, transposed, b, s, rest, column);
        return { solution: null, inconsistent, seconds: seconds() };
      }
      if (z === null) return { solution: x, inconsistent: null, seconds: seconds() };
      const solution = x.map((value, k) => F.add(value, z[k]));
      if (firstColumn(subtract(F, b, multiply(F, a, solution, s)), s) >= 0) throw new Error(BUG);
      return { solution, inconsistent: null, seconds: seconds() };
    } finally {
      inverse.free();
    }
  }

  async nullspace(context: RunContext, { left = false, vectors }: KernelOptions = {}): Promise<Kernel> {
    const a = this.matrixOf(left);
    const { rows, cols } = this.found;
    const [from, to] = left ? [cols, rows] : [rows, cols];
    const isPivot = new Uint8Array(a.cols);
    for (const j of to) isPivot[j] = 1;
    const freeLines = Uint32Array.from({ length: a.cols }, (_, j) => j).filter((j) => isPivot[j] === 0);
    const open = () => this.inverse(context, left);
    const batches = (): AsyncIterable<SparseVectors> =>
      vectors === undefined
        ? basisBatches({
            ...{ team: context.team!, F: this.field, at: this.matrixOf(!left), pivotRows: from, pivotCols: to },
            ...{ blocks: this.blocksOf(left), end: this.found.end, isTransposed: left, freeCols: freeLines },
            check: () => context.check(),
          })
        : randomBatches(context, a, open, vectors);
    return { dimension: freeLines.length, freeLines, batches };
  }

  free(): void {}

  /** u for a column of B without solution, by the entries that A·X lacks. */
  private async refute(
    context: RunContext,
    transposed: boolean,
    b: Uint32Array,
    s: number,
    rest: Uint32Array,
    column: number,
  ): Promise<{ readonly column: number; readonly certificate: Uint32Array }> {
    const { field: F } = this;
    const a = this.matrixOf(transposed);
    let i = 0;
    while (rest[i * s + column] === 0) i++;
    const row = new Uint32Array(a.cols);
    for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) row[a.colIdx[k]] = a.values[k];
    const inverse = this.inverse(context, !transposed);
    try {
      const certificate = (await inverse.apply(row, 1)).map((value) => F.neg(value));
      certificate[i] = F.add(certificate[i], 1);
      let product = 0;
      for (let t = 0; t < a.rows; t++) product = F.add(product, F.mul(certificate[t], b[t * s + column]));
      if (product === 0 || !vanishesOn(F, certificate, a)) throw new Error(BUG);
      return { column, certificate };
    } finally {
      inverse.free();
    }
  }

  /** G or Gᵀ, freed by who opens it. */
  inverse({ team, check }: Pick<RunContext, 'team' | 'check'>, isTransposed: boolean): GeneralizedInverse {
    const { field, found, matrix } = this;
    const { rows, cols, end } = found;
    const blocks = this.blocksOf(isTransposed);
    const [from, to] = isTransposed ? [cols, rows] : [rows, cols];
    const direction = { blocks, end, isTransposed, from, to, found: isTransposed ? matrix.rows : matrix.cols };
    return new GeneralizedInverse(team!, field, direction, () => check());
  }

  private blocksOf(isTransposed: boolean): RoundBlocks[] {
    if (!isTransposed) return this.blocks;
    this.transposedBlocks ??= this.blocks.map(transposeBlocks);
    return this.transposedBlocks;
  }

  private matrixOf(isTransposed: boolean): ResidueMatrix {
    if (!isTransposed) return this.matrix;
    this.transposedMatrix ??= transpose(this.matrix) as ResidueMatrix;
    return this.transposedMatrix;
  }

  private multiplyPivots(): number {
    const { field, found, matrix, blocks, rank } = this;
    if (matrix.rows !== matrix.cols || rank < matrix.rows) return 0;
    let product = found.end?.determinant() ?? 1;
    for (const { forward, backward } of blocks) {
      for (const triangle of [forward, backward]) {
        if (triangle) product = field.mul(product, multiplyDiagonal(field, triangle.matrix));
      }
    }
    return isOdd(found.rows) === isOdd(found.cols) ? product : field.neg(product);
  }
}

const BUG = 'solve: expected an answer that its check agrees with, got another: a bug';

function cutBlocks(matrix: ResidueMatrix, { rows, cols, rounds }: FoundPivots): RoundBlocks[] {
  const [rowPlace, colPlace] = [placePivots(rows, matrix.rows), placePivots(cols, matrix.cols)];
  let first = 0;
  return rounds.map((round) => {
    const blocks = roundBlocks(round, first, rows.length, rowPlace, colPlace);
    first += blocks.size;
    return blocks;
  });
}

/** The place of each line, `lines.length` for the others. */
function placePivots(lines: Uint32Array, size: number): Uint32Array {
  const place = new Uint32Array(size).fill(lines.length);
  for (let k = 0; k < lines.length; k++) place[lines[k]] = k;
  return place;
}

function multiplyDiagonal(F: WordPrime, { rows, rowPtr, colIdx, values }: ResidueMatrix): number {
  let product = 1;
  for (let i = 0; i < rows; i++) {
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) if (colIdx[k] === i) product = F.mul(product, values[k]);
  }
  return product;
}

function uniform({ seed }: RunContext, { p }: WordPrime, count: number): Uint32Array {
  return new CounterRandom(deriveSeed(seed, 'solution'), 0).fillResidues(new Uint32Array(count), p);
}

/** The first of s columns that has a nonzero entry, −1 without. */
function firstColumn(rest: Uint32Array, s: number): number {
  let first = s;
  for (let k = 0; k < rest.length; k++) if (rest[k] !== 0 && k % s < first) first = k % s;
  return first === s ? -1 : first;
}
