/** Sums of rows by doubles against sums of big integers, for moduli whose sums are reduced seldom, often and each. */
import { expect, test } from 'vitest';
import { isZeroSum } from '../../../algorithms/factor/products.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';

const ROWS = 3000;
const COLS = 4;

/** Full rows, of which all entries are `value`, or uniform. */
function full(p: number, value?: number): ResidueMatrix {
  const random = new CounterRandom(BigInt(p), 1);
  const values = random.fillResidues(new Uint32Array(ROWS * COLS), p);
  if (value !== undefined) values.fill(value);
  const rowPtr = Uint32Array.from({ length: ROWS + 1 }, (_, i) => i * COLS);
  return { rows: ROWS, cols: COLS, rowPtr, colIdx: Uint32Array.from(values, (_, k) => k % COLS), values };
}

const rowOf = (a: ResidueMatrix, v: Uint32Array): bigint[] =>
  Array.from({ length: COLS }, (_, j) => {
    return v.reduce((sum, value, i) => sum + BigInt(value) * BigInt(a.values[i * COLS + j]), 0n);
  });

// 2097143: 2048 products in a double. 2147483629: two.
test.each([2, 3, 65521, 2097143, 2147483629])('sums of 3000 rows, p = %i', (p) => {
  const F = WordPrime.of(p);
  const index = Uint32Array.from({ length: ROWS }, (_, i) => i);
  const sums = new Float64Array(COLS);
  for (const a of [full(p), full(p, p - 1)]) {
    const v = new CounterRandom(BigInt(p), 2).fillResidues(new Uint32Array(ROWS), p);
    const isZero = (): boolean => isZeroSum(F, a, index, v, 0, ROWS, sums);
    // The last rows are unit vectors: their entries of v make the sum vanish.
    a.values.fill(0, (ROWS - COLS) * COLS);
    for (let j = 0; j < COLS; j++) a.values[(ROWS - COLS + j) * COLS + j] = 1;
    v.fill(0, ROWS - COLS);
    const rest = rowOf(a, v).map((sum) => Number(sum % BigInt(p)));
    rest.forEach((sum, j) => {
      v[ROWS - COLS + j] = (p - sum) % p;
    });
    expect(rowOf(a, v).map((sum) => sum % BigInt(p))).toEqual([0n, 0n, 0n, 0n]);
    expect([isZero(), [...sums]]).toEqual([true, [0, 0, 0, 0]]);
    v[17] = (v[17] + 1) % p;
    const stays = a.values.subarray(17 * COLS, 18 * COLS).every((value) => value === 0);
    expect([isZero(), [...sums]]).toEqual([stays, [0, 0, 0, 0]]);
  }
});
