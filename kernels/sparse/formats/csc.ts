/**
 * Compressed sparse columns: column j owns entries colPtr[j] … colPtr[j + 1] − 1.
 *
 * A product goes through the columns and adds to the rows of Y: a row of X is read once, and nothing of Y is finished
 * before the end. So no reduction is delayed, and rows of Y are written as often as they have entries.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkOffsets, checkSizes, checkValues } from './check.js';
import type { Csr } from './csr.js';
import type { Format, Stored } from './format.js';
import { WALKS } from './layout.js';

export interface Csc {
  readonly kind: 'csc';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly colPtr: Uint32Array; // cols + 1 offsets, nondecreasing, from 0 to nnz
  readonly rowIdx: Uint32Array; // nnz rows, strictly increasing within a column
  readonly values: Uint32Array | null; // nnz canonical residues, never 0; null: all entries are one
}

/** Checks every claim above for residues mod p. */
function check({ rows, cols, nnz, colPtr, rowIdx, values }: Csc, p: number): void {
  checkSizes('csc', rows, cols);
  checkOffsets('csc', colPtr, cols, nnz);
  if (rowIdx.length !== nnz || (values && values.length !== nnz)) {
    throw new StructureError(
      `csc: expected ${nnz} rows and values, got ${rowIdx.length} and ${values?.length ?? 'no'}`,
    );
  }
  for (let j = 0; j < cols; j++) {
    for (let k = colPtr[j]; k < colPtr[j + 1]; k++) {
      if (rowIdx[k] >= rows) {
        throw new StructureError(`csc: expected rows below ${rows}, got ${rowIdx[k]} in column ${j}`);
      }
      if (k > colPtr[j] && rowIdx[k] <= rowIdx[k - 1]) {
        throw new StructureError(`csc: expected rows in order, got ${rowIdx[k - 1]}, ${rowIdx[k]} in column ${j}`);
      }
    }
  }
  if (values) checkValues('csc', values, p);
}

export function isCsc(part: Stored): part is Csc {
  return part.kind === 'csc';
}

export const CSC: Format<Csc> = {
  fromRows: (a) => [toCsc(a)],
  forEachEntry({ cols, colPtr, rowIdx, values }, unit, visit) {
    for (let j = 0; j < cols; j++) {
      for (let k = colPtr[j]; k < colPtr[j + 1]; k++) visit(rowIdx[k], j, values ? values[k] : unit);
    }
  },
  check,
  layout: ({ cols, colPtr, rowIdx, values }) => ({
    ...{ walk: WALKS.columns, columns: rowIdx, values, words: [colPtr, cols] },
  }),
  arrays: ({ colPtr, rowIdx, values }) => [colPtr, rowIdx, values],
};

function toCsc({ rows, cols, nnz, rowPtr, colIdx, values }: Csr): Csc {
  const colPtr = new Uint32Array(cols + 1);
  countColumns(colIdx, colPtr);
  const [rowIdx, to] = [new Uint32Array(nnz), values && new Uint32Array(nnz)];
  turn(rowPtr, colIdx, values, colPtr.slice(0, cols), rowIdx, to);
  return { kind: 'csc', rows, cols, nnz, colPtr, rowIdx, values: to };
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

function countColumns(colIdx: Uint32Array, colPtr: Uint32Array): void {
  for (let k = 0; k < colIdx.length; k++) colPtr[colIdx[k] + 1]++;
  for (let j = 0; j + 1 < colPtr.length; j++) colPtr[j + 1] += colPtr[j];
}

/** Rows in order, so that they increase within a column; next[j] is where the next entry of column j goes. */
function turn(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array | null,
  next: Uint32Array,
  rowIdx: Uint32Array,
  to: Uint32Array | null,
): void {
  for (let i = 0; i + 1 < rowPtr.length; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const at = next[colIdx[k]]++;
      rowIdx[at] = i;
      if (to !== null && values !== null) to[at] = values[k];
    }
  }
}
