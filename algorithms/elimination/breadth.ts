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
  const search = new BreadthSearch(a, at);
  search.begin(new Uint32Array(a.rows));
  search.visit(a.rows >> 1, 1, Math.min(MET, a.rows >> 2));
  return search.count - (search.ends.at(-1) ?? 0) < search.count / 2;
}

/**
 * The same places with rows in the order of searches in breadth, and columns in that of these rows: row s is rows[s] of
 * `a`, column t is cols[t]. Columns of a row come in no order.
 */
export function renumber(a: Pattern, at: Pattern) {
  const rows = new Uint32Array(a.rows);
  const search = new BreadthSearch(a, at);
  search.begin(rows);
  for (let i = 0; i < a.rows; i++) if (search.rowMarks[i] === 0) search.visit(i, 1);
  const cols = new Uint32Array(a.cols);
  const rowPtr = new Uint32Array(a.rows + 1);
  const colIdx = new Uint32Array(a.colIdx.length);
  dealRows(a.rowPtr, a.colIdx, rows, search.colMarks.fill(0), cols, rowPtr, colIdx);
  const colPtr = new Uint32Array(a.cols + 1);
  for (let t = 0; t < a.cols; t++) colPtr[t + 1] = colPtr[t] + at.rowPtr[cols[t] + 1] - at.rowPtr[cols[t]];
  const rowIdx = new Uint32Array(colIdx.length);
  dealColumns(rowPtr, colIdx, colPtr.slice(0, a.cols), rowIdx);
  const turned = { rows: a.cols, cols: a.rows, rowPtr: colPtr, colIdx: rowIdx };
  return { a: { rows: a.rows, cols: a.cols, rowPtr, colIdx }, at: turned, rows, cols };
}

/** Searches through one pattern. A row of `order` comes before those that it leads to. */
export class BreadthSearch {
  readonly rowMarks: Uint32Array;
  readonly colMarks: Uint32Array;
  order = new Uint32Array(0); // rows as they are met, component by component
  count = 0; // of them
  readonly ends: number[] = []; // of the levels, in `order`
  readonly shared: number[] = []; // columns that a level shares with the next one
  readonly #a: Pattern;
  readonly #at: Pattern;

  /** `at` is the transpose of `a`. */
  constructor(a: Pattern, at: Pattern) {
    [this.#a, this.#at] = [a, at];
    [this.rowMarks, this.colMarks] = [new Uint32Array(a.rows), new Uint32Array(a.cols)];
  }

  /** Begins an order, in which there is room for all rows to be met. Marks stay. */
  begin(order: Uint32Array<ArrayBuffer>): void {
    this.order = order;
    this.count = this.ends.length = this.shared.length = 0;
  }

  /**
   * The component of `start` behind what was met. The levels of an order are marked from `base` on. No level begins
   * behind `most` rows.
   */
  visit(start: number, base: number, most = this.order.length): void {
    const [{ rowPtr, colIdx }, { rowPtr: colPtr, colIdx: rowIdx }] = [this.#a, this.#at];
    const { rowMarks, colMarks, order, ends, shared } = this;
    const from = this.count;
    let end = from + 1;
    order[from] = start;
    let mark = base + ends.length;
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
    this.count = end;
  }
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
