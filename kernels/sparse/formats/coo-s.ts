/**
 * COO_S: a list of rows, each once, and their entries side by side: the i-th row of the list owns entries
 * rowPtr[i] … rowPtr[i + 1] − 1.
 *
 * The format of what few rows have: the remainder of a hybrid, whose product leaves all other rows of Y alone. Source:
 * Boyer, Dumas, Giorgi 2010, section 2; Buluç, Gilbert 2008 (doubly compressed rows).
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkColumns, checkOffsets, checkSizes, checkValues } from './check.js';
import type { Csr } from './csr.js';
import type { Format } from './format.js';
import { WALKS } from './layout.js';

export interface CooS {
  readonly kind: 'coo-s';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly rowIdx: Uint32Array; // rows, strictly increasing; all others are empty
  readonly rowPtr: Uint32Array; // one more than those, nondecreasing, from 0 to nnz
  readonly colIdx: Uint32Array; // nnz columns, strictly increasing within a row
  readonly values: Uint32Array | null; // nnz canonical residues, never 0; null: all entries are one
}

type CooSParts = Omit<CooS, 'kind' | 'nnz'>;

/** Checks every claim above for residues mod p. */
function cooS(parts: CooSParts, p: number): CooS {
  const { rows, cols, rowIdx, rowPtr, colIdx, values } = parts;
  checkSizes('coo-s', rows, cols);
  checkOffsets('coo-s', rowPtr, rowIdx.length, colIdx.length);
  rowIdx.forEach((i, at) => {
    if (i >= rows) throw new StructureError(`coo-s: expected rows below ${rows}, got ${i}`);
    if (at > 0 && i <= rowIdx[at - 1]) {
      throw new StructureError(`coo-s: expected rows in order, got ${rowIdx[at - 1]}, ${i}`);
    }
    checkColumns('coo-s', colIdx.subarray(rowPtr[at], rowPtr[at + 1]), cols, i);
  });
  if (values) {
    if (values.length !== colIdx.length) {
      throw new StructureError(`coo-s: expected ${colIdx.length} values, got ${values.length}`);
    }
    checkValues('coo-s', values, p);
  }
  return cooSUnchecked(parts);
}

/** The caller has just built it. */
export function cooSUnchecked({ rows, cols, rowIdx, rowPtr, colIdx, values }: CooSParts): CooS {
  return { kind: 'coo-s', rows, cols, nnz: colIdx.length, rowIdx, rowPtr, colIdx, values };
}

export const COO_S: Format<CooS> = {
  fromRows: (a) => [toCooS(a)],
  forEachEntry({ rowIdx, rowPtr, colIdx, values }, unit, visit) {
    for (let at = 0; at < rowIdx.length; at++) {
      for (let k = rowPtr[at]; k < rowPtr[at + 1]; k++) visit(rowIdx[at], colIdx[k], values ? values[k] : unit);
    }
  },
  check: cooS,
  layout: ({ rowIdx, rowPtr, colIdx, values }) => ({
    ...{ walk: WALKS.listedRuns, columns: colIdx, values },
    ...{ words: [rowPtr], order: rowIdx, offsets: rowPtr },
  }),
  arrays: ({ rowIdx, rowPtr, colIdx, values }) => [rowIdx, rowPtr, colIdx, values],
  gpu: {
    prelude: 'coo-s',
    arrays: ({ rowIdx, rowPtr, colIdx, values }) => ({
      indices: [rowIdx, rowPtr, colIdx],
      ...{ values, extent: 0, listed: rowIdx.length },
    }),
  },
};

/** The rows that have entries. */
function toCooS({ rows, cols, rowPtr, colIdx, values }: Csr): CooS {
  let count = 0;
  for (let i = 0; i < rows; i++) if (rowPtr[i + 1] > rowPtr[i]) count++;
  const [rowIdx, ends] = [new Uint32Array(count), new Uint32Array(count + 1)];
  for (let i = 0, at = 0; i < rows; i++) {
    if (rowPtr[i + 1] === rowPtr[i]) continue;
    rowIdx[at] = i;
    ends[++at] = rowPtr[i + 1];
  }
  return cooSUnchecked({ rows, cols, rowIdx, rowPtr: ends, colIdx, values });
}
