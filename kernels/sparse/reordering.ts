/**
 * Reverse Cuthill-McKee: an order of rows and columns that brings entries near the diagonal, so that rows of X that a
 * product reads lie near each other.
 *
 *   vertices   with `symmetric`, line i, row and column in one, for a square matrix: i and j are neighbours where
 *              A(i, j) or A(j, i) is not 0, and P·A·Pᵀ has the minimal polynomial and the determinant of A
 *              else the rows 0 … m − 1 and the columns m … m + n − 1: row i and column j are neighbours where A(i, j)
 *              is not 0, and P·A·Q has the rank of A
 *
 * A component is visited in breadth from a vertex of nearly the greatest distance to any other, neighbours by
 * increasing degree; the order of all visits is reversed. Lists of neighbours are made in the order of degrees, from a
 * counting sort of the vertices, so that time is O(m + n + nnz) for each search of a start, and those are few.
 * Sources: Cuthill, McKee 1969; George 1971; George, Liu 1979 (starts); Chan, George 1980 (linear time).
 */
import type { ResidueMatrix } from './formats/csr.js';
import { transpose } from './residue-matrix.js';

/** An order of lines that is asked for by name. */
export type Reordering = 'rcm';

export const REORDERINGS: readonly Reordering[] = ['rcm'];

/** Line t of the reordered matrix is line rows[t], or cols[t], of the given one. */
export interface LineOrders {
  readonly rows: Uint32Array;
  readonly cols: Uint32Array;
}

interface Graph {
  readonly ptr: Uint32Array; // neighbours of vertex v are at ptr[v] … ptr[v + 1] − 1
  readonly neighbours: Uint32Array; // by increasing degree; one may stand there twice
  readonly byDegree: Uint32Array; // the vertices
}

/** Searches for a start, beside the first one, in a component: each one at least a step deeper. */
const MOST_SEARCHES = 6;

export function reverseCuthillMcKee(a: ResidueMatrix, symmetric: boolean): LineOrders {
  const graph = graphOf(a, symmetric);
  const order = visitAll(graph).reverse();
  if (symmetric) return { rows: order, cols: order };
  const isRow = (v: number): boolean => v < a.rows;
  return { rows: order.filter(isRow), cols: order.filter((v) => !isRow(v)).map((v) => v - a.rows) };
}

/** The matrix whose row s and column t are rows[s] and cols[t] of A. */
export function permuteLines(a: ResidueMatrix, { rows, cols }: LineOrders): ResidueMatrix {
  const turned = transpose(a);
  const newRow = new Uint32Array(a.rows);
  const rowPtr = new Uint32Array(a.rows + 1);
  for (let s = 0; s < a.rows; s++) {
    newRow[rows[s]] = s;
    rowPtr[s + 1] = rowPtr[s] + a.rowPtr[rows[s] + 1] - a.rowPtr[rows[s]];
  }
  const [colIdx, values] = [new Uint32Array(a.colIdx.length), new Uint32Array(a.colIdx.length)];
  // Columns in order, so that they increase within a row.
  deal(cols, turned.rowPtr, turned.colIdx, turned.values, newRow, rowPtr.slice(0, a.rows), colIdx, values);
  return { rows: a.rows, cols: a.cols, rowPtr, colIdx, values };
}

/** The mean distance of an entry from the diagonal, in columns; that of a rectangle goes from corner to corner. */
export function meanDistance({ rows, cols, rowPtr, colIdx }: ResidueMatrix): number {
  return colIdx.length === 0 ? 0 : sumDistances(rowPtr, colIdx, cols / rows) / colIdx.length;
}

function graphOf(a: ResidueMatrix, symmetric: boolean): Graph {
  const turned = transpose(a);
  const vertices = symmetric ? a.rows : a.rows + a.cols;
  const ptr = new Uint32Array(vertices + 1);
  for (let i = 0; i < a.rows; i++) ptr[i + 1] = a.rowPtr[i + 1] - a.rowPtr[i];
  const firstColumn = symmetric ? 0 : a.rows;
  for (let j = 0; j < a.cols; j++) ptr[firstColumn + j + 1] += turned.rowPtr[j + 1] - turned.rowPtr[j];
  const byDegree = sortByCount(ptr);
  for (let v = 0; v < vertices; v++) ptr[v + 1] += ptr[v];
  const neighbours = new Uint32Array(ptr[vertices]);
  const next = ptr.slice(0, vertices);
  // Vertices by degree, each put behind what its neighbours have: their lists come out by degree.
  for (const v of byDegree) {
    if (v < a.rows) append(v, a.rowPtr[v], a.rowPtr[v + 1], a.colIdx, firstColumn, next, neighbours);
    const j = v - firstColumn;
    if (j >= 0) append(v, turned.rowPtr[j], turned.rowPtr[j + 1], turned.colIdx, 0, next, neighbours);
  }
  return { ptr, neighbours, byDegree };
}

