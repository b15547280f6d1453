/**
 * A combination of the rows of a Krylov space by Horner's rule, on its transpose:
 *
 *   X = Σ_j (Bᵀ)^j·(Uᵀ·C_jᵀ + Yᵀ·D_jᵀ), N × s      B = C·A, N × N      C_j : s × mU over GF(q), j from 0 to e
 *   Y : rows of their own, D_j : s × sY; none where there is no Y
 *
 * X ← Bᵀ·X + Uᵀ·C_jᵀ + Yᵀ·D_jᵀ from j = e down to 0: e products with Bᵀ of width s.
 */
import type { BlockVector, Executor, Operator, Projection } from '../../kernels/executor.js';
import type { CombinationKeeper } from './kept-combination.js';
import type { LeftFactor } from './sparse-factor.js';
import type { WorkingField } from './working-field.js';

/** The left sides U, and Y. */
export interface CombinedRows {
  readonly u: Projection;
  readonly y?: BlockVector | null; // A.cols elements × sY
}

/**
 * X as a new vector of A.cols elements × s; `coefficients` are [C_0 | D_0], [C_1 | D_1], … one after another, codes,
 * row-major. It goes on from what `keeper` has.
 */
export async function krylovCombination(
  executor: Executor,
  a: Operator,
  leftFactor: LeftFactor,
  working: WorkingField,
  { u, y = null }: CombinedRows,
  coefficients: Uint32Array,
  s: number,
  check: () => void,
  onStep: (done: number, total: number) => void,
  keeper?: CombinationKeeper,
): Promise<BlockVector> {
  const ofY = y === null ? 0 : y.width / working.k;
  const m = u.rows + ofY;
  const steps = coefficients.length / (s * m);
  const x = executor.vector(a.cols, working.k * s);
  const z = executor.vector(a.rows, working.k * s);
  try {
    const done = (await keeper?.recall(x)) ?? 0;
    for (let j = steps - 1 - done; j >= 0; j--) {
      check();
      await keeper?.pass(steps - 1 - j, x);
      // X ← Bᵀ·X = Aᵀ·(Cᵀ·X)
      if (j < steps - 1) {
        await leftFactor.applyTransposed(z, x);
        await a.applyTransposed(x, z);
      }
      // X ← X + Uᵀ·C_jᵀ + Yᵀ·D_jᵀ
      const block = transposeBlock(coefficients.subarray(j * s * m, (j + 1) * s * m), s, m);
      executor.expand(x, u, working.layers(block.subarray(0, u.rows * s), s));
      if (y !== null) executor.blockAxpy(x, y, working.blockFactors(block.subarray(u.rows * s), ofY, s));
      onStep(steps - j, steps);
    }
    return x;
  } catch (error) {
    executor.release(x);
    throw error;
  } finally {
    executor.release(z);
  }
}

/** s × m to m × s. */
export function transposeBlock(block: Uint32Array, s: number, m: number): Uint32Array {
  const out = new Uint32Array(block.length);
  for (let i = 0; i < s; i++) for (let r = 0; r < m; r++) out[r * s + i] = block[i * m + r];
  return out;
}
