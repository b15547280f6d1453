/** Coordinates: entry k sits at (rowIdx[k], colIdx[k]). The format of a few entries scattered over many rows. */
import { StructureError } from '../../errors/structure-error.js';
import { checkSizes, checkValues } from './check.js';
import { type Csr, csrUnchecked } from './csr.js';
import type { Format } from './format.js';
import { WALKS } from './layout.js';

export interface Coo {
  readonly kind: 'coo';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly rowIdx: Uint32Array; // nnz rows, nondecreasing
  readonly colIdx: Uint32Array; // nnz columns, strictly increasing within a row
  readonly values: Uint32Array | null; // nnz canonical residues, never 0; null: all entries are one
}

type CooParts = Omit<Coo, 'kind' | 'nnz'>;

/** Checks every claim above for residues mod p. */
export function coo(parts: CooParts, p: number): Coo {
  const { rows, cols, rowIdx, colIdx, values } = parts;
  checkSizes('coo', rows, cols);
  const nnz = colIdx.length;
  if (rowIdx.length !== nnz || (values && values.length !== nnz)) {
    throw new StructureError(
      `coo: expected arrays of one length, got ${rowIdx.length}, ${nnz} and ${values ? values.length : 'no'} values`,
    );
  }
  for (let k = 0; k < nnz; k++) {
    if (rowIdx[k] >= rows || colIdx[k] >= cols) {
      throw new StructureError(`coo: expected indices inside ${rows} x ${cols}, got (${rowIdx[k]}, ${colIdx[k]})`);
    }
    const after = k === 0 || rowIdx[k] > rowIdx[k - 1] || (rowIdx[k] === rowIdx[k - 1] && colIdx[k] > colIdx[k - 1]);
    if (!after) throw new StructureError(`coo: expected entries in order, got (${rowIdx[k]}, ${colIdx[k]}) at ${k}`);
  }
  if (values) checkValues('coo', values, p);
  return cooUnchecked(parts);
}

/** The caller has just built it. */
function cooUnchecked({ rows, cols, rowIdx, colIdx, values }: CooParts): Coo {
  return { kind: 'coo', rows, cols, nnz: colIdx.length, rowIdx, colIdx, values };
}

export const COO: Format<Coo> = {
  fromRows: (a) => [toCoo(a)],
  forEachEntry({ nnz, rowIdx, colIdx, values }, unit, visit) {
    for (let k = 0; k < nnz; k++) visit(rowIdx[k], colIdx[k], values ? values[k] : unit);
  },
  check: coo,
  layout: ({ rowIdx, colIdx, values }) => ({
    walk: WALKS.coordinates,
    columns: colIdx,
    values,
    words: [rowIdx, rowIdx.length],
  }),
  arrays: ({ rowIdx, colIdx, values }) => [rowIdx, colIdx, values],
  gpu: {
    prelude: 'coo',
    arrays: ({ nnz, rowIdx, colIdx, values }) => ({ indices: [rowIdx, colIdx], values, extent: nnz }),
  },
};

export function toCoo({ rows, cols, nnz, rowPtr, colIdx, values }: Csr): Coo {
  const rowIdx = new Uint32Array(nnz);
  for (let i = 0; i < rows; i++) rowIdx.fill(i, rowPtr[i], rowPtr[i + 1]);
  return cooUnchecked({ rows, cols, rowIdx, colIdx, values });
}

/** Coordinates in order of rows as compressed rows, for kernels that walk rows. */
export function fromCoo({ rows, cols, nnz, rowIdx, colIdx, values }: Coo): Csr {
  const rowPtr = new Uint32Array(rows + 1);
  for (let k = 0; k < nnz; k++) rowPtr[rowIdx[k] + 1]++;
  for (let i = 0; i < rows; i++) rowPtr[i + 1] += rowPtr[i];
  return csrUnchecked({ rows, cols, rowPtr, colIdx, values });
}
