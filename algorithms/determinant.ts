/**
 * The determinant of a square matrix A over F_p from the characteristic polynomial of B = C·A over GF(q).
 *
 *   C : random, of known determinant (triangular-preconditioner.ts)
 *   f : the shortest recurrence of U·B^k·v, deg f ≤ deg μ_B ≤ N
 *
 * Every answer is proved; only how long it takes is left to chance.
 *   deg f = N, f the recurrence of the infinite sequences: f = μ_B = det(z − B), so det A = (−1)^N·f(0) / det C.
 *   f(0) = 0, and x = (f/z)(B)·w is nonzero with B·x = 0 for a random w: A·x = 0 since C is invertible, so det A = 0.
 * Otherwise fresh randomness is tried, a bounded number of times.
 * Sources: Wiedemann 1986, section V; Chen et al. 2002.
 */

import { CounterRandom, deriveSeed } from '../fields/random.js';
import { StructureError } from '../kernels/errors/structure-error.js';
import type { BlockVector, Operator } from '../kernels/executor.js';
import type { LeftFactor } from './block-wiedemann/sparse-factor.js';
import { WorkingField } from './block-wiedemann/working-field.js';
import { timePhase } from './stopwatch.js';
import { findRecurrence, type RecurrenceContext, type RecurrenceSeconds } from './wiedemann/recurrence.js';
import { triangularPreconditioner } from './wiedemann/triangular-preconditioner.js';

export interface DeterminantOptions {
  readonly maxAttempts?: number; // default 4
}

export interface DeterminantResult {
  /** det A in [0, p), or null when no attempt proved one. */
  readonly determinant: number | null;
  readonly by: 'characteristic polynomial' | 'null vector' | null;
  /** −Infinity: the answer is proved; null without an answer. */
  readonly errorLog2: number | null;
  readonly method: 'wiedemann';
  readonly extensionDegree: number; // k
  readonly attempts: number;
  readonly seconds: RecurrenceSeconds;
  /** Why there is no answer, in words. */
  readonly reason?: string;
}

export async function determinant(
  context: RecurrenceContext,
  a: Operator,
  options: DeterminantOptions = {},
): Promise<DeterminantResult> {
  if (a.rows !== a.cols) throw new StructureError(`det: expected a square matrix, got ${a.rows} x ${a.cols}`);
  const { executor } = context;
  const N = a.rows;
  const working = new WorkingField(executor, 'column');
  const F = working.elements;
  const maxAttempts = Math.max(1, options.maxAttempts ?? 4);
  const seconds: RecurrenceSeconds = { sequence: 0, generator: 0, verification: 0 };
  let reason = '';
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const seed = deriveSeed(context.seed, 'determinant', attempt);
    const c = triangularPreconditioner(executor, N, working, deriveSeed(seed, 'C'));
    try {
      const f = await findRecurrence(context, a, c, { working, seed, attempt, seconds });
      if (f.degree === N && f.proved) {
        // det B = (−1)^N·f(0)
        const detB = N % 2 === 0 ? f.coefficients[0] : F.neg(f.coefficients[0]);
        const value = F.mul(detB, F.inv(c.determinant));
        // Codes below p are the elements of F_p, and the determinant of a linear operator is one.
        if (value < executor.field.p) return answer(value, 'characteristic polynomial', attempt);
        reason = 'the recurrence gives a determinant outside F_p: the operator is not linear';
      } else if (f.degree > 0 && f.coefficients[0] === 0) {
        const found = await timePhase(seconds, 'verification', () =>
          givesNullVector(context, a, c, working, f.coefficients, deriveSeed(seed, 'null vector'), attempt),
        );
        if (found) return answer(0, 'null vector', attempt);
        reason = 'the recurrence ends in 0 but gives no null vector';
      } else reason = `the recurrence has degree ${f.degree} of ${N} and does not end in 0`;
    } finally {
      c.free();
    }
  }
  const nothing = { determinant: null, by: null, errorLog2: null, attempts: maxAttempts, reason };
  return { ...nothing, method: 'wiedemann', extensionDegree: working.degree, seconds };

  function answer(value: number, by: 'characteristic polynomial' | 'null vector', attempts: number): DeterminantResult {
    const proved = { determinant: value, by, errorLog2: Number.NEGATIVE_INFINITY };
    return { ...proved, method: 'wiedemann', extensionDegree: working.degree, attempts, seconds };
  }
}

/** Whether x = (f/z)(B)·w is a nonzero vector with B·x = 0, w uniform over GF(q); Horner's rule, deg f products. */
async function givesNullVector(
  context: RecurrenceContext,
  a: Operator,
  c: LeftFactor,
  working: WorkingField,
  f: Uint32Array,
  seed: bigint,
  attempt: number,
): Promise<boolean> {
  const { executor } = context;
  const { k, q } = working;
  const w = executor.vector(a.rows, k);
  const x = executor.vector(a.rows, k);
  const ax = executor.vector(a.rows, k);
  const isZero = async (v: BlockVector): Promise<boolean> => (await executor.read(v)).every((value) => value === 0);
  try {
    const codes = new CounterRandom(seed, 0).fillResidues(new Uint32Array(a.rows), q);
    executor.write(w, working.toResidues(codes, 1));
    executor.copy(x, w); // f is monic
    for (let j = f.length - 2; j > 0; j--) {
      context.check();
      // x ← B·x + f_j·w
      await a.apply(ax, x);
      await c.apply(x, ax);
      if (f[j] !== 0) executor.blockAxpy(x, w, transposeBlock(working, f[j]));
      if (j % 64 === 0)
        context.onProgress({ phase: 'verification', attempt, done: f.length - 1 - j, total: f.length - 1 });
    }
    if (await isZero(x)) return false;
    await a.apply(ax, x); // B·x = 0 means A·x = 0
    return await isZero(ax);
  } finally {
    for (const v of [w, x, ax]) executor.release(v);
  }
}

/** Multiplication by a code on coordinate rows: the transpose of mulMatrix, which acts on columns. */
function transposeBlock(working: WorkingField, code: number): Uint32Array {
  const { k } = working;
  const matrix = working.mulMatrix(code);
  return Uint32Array.from({ length: k * k }, (_, at) => matrix[(at % k) * k + Math.floor(at / k)]);
}
