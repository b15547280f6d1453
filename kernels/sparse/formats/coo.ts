/** Coordinates: entry k sits at (rowIdx[k], colIdx[k]). What a few entries scattered over many rows are kept in. */
import { StructureError } from '../../errors/structure-error.js';
import { checkSizes, checkValues } from './check.js';

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
export function cooUnchecked({ rows, cols, rowIdx, colIdx, values }: CooParts): Coo {
  return { kind: 'coo', rows, cols, nnz: colIdx.length, rowIdx, colIdx, values };
}
