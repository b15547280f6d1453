/**
 * Empty rows and columns carry no rank, but they lengthen every vector: they are dropped before anything is stored.
 * Source: the first step of every elimination code; here it also tightens N = min(rows, cols) in the bounds.
 */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';

/** The same entries on the rows and columns that have any, renumbered in order. Returns its argument if all have. */
export function withoutEmptyLines(a: ResidueMatrix): ResidueMatrix {
  const newColumn = new Uint32Array(a.cols);
  mark(a.colIdx, newColumn);
  const cols = numbered(newColumn);
  const rowPtr = new Uint32Array(a.rows + 1);
  const rows = fullRows(a.rowPtr, rowPtr);
  if (rows === a.rows && cols === a.cols) return a;
  return {
    rows,
    cols,
    rowPtr: rowPtr.slice(0, rows + 1),
    colIdx: a.colIdx.map((column) => newColumn[column]),
    values: a.values,
  };
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** used[j] ← 1 where column j has an entry. */
function mark(colIdx: Uint32Array, used: Uint32Array): void {
  for (let k = 0; k < colIdx.length; k++) used[colIdx[k]] = 1;
}

/** Numbers the columns that are used, in order; returns how many there are. */
function numbered(used: Uint32Array): number {
  let count = 0;
  for (let j = 0; j < used.length; j++) if (used[j] !== 0) used[j] = count++;
  return count;
}

/** The offsets of the rows that have entries, one after another; returns how many there are. */
function fullRows(rowPtr: Uint32Array, out: Uint32Array): number {
  let count = 0;
  for (let i = 1; i < rowPtr.length; i++) if (rowPtr[i] > rowPtr[i - 1]) out[++count] = rowPtr[i];
  return count;
}
