/**
 * Makes a rank certificate: two maps P and Q with P·A·Q nonsingular, and the answers to the challenges that follow.
 *
 *   A : m × n over F_p, rank r      M = P·A·Q, r × r      M·x_j = b_j      M·y_j = P·A·w_j, which says A·Q·y_j = A·w_j
 *
 * The second holds because im A·Q, of dimension r, is all of im A, on which P is injective. All 2·count systems share
 * one block Wiedemann run on M, whose products are three sparse ones.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import { compressed, merged, type ResidueMatrix } from '../../kernels/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { solveNonsingular, solveSeed } from '../solve/nonsingular.js';
import { challenge, challengeCount, commitmentDigest, matrixDigest } from './challenges.js';
import { type LineMap, lineMap } from './compression.js';
import type { Commitment, RankCertificate } from './format.js';

/** No maps were found for which the systems could be solved: the rank may be lower than was said. */
export class ProofError extends Error {
  override name = 'ProofError';
}

/**
 * A random r × r matrix is nonsingular with probability Π (1 − p^-i), 0.29 for p = 2 and 0.99 for p = 101; the maps are
 * about as good as that.
 */
function attemptsFor(p: number): number {
  return p < 16 ? 24 : 6;
}

/** Places of a line: an odd number for p = 2, where the places of an even number, all with coefficient 1, add up to 0. */
function layersFor(p: number, attempt: number): number {
  const more = Math.min(4, Math.floor(attempt / 3));
  return p === 2 ? 3 + 2 * more : 2 + more;
}

export interface ProofOptions {
  /** Rows and columns of A that are to be kept as they are, as many of each, at most r. Default none. */
  readonly pivots?: { readonly rows: Uint32Array; readonly cols: Uint32Array };
  /** What is claimed; default 'both'. */
  readonly bounds?: 'both' | 'lower';
}

/** A certificate that rank A = r; verify.ts refuses it if that is not so, and ProofError is thrown if A has less. */
export async function proveRank(
  context: RunContext,
  a: ResidueMatrix,
  r: number,
  { pivots = { rows: new Uint32Array(0), cols: new Uint32Array(0) }, bounds = 'both' }: ProofOptions = {},
): Promise<RankCertificate> {
  const { p } = context.executor.field;
  const matrix = matrixDigest(a, p);
  const operator = context.executor.operator(a);
  try {
    const attempts = attemptsFor(p);
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const commitment: Commitment = {
        ...{ rows: a.rows, cols: a.cols, p, matrix, rank: r, pivotRows: pivots.rows, pivotCols: pivots.cols },
        layers: layersFor(p, attempt),
        seed: deriveSeed(context.seed, 'certificate', attempt) & 0xffffffffffffffffn,
      };
      const answers = await answer(context, operator, commitment, bounds, solveSeed(context.seed, attempt));
      if (answers !== null) return { ...commitment, ...answers };
    }
    throw new ProofError(`certificate: no ${r} x ${r} nonsingular compression was found in ${attempts} attempts`);
  } finally {
    operator.free?.();
  }
}

async function answer(
  context: RunContext,
  a: Operator,
  c: Commitment,
  bounds: 'both' | 'lower',
  seed: bigint,
): Promise<Pick<RankCertificate, 'lower' | 'upper'> | null> {
  const { executor } = context;
  const map = (which: 'rows' | 'cols', lines: number): Operator =>
    executor.operator(residues(lineMap(c, which), c.rank, lines, c.p));
  const [rowMap, colMap] = [map('rows', c.rows), map('cols', c.cols)];
  const m = new Compression(executor, rowMap, a, colMap);
  try {
    const digest = commitmentDigest(c);
    const count = challengeCount(c.p);
    const full = c.rank === Math.min(c.rows, c.cols);
    const b = Array.from({ length: count }, (_, j) => challenge(digest, 'lower', j, c.rank, c.p));
    const upper = bounds === 'both' && !full;
    if (upper) {
      for (let j = 0; j < count; j++) b.push(await m.image(challenge(digest, 'upper', j, c.cols, c.p)));
    }
    const solutions = await solveNonsingular(context, m, b, seed);
    if (solutions === null) return null;
    return { lower: solutions.slice(0, count), upper: upper || full ? solutions.slice(count) : null };
  } finally {
    m.free();
    rowMap.free?.();
    colMap.free?.();
  }
}

/** The map as an r × lines matrix. */
function residues({ place, line, factor }: LineMap, r: number, lines: number, p: number): ResidueMatrix {
  return merged(compressed(r, lines, place, line, factor), p);
}

/** P·A·Q, Q being the transpose of the columns' map. */
class Compression implements Operator {
  readonly rows: number;
  readonly cols: number;
  private readonly executor: Executor;
  private readonly p: Operator;
  private readonly a: Operator;
  private readonly qt: Operator;
  private readonly kept = new Map<number, readonly [BlockVector, BlockVector]>();

  constructor(executor: Executor, p: Operator, a: Operator, qt: Operator) {
    this.executor = executor;
    this.p = p;
    this.a = a;
    this.qt = qt;
    this.rows = p.rows;
    this.cols = qt.rows;
  }

  async apply(y: BlockVector, x: BlockVector, alpha?: number, beta?: number): Promise<void> {
    const [short, long] = this.between(x.width);
    await this.qt.applyTransposed(short, x);
    await this.a.apply(long, short);
    await this.p.apply(y, long, alpha, beta);
  }

  async applyTransposed(y: BlockVector, x: BlockVector, alpha?: number, beta?: number): Promise<void> {
    const [short, long] = this.between(x.width);
    await this.p.applyTransposed(long, x);
    await this.a.applyTransposed(short, long);
    await this.qt.apply(y, short, alpha, beta);
  }

  /** P·A·w */
  async image(w: Uint32Array): Promise<Uint32Array> {
    const [short, long] = this.between(1);
    const y = this.executor.vector(this.rows, 1);
    this.executor.write(short, w);
    await this.a.apply(long, short);
    await this.p.apply(y, long);
    const values = await this.executor.read(y);
    this.executor.release(y);
    return values;
  }

  free(): void {
    for (const pair of this.kept.values()) for (const v of pair) this.executor.release(v);
    this.kept.clear();
  }

  /** Vectors with a row for each column, and for each row, of A; kept from one product to the next. */
  private between(width: number): readonly [BlockVector, BlockVector] {
    const known = this.kept.get(width);
    if (known) return known;
    const made = [this.executor.vector(this.a.cols, width), this.executor.vector(this.a.rows, width)] as const;
    this.kept.set(width, made);
    return made;
  }
}
