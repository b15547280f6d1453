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
 * It is evaluated by Horner's rule on s columns, X ← Bᵀ·X + Uᵀ·C_jᵀ, in max δ + 1 products with Bᵀ: about d/m of them
 * of width s, an eighth of the work of the sequence or less.
 */
import type { Field } from '../../fields/field.js';
import { CounterRandom } from '../../fields/random.js';
import { WordPrime } from '../../fields/word-prime.js';
import type { Executor, Operator } from '../../kernels/executor.js';
import type { Generator } from './generator.js';
import { krylovCombination } from './horner.js';
import type { LeftVectors } from './left-vectors.js';
import type { LeftFactor } from './sparse-factor.js';
import type { WorkingField } from './working-field.js';

/** The random vectors s that make q^−s ≤ 2^−60. */
export function verificationWidth(log2q: number): number {
  return Math.ceil(60 / log2q);
}

/** Whether the identity above holds; c is c_0 … c_e, each s × m. */
export async function verifyGenerator(
  executor: Executor,
  a: Operator,
  leftFactor: LeftFactor,
  working: WorkingField,
  left: LeftVectors,
  generator: Generator,
  c: Uint32Array,
  seed: bigint,
  check: () => void,
  onStep: (done: number, total: number) => void,
): Promise<boolean> {
  const { s, w, y, u } = left;
  const m = u.rows;
  if (!w || !y) throw new RangeError('verification: there are no random row-space vectors');
  const combined = combineRows(working.elements, generator, c, m, s, seed);
  const x = await krylovCombination(executor, a, leftFactor, working, u, combined, s, check, onStep);
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

/** C_j = c_j + t·F_j for j from 0 to the larger degree, t uniform s × m. */
function combineRows(
  F: Field<number>,
  generator: Generator,
  c: Uint32Array,
  m: number,
  s: number,
  seed: bigint,
): Uint32Array {
  const source = new CounterRandom(seed, 0);
  const t = Uint32Array.from({ length: s * m }, (_, i) => source.residueAt(i, Number(F.order)));
  const steps = Math.max(c.length / (s * m), generator.coefficients.length / (m * m));
  const out = new Uint32Array(steps * s * m);
  out.set(c);
  for (let j = 0; j * m * m < generator.coefficients.length; j++) {
    const block = generator.coefficients.subarray(j * m * m, (j + 1) * m * m);
    for (let i = 0; i < s; i++) {
      const row = out.subarray((j * s + i) * m, (j * s + i + 1) * m);
      addRowTimes(F, row, t.subarray(i * m, (i + 1) * m), block);
    }
  }
  return out;
}

/** out ← out + x·M, M row-major. */
function addRowTimes(F: Field<number>, out: Uint32Array, x: Uint32Array, M: Uint32Array): void {
  if (F instanceof WordPrime) F.addRowTimes(out, x, M);
  else {
    const n = out.length;
    for (let l = 0; l < x.length; l++) {
      for (let j = 0; j < n; j++) out[j] = F.add(out[j], F.mul(x[l], M[l * n + j]));
    }
  }
}
