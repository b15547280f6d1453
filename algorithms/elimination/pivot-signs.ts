/**
 * What pivots put aside contribute to a determinant: their product and the signs of the orders that put them first.
 *
 *   A = P·[L A12; A21 A22]·Q      det A = sign P · sign Q · Π pivots · det S
 *
 * P and Q bring the pivots' lines to the front in the pivots' order and leave all others in theirs.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Pivots } from '../presolve/pattern.js';

/** Whether sign P · sign Q is −1, for pivots of a matrix of `size` rows and columns. */
export function isSignNegative(rows: ArrayLike<number>, cols: ArrayLike<number>, size: number): boolean {
  return isOdd(frontOrder(rows, size)) !== isOdd(frontOrder(cols, size));
}

/** Π pivots. */
export function multiplyPivots(
  F: WordPrime,
  { rowPtr, colIdx, values }: ResidueMatrix,
  { rows, cols }: Pick<Pivots, 'rows' | 'cols'>,
): number {
  let product = 1;
  for (let k = 0; k < rows.length; k++) {
    let e = rowPtr[rows[k]];
    while (colIdx[e] !== cols[k]) e++;
    product = F.mul(product, values[e]);
  }
  return product;
}

/** The lines given in their order, then all others in theirs. */
function frontOrder(lines: ArrayLike<number>, size: number): Uint32Array {
  const order = new Uint32Array(size);
  const isTaken = new Uint8Array(size);
  let at = 0;
  for (; at < lines.length; at++) {
    order[at] = lines[at];
    isTaken[lines[at]] = 1;
  }
  for (let line = 0; line < size; line++) if (isTaken[line] === 0) order[at++] = line;
  return order;
}

/** Whether a permutation is odd: its size less its cycles. */
export function isOdd(permutation: ArrayLike<number>): boolean {
  const seen = new Uint8Array(permutation.length);
  let odd = false;
  for (let start = 0; start < permutation.length; start++) {
    if (seen[start] === 1) continue;
    for (let i = permutation[start]; i !== start; i = permutation[i]) {
      seen[i] = 1;
      odd = !odd;
    }
    seen[start] = 1;
  }
  return odd;
}

export function hasEmptyRow({ rows, rowPtr }: ResidueMatrix): boolean {
  for (let i = 0; i < rows; i++) if (rowPtr[i + 1] === rowPtr[i]) return true;
  return false;
}

/** The other rows and columns, which have all entries. */
export function withoutLines(a: ResidueMatrix, rows: ArrayLike<number>, cols: ArrayLike<number>): ResidueMatrix {
  const keptRows = frontOrder(rows, a.rows).subarray(rows.length);
  const number = new Uint32Array(a.cols);
  frontOrder(cols, a.cols)
    .subarray(cols.length)
    .forEach((column, at) => {
      number[column] = at;
    });
  const rowPtr = new Uint32Array(keptRows.length + 1);
  keptRows.forEach((row, at) => {
    rowPtr[at + 1] = rowPtr[at] + a.rowPtr[row + 1] - a.rowPtr[row];
  });
  const colIdx = a.colIdx.map((column) => number[column]);
  return { ...a, rows: keptRows.length, cols: a.cols - cols.length, rowPtr, colIdx };
}
