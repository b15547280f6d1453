/**
 * The matrix of a certificate: A mod p without its zero rows and zero columns, and the numbers of those that stay.
 *
 *   A : m × n over F_p      A' : m' × n', row i of A' is row rowNumbers[i] of A, column j column colNumbers[j]
 *
 * A' has as many entries as A and at most as many lines, so that what is made of it follows the entries, whatever m and
 * n are. Zero lines mod p count too: an entry p, or two that cancel, leave none.
 */
import { onUsedLines } from '../../kernels/sparse/drop-empty.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { dropEmptyLines } from '../presolve/drop-empty.js';

export interface NonzeroPart {
  readonly rows: number; // m
  readonly cols: number; // n
  readonly inner: ResidueMatrix; // A', entries by rows, columns ascending, no empty row or column
  readonly rowNumbers: Uint32Array; // m', ascending
  readonly colNumbers: Uint32Array; // n', ascending
}

/** Throws EntryError where p divides a denominator. */
export function nonzeroPart(matrix: SparseMatrix, p: number): NonzeroPart {
  const used = onUsedLines(matrix);
  const residues = used.matrix.residues(p);
  const [rows, cols] = [listFilledRows(residues), listFilledCols(residues)];
  return {
    rows: matrix.rows,
    cols: matrix.cols,
    inner: dropEmptyLines(residues),
    rowNumbers: used.rows === null ? rows : rows.map((i) => used.rows![i]),
    colNumbers: used.cols === null ? cols : cols.map((j) => used.cols![j]),
  };
}

function listFilledRows({ rows, rowPtr }: ResidueMatrix): Uint32Array {
  const filled = new Uint32Array(rows);
  let count = 0;
  for (let i = 0; i < rows; i++) if (rowPtr[i + 1] > rowPtr[i]) filled[count++] = i;
  return filled.slice(0, count);
}

function listFilledCols({ cols, colIdx }: ResidueMatrix): Uint32Array {
  const isFilled = new Uint8Array(cols);
  for (let k = 0; k < colIdx.length; k++) isFilled[colIdx[k]] = 1;
  const filled = new Uint32Array(cols);
  let count = 0;
  for (let j = 0; j < cols; j++) if (isFilled[j] === 1) filled[count++] = j;
  return filled.slice(0, count);
}
