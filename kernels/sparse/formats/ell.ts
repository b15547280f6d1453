/**
 * ELLPACK with a full rectangle: every row owns exactly `width` entries, row i those at i·width … (i+1)·width − 1.
 *
 * Nothing is padded: parts without values have no zero to pad with, so what a row has beyond `width` belongs to a
 * remainder in another format, and rows of unequal length to ELL_R. Row-major, since one CPU thread walks one row.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkColumns, checkSizes, checkValues } from './check.js';

export interface Ell {
  readonly kind: 'ell';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly width: number; // entries a row, ≥ 1
  readonly colIdx: Uint32Array; // rows·width columns, strictly increasing within a row
  readonly values: Uint32Array | null; // rows·width canonical residues, never 0; null: all entries are one
}

type EllParts = Omit<Ell, 'kind' | 'nnz'>;

/** Checks every claim above for residues mod p. */
export function ell(parts: EllParts, p: number): Ell {
  const { rows, cols, width, colIdx, values } = parts;
  checkSizes('ell', rows, cols);
  if (!Number.isInteger(width) || width < 1) throw new StructureError(`ell: expected a width from 1 on, got ${width}`);
  if (colIdx.length !== rows * width || (values && values.length !== rows * width)) {
    throw new StructureError(
      `ell: expected ${rows}·${width} columns and values, got ${colIdx.length} and ${values ? values.length : 'none'}`,
    );
  }
  for (let i = 0; i < rows; i++) checkColumns('ell', colIdx.subarray(i * width, (i + 1) * width), cols, i);
  if (values) checkValues('ell', values, p);
  return ellUnchecked(parts);
}

/** The caller has just built it. */
export function ellUnchecked({ rows, cols, width, colIdx, values }: EllParts): Ell {
  return { kind: 'ell', rows, cols, nnz: colIdx.length, width, colIdx, values };
}
