/**
 * ELLPACK with a full rectangle: every row owns exactly `width` entries, row i those at i·width … (i+1)·width − 1.
 *
 * Rows have no padding, since parts without values have no zero for it. So entries beyond `width` belong to a remainder
 * in another format, and rows of unequal length to ELL_R. Row-major, since one CPU thread walks one row.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkColumns, checkSizes, checkValues } from './check.js';
import { type Csr, csrUnchecked } from './csr.js';
import { type Format, lengthRange, WALKS } from './format.js';

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
function ellUnchecked({ rows, cols, width, colIdx, values }: EllParts): Ell {
  return { kind: 'ell', rows, cols, nnz: colIdx.length, width, colIdx, values };
}

export const ELL: Format<Ell> = {
  fromRows: (a) => cutRectangle(a, lengthRange(a)[0]),
  forEachEntry({ rows, width, colIdx, values }, unit, visit) {
    for (let i = 0; i < rows; i++) {
      for (let k = i * width; k < (i + 1) * width; k++) visit(i, colIdx[k], values ? values[k] : unit);
    }
  },
  check: ell,
  layout: ({ width, colIdx, values }) => ({ walk: WALKS.runs, columns: colIdx, values, words: [width] }),
  arrays: ({ colIdx, values }) => [colIdx, values],
  gpu: {
    prelude: 'ell',
    arrays: ({ rows, width, colIdx, values }) => ({
      indices: [transposePlaces(colIdx, rows, width)],
      values: values && transposePlaces(values, rows, width),
      extent: width,
    }),
  },
};

/** The first `width` entries of each row, which every row has, and what rows have beyond them as compressed rows. */
export function cutRectangle(a: Csr, width: number): [Ell] | [Ell, Csr] | [Csr] {
  const { rows, cols, nnz, rowPtr, colIdx, values } = a;
  if (width === 0) return [a];
  if (nnz === rows * width) return [ellUnchecked({ rows, cols, width, colIdx, values })]; // the same arrays
  const restPtr = Uint32Array.from(rowPtr, (at, i) => at - i * width);
  const split = (from: Uint32Array): [main: Uint32Array, rest: Uint32Array] => {
    const [main, rest] = [new Uint32Array(rows * width), new Uint32Array(nnz - rows * width)];
    cut(rowPtr, from, width, main, rest);
    return [main, rest];
  };
  const [mainIdx, restIdx] = split(colIdx);
  const [mainValues, restValues] = values ? split(values) : [null, null];
  return [
    ellUnchecked({ rows, cols, width, colIdx: mainIdx, values: mainValues }),
    csrUnchecked({ rows, cols, rowPtr: restPtr, colIdx: restIdx, values: restValues }),
  ];
}

/** A rectangle stored by rows, stored by columns: what stands at i·width + t goes to t·rows + i. */
export function transposePlaces(from: Uint32Array, rows: number, width: number): Uint32Array {
  const to = new Uint32Array(from.length);
  for (let i = 0; i < rows; i++) for (let t = 0; t < width; t++) to[t * rows + i] = from[i * width + t];
  return to;
}

/** Element by element: a view a row would cost more than the few entries it moves. */
function cut(rowPtr: Uint32Array, from: Uint32Array, width: number, main: Uint32Array, rest: Uint32Array): void {
  for (let i = 0, m = 0, r = 0; i < rowPtr.length - 1; i++) {
    let k = rowPtr[i];
    for (const middle = k + width; k < middle; k++) main[m++] = from[k];
    for (const end = rowPtr[i + 1]; k < end; k++) rest[r++] = from[k];
  }
}
