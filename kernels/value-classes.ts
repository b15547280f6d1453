/**
 * A mod p = A(+1) + A(−1) + A(general): entries that are 1, p − 1, and anything else, each part with A's shape.
 *
 * The ±1 parts store no values and cost additions alone. For p = 2, where 1 = −1, all entries are +1.
 */
import { type Csr, csrUnchecked } from './formats/csr.js';
import type { ResidueMatrix } from './residue-matrix.js';

export type ValueClass = 'plus' | 'minus' | 'general';

export const VALUE_CLASSES: readonly ValueClass[] = ['plus', 'minus', 'general'];

export function splitByValue(a: ResidueMatrix, p: number): Record<ValueClass, Csr> {
  const counts = [0, 0, 0];
  for (let k = 0; k < a.values.length; k++) counts[classOf(a.values[k], p)]++;
  const part = (c: number): Csr => partOf(a, p, c, counts[c]);
  return { plus: part(0), minus: part(1), general: part(2) };
}

/** The `nnz` entries of one class. A class that has all of them shares A's arrays. */
function partOf(a: ResidueMatrix, p: number, c: number, nnz: number): Csr {
  const { rows, cols, values } = a;
  if (nnz === values.length) {
    return csrUnchecked({ rows, cols, rowPtr: a.rowPtr, colIdx: a.colIdx, values: c === 2 ? values : null });
  }
  const rowPtr = new Uint32Array(rows + 1);
  const colIdx = new Uint32Array(nnz);
  const general = c === 2 ? new Uint32Array(nnz) : null;
  if (nnz === 0) return csrUnchecked({ rows, cols, rowPtr, colIdx, values: general });
  let next = 0;
  for (let i = 0; i < rows; i++) {
    for (let k = a.rowPtr[i], end = a.rowPtr[i + 1]; k < end; k++) {
      if (classOf(values[k], p) !== c) continue;
      if (general) general[next] = values[k];
      colIdx[next++] = a.colIdx[k];
    }
    rowPtr[i + 1] = next;
  }
  return csrUnchecked({ rows, cols, rowPtr, colIdx, values: general });
}

/** The index in VALUE_CLASSES. */
function classOf(value: number, p: number): 0 | 1 | 2 {
  if (value === 1) return 0;
  return value === p - 1 ? 1 : 2;
}
