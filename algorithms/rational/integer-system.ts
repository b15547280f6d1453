/**
 * A square system A·x = b over Q as integers: each row times the common denominator of its entries.
 *
 *   A : n × n, compressed rows     b : n integers     values : doubles where |a| ≤ 2^31, else `big` has bigints
 *
 * Hadamard bounds |det A| by the product of the rows' lengths and by that of the columns' lengths. By Cramer a
 * numerator of x is a determinant with one column replaced by b. Both bounds are log2, rounded up.
 */
import { gcd } from '../../fields/inverse.js';
import { asFraction, type Entry, parseEntry } from '../../kernels/sparse/big-entries.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';

export interface IntegerSystem {
  readonly n: number;
  readonly rowPtr: Uint32Array; // n + 1 offsets
  readonly colIdx: Uint32Array; // ascending within a row, no repeats
  readonly big: readonly bigint[]; // the values, or nothing where `values` holds them
  readonly values: Float64Array | null;
  readonly right: readonly bigint[];
  readonly rowSum: bigint; // max_i Σ_j |a_ij|
  readonly largestRight: bigint; // max |b_i|
  readonly determinantLog2: number; // |det A| ≤ 2^this
  readonly numeratorLog2: number; // |det A · x_i| ≤ 2^this
}

const SMALL = 2n ** 31n;

/** The system of a square matrix and right sides that are integers or fractions. */
export function integerSystem(matrix: SparseMatrix, right: readonly Entry[]): IntegerSystem {
  const { rows: n, rowPtr, colIdx, values: entries } = matrix.toCsr();
  const big = new Array<bigint>(colIdx.length);
  const scaled = new Array<bigint>(n);
  let [rowSum, largest, largestRight] = [0n, 0n, 0n];
  for (let i = 0; i < n; i++) {
    const b = asFraction(parseEntry(right[i]));
    const row = Array.from(entries.slice(rowPtr[i], rowPtr[i + 1]), (value) => asFraction(parseEntry(value)));
    const scale = [b, ...row].reduce((s, { denominator: d }) => (d === 1n ? s : (s * d) / gcd(s, d)), 1n);
    scaled[i] = (b.numerator * scale) / b.denominator;
    let sum = 0n;
    for (const [k, value] of row.entries()) {
      const a = (value.numerator * scale) / value.denominator;
      big[rowPtr[i] + k] = a;
      sum += magnitude(a);
      largest = larger(largest, a);
    }
    rowSum = larger(rowSum, sum);
    largestRight = larger(largestRight, scaled[i]);
  }
  const values = largest <= SMALL ? Float64Array.from(big, Number) : null;
  const bounds = hadamard(n, rowPtr, colIdx, big, scaled);
  const shape = { n, rowPtr, colIdx, right: scaled, rowSum, largestRight, ...bounds };
  return { ...shape, values, big: values === null ? big : [] };
}

/** The bounds of the determinant and of the numerators. */
function hadamard(
  n: number,
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: readonly bigint[],
  right: readonly bigint[],
): { determinantLog2: number; numeratorLog2: number } {
  // Squares of lengths; an empty line counts as one of length 1, which no bound minds.
  const cols = new Array<bigint>(n).fill(0n);
  let [byRows, byRowsAndRight, byCols, rightLength] = [0, 0, 0, 0n];
  for (let i = 0; i < n; i++) {
    let row = 0n;
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
      const square = values[k] * values[k];
      row += square;
      cols[colIdx[k]] += square;
    }
    rightLength += right[i] * right[i];
    byRows += lengthLog2(row);
    byRowsAndRight += lengthLog2(row + right[i] * right[i]);
  }
  let shortest = Number.POSITIVE_INFINITY;
  for (const col of cols) {
    byCols += lengthLog2(col);
    shortest = Math.min(shortest, lengthLog2(col));
  }
  const byColsAndRight = n === 0 ? 0 : byCols - shortest + lengthLog2(rightLength);
  // Each logarithm is right to 2^-40, relative.
  const roundUp = (log: number): number => Math.ceil(log * (1 + 2 ** -40) + n * 2 ** -40) + 1;
  return {
    determinantLog2: roundUp(Math.min(byRows, byCols)),
    numeratorLog2: roundUp(Math.min(byRowsAndRight, byColsAndRight)),
  };
}

/** log2 √square, of 1 for 0. */
function lengthLog2(square: bigint): number {
  return square === 0n ? 0 : log2(square) / 2;
}

/** log2 x for x > 0, rounded up in its last places. */
function log2(x: bigint): number {
  const shift = Math.max(0, bitLength(x) - 60);
  return Math.log2(Number(x >> BigInt(shift))) + shift + (shift > 0 ? 2 ** -50 : 0);
}

/** The number of bits of |x|; 0 for 0. */
export function bitLength(x: bigint): number {
  if (x === 0n) return 0;
  const hex = magnitude(x).toString(16);
  return 4 * hex.length - 4 + 32 - Math.clz32(Number.parseInt(hex[0], 16));
}

/** |x|. */
export function magnitude(x: bigint): bigint {
  return x < 0n ? -x : x;
}

/** The larger of a ≥ 0 and |x|. */
export function larger(a: bigint, x: bigint): bigint {
  const size = magnitude(x);
  return size > a ? size : a;
}
