/**
 * The upper bound: rank A ≤ d = deg det F but for a chance of 2·q^−s, whatever C, U and V are.
 *
 *   B = C·A        W : s × m uniform        Y = W·A        x : the mU rows U·B above the s rows Y
 *   R = span of all x·B^j, inside the row space of A        R_U = that of the rows U·B^(j+1)
 *   F : M × M, M = mU + s, row-reduced, d = deg det F, of the blocks x·B^k·V that were looked at      t : s × M uniform
 *
 * Accepted when the rows of U span what all rows of k[x]^M / F do (spanning.ts), and Σ_j t·F_j·x·B^j = 0 exactly.
 * Suppose rank A > d.
 *   If Σ_j F_j·x·B^j ≠ 0: a row of t makes it vanish with probability at most 1/q.
 *   If it is 0: R is an image of k[x]^M / F, so dim R ≤ d < rank A, and R_U = R, so that R_U, a proper subspace of the
 *   row space, has the rows of W·A in it. It does not depend on W, and a row of W·A, uniform in the row space, lies in
 *   it with probability at most 1/q.
 * The s rows are independent, t of F, and W of C, U and V. So acceptance has probability at most 2·q^−s.
 *
 * The sum is evaluated by Horner's rule on s columns, (combine.ts), in max δ + 1 products with Bᵀ of width s, about
 * d/M of them.
 */
import type { Field } from '../../fields/field.js';
import { CounterRandom } from '../../fields/random.js';
import type { Executor, Operator } from '../../kernels/executor.js';
import { krylovCombination, transposeBlock } from './combine.js';
import type { CombinationKeeper } from './kept-combination.js';
import type { Projections } from './projections.js';
import type { LeftFactor } from './sparse-factor.js';
import type { WorkingField } from './working-field.js';

/** The random vectors s that make 2·q^−s ≤ 2^−60. */
export function verificationWidth(log2q: number): number {
  return Math.ceil(61 / log2q);
}

/** `count` uniform codes: t. */
export function verificationWords(F: Field<number>, count: number, seed: bigint): Uint32Array {
  const source = new CounterRandom(seed, 0);
  return Uint32Array.from({ length: count }, (_, i) => source.residueAt(i, Number(F.order)));
}

/** Whether the sum above vanishes; `combined` is (t·F)_j for j = 0, 1, …, each s × M. */
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
  // Σ_j C_j·U·B^(j+1) + D_j·Y·B^j = D_0·Y + (Σ_j (C_j·U + D_(j+1)·Y)·B^j)·B
  const { first, others } = shifted(combined, s, u.rows);
  const x = await krylovCombination(executor, a, leftFactor, working, left, others, s, check, onStep, keeper);
  const z = executor.vector(a.rows, working.k * s);
  const sum = executor.vector(a.cols, working.k * s);
  try {
    await leftFactor.applyTransposed(z, x);
    executor.fill(sum, 0);
    executor.blockAxpy(sum, y, working.blockFactors(transposeBlock(first, s, s), s, s));
    await a.applyTransposed(sum, z, 1, 1);
    return (await executor.read(sum)).every((value) => value === 0);
  } finally {
    for (const v of [x, z, sum]) executor.release(v);
  }
}

/** Of [C_0 | D_0], [C_1 | D_1], …, s × (m + s) each: D_0, and [C_0 | D_1], [C_1 | D_2], … */
function shifted(combined: Uint32Array, s: number, m: number): { first: Uint32Array; others: Uint32Array } {
  const all = m + s;
  const first = new Uint32Array(s * s);
  const others = new Uint32Array(combined.length);
  for (let row = 0; row * all < combined.length; row++) {
    const at = row * all;
    others.set(combined.subarray(at, at + m), at);
    const d = combined.subarray(at + m, at + all);
    if (row < s) first.set(d, row * s);
    else others.set(d, at - s * all + m);
  }
  return { first, others };
}
