/**
 * The places of a matrix's entries. A search for structural pivots needs no more, since every entry is a unit mod p.
 */

/** A pattern and its transpose; the same places by rows and by columns. */
export interface Pattern {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: Uint32Array; // rows + 1 offsets, nondecreasing, from 0 to nnz
  readonly colIdx: Uint32Array; // nnz columns, increasing within a row
}

/** Whether two matrices have their entries at the same places. */
export function samePlaces(a: Pattern, b: Pattern): boolean {
  return a.rows === b.rows && a.cols === b.cols && equal(a.rowPtr, b.rowPtr) && equal(a.colIdx, b.colIdx);
}

function equal(x: Uint32Array, y: Uint32Array): boolean {
  if (x.length !== y.length) return false;
  for (let k = 0; k < x.length; k++) if (x[k] !== y[k]) return false;
  return true;
}

/**
 * Structural pivots: places (rows[k], cols[k]), no row or column twice, on which A is lower triangular with a nonzero
 * diagonal whatever its values are:
 *
 *   A[rows[k], cols[k]] ≠ 0      A[rows[k], cols[l]] = 0 for l > k
 *
 * They are in order of depth, the number of pivots in the longest chain that has to be known first, so that each depth
 * is one run of the order.
 */
export interface Pivots {
  readonly rows: Uint32Array;
  readonly cols: Uint32Array;
  /** Where each depth begins, and the number of pivots last. */
  readonly depths: Uint32Array;
}

/** Where pivots are, in their order. */
export type PivotPlaces = Pick<Pivots, 'rows' | 'cols'>;

/** The same pivots as those of Aᵀ: their order is the other way round, and a run of one depth is one still. */
export function reversePivots({ rows, cols }: PivotPlaces): PivotPlaces {
  return { rows: cols.slice().reverse(), cols: rows.slice().reverse() };
}

/** A set of pivots: the column of a row's pivot and the row of a column's, or −1. */
export interface Matching {
  readonly colOf: Int32Array;
  readonly rowOf: Int32Array;
  /** Their rows as in Pivots, whatever the depths: A[order[k], colOf[order[l]]] = 0 for l > k. */
  readonly order: Uint32Array;
  readonly size: number;
}

/** The same pivots seen from Aᵀ. */
export function swapSides({ colOf, rowOf, order, size }: Matching): Matching {
  return { colOf: rowOf, rowOf: colOf, order: order.map((i) => colOf[i]).reverse(), size };
}

/** The matching of `a` in order of depth. Throws RangeError if its order is no triangle's, as where it has a cycle. */
export function orderByDepth(a: Pattern, { colOf, rowOf, order, size }: Matching): Pivots {
  const depth = rowOf.map((i) => (i < 0 ? GIVEN : OPEN));
  const settled = findDepths(a.rowPtr, a.colIdx, colOf, order, depth);
  if (settled < size) {
    throw new RangeError(
      `pivots: expected no cycle in their order, got row ${order[settled]} before one that it needs`,
    );
  }
  const depths = new Uint32Array(countDepths(depth) + 1);
  const pivots = { rows: new Uint32Array(size), cols: new Uint32Array(size), depths };
  dealByDepth(colOf, depth, depths, pivots.rows, pivots.cols);
  return pivots;
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** The lines of 0 … count − 1 that are not among these. */
export function linesBeside(lines: Uint32Array, count: number): Uint32Array {
  const taken = new Uint8Array(count);
  for (let k = 0; k < lines.length; k++) taken[lines[k]] = 1;
  const beside = new Uint32Array(count - lines.length);
  for (let i = 0, k = 0; i < count; i++) if (taken[i] === 0) beside[k++] = i;
  return beside;
}

/** Depths of columns without a pivot, and of those whose pivot is still to come. */
const GIVEN = -1;
const OPEN = -2;

/** The depth of each pivot at its column. Returns how many are settled: all, or those before one that needs another. */
function findDepths(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  colOf: Int32Array,
  order: Uint32Array,
  depth: Int32Array,
): number {
  for (let k = 0; k < order.length; k++) {
    const i = order[k];
    const own = colOf[i];
    let deepest = GIVEN;
    for (let e = rowPtr[i], end = rowPtr[i + 1]; e < end; e++) {
      const d = depth[colIdx[e]];
      if (d > deepest) deepest = d;
      else if (d === OPEN && colIdx[e] !== own) return k;
    }
    depth[own] = deepest + 1;
  }
  return order.length;
}

function countDepths(depth: Int32Array): number {
  let count = 0;
  for (let j = 0; j < depth.length; j++) if (depth[j] >= count) count = depth[j] + 1;
  return count;
}

/** Pivots by depth and, within one, by row; `depths` becomes where each depth begins. */
function dealByDepth(
  colOf: Int32Array,
  depth: Int32Array,
  depths: Uint32Array,
  rows: Uint32Array,
  cols: Uint32Array,
): void {
  for (let j = 0; j < depth.length; j++) if (depth[j] >= 0) depths[depth[j] + 1]++;
  for (let d = 1; d < depths.length; d++) depths[d] += depths[d - 1];
  const at = depths.slice();
  for (let i = 0; i < colOf.length; i++) {
    if (colOf[i] < 0) continue;
    const k = at[depth[colOf[i]]]++;
    rows[k] = i;
    cols[k] = colOf[i];
  }
}
