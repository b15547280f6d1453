/**
 * The determinant of an operator over F_p by block Wiedemann, always proved.
 *
 *   B = C·A, N × N over GF(q), C nonsingular of known determinant      F : the generator of the B^k·V, D = deg det F
 *   L : its leading matrix, row i that of x^δ_i in row i of F
 *
 * D = N: det F = det L·det(x − B) (vector-generator.ts), so det A = (−1)^N·det F(0) / (det L·det C).
 * D < N: F(0) is singular where B is, for most V, and gives an x ≠ 0 with A·x = 0.
 * The first attempt takes C = 1: D = N unless A has more than n invariant factors. Further ones take a triangular C
 * (triangular-preconditioner.ts) and a dense U. There is no interpolation and no verification.
 * Source: Kaltofen, Villard 2005; Chen et al. 2002 for C.
 */
import { deriveSeed } from '../../fields/random.js';
import type { Operator } from '../../kernels/executor.js';
import type { NoGenerator, VectorGenerator } from './generator.js';
import { keepOutcome } from './kept-attempt.js';
import type { RunContext } from './run-context.js';
import type { SelfChecks } from './self-checks.js';
import { determinantOf } from './small-matrix.js';
import { identityFactor } from './sparse-factor.js';
import { triangularPreconditioner } from './triangular-preconditioner.js';
import { showsKernel } from './vector-combination.js';
import { findVectorGenerator, vectorShape } from './vector-generator.js';
import { WorkingField } from './working-field.js';

export interface OperatorDeterminant {
  /** In [0, p), or null when no attempt proved one. */
  readonly determinant: number | null;
  readonly by: 'characteristic polynomial' | 'null vector' | null;
  readonly block: readonly [m: number, n: number];
  readonly attempts: number;
  readonly seconds: Readonly<Record<'sequence' | 'generator' | 'verification', number>>;
  readonly checks: SelfChecks;
  /** Why there is none, in words. */
  readonly reason?: string;
}

interface AttemptOutcome extends NoGenerator {
  readonly value: number | null;
  readonly by: OperatorDeterminant['by'];
}

/** det of a square operator of the executor; a transposed product is taken where the run checks itself. */
export async function operatorDeterminant(
  context: RunContext,
  a: Operator,
  maxAttempts = 4,
): Promise<OperatorDeterminant> {
  const { executor } = context;
  const N = a.rows;
  const working = new WorkingField(executor, 'block');
  const F = working.elements;
  const shape = vectorShape(working, N);
  const seconds = { sequence: 0, generator: 0, verification: 0 };
  const checks: SelfChecks = { sequence: 0, basis: 0, failed: 0 };
  const ran = { block: [shape.m, shape.n] as const, seconds, checks };
  let reason = '';
  if (N === 0) return { determinant: 1, by: 'characteristic polynomial', attempts: 0, ...ran };
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const outcome = await keepOutcome(context.checkpoint, attempt, () => tryOnce(attempt));
    const { value: determinant, by, broken } = outcome;
    if (determinant !== null) return { determinant, by, attempts: attempt, ...ran };
    reason = outcome.reason;
    if (broken) return { determinant: null, by: null, attempts: attempt, ...ran, reason };
  }
  return { determinant: null, by: null, attempts: maxAttempts, ...ran, reason };

  async function tryOnce(attempt: number): Promise<AttemptOutcome> {
    const seed = deriveSeed(context.seed, 'determinant', attempt);
    const isFirst = attempt === 1;
    const preconditioner = isFirst ? ('identity' as const) : ('triangular' as const);
    const run = { working, shape, preconditioner, dense: !isFirst, seed, attempt, seconds, checks };
    const f = await findVectorGenerator(context, a, run);
    if ('reason' in f) return { value: null, by: null, ...f };
    // Made again: that of the sequence has ended with it.
    const c = isFirst
      ? { ...identityFactor(executor), determinant: F.one }
      : triangularPreconditioner(executor, N, working, deriveSeed(seed, 'C'));
    try {
      if (f.complete) {
        const value = F.mul(determinantOfB(f), F.inv(c.determinant));
        // Codes below p are the elements of F_p, where the determinant of a linear operator is.
        if (value < executor.field.p) return { value, by: 'characteristic polynomial', reason: '' };
        const reason = 'the generator gives a determinant outside F_p: the operator is not linear';
        return { value: null, by: null, reason };
      }
      if (await showsKernel(context, a, c, run, f)) return { value: 0, by: 'null vector', reason: '' };
      return { value: null, by: null, reason: `the generator has degree ${f.degree} of ${N} and shows no null vector` };
    } finally {
      c.free();
    }
  }

  function determinantOfB({ coefficients, degrees }: VectorGenerator): number {
    const n = degrees.length;
    const leading = new Uint32Array(n * n);
    for (let i = 0; i < n; i++) {
      const from = degrees[i] * n * n + i * n;
      leading.set(coefficients.subarray(from, from + n), i * n);
    }
    const constant = determinantOf(F, coefficients.subarray(0, n * n), n);
    const value = F.mul(constant, F.inv(determinantOf(F, leading, n)));
    return N % 2 === 0 ? value : F.neg(value);
  }
}
