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
  const counts = new Uint32Array(VALUE_CLASSES.length);
  countClasses(a.values, p, counts);
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
  if (nnz > 0) {
    collect(a.rowPtr, a.colIdx, values, p, c, rowPtr, colIdx);
    if (general !== null) collectValues(values, p, general);
  }
  return csrUnchecked({ rows, cols, rowPtr, colIdx, values: general });
}

// Loops of their own: kernels/residue-matrix.ts.

function countClasses(values: Uint32Array, p: number, counts: Uint32Array): void {
  for (let k = 0; k < values.length; k++) counts[classOf(values[k], p)]++;
}

/** The places of class c's entries. */
function collect(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  p: number,
  c: number,
  outPtr: Uint32Array,
  outIdx: Uint32Array,
): void {
  let next = 0;
  for (let i = 0; i < rowPtr.length - 1; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++)
      if (classOf(values[k], p) === c) outIdx[next++] = colIdx[k];
    outPtr[i + 1] = next;
  }
}

function collectValues(values: Uint32Array, p: number, general: Uint32Array): void {
  for (let k = 0, next = 0; k < values.length; k++) if (classOf(values[k], p) === 2) general[next++] = values[k];
}

/** The index in VALUE_CLASSES. */
function classOf(value: number, p: number): 0 | 1 | 2 {
  return value === 1 ? 0 : value === p - 1 ? 1 : 2;
}
