/**
 * The upper bound: rank A ≤ d = deg det F except with probability q^−s, whatever C, U and V are.
 *
 *   R = span of the rows of U·B^(j+1), j ≥ 0, inside the row space of A        B = C·A
 *   Y = W·A, W : s × m uniform; c with Σ_j c_j·S_(k+j) = −Y·B^k·V for the k that were looked at; t : s × mU uniform
 *
 * Accepted when  W·A + Σ_j (c_j + t·F_j)·U·B^(j+1) = 0  exactly, F row-reduced with deg det F = d. Suppose rank A > d.
 *   If Σ_j F_j·U·B^(j+1) ≠ 0: a row of the left side is an affine function of its row of t that is not constant, so it
 *   vanishes for at most 1/q of them.
 *   If it is 0: dim R ≤ deg det F = d < rank A, so R is a proper subspace of the row space; acceptance puts W·A in R,
 *   which a row, being uniform there, does with probability at most 1/q.
 * The s rows are independent; W and t are drawn independently of F (c may depend on W). So acceptance has probability
 * at most q^−s.
 *
 * It is evaluated by Horner's rule on s columns, X ← Bᵀ·X + Uᵀ·(c_j + t·F_j)ᵀ, in e + 1 products with Bᵀ of width s: e
 * ≥ d/m is the order at which T entered, N/m at most, so that this is an eighth of the work of a sequence to full rank.
 */
import type { Field } from '../../fields/field.js';
import { CounterRandom } from '../../fields/random.js';
import type { Executor, Operator } from '../../kernels/executor.js';
import { krylovCombination } from './combine.js';
import type { CombinationKeeper } from './kept-combination.js';
import type { Projections } from './projections.js';
import type { LeftFactor } from './sparse-factor.js';
import type { WorkingField } from './working-field.js';

/** The random vectors s that make q^−s ≤ 2^−60. */
export function verificationWidth(log2q: number): number {
  return Math.ceil(60 / log2q);
}

/** `count` uniform codes: t. */
export function verificationWords(F: Field<number>, count: number, seed: bigint): Uint32Array {
  const source = new CounterRandom(seed, 0);
  return Uint32Array.from({ length: count }, (_, i) => source.residueAt(i, Number(F.order)));
}

/** Whether the identity above holds; `combined` is c_j + t·F_j for j = 0, 1, …, each s × m. */
export async function verifyGenerator(
  executor: Executor,
  a: Operator,
  leftFactor: LeftFactor,
  working: WorkingField,
  left: Projections,
  combined: Uint32Array,
  check: () => void,
  onStep: (done: number, total: number) => void,
  keeper?: CombinationKeeper,
): Promise<boolean> {
  const { s, w, y, u } = left;
  if (!w || !y) throw new RangeError('verification: there are no random row-space vectors');
  const x = await krylovCombination(executor, a, leftFactor, working, u, combined, s, check, onStep, keeper);
  const z = executor.vector(a.rows, working.k * s);
  const bx = executor.vector(a.cols, working.k * s);
  try {
    // Aᵀ·(Cᵀ·X) + Y must vanish.
    await leftFactor.applyTransposed(z, x);
    executor.copy(bx, y);
    await a.applyTransposed(bx, z, 1, 1);
    return (await executor.read(bx)).every((value) => value === 0);
  } finally {
    for (const v of [x, z, bx]) executor.release(v);
  }
}
