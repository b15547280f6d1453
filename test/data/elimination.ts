/**
 * The rank mod p by Gaussian elimination, row by row on a sparse basis: slow, and written to be believed.
 *
 * Each new row is scattered into a dense one and reduced, from its first column on, by the basis row that begins there;
 * what remains becomes the basis row of its own first column. p < 2^26, so that products stay below 2^53 with their
 * sum.
 */
import type { Triplets } from '../../data/triplets.js';

interface BasisRow {
  readonly columns: number[]; // ascending, the first is the pivot
  readonly values: number[]; // the first is 1
}

export function rankByElimination(matrix: Triplets, p: number): number {
  const { rows, cols, rowIdx, colIdx, values } = matrix;
  const basis: (BasisRow | undefined)[] = new Array(cols);
  const dense = new Float64Array(cols);
  let rank = 0;
  for (let i = 0, k = 0; i < rows; i++) {
    let first = cols;
    for (; k < rowIdx.length && rowIdx[k] === i; k++) {
      dense[colIdx[k]] = (dense[colIdx[k]] + (values[k] % p) + p) % p;
      first = Math.min(first, colIdx[k]);
    }
    for (let j = first; j < cols; j++) {
      if (dense[j] === 0) continue;
      const pivot = basis[j];
      if (pivot === undefined) {
        basis[j] = normalised(dense, j, p);
        dense.fill(0, j);
        rank++;
        break;
      }
      // row ← row − row[j]·pivot
      const factor = p - dense[j];
      for (let e = 0; e < pivot.columns.length; e++) {
        const c = pivot.columns[e];
        dense[c] = (dense[c] + factor * pivot.values[e]) % p;
      }
    }
  }
  return rank;
}

/** dense[from …] divided by dense[from], as a list. */
function normalised(dense: Float64Array, from: number, p: number): BasisRow {
  let inverse = 1;
  // Fermat: a^(p−2)
  for (let base = dense[from], e = p - 2; e > 0; e = Math.floor(e / 2)) {
    if (e % 2 === 1) inverse = (inverse * base) % p;
    base = (base * base) % p;
  }
  const row: BasisRow = { columns: [], values: [] };
  for (let c = from; c < dense.length; c++) {
    if (dense[c] === 0) continue;
    row.columns.push(c);
    row.values.push((dense[c] * inverse) % p);
  }
  return row;
}
