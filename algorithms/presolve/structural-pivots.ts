/**
 * The structural pivots of a matrix: the larger of what peeling columns and peeling rows finds, or, of two equally
 * large sets, the one of fewer depths. A symmetric pattern has the same either way.
 */
import { type Matching, orderByDepth, type Pattern, type Pivots, swapSides } from './pattern.js';
import { peel, peelingLists } from './peeling.js';

export interface StructuralPivots {
  readonly matching: Matching;
  readonly pivots: Pivots;
}

/**
 * `at` is the transpose of `a`. The peeling that sets lines of the longer side aside comes first: there are enough of
 * them, so that it finds more as a rule, and the other one ends as soon as it cannot.
 */
export function structuralPivots(a: Pattern, at: Pattern): StructuralPivots {
  const most = Math.min(a.rows, a.cols);
  const isWide = a.cols > a.rows;
  const list = peelingLists(a);
  const first = isWide ? swapSides(peel(at, a, list)) : peel(a, at, list);
  if (!isWide && (first.size === most || samePlaces(a, at))) return inOrder(a, first);
  const other = isWide ? peel(a, at, list, first.size) : peel(at, a, list, first.size);
  if (other === null) return inOrder(a, first);
  const second = isWide ? other : swapSides(other);
  if (second.size > first.size || second.size === most) return inOrder(a, second);
  const [byColumns, byRows] = (isWide ? [second, first] : [first, second]).map((matching) => inOrder(a, matching));
  return byRows.pivots.depths.length < byColumns.pivots.depths.length ? byRows : byColumns;
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
