/** Dropping idle lines keeps every entry in place relative to the others, and leaves alone what is not mostly empty. */
import { describe, expect, test } from 'vitest';
import { withoutIdleIndices, withoutIdleLines } from '../../../kernels/sparse/drop-empty.js';
import { EntryError, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const LAST = 2 ** 31 - 2;
const entriesOf = ({ rows, cols, rowIdx, colIdx, values }: SparseMatrix) => ({
  size: [rows, cols],
  entries: Array.from(values, (v, k) => [rowIdx[k], colIdx[k], v]),
});

describe('idle lines', () => {
  test('are dropped where there are more lines than entries, in order, repeats and zeros kept', () => {
    const entries = [
      [LAST, 7, 2],
      [0, LAST, 3],
      [LAST, 7, 5],
      [9, 1, 0],
    ] as const;
    expect(entriesOf(withoutIdleLines(SparseMatrix.fromTriplets(LAST + 1, LAST + 1, entries)))).toEqual({
      size: [3, 3],
      entries: [
        [2, 1, 2],
        [0, 2, 3],
        [2, 1, 5],
        [1, 0, 0],
      ],
    });
  });

  test('are dropped on one side alone', () => {
    const wide = SparseMatrix.fromTriplets(2, LAST, [
      [0, 5, 1],
      [1, 9, 1],
    ]);
    expect(entriesOf(withoutIdleLines(wide))).toEqual({
      size: [2, 2],
      entries: [
        [0, 0, 1],
        [1, 1, 1],
      ],
    });
  });

  test('stay where entries are as many as lines: the same object comes back', () => {
    const full = SparseMatrix.fromDense([
      [1, 1],
      [0, 0],
    ]);
    expect(withoutIdleLines(full)).toBe(full);
    expect(withoutIdleIndices(full)).toBe(full);
  });

  test.each([0, 5, LAST])('of a matrix without entries and %i lines are all of them', (size) => {
    expect(entriesOf(withoutIdleLines(SparseMatrix.fromTriplets(size, size, []))).size).toEqual([0, 0]);
  });

  test('of rows and columns together keep the diagonal a diagonal', () => {
    const square = SparseMatrix.fromTriplets(LAST, LAST, [
      [8, 8, 4],
      [8, 1000, 6],
    ]);
    expect(entriesOf(withoutIdleIndices(square))).toEqual({
      size: [2, 2],
      entries: [
        [0, 0, 4],
        [0, 1, 6],
      ],
    });
  });

  test('do not change how an entry is named', () => {
    const matrix = SparseMatrix.fromTriplets(100, 100, [[49, 69, '1/3']]);
    expect(() => withoutIdleLines(matrix).residues(3)).toThrow(EntryError);
    expect(() => withoutIdleIndices(withoutIdleLines(matrix)).residues(3)).toThrow(/^entry \(50, 70\) = 1\/3/);
  });
});
