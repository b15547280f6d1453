/**
 * One attempt of block Lanczos at the kernel of A over F_2: up to 64 vectors, independent and uniform in the kernel.
 *
 *   A : M × N     Y : N × 64 uniform     C = Eᵀ·Aᵀ·Lᵀ·L·A·Y     B·Z = C     X = Y + E·Z     T : columns, A·X·T = 0
 *
 * W, the columns of all W_i of the run, has (L·A·E·W)ᵀ·(L·A·E·W) = WᵀBW nonsingular and (L·A·X)ᵀ·(L·A·E·W) = 0: the
 * columns of A·X and of A·E·W are independent of each other, and so rank A ≥ |W| + rank A·X. Where B lacks a few of
 * A's rank, or the run ends a few columns early, A·X is of that low rank, and T, found by elimination, combines its
 * columns to 0.
 * Uniform: Z and T depend on Y by A·Y alone. Given A·Y, Y is uniform in a coset of the kernel, so X is uniform in one
 * of its cosets, and so are independent combinations of X's columns: those in the kernel are uniform there.
 * A·X and A·X·T are products on the host, not those of the device that has found Z.
 * Source: Montgomery 1995.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { BitColumns, BlockVector, Executor, Operator } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { BITS, multiplyBits, rightKernel } from './bit-algebra.js';
import { BitSpace } from './bit-space.js';
import { blockLanczos, type LanczosRun } from './block-lanczos.js';
import type { LoopKeeper } from './kept-loop.js';
import { type KernelTiming, StepClock } from './step-clock.js';

export interface BitKernel extends LanczosRun {
  /** Columns 0 … count − 1 are in the kernel, two words a row. */
  readonly vectors: Uint32Array;
  readonly count: number;
  readonly rankBound: number; // rank A is no less
}

/** `a`: the matrix on `columns`. */
export async function attemptBits(
  executor: Executor,
  columns: BitColumns,
  a: Operator,
  matrix: ResidueMatrix,
  seed: bigint,
  onStep: (dimension: number) => void,
  keeper?: LoopKeeper,
  timing?: KernelTiming | null,
): Promise<BitKernel> {
  const space = new BitSpace(executor, columns, a, seed);
  const owned: BlockVector[] = [];
  try {
    const vector = (length: number): BlockVector => {
      const v = columns.vector(length);
      owned.push(v);
      return v;
    };
    const [x, c, z] = [0, 1, 2].map(() => vector(a.cols));
    const random = new CounterRandom(deriveSeed(seed, 'lanczos bits'), 0);
    columns.write(x, random.fillResidues(new Uint32Array(2 * a.cols), 2 ** 32));
    await space.adjoint(c, x);
    const last = vector(1);
    const clock = timing ? new StepClock(() => columns.read(last)) : undefined;
    const run = await blockLanczos(space, async (v) => columns.copy(v, c), c, z, onStep, keeper, clock);
    const bytes = { entryBytes: 4, wideBytes: 8, narrowBytes: 8 };
    if (clock) timing?.tell(clock.lines({ rows: a.rows, cols: a.cols, nnz: timing.nnz, ...bytes }));
    // X ← Y + E·Z
    await space.e.apply(c, z);
    columns.axpy(x, c, space.algebra.complement(new Uint32Array(2 * BITS)));
    const found = await columns.read(x);
    const image = multiplyOnHost(matrix, found);
    const { t, count } = rightKernel(image);
    const vectors = multiplyBits(found, t);
    const isKernel = multiplyOnHost(matrix, vectors).every((word) => word === 0);
    if (!isKernel) throw new Error('lanczos: expected combinations in the kernel: a bug');
    return { ...run, vectors, count, rankBound: run.dimension + BITS - count };
  } finally {
    for (const v of owned) columns.release(v);
    space.free();
  }
}

/** A·X over F_2; a loop of its own: kernels/sparse/residue-matrix.ts. */
export function multiplyOnHost({ rows, rowPtr, colIdx }: ResidueMatrix, x: Uint32Array): Uint32Array {
  const out = new Uint32Array(2 * rows);
  for (let i = 0; i < rows; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      out[2 * i] ^= x[2 * colIdx[k]];
      out[2 * i + 1] ^= x[2 * colIdx[k] + 1];
    }
  }
  return out;
}
