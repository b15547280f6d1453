/**
 * A·X = B over Q, exactly, A of any shape and rank: each solution as numerators over one denominator, and what proves
 * it, or a proof that a column of B has none.
 *
 *   lifting   digits of x to the base of a prime (lifting.ts), any A whose Schur complement fits, dense without threads
 *   numeric   binary digits from a floating-point solver (refinement.ts), A square, where that converges; any size
 *
 * `auto` tries numeric, which fails within a few steps where it fails, and then lifting.
 */
import type { Entry } from '../../kernels/sparse/big-entries.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { MethodError } from '../method-error.js';
import type { Expansion, RationalContext } from './context.js';
import { type IntegerSystem, integerSystems } from './integer-system.js';
import { type Refutation, solveByLifting } from './lifting-solver.js';
import { approximateInverse, solveByRefinement } from './refinement.js';

export interface RationalOptions {
  readonly method?: 'auto' | 'lifting' | 'numeric';
  readonly coordinates?: readonly number[]; // those that are wanted; all of them without
}

/** Numerators of the coordinates wanted, in their order, over a denominator > 0; they have no common divisor. */
export interface RationalVector extends Expansion {
  readonly method: 'lifting' | 'numeric';
}

export type RationalSolution = (
  | { readonly kind: 'solved'; readonly solutions: RationalVector[] }
  | {
      readonly kind: 'inconsistent';
      readonly column: number;
      readonly certificate: bigint[]; // u : uᵀ·A = 0, uᵀ·b ≠ 0
    }
  | { readonly kind: 'unsolved' }
) & {
  readonly reasons: readonly string[]; // why methods did not serve
  readonly seconds: number;
};

/** A solution for each column, or why there is none. MethodError for sizes that do not fit. */
export async function solveRational(
  context: RationalContext,
  matrix: SparseMatrix,
  columns: readonly (readonly Entry[])[],
  { method = 'auto', coordinates }: RationalOptions = {},
): Promise<RationalSolution> {
  const started = performance.now();
  const { rows, cols } = matrix;
  const other = columns.find((column) => column.length !== rows);
  if (other) throw new MethodError(`solve over Q: expected right sides of ${rows} rows, got ${other.length}`);
  const outside = coordinates?.find((c) => !(Number.isInteger(c) && c >= 0 && c < cols));
  if (outside !== undefined)
    throw new MethodError(`solve over Q: expected coordinates in 0…${cols - 1}, got ${outside}`);
  const { systems, scales } = integerSystems(matrix, columns);
  const wanted = coordinates ?? null;
  const found: Solved = new Map();
  const reasons: string[] = [];
  const report = () => ({ reasons: [...new Set(reasons)], seconds: (performance.now() - started) / 1000 });
  if (method !== 'lifting' && systems.length > 0) reasons.push(...(await refine(context, systems, wanted, found)));
  const rest = systems.filter((system) => !found.has(system));
  if (method !== 'numeric' && rest.length > 0) reasons.push(...(await lift(context, rest, wanted, found)));
  const solutions: RationalVector[] = [];
  for (const [column, system] of systems.entries()) {
    const one = found.get(system);
    if (one === undefined) return { kind: 'unsolved', ...report() };
    if ('certificate' in one) {
      const certificate = one.certificate.map((u, i) => u * scales[i]);
      return { kind: 'inconsistent', column, certificate, ...report() };
    }
    solutions.push(one);
  }
  return { kind: 'solved', solutions, ...report() };
}

type Solved = Map<IntegerSystem, RationalVector | Refutation>;

/** Adds what numeric refinement finds; why it does not find more. */
async function refine(
  context: RationalContext,
  systems: readonly IntegerSystem[],
  coordinates: readonly number[] | null,
  solved: Solved,
): Promise<string[]> {
  const splitting = approximateInverse(systems[0], () => context.check());
  if (typeof splitting === 'string') return [`numeric: ${splitting}`];
  const reasons: string[] = [];
  for (const system of systems) {
    const found = await solveByRefinement(context, system, splitting, coordinates);
    if (typeof found === 'string') reasons.push(`numeric: ${found}`);
    else {
      if (found.offGpu !== undefined) reasons.push(`numeric: on the host: ${found.offGpu}`);
      solved.set(system, { ...found, method: 'numeric' });
    }
  }
  return reasons;
}

/** Adds what lifting finds, up to the first refutation; why it does not find more. */
async function lift(
  context: RationalContext,
  systems: readonly IntegerSystem[],
  coordinates: readonly number[] | null,
  solved: Solved,
): Promise<string[]> {
  const found = await solveByLifting(context, systems, coordinates);
  if (typeof found === 'string') return [`lifting: ${found}`];
  for (const [t, one] of found.entries())
    solved.set(systems[t], 'certificate' in one ? one : { ...one, method: 'lifting' });
  return [];
}
