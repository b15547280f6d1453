/**
 * A·X = B over Q, exactly, A of any shape and rank: each solution as numerators over one denominator, and what proves
 * it, or a proof that a column of B has none.
 *
 *   lifting   digits of x to the base of a prime (lifting.ts), any A of a size that dense factors fit
 *   numeric   binary digits from a floating-point solver (refinement.ts), A square, where that converges; any size
 *
 * `auto` tries numeric, which fails within a few steps where it fails, and then lifting.
 */
import type { Entry } from '../../kernels/sparse/big-entries.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { MethodError } from '../method-error.js';
import type { Expansion, RationalContext } from './context.js';
import { DenseFactors } from './dense-factors.js';
import { type IntegerSystem, integerSystems } from './integer-system.js';
import { LiftingSolver, type Refutation } from './lifting-solver.js';
import { approximateInverse, solveByRefinement } from './refinement.js';

export interface RationalOptions {
  readonly method?: 'auto' | 'lifting' | 'numeric';
  readonly coordinates?: readonly number[]; // those that are wanted; all of them without
}

/** Numerators of the coordinates wanted, in their order, over a denominator > 0; they have no common divisor. */
export interface RationalVector extends Expansion {
  readonly method: 'lifting' | 'numeric';
}

export type RationalSolution =
  | { readonly kind: 'solved'; readonly solutions: RationalVector[]; readonly seconds: number }
  | {
      readonly kind: 'inconsistent';
      readonly column: number;
      readonly certificate: bigint[]; // u : uᵀ·A = 0, uᵀ·b ≠ 0
      readonly seconds: number;
    }
  | { readonly kind: 'unsolved'; readonly reason: string; readonly seconds: number };

/** Bytes that the factors for lifting may take. */
const MOST_BYTES = 2 ** 29;

/** A solution for each column, or why there is none. MethodError for sizes that do not fit. */
export function solveRational(
  context: RationalContext,
  matrix: SparseMatrix,
  columns: readonly (readonly Entry[])[],
  { method = 'auto', coordinates }: RationalOptions = {},
): RationalSolution {
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  const { rows, cols } = matrix;
  const other = columns.find((column) => column.length !== rows);
  if (other) throw new MethodError(`solve over Q: expected right sides of ${rows} rows, got ${other.length}`);
  const outside = coordinates?.find((c) => !(Number.isInteger(c) && c >= 0 && c < cols));
  if (outside !== undefined)
    throw new MethodError(`solve over Q: expected coordinates in 0…${cols - 1}, got ${outside}`);
  const { systems, scales } = integerSystems(matrix, columns);
  const solve = solverOf(context, method, coordinates ?? null);
  const solutions: RationalVector[] = [];
  for (const [column, system] of systems.entries()) {
    const found = solve(system);
    if (typeof found === 'string') return { kind: 'unsolved', reason: found, seconds: seconds() };
    if ('certificate' in found) {
      const certificate = found.certificate.map((u, i) => u * scales[i]);
      return { kind: 'inconsistent', column, certificate, seconds: seconds() };
    }
    solutions.push(found);
  }
  return { kind: 'solved', solutions, seconds: seconds() };
}

/** What solves systems with one matrix; a sentence where it comes to no end. */
function solverOf(
  context: RationalContext,
  method: 'auto' | 'lifting' | 'numeric',
  coordinates: readonly number[] | null,
): (system: IntegerSystem) => RationalVector | Refutation | string {
  const lifting = new LiftingSolver(context);
  let splitting: ReturnType<typeof approximateInverse> | undefined;
  return (system) => {
    const reasons: string[] = [];
    if (method !== 'lifting') {
      splitting ??= approximateInverse(system, () => context.check());
      const found =
        typeof splitting === 'string' ? splitting : solveByRefinement(context, system, splitting, coordinates);
      if (typeof found !== 'string') return { ...found, method: 'numeric' };
      reasons.push(`numeric: ${found}`);
    }
    if (method !== 'numeric') {
      const { rows, cols } = system;
      if (DenseFactors.bytes(rows, cols) > MOST_BYTES)
        reasons.push(`lifting: ${rows} x ${cols} is too large for dense factors`);
      else {
        const found = lifting.solve(system, coordinates);
        if (found !== null) return 'certificate' in found ? found : { ...found, method: 'lifting' };
        reasons.push('lifting: the rank modulo each of many primes is below that over Q');
      }
    }
    return reasons.join('; ');
  };
}
