/** A matrix cut between columns is the same entries in parts, and rows of one that are taken out of it stay rows. */
import { expect, test } from 'vitest';
import { generate } from '../../../data/families.js';
import { wholeRows } from '../../../kernels/sparse/formats/row-runs.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { splitColumns, takeRuns } from '../../../kernels/sparse/split-columns.js';

const { rows, cols, ...triplets } = generate('random', [60, 90, 4, 101, 5]);
const a = SparseMatrix.fromTriplets(rows, cols, triplets).residues(101);

test.each([[[0]], [[1]], [[40]], [[89]], [[90]], [[]], [[7, 7, 50]]])('at columns %j', (cuts) => {
  const parts = splitColumns(wholeRows(a), cuts).map(takeRuns);
  expect(parts.length).toBe(cuts.length + 1);
  for (let i = 0; i < rows; i++) {
    const [all, ...split] = [a, ...parts].map(({ rowPtr, colIdx, values }) =>
      [colIdx, values].map((list) => [...list.subarray(rowPtr[i], rowPtr[i + 1])]),
    );
    expect([0, 1].map((k) => split.flatMap((part) => part[k]))).toEqual(all);
    split.forEach(([columns], q) => {
      expect(columns.every((j) => j >= (cuts[q - 1] ?? 0) && j < (cuts[q] ?? cols))).toBe(true);
    });
  }
});
