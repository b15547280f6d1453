/**
 * The structural pivots of a matrix: the larger of what peeling columns and peeling rows finds, or, of two equally
 * large sets, the one of fewer depths. A symmetric pattern has the same either way.
 */
import { type Matching, orderByDepth, type Pattern, type Pivots, swapSides } from './pattern.js';
import { peel } from './peeling.js';

export interface StructuralPivots {
  readonly matching: Matching;
  readonly pivots: Pivots;
}

/** `at` is the transpose of `a`. */
export function structuralPivots(a: Pattern, at: Pattern): StructuralPivots {
  const byColumns = peel(a, at);
  if (byColumns.size === Math.min(a.rows, a.cols) || samePlaces(a, at)) return inOrder(a, byColumns);
  const byRows = swapSides(peel(at, a));
  if (byColumns.size !== byRows.size) return inOrder(a, byColumns.size > byRows.size ? byColumns : byRows);
  const [first, second] = [inOrder(a, byColumns), inOrder(a, byRows)];
  return second.pivots.depths.length < first.pivots.depths.length ? second : first;
}

function samePlaces(a: Pattern, b: Pattern): boolean {
  return a.rows === b.rows && equal(a.rowPtr, b.rowPtr) && equal(a.colIdx, b.colIdx);
}

function equal(x: Uint32Array, y: Uint32Array): boolean {
  if (x.length !== y.length) return false;
  for (let k = 0; k < x.length; k++) if (x[k] !== y[k]) return false;
  return true;
}

function inOrder(a: Pattern, matching: Matching): StructuralPivots {
  return { matching, pivots: orderByDepth(a, matching) };
}
