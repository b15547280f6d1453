/** A matrix cut between two columns. */
import type { ResidueMatrix } from './residue-matrix.js';

/** The entries in columns below `cut`, as a matrix of so many columns, and the others where they are. */
export function splitColumns(a: ResidueMatrix, cut: number): [before: ResidueMatrix, behind: ResidueMatrix] {
  const { rows, cols, rowPtr, colIdx, values } = a;
  const cuts = cutsOf(rowPtr, colIdx, cut);
  const starts = rowPtr.subarray(0, rows);
  const ends = rowPtr.subarray(1);
  return [
    { rows, cols: cut, ...takeRuns(starts, cuts, colIdx, values) },
    { rows, cols, ...takeRuns(cuts, ends, colIdx, values) },
  ];
}

/** Where each row's columns reach `cut`. */
function cutsOf(rowPtr: Uint32Array, colIdx: Uint32Array, cut: number): Uint32Array {
  const cuts = new Uint32Array(rowPtr.length - 1);
  for (let i = 0; i < cuts.length; i++) {
    let k = rowPtr[i];
    while (k < rowPtr[i + 1] && colIdx[k] < cut) k++;
    cuts[i] = k;
  }
  return cuts;
}

/** One run of entries for a row. */
function takeRuns(
  starts: Uint32Array,
  ends: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
): Pick<ResidueMatrix, 'rowPtr' | 'colIdx' | 'values'> {
  const rowPtr = new Uint32Array(starts.length + 1);
  for (let i = 0; i < starts.length; i++) rowPtr[i + 1] = rowPtr[i] + ends[i] - starts[i];
  const nnz = rowPtr[starts.length];
  const taken = { rowPtr, colIdx: new Uint32Array(nnz), values: new Uint32Array(nnz) };
  for (let i = 0; i < starts.length; i++) {
    for (let k = starts[i], to = rowPtr[i]; k < ends[i]; k++, to++) {
      taken.colIdx[to] = colIdx[k];
      taken.values[to] = values[k];
    }
  }
  return taken;
}
