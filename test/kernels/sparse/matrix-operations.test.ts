/**
 * Operations of a SparseMatrix against the same on dense rows of bigints, over random matrices with repeats, zeros and
 * wide entries.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryError } from '../../../kernels/errors/memory-error.js';
import { StructureError } from '../../../kernels/errors/structure-error.js';
import { type Entry, EntryError, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const VALUE = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.bigInt(-(2n ** 70n), 2n ** 70n));
const MATRIX = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .chain(([rows, cols]) =>
    fc
      .array(fc.tuple(fc.nat(Math.max(0, rows - 1)), fc.nat(Math.max(0, cols - 1)), VALUE), { maxLength: 20 })
      .map((list) => ({ rows, cols, list: rows * cols === 0 ? [] : (list as [number, number, Entry][]) })),
  );

type Given = { rows: number; cols: number; list: [number, number, Entry][] };
const made = ({ rows, cols, list }: Given) => SparseMatrix.fromTriplets(rows, cols, list);

/** The definition: repeats add up. */
function dense({ rows, cols, list }: Given): bigint[][] {
  const a = Array.from({ length: rows }, () => new Array<bigint>(cols).fill(0n));
  for (const [i, j, v] of list) a[i][j] += BigInt(v);
  return a;
}

/** The same read back by `get`. */
const rowsOf = (a: SparseMatrix): bigint[][] =>
  Array.from({ length: a.rows }, (_, i) => Array.from({ length: a.cols }, (_, j) => BigInt(a.get(i, j))));

const check = (property: Parameters<typeof fc.assert>[0]): unknown => fc.assert(property, { seed: 7, numRuns: 300 });

describe('operations', () => {
  test('get, entries, transpose, map, equals', () => {
    check(
      fc.property(MATRIX, (given) => {
        const [a, expected] = [made(given), dense(given)];
        expect(rowsOf(a)).toEqual(expected);
        expect([...a.entries()].map(([i, j, v]) => [i, j, BigInt(v)])).toEqual(
          given.list.map(([i, j, v]) => [i, j, BigInt(v)]),
        );
        const at = a.transpose();
        expect([at.rows, at.cols]).toEqual([a.cols, a.rows]);
        expect(rowsOf(at)).toEqual(Array.from({ length: a.cols }, (_, j) => expected.map((row) => row[j])));
        const tripled = a.map((v, i, j) => 3n * BigInt(v) + BigInt(i - j));
        expect(rowsOf(tripled)).toEqual(
          expected.map((row, i) => row.map((v, j) => (v === 0n ? 0n : 3n * v + BigInt(i - j)))),
        );
        const canonical = SparseMatrix.fromDense(expected, a.cols);
        expect(a.equals(canonical) && canonical.equals(a)).toBe(true);
        if (a.rows * a.cols > 0) {
          const other = SparseMatrix.fromTriplets(a.rows, a.cols, [...given.list, [0, 0, 1]]);
          expect(a.equals(other)).toBe(false);
        }
      }),
    );
  });

  test('toCsr, toCsc and toCoo, read back', () => {
    check(
      fc.property(MATRIX, (given) => {
        const a = made(given);
        const [csr, csc, coo] = [a.toCsr(), a.toCsc(), a.toCoo()];
        expect(SparseMatrix.fromCsr(csr).equals(a)).toBe(true);
        expect(SparseMatrix.fromCsc(csc).equals(a)).toBe(true);
        expect(SparseMatrix.fromCoo(coo).equals(a)).toBe(true);
        expect(csr.values.length).toBe(
          dense(given)
            .flat()
            .filter((v) => v !== 0n).length,
        );
        const shape = [a.rows, a.cols] as const;
        const named = { shape, indptr: csr.rowPtr, indices: csr.colIdx, data: csr.values };
        expect(SparseMatrix.fromCsr(named).equals(a)).toBe(true);
        const big = { shape, row: BigInt64Array.from(coo.rowIdx, BigInt), col: coo.colIdx, data: coo.values };
        expect(SparseMatrix.fromCoo(big).equals(a)).toBe(true);
      }),
    );
  });

  test('stack and submatrix', () => {
    check(
      fc.property(MATRIX, fc.nat(100), (given, draw) => {
        const [a, rows] = [made(given), dense(given)];
        expect(rowsOf(SparseMatrix.stack([a, a]))).toEqual([...rows, ...rows]);
        expect(rowsOf(SparseMatrix.stack([a, a], 'cols'))).toEqual(rows.map((row) => [...row, ...row]));
        const picked = rows
          .map((_, i) => i)
          .filter((i) => (draw >> i) % 2 === 1)
          .reverse();
        expect(rowsOf(a.submatrix(picked, null))).toEqual(picked.map((i) => rows[i]));
        const cols = Array.from({ length: a.cols }, (_, j) => j).reverse();
        expect(rowsOf(a.submatrix(null, cols))).toEqual(rows.map((row) => [...row].reverse()));
      }),
    );
  });

  test('multiply: vectors and blocks, over the integers and mod p', () => {
    check(
      fc.property(MATRIX, fc.integer({ min: 1, max: 3 }), fc.constantFrom(2, 65521, 2147483647), (given, width, p) => {
        const [a, rows] = [made(given), dense(given)];
        const x = Array.from({ length: a.cols * width }, (_, k) => BigInt(7 * k - 5) * 2n ** 40n);
        const expected = rows.flatMap((row) =>
          Array.from({ length: width }, (_, c) => row.reduce((sum, v, j) => sum + v * x[j * width + c], 0n)),
        );
        expect(a.multiply(x, { width })).toEqual(expected);
        const modulo = (q: bigint) => expected.map((v) => ((v % q) + q) % q);
        expect(Array.from(a.multiply(x, { width, mod: p }), BigInt)).toEqual(modulo(BigInt(p)));
        expect(a.multiply(x, { width, mod: 2n ** 61n - 1n })).toEqual(modulo(2n ** 61n - 1n));
      }),
    );
  });

  test('fractions are exact, and have no product over the integers', () => {
    const a = SparseMatrix.fromTriplets(2, 2, [
      [0, 0, '1/3'],
      [0, 0, '2/3'],
      [1, 1, '1/2'],
      [0, 1, '-1/6'],
    ]);
    expect([a.get(0, 0), a.get(0, 1), a.get(1, 0), a.get(1, 1)]).toEqual([1, '-1/6', 0, '1/2']);
    expect([...a.multiply([0, 1], { mod: 7 })]).toEqual([1, 4]); // −1/6 = 1, 1/2 = 4
    expect(() => a.multiply([1, 1])).toThrow(EntryError);
    expect(a.toCoo().values).toEqual([1, '-1/6', '1/2']);
  });

  test('sizes far beyond the entries cost nothing', () => {
    const size = 2 ** 31 - 1;
    const a = SparseMatrix.fromTriplets(size, size, [
      [size - 1, 5, 2],
      [5, size - 1, 3],
      [5, size - 1, 4],
    ]);
    expect([a.get(5, size - 1), a.get(size - 1, 5), a.get(0, 0)]).toEqual([7, 2, 0]);
    expect(a.transpose().get(size - 1, 5)).toBe(7);
    expect(a.equals(a.transpose().transpose())).toBe(true);
    expect(a.submatrix([5], [size - 1]).get(0, 0)).toBe(7);
    expect(() => SparseMatrix.stack([a, a])).toThrow(StructureError);
    expect(() => a.toCsr()).toThrow(MemoryError);
    const tall = SparseMatrix.fromTriplets(size, 1, [[1, 0, 1]]);
    expect(() => tall.multiply([1])).toThrow(MemoryError);
    expect(() => SparseMatrix.fromTriplets(3, 0, []).multiply([], { width: 1e9 })).toThrow(MemoryError);
  });
});

