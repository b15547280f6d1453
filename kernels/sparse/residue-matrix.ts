/**
 * A matrix reduced mod p, as compressed sparse rows, and the counting sort that brings entries into that order.
 *
 *   rows × cols over F_p; nnz stored residues; row i owns entries rowPtr[i] … rowPtr[i+1] − 1
 *
 * One stable counting sort by column followed by one by row orders any list in O(nnz + rows + cols) and compares
 * nothing; transposing a compressed matrix *is* that sort, so sorting the rows of A is transposing it twice. Loops over
 * all entries are functions of nothing but arrays and numbers, here and wherever a matrix is brought into another form:
 * V8 compiles such a function once, while it runs for the first time. A loop among other statements is compiled with
 * them, and again whenever their types change (test/bench/RESULTS.md#loops). Source: Gustavson, "Two fast algorithms
 * for sparse matrices", ACM TOMS 1978.
 */

import { MemoryError } from '../errors/memory-error.js';
import { dealColumns } from './deal-columns.js';
import type { ResidueMatrix } from './formats/csr.js';

export type { ResidueMatrix };

/** Bytes of an entry of compressed rows: column and value. */
export const ENTRY_BYTES = 8;

/** Entry positions in compressed rows: what ResidueMatrix is before duplicates are summed and zeros dropped. */
export interface CompressedRows {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: Uint32Array; // rows + 1 offsets
  readonly colIdx: Uint32Array; // any order, repeats allowed, until `ordered` has run
  readonly values: Uint32Array; // any payload of 32 bits: a residue or an entry's index
}

/** Aᵀ by a stable counting sort on the columns: its rows come out with increasing column indices. */
export function transpose<T extends CompressedRows>(a: T): CompressedRows {
  const { rows, cols, rowPtr, colIdx, values } = a;
  const outPtr = offsets(colIdx, cols);
  const outIdx = new Uint32Array(colIdx.length);
  const outValues = new Uint32Array(colIdx.length);
  dealColumns(rowPtr, colIdx, values, outPtr, outIdx, outValues);
  return { rows: cols, cols: rows, rowPtr: outPtr, colIdx: outIdx, values: outValues };
}

/**
 * Groups coordinate entries by row and orders every row by column; equal positions stay in input order. Columns and
 * values that are in this order already become its own.
 */
export function compress(
  rows: number,
  cols: number,
  rowIdx: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
): CompressedRows {
  const nnz = rowIdx.length;
  const rowPtr = offsets(rowIdx, rows);
  let a: CompressedRows;
  if (isGrouped(rowIdx)) {
    a = { rows, cols, rowPtr, colIdx, values };
  } else {
    const outIdx = new Uint32Array(nnz);
    const outValues = new Uint32Array(nnz);
    dealRows(rowIdx, colIdx, values, rowPtr.slice(), outIdx, outValues);
    a = { rows, cols, rowPtr, colIdx: outIdx, values: outValues };
  }
  if (isOrdered(a.rowPtr, a.colIdx)) return a;
  return isHypersparse(cols, nnz) ? sortRows(a) : transpose(transpose(a));
}

/**
 * The same where entries already come by rows and columns, none repeated and none 0, in one pass over them; null where
 * they do not.
 */
export function compressOrdered(
  rows: number,
  cols: number,
  rowIdx: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
): ResidueMatrix | null {
  checkLines(rows, rowIdx.length);
  const rowPtr = new Uint32Array(rows + 1);
  return offsetsInOrder(rowIdx, colIdx, values, rowPtr) ? { rows, cols, rowPtr, colIdx, values } : null;
}

/** Whether entries come so; the rows' offsets as long as they do. */
function offsetsInOrder(rowIdx: Uint32Array, colIdx: Uint32Array, values: Uint32Array, rowPtr: Uint32Array): boolean {
  let row = 0;
  let before = -1; // the column of the row's entry before
  for (let k = 0; k < rowIdx.length; k++) {
    const i = rowIdx[k];
    const j = colIdx[k];
    if (i !== row) {
      if (i < row) return false;
      while (row < i) rowPtr[++row] = k;
    } else if (j <= before) return false;
    if (values[k] === 0) return false;
    before = j;
  }
  while (row + 1 < rowPtr.length) rowPtr[++row] = rowIdx.length;
  return true;
}

function isGrouped(rowIdx: Uint32Array): boolean {
  for (let k = 1; k < rowIdx.length; k++) if (rowIdx[k] < rowIdx[k - 1]) return false;
  return true;
}

/** Every entry to the next place of its row. */
function dealRows(
  rowIdx: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  next: Uint32Array,
  outIdx: Uint32Array,
  outValues: Uint32Array,
): void {
  for (let k = 0; k < rowIdx.length; k++) {
    const at = next[rowIdx[k]]++;
    outIdx[at] = colIdx[k];
    outValues[at] = values[k];
  }
}

