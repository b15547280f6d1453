/**
 * A matrix with more rows or columns than entries, renumbered onto the lines that have any.
 *
 * Everything behind the reader holds arrays of rows + 1 offsets or of one vector entry a column, so a header of 2^31 ×
 * 2^31 with three entries would cost tens of GB. A size above the number of entries has empty lines for certain, and a
 * smaller one costs no more than the entries do. So only those sizes are renumbered, by sorting, without an array of
 * their length.
 */
import { distinct, renumber } from './line-numbers.js';
import type { SparseMatrix } from './sparse-matrix.js';

/** A matrix on some of its rows and columns; null where it has all of them. */
export interface UsedLines {
  readonly matrix: SparseMatrix;
  readonly rows: Uint32Array | null; // row i of `matrix` was row rows[i], ascending
  readonly cols: Uint32Array | null;
}

/** The same entries with idle rows dropped where rows > nnz, idle columns where cols > nnz; the same rank. */
export function withoutIdleLines(matrix: SparseMatrix): SparseMatrix {
  return onUsedLines(matrix).matrix;
}

/** `withoutIdleLines`, with the places that the lines had. */
export function onUsedLines(matrix: SparseMatrix): UsedLines {
  const { rows, cols, rowIdx, colIdx, nnz } = matrix;
  if (rows <= nnz && cols <= nnz) return { matrix, rows: null, cols: null };
  const usedRows = rows > nnz ? distinct(rowIdx) : null;
  const usedCols = cols > nnz ? distinct(colIdx) : null;
  const moved = matrix.moveUnchecked(
    usedRows?.length ?? rows,
    usedCols?.length ?? cols,
    usedRows === null ? rowIdx : renumber(rowIdx, usedRows),
    usedCols === null ? colIdx : renumber(colIdx, usedCols),
  );
  return { matrix: moved, rows: usedRows, cols: usedCols };
}

/**
 * A square matrix on the indices that are a row's or a column's of some entry, where more indices than 2·nnz make idle
 * ones certain: A is then similar, by a permutation, to the result with a zero block beside it.
 */
export function withoutIdleIndices(matrix: SparseMatrix): SparseMatrix {
  const { rows, rowIdx, colIdx, nnz } = matrix;
  if (rows <= 2 * nnz) return matrix;
  const both = new Uint32Array(2 * nnz);
  both.set(rowIdx);
  both.set(colIdx, nnz);
  const used = distinct(both);
  return matrix.moveUnchecked(used.length, used.length, renumber(rowIdx, used), renumber(colIdx, used));
}