describe('constructors refuse', () => {
  const csr = { rowPtr: [0, 1, 2], colIdx: [0, 1], values: [1, 1] };
  test.each<[string, () => unknown]>([
    ['offsets that fall', () => SparseMatrix.fromCsr(2, 2, { ...csr, rowPtr: [0, 3, 2] })],
    ['offsets that are not whole', () => SparseMatrix.fromCsr(2, 2, { ...csr, rowPtr: [0, 0.5, 2] })],
    ['a column outside', () => SparseMatrix.fromCsr(2, 2, { ...csr, colIdx: [0, 2] })],
    ['two names of one array', () => SparseMatrix.fromCsr(2, 2, { ...csr, indices: [0, 1] })],
    ['no sizes', () => SparseMatrix.fromCsr(csr as never)],
    ['no array', () => SparseMatrix.fromCsc(2, 2, csr as never)],
    ['a shape of three', () => SparseMatrix.fromCoo({ shape: [1, 2, 3], row: [], col: [], data: [] } as never)],
    ['an index that is a string', () => SparseMatrix.fromCoo(2, 2, { row: ['0'], col: [0], data: [1] } as never)],
    ['a hole', () => SparseMatrix.fromTriplets(2, 2, [[0, undefined, 1]] as never)],
    ['entries of four', () => SparseMatrix.fromTriplets(2, 2, [[0, 0, 1, 1]] as never)],
    ['dense rows that are none', () => SparseMatrix.fromDense([null] as never)],
    ['a place outside', () => SparseMatrix.fromDense([[1]]).get(0, 1)],
    ['a row twice', () => SparseMatrix.fromDense([[1]]).submatrix([0, 0], null)],
    ['a vector too short', () => SparseMatrix.fromDense([[1, 2]]).multiply([1])],
    [
      'matrices of two widths',
      () => SparseMatrix.stack([SparseMatrix.fromDense([[1]]), SparseMatrix.fromDense([[1, 2]])]),
    ],
    ['what is no matrix', () => SparseMatrix.fromDense([[1]]).equals({} as never)],
  ])('%s', (_, act) => {
    expect(act).toThrow(StructureError);
  });
});
