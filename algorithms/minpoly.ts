/**
 * The minimal polynomial μ of a square matrix A over F_p, by Wiedemann's algorithm over GF(q), q = p^k ≥ 2^10.
 *
 *   f : the shortest recurrence of U·A^k·v, k ≥ 0 (recurrence.ts)       s columns w uniform over F_p
 *
 * The minimal polynomial is the same over F_p and over GF(q); random choices from GF(q) make an unlucky f rare, and an
 * f with coefficients outside F_p is one. Proved about the answer, by deg f ≤ deg μ, which always holds:
 *   f(A)·w = 0 for the s columns: μ divides f except with probability p^−s, and then f = μ, both being monic;
 *   deg f = N and f the recurrence of the infinite sequences: f divides μ, so f = μ with no error at all.
 * Otherwise fresh randomness is tried; in the end the answer is what has been proved, and says so.
 * Sources: Wiedemann 1986; Kaltofen and Saunders 1991.
 */

import { CounterRandom, deriveSeed } from '../fields/random.js';
import { StructureError } from '../kernels/errors/structure-error.js';
import type { Operator } from '../kernels/executor.js';
import { WorkingField } from './block-wiedemann/working-field.js';
import { timePhase } from './stopwatch.js';
import {
  findRecurrence,
  identityFactor,
  type Recurrence,
  type RecurrenceContext,
  type RecurrenceSeconds,
} from './wiedemann/recurrence.js';

export interface MinpolyOptions {
  readonly verify?: boolean; // default true
  readonly maxAttempts?: number; // default 4
}

export interface MinpolyResult {
  /** Residues mod p, constant term first, monic. */
  readonly coefficients: Uint32Array;
  readonly degree: number;
  /** deg μ is proved to be at least this. */
  readonly lowerBound: number;
  /** log2 of the probability that this is not μ; −Infinity when it cannot fail, null when nothing above is proved. */
  readonly errorLog2: number | null;
  readonly method: 'wiedemann';
  readonly extensionDegree: number; // k
  readonly attempts: number;
  readonly seconds: RecurrenceSeconds;
  /** Why equality is not proved, in words. */
  readonly reason?: string;
}

export async function minpoly(
  context: RecurrenceContext,
  a: Operator,
  options: MinpolyOptions = {},
): Promise<MinpolyResult> {
  if (a.rows !== a.cols) throw new StructureError(`minpoly: expected a square matrix, got ${a.rows} x ${a.cols}`);
  const { executor } = context;
  const { p } = executor.field;
  const working = new WorkingField(executor, 'column');
  const verify = options.verify ?? true;
  const maxAttempts = Math.max(1, options.maxAttempts ?? 4);
  const s = Math.ceil(60 / Math.log2(p));
  const seconds: RecurrenceSeconds = { sequence: 0, generator: 0, verification: 0 };
  let best: Recurrence = { coefficients: Uint32Array.of(1), degree: 0, proved: true };
  let lowerBound = 0;
  let reason = verify ? '' : 'verification was switched off';
  for (let attempt = 1; ; attempt++) {
    const seed = deriveSeed(context.seed, 'minpoly', attempt);
    const f = await findRecurrence(context, a, identityFactor(executor), { working, seed, attempt, seconds });
    if (f.degree > a.rows) {
      reason = 'the operator is not linear';
      return result(attempt, null);
    }
    lowerBound = Math.max(lowerBound, f.degree);
    // Codes below p are the elements of F_p.
    const overBase = f.coefficients.every((code) => code < p);
    if (overBase && f.degree >= best.degree) best = f;
    if (overBase && f.proved && f.degree === a.rows) return result(attempt, Number.NEGATIVE_INFINITY);
    if (verify && overBase) {
      const ok = await timePhase(seconds, 'verification', () =>
        annihilates(context, a, f.coefficients, s, deriveSeed(seed, 'verification'), attempt),
      );
      // Shorter than another attempt's recurrence it is not μ, whatever it annihilates. A union bound over the
      // attempts.
      if (ok && f.degree === lowerBound) return result(attempt, Math.log2(attempt) - s * Math.log2(p));
    }
    if (verify) reason = overBase ? 'f(A)·w is not 0 for a random w' : 'the recurrence has coefficients outside F_p';
    if (!verify || attempt >= maxAttempts) return result(attempt, null);
  }

  function result(attempts: number, errorLog2: number | null): MinpolyResult {
    const { coefficients, degree } = best;
    const common = { coefficients, degree, errorLog2, method: 'wiedemann' as const, attempts, seconds };
    const claim = { lowerBound, extensionDegree: working.degree };
    return { ...common, ...claim, ...(errorLog2 === null ? { reason } : {}) };
  }
}

/** Whether f(A)·W = 0 for s uniform columns W over F_p, by Horner's rule in deg f products. */
async function annihilates(
  context: RecurrenceContext,
  a: Operator,
  f: Uint32Array,
  s: number,
  seed: bigint,
  attempt: number,
): Promise<boolean> {
  const { executor } = context;
  const degree = f.length - 1;
  const w = executor.vector(a.rows, s);
  let y = executor.vector(a.rows, s);
  let next = executor.vector(a.rows, s);
  try {
    executor.write(w, new CounterRandom(seed, 0).fillResidues(new Uint32Array(a.rows * s), executor.field.p));
    executor.copy(y, w); // f is monic
    for (let j = degree - 1; j >= 0; j--) {
      context.check();
      // Y ← A·Y + f_j·W
      if (f[j] !== 0) executor.copy(next, w);
      await a.apply(next, y, 1, f[j]);
      [y, next] = [next, y];
      if (j % 64 === 0) context.onProgress({ phase: 'verification', attempt, done: degree - j, total: degree });
    }
    return (await executor.read(y)).every((value) => value === 0);
  } finally {
    for (const v of [w, y, next]) executor.release(v);
  }
}
