/**
 * Structural pivots by peeling columns off: the coreductions of discrete Morse theory, without any search.
 *
 * All rows are active at first. Take a column j with the fewest active rows; one of them, i, is kept as the row of the
 * pivot (i, j), the others are set aside for good, and i is no longer active either. So no row that becomes a pivot's
 * later has an entry at j: the pivots are triangular in the order in which they are found. A column with one active row
 * costs nothing, and peeling it off makes more such columns; a row is set aside only where there is none.
 *
 * A step is a few words of work: O(nnz) in all. Columns of equally few active rows are taken in turn, which keeps the
 * chains of pivots short (depths in pattern.ts). Peeling finds no fewer pivots than Faugère-Lachartre pivots, pivots on
 * free columns and the greedy search of Bouillaguet, Delaplace and Voge 2017 (test/bench/RESULTS.md#peeling).
 * A row that is set aside is no pivot's, so that the number of the others bounds the pivots of the end at every step.
 * Source: Mrozek and Batko 2009 (coreduction homology).
 */
import type { Matching, Pattern } from './pattern.js';

type Degrees = Uint8Array | Uint32Array;

/** Lists of columns by degree: a word an entry of the matrix, for one peeling after another. */
export function peelingLists({ colIdx }: Pattern): Uint32Array {
  return new Uint32Array(colIdx.length);
}

/**
 * `at` is the transpose of `a`; rows are peeled off by calling it with the two exchanged. Null where the pivots are
 * fewer than `atLeast`, mostly long before the end.
 */
export function peel(a: Pattern, at: Pattern, list?: Uint32Array): Matching;
export function peel(a: Pattern, at: Pattern, list: Uint32Array, atLeast: number): Matching | null;
export function peel(a: Pattern, at: Pattern, list = peelingLists(a), atLeast = 0): Matching | null {
  const { rows, cols, rowPtr, colIdx } = a;
  const { rowPtr: colPtr, colIdx: rowIdx } = at;
  const colOf = new Int32Array(rows).fill(-1);
  const rowOf = new Int32Array(cols).fill(-1);
  const active = new Uint8Array(rows).fill(1);
  const most = longestOf(colPtr);
  // Active rows of a column. They are met at random places, of which a byte each leaves more in a cache.
  const degree: Degrees = most < 256 ? new Uint8Array(cols) : new Uint32Array(cols);
  countDegrees(colPtr, degree);
  const begin = new Uint32Array(most + 2);
  makeRoom(degree, begin);
  const tail = begin.slice();
  listColumns(degree, list, tail);
  const order = new Uint32Array(Math.min(rows, cols));
  const spare = rows - atLeast;
  const size = peelOff(rowPtr, colIdx, colPtr, rowIdx, active, degree, list, begin, tail, colOf, rowOf, order, spare);
  if (size < atLeast) return null;
  // No later row has an entry at an earlier pivot's column.
  return { colOf, rowOf, order: order.slice(0, size).reverse(), size };
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

function longestOf(ptr: Uint32Array): number {
  let most = 0;
  for (let j = 1; j < ptr.length; j++) most = Math.max(most, ptr[j] - ptr[j - 1]);
  return most;
}

function countDegrees(colPtr: Uint32Array, degree: Degrees): void {
  for (let j = 0; j < degree.length; j++) degree[j] = colPtr[j + 1] - colPtr[j];
}

/**
 * Where buckets begin: bucket d lists the columns that ever have degree d, each once, so that there is room for all
 * that begin with d or more, a place for each entry in all.
 */
function makeRoom(degree: Degrees, begin: Uint32Array): void {
  const most = begin.length - 2;
  for (let j = 0; j < degree.length; j++) begin[degree[j]]++;
  for (let d = most - 1; d >= 1; d--) begin[d] += begin[d + 1];
  let total = 0;
  for (let d = 1; d <= most; d++) {
    const room = begin[d];
    begin[d] = total;
    total += room;
  }
}

function listColumns(degree: Degrees, list: Uint32Array, tail: Uint32Array): void {
  for (let j = 0; j < degree.length; j++) if (degree[j] > 0) list[tail[degree[j]]++] = j;
}

/**
 * Buckets are list[head[d] … tail[d] − 1]. The number of pivots, whose rows `order` lists, or −1 from where more than
 * `spare` rows are set aside.
 */
function peelOff(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  colPtr: Uint32Array,
  rowIdx: Uint32Array,
  active: Uint8Array,
  degree: Degrees,
  list: Uint32Array,
  head: Uint32Array,
  tail: Uint32Array,
  colOf: Int32Array,
  rowOf: Int32Array,
  order: Uint32Array,
  spare: number,
): number {
  let size = 0;
  let aside = 0;
  let least = 1; // no column of a smaller degree is listed
  while (least < head.length - 1) {
    if (head[least] === tail[least]) {
      least++;
      continue;
    }
    const j = list[head[least]++];
    if (degree[j] !== least) continue;
    aside += least - 1;
    if (aside > spare) return -1;
    let kept = -1;
    for (let k = colPtr[j], end = colPtr[j + 1]; k < end; k++) {
      const i = rowIdx[k];
      if (active[i] === 0) continue;
      if (kept < 0) {
        kept = i;
        continue;
      }
      active[i] = 0;
      least = lower(rowPtr, colIdx, i, degree, list, tail, least);
    }
    colOf[kept] = j;
    rowOf[j] = kept;
    order[size++] = kept;
    active[kept] = 0;
    least = lower(rowPtr, colIdx, kept, degree, list, tail, least);
  }
  return size;
}

/** Lists the columns of row i, which is active no more, with a row less; returns the least degree that is listed. */
function lower(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  i: number,
  degree: Degrees,
  list: Uint32Array,
  tail: Uint32Array,
  least: number,
): number {
  for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
    const j = colIdx[k];
    const d = --degree[j];
    if (d === 0) continue;
    list[tail[d]++] = j;
    if (d < least) least = d;
  }
  return least;
}
