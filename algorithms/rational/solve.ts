/**
 * A·x = b over Q, exactly: numerators over one denominator, and what proves them.
 *
 *   lifting   digits of x to the base of a prime (lifting.ts), any nonsingular A of a size that a dense inverse fits
 *   numeric   binary digits from a floating-point solver (refinement.ts), where that converges; any size
 *
 * `auto` tries numeric, which fails within a few steps where it fails, and then lifting.
 */
import type { Entry } from '../../kernels/sparse/big-entries.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { MethodError } from '../method-error.js';
import type { Expansion, RationalContext, RationalProof } from './context.js';
import { DenseFactors } from './dense-factors.js';
import { integerSystem } from './integer-system.js';
import { factorModuloPrime, solveByLifting } from './lifting.js';
import { solveByRefinement } from './refinement.js';

export interface RationalOptions {
  readonly method?: 'auto' | 'lifting' | 'numeric';
  readonly coordinates?: readonly number[]; // those that are wanted; all of them without
}

export type RationalSolution =
  | {
      readonly kind: 'solved';
      readonly numerators: bigint[]; // of the coordinates wanted, in their order
      readonly denominator: bigint; // > 0; numerators and denominator have no common divisor
      readonly method: 'lifting' | 'numeric';
      readonly proof: RationalProof;
      readonly seconds: number;
    }
  | { readonly kind: 'unsolved'; readonly reason: string; readonly seconds: number };

/** Bytes that the factors for lifting may take. */
const MOST_BYTES = 2 ** 29;

/** The solution of a square nonsingular system, or why there is none. MethodError for sizes that do not fit. */
export function solveRational(
  context: RationalContext,
  matrix: SparseMatrix,
  right: readonly Entry[],
  { method = 'auto', coordinates }: RationalOptions = {},
): RationalSolution {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  const { rows, cols } = matrix;
  if (rows !== cols) throw new MethodError(`solve over Q: expected a square matrix, got ${rows} x ${cols}`);
  if (right.length !== rows) throw new MethodError(`solve over Q: expected ${rows} right sides, got ${right.length}`);
  const outside = coordinates?.find((c) => !(Number.isInteger(c) && c >= 0 && c < cols));
  if (outside !== undefined)
    throw new MethodError(`solve over Q: expected coordinates in 0…${cols - 1}, got ${outside}`);
  const solved = (by: 'lifting' | 'numeric', { numerators, denominator, proof }: Expansion): RationalSolution => {
    return { kind: 'solved', numerators, denominator, method: by, proof, seconds: seconds() };
  };
  const system = integerSystem(matrix, right);
  const wanted = coordinates ?? null;
  const reasons: string[] = [];
  if (method !== 'lifting') {
    const found = solveByRefinement(context, system, wanted);
    if (typeof found !== 'string') return solved('numeric', found);
    reasons.push(`numeric: ${found}`);
  }
  if (method !== 'numeric') {
    if (DenseFactors.bytes(system.n) > MOST_BYTES)
      reasons.push(`lifting: ${system.n} rows are too many for dense factors`);
    else {
      const modular = factorModuloPrime(context, system);
      if (modular !== null)
        return solved('lifting', solveByLifting(context, system, modular.p, modular.factors, wanted));
      reasons.push('lifting: the matrix is singular modulo three random primes, so over Q in all likelihood');
    }
  }
  return { kind: 'unsolved', reason: reasons.join('; '), seconds: seconds() };
}
