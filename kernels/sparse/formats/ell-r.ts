/**
 * ELLPACK-R: a rectangle of `width` places a row of which row i uses the first lengths[i].
 *
 * Kernels add up no place behind a row's length. Prefetching loads the rows of X that such places name: conversions
 * leave 0 in them (kernels/spmm/prefetch.as.ts). Source: Vázquez, Ortega, Fernández, Garzón, "Improving the performance
 * of the sparse matrix vector product with GPUs", CIT 2010.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkColumns, checkSizes, checkValues } from './check.js';
import type { Csr } from './csr.js';
import { transposePlaces } from './ell.js';
import { type Format, lengthRange, WALKS } from './format.js';

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
function ellRUnchecked({ rows, cols, width, lengths, colIdx, values }: EllRParts): EllR {
  const nnz = lengths.reduce((sum, length) => sum + length, 0);
  return { kind: 'ell-r', rows, cols, nnz, width, lengths, colIdx, values };
}

export const ELL_R: Format<EllR> = {
  fromRows: (a) => [toEllR(a, Math.max(1, lengthRange(a)[1]))],
  forEachEntry({ rows, width, lengths, colIdx, values }, unit, visit) {
    for (let i = 0; i < rows; i++) {
      for (let k = i * width; k < i * width + lengths[i]; k++) visit(i, colIdx[k], values ? values[k] : unit);
    }
  },
  check: ellR,
  places: (rows, _cols, longest) => rows * longest,
  layout: ({ width, lengths, colIdx, values }) => ({
    ...{ walk: WALKS.runs, columns: colIdx, values },
    words: [width, lengths],
  }),
  arrays: ({ lengths, colIdx, values }) => [lengths, colIdx, values],
  gpu: {
    prelude: 'ell-r',
    arrays: ({ rows, width, lengths, colIdx, values }) => ({
      indices: [lengths, transposePlaces(colIdx, rows, width)],
      values: values && transposePlaces(values, rows, width),
      extent: width,
    }),
  },
};

/** Rows of up to `width` entries. */
export function toEllR({ rows, cols, rowPtr, colIdx, values }: Csr, width: number): EllR {
  const lengths = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) lengths[i] = rowPtr[i + 1] - rowPtr[i];
  const places = (from: Uint32Array): Uint32Array => {
    const out = new Uint32Array(rows * width);
    spread(rowPtr, from, width, out);
    return out;
  };
  return ellRUnchecked({ rows, cols, width, lengths, colIdx: places(colIdx), values: values && places(values) });
}

function spread(rowPtr: Uint32Array, from: Uint32Array, width: number, out: Uint32Array): void {
  for (let i = 0; i < rowPtr.length - 1; i++) {
    for (let k = rowPtr[i], to = i * width, end = rowPtr[i + 1]; k < end; k++) out[to++] = from[k];
  }
}
