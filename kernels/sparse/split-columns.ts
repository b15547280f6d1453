/** A matrix cut between columns. */
import type { RowRuns } from './formats/row-runs.js';
import type { ResidueMatrix } from './residue-matrix.js';

/** The entries below cuts[0], those from there to cuts[1], …, and the others; columns keep their numbers. */
export function splitColumns(a: RowRuns, cuts: readonly number[]): RowRuns[] {
  const { rows, cols, ends: last, colIdx, values } = a;
  let { starts } = a;
  return [...cuts, cols].map((cut, q) => {
    const ends = q === cuts.length ? last : new Uint32Array(rows);
    if (q < cuts.length) findCuts(starts, last, colIdx, cut, ends);
    const part = { rows, cols, starts, ends, colIdx, values };
    starts = ends;
    return part;
  });
}

/** The same rows in arrays of their own. */
export function takeRuns({ rows, cols, starts, ends, colIdx, values }: RowRuns): ResidueMatrix {
  const rowPtr = new Uint32Array(rows + 1);
  for (let i = 0; i < rows; i++) rowPtr[i + 1] = rowPtr[i] + ends[i] - starts[i];
  const taken = { rows, cols, rowPtr, colIdx: new Uint32Array(rowPtr[rows]), values: new Uint32Array(rowPtr[rows]) };
  copyRuns(starts, rowPtr, colIdx, values, taken.colIdx, taken.values);
  return taken;
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** Where each row's columns reach `cut`. */
function findCuts(starts: Uint32Array, last: Uint32Array, colIdx: Uint32Array, cut: number, ends: Uint32Array): void {
  for (let i = 0; i < ends.length; i++) {
    let k = starts[i];
    for (const end = last[i]; k < end && colIdx[k] < cut; ) k++;
    ends[i] = k;
  }
}

function copyRuns(
  starts: Uint32Array,
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  toColumns: Uint32Array,
  toValues: Uint32Array,
): void {
  for (let i = 0; i < starts.length; i++) {
    for (let k = starts[i], to = rowPtr[i], end = rowPtr[i + 1]; to < end; k++, to++) {
      toColumns[to] = colIdx[k];
      toValues[to] = values[k];
    }
  }
}