/** The vertices by counts[v + 1], those of one count in their order. */
function sortByCount(counts: Uint32Array): Uint32Array {
  const vertices = counts.length - 1;
  let most = 0;
  for (let v = 0; v < vertices; v++) most = Math.max(most, counts[v + 1]);
  const next = new Uint32Array(most + 2);
  for (let v = 0; v < vertices; v++) next[counts[v + 1] + 1]++;
  for (let d = 0; d <= most; d++) next[d + 1] += next[d];
  const order = new Uint32Array(vertices);
  for (let v = 0; v < vertices; v++) order[next[counts[v + 1]]++] = v;
  return order;
}

/** All vertices, component by component; a component begins with its vertex of least degree. */
function visitAll(graph: Graph): Uint32Array {
  const vertices = graph.byDegree.length;
  const order = new Uint32Array(vertices);
  const seen = new Uint32Array(vertices); // the last search that has come by; `done` in components that are finished
  const done = 0xffffffff;
  let search = 0;
  let count = 0;
  for (const first of graph.byDegree) {
    if (seen[first] === done) continue;
    let found = visit(graph, first, ++search, seen, order, count);
    for (let searches = 0; searches < MOST_SEARCHES; searches++) {
      // The least degree of those that are farthest away: they are last, from `found.last` on.
      let start = order[found.last];
      for (let at = found.last; at < found.end; at++) {
        if (degree(graph, order[at]) < degree(graph, start)) start = order[at];
      }
      const deeper = visit(graph, start, ++search, seen, order, count);
      const isDeeper = deeper.depth > found.depth;
      found = deeper;
      if (!isDeeper) break;
    }
    for (let at = count; at < found.end; at++) seen[order[at]] = done;
    count = found.end;
  }
  return order;
}

function degree({ ptr }: Graph, v: number): number {
  return ptr[v + 1] - ptr[v];
}

/** The component of `start` in breadth, from order[count] on: its end, its last level, and its levels. */
function visit(
  { ptr, neighbours }: Graph,
  start: number,
  search: number,
  seen: Uint32Array,
  order: Uint32Array,
  count: number,
): { readonly end: number; readonly last: number; readonly depth: number } {
  seen[start] = search;
  order[count] = start;
  let [end, last, depth] = [count + 1, count, 0];
  for (let at = count, levelEnd = end; at < end; at++) {
    if (at === levelEnd) {
      last = levelEnd;
      levelEnd = end;
      depth++;
    }
    for (let k = ptr[order[at]], stop = ptr[order[at] + 1]; k < stop; k++) {
      const v = neighbours[k];
      if (seen[v] === search) continue;
      seen[v] = search;
      order[end++] = v;
    }
  }
  return { end, last, depth };
}

// Loops of their own: residue-matrix.ts.

/** v to the lists of its neighbours, which are lines[from] … lines[to − 1], numbered from `first` on. */
function append(
  v: number,
  from: number,
  to: number,
  lines: Uint32Array,
  first: number,
  next: Uint32Array,
  neighbours: Uint32Array,
): void {
  for (let k = from; k < to; k++) neighbours[next[first + lines[k]]++] = v;
}

function deal(
  cols: Uint32Array,
  colPtr: Uint32Array,
  rowIdx: Uint32Array,
  from: Uint32Array,
  newRow: Uint32Array,
  next: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
): void {
  for (let t = 0; t < cols.length; t++) {
    for (let k = colPtr[cols[t]], end = colPtr[cols[t] + 1]; k < end; k++) {
      const at = next[newRow[rowIdx[k]]]++;
      colIdx[at] = t;
      values[at] = from[k];
    }
  }
}

function sumDistances(rowPtr: Uint32Array, colIdx: Uint32Array, slope: number): number {
  let sum = 0;
  for (let i = 0; i + 1 < rowPtr.length; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) sum += Math.abs(colIdx[k] - i * slope);
  }
  return sum;
}
