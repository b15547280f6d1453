/**
 * The structural pivots of a matrix: the larger of what peeling columns and peeling rows finds, or, of two equally
 * large sets, the one of fewer depths. A symmetric pattern has the same either way. The threads of a team find the same
 * pivots, a side each.
 */
import { PivotKernels, type Side } from '../../kernels/pivots/pivots-on-team.js';
import type { Team } from '../../kernels/threads/team.js';
import { type Matching, orderByDepth, type Pattern, type Pivots, swapSides } from './pattern.js';
import { peel } from './peeling.js';

export interface StructuralPivots {
  readonly matching: Matching;
  readonly pivots: Pivots;
}

/** The steps of the search, in plain code or by a team. */
interface Steps {
  peel(sides: readonly Side[]): Matching[];
  order(matchings: readonly Matching[]): Pivots[];
}

/** `at` is the transpose of `a`. */
export function structuralPivots(a: Pattern, at: Pattern, team?: Team): StructuralPivots {
  if (team === undefined) return findPivots(a, at, stepsHere(a, at), false);
  const kernels = new PivotKernels(team, a, at);
  try {
    return findPivots(a, at, kernels, team.threads > 1);
  } finally {
    kernels.release();
  }
}

/** `together`: both sides at one time, before it is known whether one has pivots in all lines. */
function findPivots(a: Pattern, at: Pattern, { peel, order }: Steps, together: boolean): StructuralPivots {
  const inOrder = (matching: Matching): StructuralPivots => ({ matching, pivots: order([matching])[0] });
  if (samePlaces(a, at)) return inOrder(peel(['columns'])[0]);
  const [byColumns, rowsToo] = peel(together ? ['columns', 'rows'] : ['columns']);
  if (byColumns.size === Math.min(a.rows, a.cols)) return inOrder(byColumns);
  const byRows = rowsToo ?? peel(['rows'])[0];
  if (byColumns.size !== byRows.size) return inOrder(byColumns.size > byRows.size ? byColumns : byRows);
  const [first, second] = order([byColumns, byRows]);
  if (second.depths.length < first.depths.length) return { matching: byRows, pivots: second };
  return { matching: byColumns, pivots: first };
}

function stepsHere(a: Pattern, at: Pattern): Steps {
  return {
    peel: (sides) => sides.map((side) => (side === 'columns' ? peel(a, at) : swapSides(peel(at, a)))),
    order: (matchings) => matchings.map((matching) => orderByDepth(a, matching)),
  };
}

function samePlaces(a: Pattern, b: Pattern): boolean {
  return a.rows === b.rows && equal(a.rowPtr, b.rowPtr) && equal(a.colIdx, b.colIdx);
}

function equal(x: Uint32Array, y: Uint32Array): boolean {
  if (x.length !== y.length) return false;
  for (let k = 0; k < x.length; k++) if (x[k] !== y[k]) return false;
  return true;
}
