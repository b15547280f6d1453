/** Rows that are runs of entries of a matrix's rows, in the arrays where these stand: what is cut is no copy. */
import type { ResidueMatrix } from './csr.js';

/** Row i owns entries starts[i] … ends[i] − 1 of arrays that may hold others too; rows stand in their order. */
export interface RowRuns extends Omit<ResidueMatrix, 'rowPtr' | 'lend'> {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** As of a matrix. */
  readonly lend?: (<T>(work: (a: RowRuns) => T) => T) | undefined;
}

/** All of each row. */
export function wholeRows(a: ResidueMatrix): RowRuns {
  const { rows, cols, rowPtr, colIdx, values } = a;
  return {
    rows,
    cols,
    starts: rowPtr.subarray(0, rows),
    ends: rowPtr.subarray(1),
    colIdx,
    values,
    lend: lending(a, wholeRows),
  };
}

/** What `of` makes of a matrix that is lent. */
export function lending({ lend }: ResidueMatrix, of: (a: ResidueMatrix) => RowRuns): RowRuns['lend'] {
  return lend && ((work) => lend((a) => work(of(a))));
}

export function countEntries({ starts, ends }: RowRuns): number {
  let count = 0;
  for (let i = 0; i < starts.length; i++) count += ends[i] - starts[i];
  return count;
}
