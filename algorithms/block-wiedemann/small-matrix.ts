/**
 * Dense matrices of the size of a block, n × n codes of a field, row-major: what is read off the coefficients of a
 * generator, and the steps of Lanczos' algorithm. Gauss on M, Gauss and Jordan on [M I].
 */
import type { Field } from '../../fields/field.js';

/** det M. */
export function determinantOf(F: Field<number>, matrix: Uint32Array, n: number): number {
  const rows = Array.from({ length: n }, (_, i) => matrix.slice(i * n, (i + 1) * n));
  let determinant = F.one;
  for (let c = 0; c < n; c++) {
    const at = rows.findIndex((row, i) => i >= c && row[c] !== 0);
    if (at < 0) return F.zero;
    [rows[c], rows[at]] = [rows[at], rows[c]];
    determinant = F.mul(at === c ? determinant : F.neg(determinant), rows[c][c]);
    const pivot = rows[c].subarray(c);
    const inverse = F.inv(pivot[0]);
    for (const row of rows.slice(c + 1)) {
      if (row[c] !== 0) subtractRow(F, row.subarray(c), F.mul(row[c], inverse), pivot);
    }
  }
  return determinant;
}

/** M⁻¹; null where M is singular. */
export function invertMatrix(F: Field<number>, matrix: Uint32Array, n: number): Uint32Array | null {
  const { rows, rank } = eliminate(F, matrix, n);
  if (rank < n) return null;
  const out = new Uint32Array(n * n);
  rows.forEach((row, i) => {
    out.set(row.subarray(n), i * n);
  });
  return out;
}

/** A row y ≠ 0 with y·M = 0; null where M is nonsingular. */
export function leftKernelVector(F: Field<number>, matrix: Uint32Array, n: number): Uint32Array | null {
  const { rows, rank } = eliminate(F, matrix, n);
  return rank < n ? rows[rank].slice(n) : null;
}

/** X·Y, n × n times n × cols. */
export function multiplyMatrices(
  F: Field<number>,
  x: Uint32Array,
  y: Uint32Array,
  n: number,
  cols: number = n,
): Uint32Array {
  const out = new Uint32Array(n * cols);
  for (let i = 0; i < n; i++) {
    for (let t = 0; t < n; t++) {
      const factor = x[i * n + t];
      if (factor === 0) continue;
      for (let j = 0; j < cols; j++) out[i * cols + j] = F.add(out[i * cols + j], F.mul(factor, y[t * cols + j]));
    }
  }
  return out;
}

/** [M I] by rows, its left half reduced: the rows behind the rank are 0 there. */
function eliminate(
  F: Field<number>,
  matrix: Uint32Array,
  n: number,
): { readonly rows: Uint32Array[]; readonly rank: number } {
  const rows = Array.from({ length: n }, (_, i) => {
    const row = new Uint32Array(2 * n);
    row.set(matrix.subarray(i * n, (i + 1) * n));
    row[n + i] = F.one;
    return row;
  });
  let rank = 0;
  for (let c = 0; c < n; c++) {
    const pivot = rows.findIndex((row, i) => i >= rank && row[c] !== 0);
    if (pivot < 0) continue;
    [rows[rank], rows[pivot]] = [rows[pivot], rows[rank]];
    scaleRow(F, rows[rank], F.inv(rows[rank][c]));
    for (let i = 0; i < n; i++) if (i !== rank && rows[i][c] !== 0) subtractRow(F, rows[i], rows[i][c], rows[rank]);
    rank++;
  }
  return { rows, rank };
}

/** Loops of their own: kernels/sparse/residue-matrix.ts. */
function scaleRow(F: Field<number>, row: Uint32Array, factor: number): void {
  for (let j = 0; j < row.length; j++) row[j] = F.mul(factor, row[j]);
}

function subtractRow(F: Field<number>, row: Uint32Array, factor: number, other: Uint32Array): void {
  for (let j = 0; j < row.length; j++) row[j] = F.sub(row[j], F.mul(factor, other[j]));
}
