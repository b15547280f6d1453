/** A matrix cut between two columns is the same entries in two parts. */
import { expect, test } from 'vitest';
import { generate } from '../../../data/families.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { splitColumns } from '../../../kernels/sparse/split-columns.js';

const { rows, cols, ...triplets } = generate('random', [60, 90, 4, 101, 5]);
const a = SparseMatrix.fromTriplets(rows, cols, triplets).residues(101);

test.each([0, 1, 40, 89, 90])('below column %d and from it on', (cut) => {
  const [before, behind] = splitColumns(a, cut);
  expect([before.rows, before.cols, behind.rows, behind.cols]).toEqual([60, cut, 60, 90]);
  for (let i = 0; i < rows; i++) {
    const [b, c, all] = [before, behind, a].map(({ rowPtr, colIdx, values }) =>
      [colIdx, values].map((list) => [...list.subarray(rowPtr[i], rowPtr[i + 1])]),
    );
    expect([0, 1].map((k) => [...b[k], ...c[k]])).toEqual(all);
    expect(b[0].every((column) => column < cut)).toBe(true);
    expect(c[0].every((column) => column >= cut)).toBe(true);
  }
});