/** Whether columns never decrease within a row. */
function isOrdered(rowPtr: Uint32Array, colIdx: Uint32Array): boolean {
  for (let i = 0; i < rowPtr.length - 1; i++) {
    for (let k = rowPtr[i] + 1, end = rowPtr[i + 1]; k < end; k++) if (colIdx[k] < colIdx[k - 1]) return false;
  }
  return true;
}

/** Equal columns stay in input order. */
function sortRows({ rows, cols, rowPtr, colIdx, values }: CompressedRows): CompressedRows {
  const order = Uint32Array.from(colIdx.keys());
  for (let i = 0; i < rows; i++) {
    const row = order.subarray(rowPtr[i], rowPtr[i + 1]);
    if (row.length > 1) row.sort((k, l) => colIdx[k] - colIdx[l] || k - l);
  }
  return { rows, cols, rowPtr, colIdx: order.map((k) => colIdx[k]), values: order.map((k) => values[k]) };
}

/** Rows or columns that may have a place each in an array whatever the entries are, and places that an entry allows. */
const [FREE_LINES, LINES_AN_ENTRY] = [2 ** 24, 16];

/** Whether an array with a place for each of `lines` would be long beside the entries. */
function isHypersparse(lines: number, nnz: number): boolean {
  return lines > Math.max(FREE_LINES, LINES_AN_ENTRY * nnz);
}

/** Throws MemoryError where an array of `lines` places would be for lines of which nearly all are empty. */
export function checkLines(lines: number, nnz: number): void {
  if (!isHypersparse(lines, nnz)) return;
  const most = Math.max(FREE_LINES, LINES_AN_ENTRY * nnz);
  throw new MemoryError(
    `a matrix of ${nnz} entries: expected at most ${most} rows and columns, got ${lines}: leave empty ones out`,
  );
}

/**
 * offsets(idx, size)[i] = number of k with idx[k] < i, for 0 ≤ i ≤ size. MemoryError where nearly all of them are idle.
 */
function offsets(idx: Uint32Array, size: number): Uint32Array {
  checkLines(size, idx.length);
  const ptr = new Uint32Array(size + 1);
  countAhead(idx, ptr);
  for (let i = 0; i < size; i++) ptr[i + 1] += ptr[i];
  return ptr;
}

/** Counting one place ahead leaves the sums in place: ptr[i + 1] counts i, and a running sum shifts it right. */
function countAhead(idx: Uint32Array, ptr: Uint32Array): void {
  for (let k = 0; k < idx.length; k++) ptr[idx[k] + 1]++;
}

function isMerged(rowPtr: Uint32Array, colIdx: Uint32Array, values: Uint32Array): boolean {
  for (let i = 0; i < rowPtr.length - 1; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1], before = -1; k < end; k++) {
      if (colIdx[k] === before || values[k] === 0) return false;
      before = colIdx[k];
    }
  }
  return true;
}

/**
 * Adds up entries of equal position and drops those that come out 0; `a` must be ordered, and is given back if there
 * are none.
 */
export function merge(a: CompressedRows, add: (x: number, y: number) => number): ResidueMatrix {
  if (isMerged(a.rowPtr, a.colIdx, a.values)) return a;
  const { rows, cols } = a;
  const rowPtr = new Uint32Array(rows + 1);
  const colIdx = new Uint32Array(a.colIdx.length);
  const values = a.values.slice();
  addRepeats(a.rowPtr, a.colIdx, values, add);
  dropZeros(a.rowPtr, a.colIdx, values, rowPtr, colIdx);
  return { rows, cols, rowPtr, colIdx: colIdx.slice(0, rowPtr[rows]), values: values.slice(0, rowPtr[rows]) };
}

/** The last entry of a position becomes the sum, those before it 0. */
function addRepeats(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  add: (x: number, y: number) => number,
): void {
  for (let i = 0; i < rowPtr.length - 1; i++) {
    for (let k = rowPtr[i] + 1, end = rowPtr[i + 1]; k < end; k++) {
      if (colIdx[k] !== colIdx[k - 1]) continue;
      values[k] = add(values[k], values[k - 1]);
      values[k - 1] = 0;
    }
  }
}

/** Values move to the front of their array. */
function dropZeros(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  outPtr: Uint32Array,
  outIdx: Uint32Array,
): void {
  let at = 0;
  for (let i = 0; i < rowPtr.length - 1; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      if (values[k] === 0) continue;
      outIdx[at] = colIdx[k];
      values[at++] = values[k];
    }
    outPtr[i + 1] = at;
  }
}
