/** The matrices that are timed: what they promise of their pattern. */
import { expect, test } from 'vitest';
import { randomResidues } from '../../../algorithms/planning/random-residues.js';

test.each([
  [300, 300, 1800, 65521],
  [7919, 7919, 16000, 3],
  [500, 20, 1500, 2],
])('%d x %d with %d entries mod %d: no column is empty, columns increase, values are residues', (...of) => {
  const [rows, cols, nnz, p] = of;
  const { rowPtr, colIdx, values } = randomResidues(...of);
  expect([rowPtr.length, rowPtr[0], rowPtr.at(-1)]).toEqual([rows + 1, 0, colIdx.length]);
  expect(new Set(colIdx).size).toBe(cols);
  expect(colIdx.length).toBeGreaterThan(0.85 * nnz);
  expect(colIdx.length).toBeLessThanOrEqual(nnz);
  for (let i = 0; i < rows; i++) {
    const row = Array.from(colIdx.subarray(rowPtr[i], rowPtr[i + 1]));
    expect(row).toEqual([...new Set(row)].sort((a, b) => a - b));
  }
  expect(values.every((value) => value >= 1 && value < p)).toBe(true);
});
