/**
 * Searches in breadth through the rows of a pattern, from each to those that share a column with it.
 *
 *   level   rows of one distance from the first row, and the columns that they meet first
 *   mark    of a line: that of its level in the last search that has come by; searches have increasing marks, so that
 *           what is below those of a search is still to be met, and what is above them is never met
 */
import type { Pattern } from '../presolve/pattern.js';

/** Rows that a search meets before it says whether a matrix is local. */
const MET = 2048;

/**
 * Whether a search in breadth meets few rows at a time, as on meshes and bands, where a level is a small part of all
 * before it; elsewhere it is most of them. `at` is the transpose of `a`.
 */
export function isLocal(a: Pattern, at: Pattern): boolean {
  const [order, ends]: [Uint32Array, number[]] = [new Uint32Array(a.rows), []];
  const most = Math.min(MET, a.rows >> 2);
  const marks: [Uint32Array, Uint32Array] = [new Uint32Array(a.rows), new Uint32Array(a.cols)];
  const met = searchInBreadth(a, at, a.rows >> 1, 1, 0, ...marks, order, 0, ends, [], most);
  return met - (ends.at(-1) ?? 0) < met / 2;
}

/**
 * The same places with rows in the order of searches in breadth, and columns in that of these rows: row s is rows[s] of
 * `a`, column t is cols[t]. Columns of a row come in no order.
 */
export function renumber(a: Pattern, at: Pattern) {
  const [rows, rowMarks] = [new Uint32Array(a.rows), new Uint32Array(a.rows)];
  const colMarks = new Uint32Array(a.cols);
  for (let i = 0, count = 0; i < a.rows; i++) {
    if (rowMarks[i] === 0) count = searchInBreadth(a, at, i, 1, 0, rowMarks, colMarks, rows, count, [], []);
  }
  const cols = new Uint32Array(a.cols);
  const rowPtr = new Uint32Array(a.rows + 1);
  const colIdx = new Uint32Array(a.colIdx.length);
  dealRows(a.rowPtr, a.colIdx, rows, colMarks.fill(0), cols, rowPtr, colIdx);
  const colPtr = new Uint32Array(a.cols + 1);
  for (let t = 0; t < a.cols; t++) colPtr[t + 1] = colPtr[t] + at.rowPtr[cols[t] + 1] - at.rowPtr[cols[t]];
  const rowIdx = new Uint32Array(colIdx.length);
  dealColumns(rowPtr, colIdx, colPtr.slice(0, a.cols), rowIdx);
  const turned = { rows: a.cols, cols: a.rows, rowPtr: colPtr, colIdx: rowIdx };
  return { a: { rows: a.rows, cols: a.cols, rowPtr, colIdx }, at: turned, rows, cols };
}

/**
 * The component of `start`, from order[from] on, its first level marked base + level; returns its end. No level begins
 * behind `most` rows.
 */
export function searchInBreadth(
  { rowPtr, colIdx }: Pattern,
  { rowPtr: colPtr, colIdx: rowIdx }: Pattern,
  start: number,
  base: number,
  level: number,
  rowMarks: Uint32Array,
  colMarks: Uint32Array,
  order: Uint32Array,
  from: number,
  ends: number[],
  shared: number[],
  most = order.length,
): number {
  let end = from + 1;
  order[from] = start;
  let mark = base + level;
  rowMarks[start] = mark;
  for (let next = from, last = end; next < end && end - from <= most; last = end, mark++) {
    let columns = 0;
    for (; next < last; next++) {
      const i = order[next];
      for (let e = rowPtr[i], stop = rowPtr[i + 1]; e < stop; e++) {
        const j = colIdx[e];
        if (colMarks[j] >= base) continue; // seen or taken
        colMarks[j] = mark;
        let isShared = 0;
        for (let f = colPtr[j], stop = colPtr[j + 1]; f < stop; f++) {
          const other = rowIdx[f];
          const seen = rowMarks[other];
          if (seen < base) {
            rowMarks[other] = mark + 1;
            order[end++] = other;
            isShared = 1;
          } else if (seen > mark) isShared = 1;
        }
        columns += isShared;
      }
    }
    ends.push(next);
    shared.push(columns);
  }
  return end;
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** Numbers columns as rows meet them, from 1 on in `numbers`, those without entries last. */
function dealRows(
  fromPtr: Uint32Array,
  fromIdx: Uint32Array,
  rows: Uint32Array,
  numbers: Uint32Array,
  cols: Uint32Array,
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
): void {
  let met = 0;
  let to = 0;
  for (let s = 0; s < rows.length; s++) {
    for (let k = fromPtr[rows[s]], end = fromPtr[rows[s] + 1]; k < end; k++) {
      const j = fromIdx[k];
      if (numbers[j] === 0) {
        cols[met] = j;
        numbers[j] = ++met;
      }
      colIdx[to++] = numbers[j] - 1;
    }
    rowPtr[s + 1] = to;
  }
  for (let j = 0; j < numbers.length; j++) if (numbers[j] === 0) cols[met++] = j;
}

function dealColumns(rowPtr: Uint32Array, colIdx: Uint32Array, next: Uint32Array, rowIdx: Uint32Array): void {
  for (let s = 0; s + 1 < rowPtr.length; s++) {
    for (let k = rowPtr[s], end = rowPtr[s + 1]; k < end; k++) rowIdx[next[colIdx[k]]++] = s;
  }
}
