/**
 * B·Z = C for symmetric B by block Lanczos over GF(q), with an executor's products, block DOT and block AXPY.
 *
 *   B : N × N     V_i : N × n     Z, C : N × s     W_i = V_i·S_i, columns of V_i     W_iᵀ·B·W_j = 0 for i ≠ j
 *
 *   V_0 = B·Y for a random Y     V_(i+1) : recurrence.ts     Z = Σ_i V_i·N_i·V_iᵀ·C     N_i = S_i·(W_iᵀ·B·W_i)⁻¹·S_iᵀ
 *
 * If V becomes 0, the W_i span the Krylov space of V_0, B maps it to itself, and W_iᵀ·(B·Z − C) = 0 for all i: where
 * that space is the whole column space of B, Z is the member of it with B·Z = C. The number of all columns of all W_i
 * is at most rank B, whatever was drawn, since the matrix of B on them is nonsingular. A step whose VᵀBV is singular
 * goes on with the columns of selection.ts; the run ends without V = 0 where a column would be left out twice.
 * Source: Montgomery 1995; Hovinen and Eberly 2005 for fields of any size.
 */
import type { BlockVector, Executor, SmallBlocks } from '../../kernels/executor.js';
import { multiplyMatrices } from '../block-wiedemann/small-matrix.js';
import type { WorkingField } from '../block-wiedemann/working-field.js';
import type { NormalOperator } from './normal-operator.js';
import { type PastStep, recurrenceCoefficients } from './recurrence.js';
import { selectColumns } from './selection.js';

export interface LanczosRun {
  readonly steps: number;
  readonly dimension: number; // Σ|S_i| ≤ rank B
  readonly narrowed: number; // singular VᵀBV before the last block that is not 0
  readonly isComplete: boolean; // whether V became 0
}

/** Z ← Z + Σ_i V_i·N_i·V_iᵀ·C; V_0 ← B·Y of n columns. All vectors stay the caller's. */
export async function blockLanczos(
  executor: Executor,
  b: NormalOperator,
  working: WorkingField,
  { y, c, z, n, s }: LanczosVectors,
  onStep: (dimension: number) => void,
): Promise<LanczosRun> {
  const vectors = Array.from({ length: 5 }, () => executor.vector(b.size, working.k * n));
  const products = new BlockProducts(executor, working, n, s);
  try {
    let [v, v1, v2, image, spare] = vectors;
    // V_0 ← B·Y
    await b.apply(v, y);
    let last: PastStep | null = null;
    let beforeLast: PastStep | null = null;
    const F = working.elements;
    let [steps, dimension, narrowed] = [0, 0, 0];
    for (;;) {
      onStep(dimension);
      // G ← VᵀBV, H ← (BV)ᵀ(BV), R ← VᵀC
      await b.apply(image, v);
      const { g, h, r } = await products.of(v, image, c);
      const selection = selectColumns(F, g, n, last?.selection.isSelected);
      const isStuck = last?.selection.isSelected.some((was, j) => !was && !selection.isSelected[j]) ?? false;
      if (selection.count < n && (selection.count === 0 || isStuck)) {
        const isComplete = (await executor.read(v)).every((residue) => residue === 0);
        return { steps, dimension, narrowed: narrowed + (isComplete ? 0 : 1), isComplete };
      }
      steps++;
      if (last !== null && last.selection.count < n) narrowed++;
      dimension += selection.count;
      if (dimension > b.size) throw new Error(`lanczos: expected a rank of at most ${b.size}, got more: a bug`);
      // Z ← Z + V·N·R
      executor.blockAxpy(z, v, working.blockFactors(multiplyMatrices(F, selection.inverse, r, n, s), n, s));
      const { m, d, e, f } = recurrenceCoefficients(F, n, g, h, selection, last, beforeLast);
      // next ← B·V·S·Sᵀ + V·D + V_(i−1)·E + V_(i−2)·F
      let next = image;
      if (selection.count < n) {
        next = spare;
        executor.fill(next, 0);
        executor.blockAxpy(next, image, working.blockFactors(projectionOn(selection.isSelected, F.one), n, n));
      }
      executor.blockAxpy(next, v, working.blockFactors(d, n, n));
      if (e) executor.blockAxpy(next, v1, working.blockFactors(e, n, n));
      if (f) executor.blockAxpy(next, v2, working.blockFactors(f, n, n));
      beforeLast = last;
      last = { g, m, selection };
      if (next === image) [v, v1, v2, image] = [next, v, v1, v2];
      else [v, v1, v2, spare] = [next, v, v1, v2];
    }
  } finally {
    for (const vector of vectors) executor.release(vector);
    products.free();
  }
}

export interface LanczosVectors {
  readonly y: BlockVector; // N × n elements
  readonly c: BlockVector; // N × s
  readonly z: BlockVector; // N × s
  readonly n: number;
  readonly s: number;
}

/** S·Sᵀ */
function projectionOn(isSelected: readonly boolean[], one: number): Uint32Array {
  const n = isSelected.length;
  const out = new Uint32Array(n * n);
  for (let j = 0; j < n; j++) if (isSelected[j]) out[j * n + j] = one;
  return out;
}

/** The three products of a step as codes, read together. */
class BlockProducts {
  private readonly executor: Executor;
  private readonly working: WorkingField;
  private readonly n: number;
  private readonly s: number;
  private readonly square: SmallBlocks;
  private readonly right: SmallBlocks;

  constructor(executor: Executor, working: WorkingField, n: number, s: number) {
    const { k } = working;
    this.executor = executor;
    this.working = working;
    this.n = n;
    this.s = s;
    this.square = executor.blocks(2, k * n, k * n);
    this.right = executor.blocks(1, k * n, k * s);
  }

  async of(
    v: BlockVector,
    image: BlockVector,
    c: BlockVector,
  ): Promise<Readonly<Record<'g' | 'h' | 'r', Uint32Array>>> {
    const { executor, working, n, s, square, right } = this;
    executor.blockDot(square, 0, v, image);
    executor.blockDot(square, 1, image, image);
    executor.blockDot(right, 0, v, c);
    const [squares, r] = await Promise.all([executor.readBlocks(square, 0, 2), executor.readBlocks(right, 0, 1)]);
    const half = squares.length / 2;
    return {
      g: working.combine(squares.subarray(0, half), n, n, false),
      h: working.combine(squares.subarray(half), n, n, false),
      r: working.combine(r, n, s, false),
    };
  }

  free(): void {
    this.executor.releaseBlocks(this.square);
    this.executor.releaseBlocks(this.right);
  }
}
