/**
 * Matrices as the slow twins read them: rows of elements of any field, from compressed rows mod p.
 *
 *   sparse : row i is a map column → nonzero element         dense : row i is an array of `cols` elements
 */
import type { Field } from '../../fields/field.js';

/** The common part of a ResidueMatrix (words) and a BigResidueMatrix (bigints). */
export interface Compressed {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: ArrayLike<number>; // row i owns entries rowPtr[i] … rowPtr[i + 1] − 1
  readonly colIdx: ArrayLike<number>;
  readonly values: ArrayLike<number> | ArrayLike<bigint>;
}

export type SparseRow<E> = Map<number, E>;

export function sparseRows<E>(F: Field<E>, a: Compressed): SparseRow<E>[] {
  return Array.from({ length: a.rows }, (_, i) => {
    const row: SparseRow<E> = new Map();
    for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) {
      const value = F.from(a.values[k]);
      if (!F.equals(value, F.zero)) row.set(a.colIdx[k], value);
    }
    return row;
  });
}

export function denseRows<E>(F: Field<E>, a: Compressed): E[][] {
  return sparseRows(F, a).map((row) => Array.from({ length: a.cols }, (_, j) => row.get(j) ?? F.zero));
}

/** The rows of Aᵀ. */
export function transposeRows<E>(a: readonly SparseRow<E>[], cols: number): SparseRow<E>[] {
  const out: SparseRow<E>[] = Array.from({ length: cols }, () => new Map());
  a.forEach((row, i) => {
    for (const [j, value] of row) out[j].set(i, value);
  });
  return out;
}

/** A·x for the square or rectangular matrix with these sparse rows. */
export function applyRows<E>(F: Field<E>, rows: readonly SparseRow<E>[], x: readonly E[]): E[] {
  return rows.map((row) => {
    let sum = F.zero;
    for (const [j, value] of row) sum = F.add(sum, F.mul(value, x[j]));
    return sum;
  });
}

/** Aᵀ·x, a vector of `cols` elements. */
export function applyRowsTransposed<E>(F: Field<E>, rows: readonly SparseRow<E>[], cols: number, x: readonly E[]): E[] {
  const out = new Array<E>(cols).fill(F.zero);
  rows.forEach((row, i) => {
    for (const [j, value] of row) out[j] = F.add(out[j], F.mul(value, x[i]));
  });
  return out;
}
