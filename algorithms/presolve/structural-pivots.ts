/**
 * The structural pivots of a matrix: the larger of what peeling columns and peeling rows finds, or, of two equally
 * large sets, the one of fewer depths. A symmetric pattern has the same either way.
 */
import { type Matching, orderByDepth, type Pattern, type Pivots, samePlaces, swapSides } from './pattern.js';
import { peel, peelingLists } from './peeling.js';

export interface StructuralPivots {
  readonly matching: Matching;
  readonly pivots: Pivots;
}

/** What finds them, or knows them; `enough` as structuralPivots has it. */
export interface PivotSearch {
  find(a: Pattern, at: Pattern, enough: (found: StructuralPivots) => boolean): StructuralPivots;
}

/**
 * `at` is the transpose of `a`; pivots that are `enough` are taken without a look for more.
 *
 * Rows are peeled first: of a wide matrix that sets its many columns aside, so that it finds more as a rule, and of a
 * tall one it meets each of its few columns once, where the other peeling meets each row. That one ends as soon as it
 * cannot find as many.
 */
export function structuralPivots(
  a: Pattern,
  at: Pattern,
  enough: (found: StructuralPivots) => boolean = () => false,
): StructuralPivots {
  const most = Math.min(a.rows, a.cols);
  const list = peelingLists(a);
  const isSquare = a.rows === a.cols;
  const first = isSquare ? peel(a, at, list) : swapSides(peel(at, a, list));
  if (a.rows >= a.cols && (first.size === most || samePlaces(a, at))) return inOrder(a, first);
  const found = inOrder(a, first);
  if (enough(found)) return found;
  const other = isSquare ? peel(at, a, list, first.size) : peel(a, at, list, first.size);
  if (other === null) return found;
  const second = isSquare ? swapSides(other) : other;
  const isLarger = second.size > first.size || second.size === most;
  const ordered = inOrder(a, second);
  if (isLarger) return ordered;
  const [byColumns, byRows] = isSquare ? [found, ordered] : [ordered, found];
  return byRows.pivots.depths.length < byColumns.pivots.depths.length ? byRows : byColumns;
}

function inOrder(a: Pattern, matching: Matching): StructuralPivots {
  return { matching, pivots: orderByDepth(a, matching) };
}
