/** Right sides as residues by rows, whatever rows they leave out. */
import { expect, test } from 'vitest';
import { EntryError, SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { denseRightSides } from '../../src/worker/right-sides.js';

const ROWS = 2 ** 24 + 5;

test.each([65521n, 2n ** 61n - 1n])('an entry in more than 2^24 rows, mod %s', (mod) => {
  const rows = mod > 2n ** 32n ? 5 : ROWS; // bigints take the heap
  const b = SparseMatrix.fromTriplets(rows, 2, [
    [rows - 1, 1, 3],
    [1, 0, -1],
    [1, 0, -1],
  ]);
  const { values, s } = denseRightSides(b.toParts(), { rows, cols: 1 }, { mod, maxMemory: null });
  expect([s, values.length]).toEqual([2, 2 * rows]);
  const places = [1, 2, 2 * rows - 1].map((at) => BigInt(values[at]!));
  expect(places).toEqual([0n, mod - 2n, 3n]);
  let count = 0;
  for (const value of values) if (value > 0) count++;
  expect(count).toBe(2);
});

test.each([65521n, 2n ** 61n - 1n])('an entry of more than 2^24 right sides, mod %s', (mod) => {
  const cols = mod > 2n ** 32n ? 5 : ROWS;
  const b = SparseMatrix.fromTriplets(2, cols, [
    [1, cols - 1, 3],
    [0, 1, -1],
    [0, 1, -1],
  ]);
  const { values, s } = denseRightSides(b.toParts(), { rows: 2, cols: 1 }, { mod, maxMemory: null });
  expect([s, values.length]).toEqual([cols, 2 * cols]);
  const places = [0, 1, cols, 2 * cols - 1].map((at) => BigInt(values[at]!));
  expect(places).toEqual([0n, mod - 2n, 0n, 3n]);
});

test('a denominator that the prime divides is named at its place', () => {
  const b = SparseMatrix.fromTriplets(3, 2, [[2, 0, '1/7']]);
  const make = () => denseRightSides(b.toParts(), { rows: 3, cols: 3 }, { mod: 7n, maxMemory: null });
  expect(make).toThrow(EntryError);
  expect(make).toThrow(/^right sides: entry \(3, 1\) = 1\/7: /);
  const wide = SparseMatrix.fromTriplets(2, 3, [[0, 2, '1/7']]);
  const makeWide = () => denseRightSides(wide.toParts(), { rows: 2, cols: 2 }, { mod: 7n, maxMemory: null });
  expect(makeWide).toThrow(/^right sides: entry \(1, 3\) = 1\/7: /);
});
