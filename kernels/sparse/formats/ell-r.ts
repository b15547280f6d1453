/**
 * ELLPACK-R: a rectangle of `width` places a row of which row i uses the first lengths[i].
 *
 * Places behind a row's length are never read. Source: Vázquez, Ortega, Fernández, Garzón, "Improving the performance
 * of the sparse matrix vector product with GPUs", CIT 2010.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkColumns, checkSizes, checkValues } from './check.js';

export interface EllR {
  readonly kind: 'ell-r';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number; // the sum of the lengths
  readonly width: number; // places a row, ≥ 1
  readonly lengths: Uint32Array; // one a row, each ≤ width
  readonly colIdx: Uint32Array; // rows·width columns, strictly increasing within the used places of a row
  readonly values: Uint32Array | null; // rows·width residues, canonical and not 0 where used; null: all entries are one
}

type EllRParts = Omit<EllR, 'kind' | 'nnz'>;

/** Checks every claim above for residues mod p. */
export function ellR(parts: EllRParts, p: number): EllR {
  const { rows, cols, width, lengths, colIdx, values } = parts;
  checkSizes('ell-r', rows, cols);
  if (!Number.isInteger(width) || width < 1) {
    throw new StructureError(`ell-r: expected a width from 1 on, got ${width}`);
  }
  if (lengths.length !== rows || colIdx.length !== rows * width || (values && values.length !== rows * width)) {
    throw new StructureError(
      `ell-r: expected ${rows} lengths and ${rows}·${width} places, got ${lengths.length} and ${colIdx.length}`,
    );
  }
  for (let i = 0; i < rows; i++) {
    if (lengths[i] > width) {
      throw new StructureError(`ell-r: expected lengths up to ${width}, got ${lengths[i]} in row ${i}`);
    }
    const [first, end] = [i * width, i * width + lengths[i]];
    checkColumns('ell-r', colIdx.subarray(first, end), cols, i);
    if (values) checkValues('ell-r', values.subarray(first, end), p);
  }
  return ellRUnchecked(parts);
}

/** The caller has just built it. */
export function ellRUnchecked({ rows, cols, width, lengths, colIdx, values }: EllRParts): EllR {
  const nnz = lengths.reduce((sum, length) => sum + length, 0);
  return { kind: 'ell-r', rows, cols, nnz, width, lengths, colIdx, values };
}
