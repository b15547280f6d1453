/** The runs of rows of a triangular matrix that do not need each other. */
import type { ResidueMatrix } from '../sparse/residue-matrix.js';

/**
 * Offsets of the longest runs, one after another, in which no row needs another: from 0 to the number of rows. Row i
 * makes v[given + i] (kernels/executor.ts: Substitution).
 */
export function independentRuns({ rows, rowPtr, colIdx }: ResidueMatrix, given: number): number[] {
  const runs = [0];
  let start = given; // the first column that a row of this run makes
  for (let i = 0; i < rows; i++) {
    // A row's last column is its largest.
    const last = rowPtr[i + 1] - 1;
    if (last < rowPtr[i] || colIdx[last] < start) continue;
    runs.push(i);
    start = given + i;
  }
  if (rows > 0) runs.push(rows);
  return runs;
}
