/**
 * The minimal polynomial μ of a square matrix A over F_p, by block Wiedemann on A itself, over GF(q), q ≥ 3^5.
 *
 *   V : N × n uniform      F : the minimal generator of the A^k·V (block-wiedemann/vector-generator.ts), D = deg det F
 *   s(F) : its largest invariant factor, the minimal polynomial of A on K = span of the A^k·V
 *
 * 1. s(F) divides μ, since μ annihilates K.
 * 2. D = N: K is everything, and μ = s(F). F is proved to be the generator, with no probability.
 * 3. D < N: that F annihilates V is seen with error q^−s. A proper divisor of μ that annihilates K annihilates n
 *    uniform vectors; μ/π does with probability at most q^(−n·deg π), π irreducible, and there are at most q^d/d such π
 *    of degree d: together 2·q^(1−n) at most.
 * 4. f, the recurrence of scalar sequences made of F (wiedemann/invariant-factor.ts), divides s(F) once it holds for D
 *    of their terms, and so for all. It is s(F) if deg f = D; else if it holds for other such sequences as well, wrong
 *    with probability (2/q)^pairs at most.
 * μ is the same over F_p and GF(q), so an f with coefficients outside F_p is bad luck. Where something fails fresh
 * randomness is tried. Verification takes D/n products of width s, the sequence N/m + N/n of width n.
 * Sources: Coppersmith 1994; Kaltofen and Saunders 1991; Kaltofen, Villard 2005.
 */

import { deriveSeed } from '../fields/random.js';
import { StructureError } from '../kernels/errors/structure-error.js';
import type { Operator } from '../kernels/executor.js';
import type { ResidueMatrix } from '../kernels/sparse/residue-matrix.js';
import { type BlockShape, VECTOR_ERROR } from './block-wiedemann/block-shape.js';
import type { NoGenerator, VectorGenerator } from './block-wiedemann/generator.js';
import { keepOutcome } from './block-wiedemann/kept-attempt.js';
import { keepVerdict } from './block-wiedemann/kept-combination.js';
import type { RunContext } from './block-wiedemann/run-context.js';
import { type SelfChecks, warningsOf } from './block-wiedemann/self-checks.js';
import { identityFactor } from './block-wiedemann/sparse-factor.js';
import { annihilates } from './block-wiedemann/vector-combination.js';
import {
  findVectorGenerator,
  onSquareOperator,
  type VectorGeneratorRun,
  vectorShape,
} from './block-wiedemann/vector-generator.js';
import { WorkingField } from './block-wiedemann/working-field.js';
import { timePhase } from './stopwatch.js';
import { invariantFactor, pairCount } from './wiedemann/invariant-factor.js';

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
  readonly method: 'block-wiedemann';
  readonly block: BlockShape;
  readonly extensionDegree: number; // k
  readonly attempts: number;
  readonly seconds: Record<'sequence' | 'generator' | 'verification', number>;
  readonly explanation?: readonly string[];
  readonly checks: SelfChecks;
  readonly warnings: readonly string[];
  /** Why equality is not proved, in words. */
  readonly reason?: string;
}

/** What an attempt came to, as plain data. */
interface AttemptOutcome extends NoGenerator {
  readonly lowerBound: number; // deg μ is proved to be at least this
  readonly coefficients: readonly number[] | null;
  readonly annihilated: boolean; // V, by the generator
  readonly complete: boolean;
  readonly exact: boolean; // the polynomial has the degree of the generator
}

const NOTHING = { lowerBound: 0, coefficients: null, annihilated: false, complete: false, exact: false };

/** Attempts from this one on have a U of uniform elements, and SPARE_ROWS more of them. */
const DENSE_FROM_ATTEMPT = 2;

/**
 * U of n + e rows sees all of an irreducible π of degree d that n or more invariant factors have, as V does, but for
 * about q^(−d·(1 + e)). There are at most q^d/d such π: of that many, e = 0 would lose about one.
 */
const SPARE_ROWS = 4;

/** The minimal polynomial of a matrix mod p. */
export function minpolyOfMatrix(
  context: RunContext,
  matrix: ResidueMatrix,
  options: MinpolyOptions = {},
): Promise<MinpolyResult> {
  return onSquareOperator(context, matrix, (context, operator) => minpoly(context, operator, options));
}

/**
 * Of an operator of the executor; transposed products are taken where the run checks itself. Throws what `check`
 * throws.
 */
