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
  const { rows, values } = a;
  const pointers = VALUE_CLASSES.map(() => new Uint32Array(rows + 1));
  for (let i = 0; i < rows; i++) {
    for (let k = a.rowPtr[i], end = a.rowPtr[i + 1]; k < end; k++) pointers[classOf(values[k], p)][i + 1]++;
    for (const pointer of pointers) pointer[i + 1] += pointer[i];
  }
  const columns = pointers.map((pointer) => new Uint32Array(pointer[rows]));
  const general = new Uint32Array(pointers[2][rows]);
  const next = [0, 0, 0];
  for (let k = 0; k < values.length; k++) {
    const c = classOf(values[k], p);
    if (c === 2) general[next[2]] = values[k];
    columns[c][next[c]++] = a.colIdx[k];
  }
  const part = (c: number): Csr =>
    csrUnchecked({ rows, cols: a.cols, rowPtr: pointers[c], colIdx: columns[c], values: c === 2 ? general : null });
  return { plus: part(0), minus: part(1), general: part(2) };
}

/** The index in VALUE_CLASSES. */
function classOf(value: number, p: number): 0 | 1 | 2 {
  if (value === 1) return 0;
  return value === p - 1 ? 1 : 2;
}
