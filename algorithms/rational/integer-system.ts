/**
 * Systems A·x = b over Q as integers: each row times the common denominator of its entries and of its right sides.
 *
 *   A : rows × cols, compressed rows     b : integers     values : doubles where |a| ≤ 2^31, else `big` has bigints
 *
 * Hadamard bounds the minors of A by the product of the rows' lengths and by that of the columns' lengths. By Cramer a
 * numerator of x is a minor with one column replaced by b. Both bounds are log2, rounded up.
 */
import { gcd } from '../../fields/inverse.js';
import { asFraction, type Entry, parseEntry } from '../../kernels/sparse/big-entries.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';

export interface IntegerSystem {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: Uint32Array; // rows + 1 offsets
  readonly colIdx: Uint32Array; // ascending within a row, no repeats
  readonly big: readonly bigint[]; // the values, or nothing where `values` holds them
  readonly values: Float64Array | null;
  readonly right: readonly bigint[];
  readonly rowSum: bigint; // max_i Σ_j |a_ij|
  readonly largestRight: bigint; // max |b_i|
  readonly minorLog2: number; // a minor of A is at most 2^this, and det A
  readonly numeratorLog2: number; // |M·x_i| ≤ 2^this for the minor M of x's denominators
}

interface IntegerMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly entries: readonly bigint[];
}

const SMALL = 2n ** 31n;

/** The systems of a matrix with each right side, integers or fractions, and what their rows were multiplied by. */
export function integerSystems(
  matrix: SparseMatrix,
  columns: readonly (readonly Entry[])[],
): { readonly systems: IntegerSystem[]; readonly scales: readonly bigint[] } {
  const { rows, cols, rowPtr, colIdx, values } = matrix.toCsr();
  const entries = new Array<bigint>(colIdx.length);
  const rights = columns.map(() => new Array<bigint>(rows));
  const scales = Array.from({ length: rows }, (_, i) => {
    const row = Array.from(values.slice(rowPtr[i], rowPtr[i + 1]), (value) => asFraction(parseEntry(value)));
    const right = columns.map((column) => asFraction(parseEntry(column[i])));
    const scale = [...right, ...row].reduce((s, { denominator: d }) => (d === 1n ? s : (s * d) / gcd(s, d)), 1n);
    row.forEach((value, k) => {
      entries[rowPtr[i] + k] = (value.numerator * scale) / value.denominator;
    });
    right.forEach((value, t) => {
      rights[t][i] = (value.numerator * scale) / value.denominator;
    });
    return scale;
  });
  return { systems: rights.map((right) => boundSystem({ rows, cols, rowPtr, colIdx, entries }, right)), scales };
}

/** Aᵀ·x = right. */
export function transposeSystem(system: IntegerSystem, right: readonly bigint[]): IntegerSystem {
  const { rows, cols, rowPtr, colIdx } = system;
  const from = entriesOf(system);
  const ptr = new Uint32Array(cols + 1);
  for (const j of colIdx) ptr[j + 1]++;
  for (let j = 0; j < cols; j++) ptr[j + 1] += ptr[j];
  const next = ptr.slice(0, cols);
  const [index, entries] = [new Uint32Array(colIdx.length), new Array<bigint>(colIdx.length)];
  for (let i = 0; i < rows; i++) {
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
      const to = next[colIdx[k]]++;
      [index[to], entries[to]] = [i, from[k]];
    }
  }
  return boundSystem({ rows: cols, cols: rows, rowPtr: ptr, colIdx: index, entries }, right);
}

/** The values as bigints. */
export function entriesOf({ values, big }: IntegerSystem): readonly bigint[] {
  return values === null ? big : Array.from(values, BigInt);
}

function boundSystem(matrix: IntegerMatrix, right: readonly bigint[]): IntegerSystem {
  const { rows, cols, rowPtr, colIdx, entries } = matrix;
  let [rowSum, largest] = [0n, 0n];
  for (let i = 0; i < rows; i++) {
    let sum = 0n;
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
      sum += magnitude(entries[k]);
      largest = larger(largest, entries[k]);
    }
    rowSum = larger(rowSum, sum);
  }
  const values = largest <= SMALL ? Float64Array.from(entries, Number) : null;
  const shape = { rows, cols, rowPtr, colIdx, right, rowSum, largestRight: right.reduce(larger, 0n) };
  return { ...shape, ...hadamard(matrix, right), values, big: values === null ? entries : [] };
}

/** The bounds of minors and of numerators. */
function hadamard(
  { rows, cols: n, rowPtr, colIdx, entries }: IntegerMatrix,
  right: readonly bigint[],
): { minorLog2: number; numeratorLog2: number } {
  // Squares of lengths; a line of length 0 counts as one of length 1, so that fewer lines have no larger product.
  const cols = new Array<bigint>(n).fill(0n);
  let [byRows, byRowsAndRight, byCols, rightLength] = [0, 0, 0, 0n];
  for (let i = 0; i < rows; i++) {
    let row = 0n;
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
      const square = entries[k] * entries[k];
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
  const roundUp = (log: number): number => Math.ceil(log * (1 + 2 ** -40) + (rows + n) * 2 ** -40) + 1;
  return {
    minorLog2: roundUp(Math.min(byRows, byCols)),
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
