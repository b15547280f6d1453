/**
 * A matrix mod p without its empty and its parallel lines, and the transpose of what is left. Of a large matrix
 * parallel lines stay where they are few (parallel-lines.ts).
 *
 * A row that is dropped for a parallel one has its columns, and so has a column its rows: no line becomes empty by it.
 * All lines go in one pass over the entries of the matrix and one over those of the transpose.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import { dropEmptyLines } from './drop-empty.js';
import { parallelRows } from './parallel-lines.js';

export interface DistinctLines {
  readonly a: ResidueMatrix;
  readonly at: ResidueMatrix;
  /** What was dropped of parallel lines, in words; none without any. */
  readonly explanation: readonly string[];
}

export function distinctLines(F: WordPrime, matrix: ResidueMatrix): DistinctLines {
  // The transpose has an offset a column, however many are empty.
  const given = matrix.cols > matrix.colIdx.length ? dropEmptyLines(matrix) : matrix;
  const turned = transpose(given) as ResidueMatrix;
  const [parallel, parallelColumns] = [parallelRows(F, given), parallelRows(F, turned)];
  const [rows, cols] = [linesKept(given.rowPtr, parallel), linesKept(turned.rowPtr, parallelColumns)];
  const at = keepLines(turned, cols, rows, turned);
  if (rows === null && cols === null) return { a: given, at, explanation: [] };
  if (parallel === null && parallelColumns === null) return { a: dropEmptyLines(given), at, explanation: [] };
  const [droppedRows, droppedCols] = [parallel, parallelColumns].map((marks) => marks?.reduce((n, x) => n + x, 0) ?? 0);
  const a = keepLines(given, rows, cols);
  const line = `${droppedRows} rows and ${droppedCols} columns of ${a.rows + droppedRows} x ${a.cols + droppedCols} are multiples of others`;
  return { a, at, explanation: [line] };
}

/** Lines that stay: 1 each. */
export function restrict(a: ResidueMatrix, rows: Uint8Array, cols: Uint8Array): ResidueMatrix {
  return dropEmptyLines(keepLines(a, rows, cols));
}

/** 1 for each line that has entries and no mark; null where those are all. */
function linesKept(ptr: Uint32Array, marks: Uint8Array | null): Uint8Array | null {
  const kept = new Uint8Array(ptr.length - 1);
  let count = 0;
  for (let i = 0; i < kept.length; i++) {
    if (ptr[i] === ptr[i + 1] || marks?.[i] === 1) continue;
    kept[i] = 1;
    count++;
  }
  return count === kept.length ? null : kept;
}

/** The entries on lines that stay, null for all; they take the places of those of `into`, which may be those of `a`. */
function keepLines(
  a: ResidueMatrix,
  rows: Uint8Array | null,
  cols: Uint8Array | null,
  into?: Pick<ResidueMatrix, 'colIdx' | 'values'>,
): ResidueMatrix {
  if (rows === null && cols === null) return a;
  const { length } = a.colIdx;
  const { colIdx, values } = into ?? { colIdx: new Uint32Array(length), values: new Uint32Array(length) };
  const number = cols && numbers(cols);
  const rowPtr = new Uint32Array(a.rows + 1);
  const count =
    number === null
      ? keepRows(a, rows, rowPtr, colIdx, values)
      : keepEntries(a.rowPtr, a.colIdx, a.values, rows, number, rowPtr, colIdx, values);
  const [total, kept] = [rowPtr[count], number === null ? a.cols : number[a.cols]];
  // A view keeps all of its buffer for as long as the run goes on.
  const first = (words: Uint32Array): Uint32Array =>
    2 * total < length ? words.slice(0, total) : words.subarray(0, total);
  return {
    rows: count,
    cols: kept,
    rowPtr: rowPtr.slice(0, count + 1),
    colIdx: first(colIdx),
    values: first(values),
  };
}

/** The numbers of lines that stay, −1 of others, and how many stay last. */
function numbers(kept: Uint8Array): Int32Array {
  const number = new Int32Array(kept.length + 1);
  let count = 0;
  for (let j = 0; j < kept.length; j++) number[j] = kept[j] === 1 ? count++ : -1;
  number[kept.length] = count;
  return number;
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** No entry moves to a place behind its own. Returns the number of rows. */
function keepEntries(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  rows: Uint8Array | null,
  number: Int32Array,
  outPtr: Uint32Array,
  outIdx: Uint32Array,
  outValues: Uint32Array,
): number {
  let [at, count] = [0, 0];
  for (let i = 0; i < rowPtr.length - 1; i++) {
    if (rows !== null && rows[i] === 0) continue;
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const j = number[colIdx[k]];
      if (j < 0) continue;
      outIdx[at] = j;
      outValues[at++] = values[k];
    }
    outPtr[++count] = at;
  }
  return count;
}

/** The same where all columns stay: runs of rows are moved as one. */
function keepRows(
  { rows, rowPtr, colIdx, values }: ResidueMatrix,
  kept: Uint8Array | null,
  outPtr: Uint32Array,
  outIdx: Uint32Array,
  outValues: Uint32Array,
): number {
  let [at, count] = [0, 0];
  for (let i = 0; i < rows; i++) {
    const begin = rowPtr[i];
    for (; i < rows && kept?.[i] !== 0; i++) outPtr[++count] = at + rowPtr[i + 1] - begin;
    outIdx.set(colIdx.subarray(begin, rowPtr[i]), at);
    outValues.set(values.subarray(begin, rowPtr[i]), at);
    at += rowPtr[i] - begin;
  }
  return count;
}