export async function minpoly(context: RunContext, a: Operator, options: MinpolyOptions = {}): Promise<MinpolyResult> {
  if (a.rows !== a.cols) throw new StructureError(`minpoly: expected a square matrix, got ${a.rows} x ${a.cols}`);
  const { executor } = context;
  const N = a.rows;
  const working = new WorkingField(executor, 'block');
  const shape = vectorShape(working, N);
  const verify = options.verify ?? true;
  const maxAttempts = Math.max(1, options.maxAttempts ?? 4);
  const seconds = { sequence: 0, generator: 0, verification: 0 };
  const checks: SelfChecks = { sequence: 0, basis: 0, failed: 0 };
  const identity = identityFactor(executor);
  let best: Uint32Array = Uint32Array.of(1);
  let lowerBound = 0;
  let reason = '';
  if (N === 0) return result(1, Number.NEGATIVE_INFINITY);
  for (let attempt = 1; ; attempt++) {
    const last = !verify || attempt >= maxAttempts;
    const outcome = await keepOutcome(context.checkpoint, attempt, () => tryOnce(attempt, last));
    reason = outcome.reason;
    if (outcome.broken) return result(attempt, null);
    lowerBound = Math.max(lowerBound, outcome.lowerBound);
    if (outcome.coefficients !== null) {
      const degree = outcome.coefficients.length - 1;
      if (degree < lowerBound) reason = 'the polynomial is shorter than another attempt has proved';
      else {
        best = Uint32Array.from(outcome.coefficients);
        if (outcome.complete) lowerBound = degree;
        if (outcome.annihilated) return result(attempt, errorLog2(outcome.complete, outcome.exact, attempt));
      }
    }
    if (last) return result(attempt, null);
  }

  async function tryOnce(attempt: number, last: boolean): Promise<AttemptOutcome> {
    const seed = deriveSeed(context.seed, 'minpoly', attempt);
    const dense = attempt >= DENSE_FROM_ATTEMPT;
    const own = { m: shape.n + (dense ? SPARE_ROWS : 0), n: shape.n };
    const of = { working, shape: own, preconditioner: 'identity' as const, dense };
    const run = { ...of, seed, attempt, seconds, checks };
    const f = await findVectorGenerator(context, a, run);
    if ('reason' in f) return { ...NOTHING, ...f };
    const shows = () => keepVerdict(context.checkpoint, attempt, f, () => isGenerator(run, f));
    const annihilated = f.complete || (verify && (await timePhase(seconds, 'verification', shows)));
    const proved = {
      lowerBound: Math.ceil(f.degree / shape.n), // dim K ≤ n·deg μ
      annihilated,
      complete: f.complete,
      reason: annihilated
        ? ''
        : verify
          ? 'the generator does not annihilate its vectors'
          : 'verification was switched off',
    };
    if (!annihilated && !last) return { ...NOTHING, ...proved };
    const found = await timePhase(seconds, 'generator', () => invariantFactor(context, f, run));
    if (!found.agrees)
      return { ...NOTHING, ...proved, reason: 'sequences of one generator have different recurrences' };
    if (found.coefficients.some((code) => code >= executor.field.p))
      return { ...NOTHING, ...proved, reason: 'the recurrence has coefficients outside F_p' };
    const coefficients = Array.from(found.coefficients);
    return { ...NOTHING, ...proved, coefficients, exact: coefficients.length - 1 === f.degree };
  }

  function isGenerator(run: VectorGeneratorRun, f: VectorGenerator): Promise<boolean> {
    return annihilates(context, a, identity, run, f, verificationWidth(working));
  }

  /** A union bound over what can be wrong, and over the attempts. */
  function errorLog2(complete: boolean, exact: boolean, attempt: number): number {
    const { log2q } = working;
    let error = 0;
    if (!complete) error += 2 ** (1 + (1 - shape.n) * log2q) + 2 ** (-verificationWidth(working) * log2q);
    if (!exact) error += 2 ** (pairCount(working) * (1 - log2q));
    return error === 0 ? Number.NEGATIVE_INFINITY : Math.log2(attempt) + Math.log2(error);
  }

  function result(attempts: number, errorLog2: number | null): MinpolyResult {
    const common = { coefficients: best, degree: best.length - 1, errorLog2, attempts, seconds };
    const run = { extensionDegree: working.degree, checks, warnings: warningsOf(checks) };
    const how = { method: 'block-wiedemann' as const, block: shape, ...run };
    return { ...common, ...how, lowerBound, ...(errorLog2 === null ? { reason } : {}) };
  }
}

function verificationWidth({ log2q }: WorkingField): number {
  return Math.ceil(VECTOR_ERROR / log2q);
}
