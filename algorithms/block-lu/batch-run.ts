/**
 * A batch of systems A_k·X_k = B_k by block LU: blocks of one size, as many columns in each B_k.
 *
 *   X = U^-1·L^-1·B, and where B − A·X is not 0, because the pattern lacks fill, corrections of it (correction.ts)
 */
import type { WordPrime } from '../../fields/word-prime.js';
import {
  type BlockBatch,
  type BlockKernels,
  joinMatrices,
  MOST_COLUMNS,
  type TallBlock,
} from '../../kernels/block-sparse/block-batch.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { type BlockShape, cutIntoBlocks } from './block-shape.js';
import { correct, MOST_RANK } from './correction.js';

export interface BlockSystem {
  readonly matrix: ResidueMatrix; // square
  readonly rightSides: Uint32Array; // rows × s, row-major
  readonly s: number;
  readonly shape: BlockShape;
}

export interface BlockSolution {
  readonly solution: Uint32Array | null;
  readonly reason: string | null; // where there is none
  readonly explanation: string;
}

/** Kernels for a batch on the device of the run. */
export type OpenKernels = (field: WordPrime, batch: BlockBatch) => BlockKernels;

/** Corrections with other randomness. */
const ATTEMPTS = 4;
const TAKEN = { sign: -1, transposed: false, diagonal: true } as const;

/** `singularRow`: the block row whose pivot block is singular, −1 without. */
export interface Solved extends BlockSolution {
  readonly singularRow: number;
}

const SINGULAR = 'a pivot block is singular';

export class BatchRun {
  private readonly field: WordPrime;
  private readonly group: readonly BlockSystem[];
  private readonly seed: bigint;
  private readonly check: () => void;
  private readonly batch: BlockBatch;
  private readonly kernels: BlockKernels;
  private readonly solutions: Uint32Array[];
  private readonly reasons: (string | null)[];
  private readonly isCorrected: boolean[];

  constructor(open: OpenKernels, field: WordPrime, group: readonly BlockSystem[], seed: bigint, check: () => void) {
    [this.field, this.group, this.seed, this.check] = [field, group, seed, check];
    const { b } = group[0]!.shape;
    this.batch = joinMatrices(
      b,
      group.map(({ matrix, shape }) => cutIntoBlocks(matrix, shape)),
    );
    this.solutions = group.map(({ matrix, s }) => new Uint32Array(matrix.rows * s));
    this.reasons = group.map(() => null);
    this.isCorrected = group.map(() => false);
    this.kernels = open(field, this.batch);
  }

  async solve(): Promise<Solved[]> {
    let singular: Int32Array;
    try {
      singular = await this.kernels.factor();
      for (const [k, row] of singular.entries()) if (row >= 0) this.reasons[k] = SINGULAR;
      const { s } = this.group[0]!;
      for (let first = 0; first < s; first += MOST_COLUMNS)
        await this.columns(first, Math.min(MOST_COLUMNS, s - first));
    } finally {
      this.kernels.free();
    }
    return this.group.map(({ shape }, k) => {
      const reason = this.reasons[k]!;
      const { n, blocks } = shape.pattern;
      const how = shape.isComplete ? 'without fill' : this.isCorrected[k] ? 'with fill, corrected' : 'with fill';
      const explanation = `block LU: ${blocks} blocks of ${shape.b} x ${shape.b} in ${n} block rows, ${how}`;
      return { solution: reason === null ? this.solutions[k]! : null, reason, explanation, singularRow: singular[k]! };
    });
  }

  /** `count` columns of all X from `first` on. */
  private async columns(first: number, count: number): Promise<void> {
    const { kernels } = this;
    this.check();
    const width = 4 * Math.ceil(count / 4);
    const right = this.gather(first, count, width);
    const x = kernels.tall(width, right);
    kernels.substitute(x);
    let found = await kernels.read(x);
    let wrong = await this.wrongOf(x, right);
    kernels.release(x);
    for (let attempt = 0; attempt < ATTEMPTS && wrong.includes(true); attempt++) {
      this.check();
      const [start, sides] = [found, right].map((words) => changeWidth(words, width, MOST_COLUMNS));
      found = changeWidth(await this.corrected(start!, sides!, wrong, attempt), MOST_COLUMNS, width);
      const corrected = kernels.tall(width, found);
      wrong = await this.wrongOf(corrected, right);
      kernels.release(corrected);
    }
    for (const [k, isWrong] of wrong.entries())
      if (isWrong) this.reasons[k] = `the pattern of blocks fills, and a correction of rank ${MOST_RANK} does not do`;
    this.scatter(found, first, count, width);
  }

  private async corrected(
    found: Uint32Array,
    right: Uint32Array,
    wrong: readonly boolean[],
    attempt: number,
  ): Promise<Uint32Array> {
    const { kernels, field } = this;
    const [x, residual] = [kernels.tall(MOST_COLUMNS, found), kernels.tall(MOST_COLUMNS, right)];
    kernels.addBlockProduct(residual, x, TAKEN);
    await correct(kernels, field, x, residual, wrong, right.length / MOST_COLUMNS, this.seed + BigInt(attempt));
    const out = await kernels.read(x);
    kernels.release(x);
    kernels.release(residual);
    for (const [k, isWrong] of wrong.entries()) if (isWrong) this.isCorrected[k] = true;
    return out;
  }

  /** Which problems without a reason yet have B − A·X other than 0. */
  private async wrongOf(x: TallBlock, right: Uint32Array): Promise<boolean[]> {
    const residual = this.kernels.tall(x.width, right);
    this.kernels.addBlockProduct(residual, x, TAKEN);
    const left = await this.kernels.read(residual);
    this.kernels.release(residual);
    const { starts, b } = this.batch;
    return this.reasons.map((reason, k) => {
      if (reason !== null) return false;
      const rows = b * x.width;
      return left.subarray(starts[k]! * rows, starts[k + 1]! * rows).some((value) => value !== 0);
    });
  }

  /** B's columns in tall blocks, zeros beyond the last row and column of each. */
  private gather(first: number, count: number, width: number): Uint32Array {
    const { starts, b, pattern } = this.batch;
    const out = new Uint32Array(pattern.n * b * width);
    for (const [k, { matrix, rightSides, s }] of this.group.entries())
      for (let i = 0; i < matrix.rows; i++) {
        const from = i * s + first;
        out.set(rightSides.subarray(from, from + count), (starts[k]! * b + i) * width);
      }
    return out;
  }

  private scatter(found: Uint32Array, first: number, count: number, width: number): void {
    const { starts, b } = this.batch;
    for (const [k, { matrix, s }] of this.group.entries())
      for (let i = 0; i < matrix.rows; i++) {
        const from = (starts[k]! * b + i) * width;
        this.solutions[k]!.set(found.subarray(from, from + count), i * s + first);
      }
  }
}

/** The same rows with so many columns: zeros come, or the last ones go. */
function changeWidth(words: Uint32Array, width: number, to: number): Uint32Array {
  if (width === to) return words;
  const out = new Uint32Array((words.length / width) * to);
  const kept = Math.min(width, to);
  for (let row = 0; row * width < words.length; row++)
    out.set(words.subarray(row * width, row * width + kept), row * to);
  return out;
}
