/**
 * Empty rows and columns carry no rank, but they lengthen every vector: they are dropped before anything is stored.
 * Source: the first step of every elimination code; here it also tightens N = min(rows, cols) in the bounds.
 */
import type { ResidueMatrix } from '../../kernels/residue-matrix.js';

/** The same entries on the rows and columns that have any, renumbered in order. Returns its argument if all have. */
export function withoutEmptyLines(a: ResidueMatrix): ResidueMatrix {
  const { colIdx } = a;
  const newColumn = new Uint32Array(a.cols); // 1 if used, then its new number
  mark(colIdx, newColumn);
  let cols = 0;
  for (let j = 0; j < a.cols; j++) if (newColumn[j] !== 0) newColumn[j] = cols++;
  const rowPtr = new Uint32Array(a.rows + 1);
  let rows = 0;
  for (let i = 0; i < a.rows; i++) if (a.rowPtr[i + 1] > a.rowPtr[i]) rowPtr[++rows] = a.rowPtr[i + 1];
  if (rows === a.rows && cols === a.cols) return a;
  return {
    rows,
    cols,
    rowPtr: rowPtr.slice(0, rows + 1),
    colIdx: colIdx.map((column) => newColumn[column]),
    values: a.values,
  };
}

function mark(colIdx: Uint32Array, used: Uint32Array): void {
  for (let k = 0; k < colIdx.length; k++) used[colIdx[k]] = 1;
}
