/**
 * A matrix mod p without its empty rows and columns: they carry no rank, lengthen every vector, and loosen the bounds
 * that N = min(rows, cols) enters.
 */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';

/** The same entries on the rows and columns that have any, renumbered in order. Returns its argument if all have. */
export function dropEmptyLines(a: ResidueMatrix): ResidueMatrix {
  const used = new Uint8Array(a.cols);
  mark(a.colIdx, used);
  const newColumn = new Uint32Array(a.cols);
  const cols = numberUsed(used, newColumn);
  const rowPtr = new Uint32Array(a.rows + 1);
  const rows = listFullRows(a.rowPtr, rowPtr);
  if (rows === a.rows && cols === a.cols) return a;
  return {
    rows,
    cols,
    rowPtr: rowPtr.slice(0, rows + 1),
    colIdx: cols === a.cols ? a.colIdx : renumber(a.colIdx, newColumn),
    values: a.values,
  };
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** used[j] ← 1 where column j has an entry. */
function mark(colIdx: Uint32Array, used: Uint8Array): void {
  for (let k = 0; k < colIdx.length; k++) used[colIdx[k]] = 1;
}

/** Numbers the columns that are used, in order; returns how many there are. */
function numberUsed(used: Uint8Array, number: Uint32Array): number {
  let count = 0;
  for (let j = 0; j < used.length; j++) if (used[j] !== 0) number[j] = count++;
  return count;
}

function renumber(colIdx: Uint32Array, number: Uint32Array): Uint32Array {
  const out = new Uint32Array(colIdx.length);
  for (let k = 0; k < colIdx.length; k++) out[k] = number[colIdx[k]];
  return out;
}

/** The offsets of the rows that have entries, one after another; returns how many there are. */
function listFullRows(rowPtr: Uint32Array, out: Uint32Array): number {
  let count = 0;
  for (let i = 1; i < rowPtr.length; i++) if (rowPtr[i] > rowPtr[i - 1]) out[++count] = rowPtr[i];
  return count;
}
