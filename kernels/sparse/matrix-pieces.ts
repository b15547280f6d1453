/** A matrix mod p that is never whole in memory: runs of its rows, made anew whenever one is asked for. */
import type { ResidueMatrix } from './residue-matrix.js';

export interface MatrixPieces {
  readonly rows: number;
  readonly cols: number;
  /** Entries of all pieces, at most 2^53. */
  readonly nnz: number;
  /** Piece d is rows bounds[d] … bounds[d + 1] − 1; there is one at least. */
  readonly bounds: ArrayLike<number>;
  /** Its rows from 0 on, the same whenever it is asked for. */
  piece(d: number): ResidueMatrix | Promise<ResidueMatrix>;
}

/** Rows first … end − 1, without copies of their entries. */
export function takeRows({ cols, rowPtr, colIdx, values }: ResidueMatrix, first: number, end: number): ResidueMatrix {
  const [from, to] = [rowPtr[first], rowPtr[end]];
  return {
    rows: end - first,
    cols,
    rowPtr: rowPtr.slice(first, end + 1).map((at) => at - from),
    colIdx: colIdx.subarray(from, to),
    values: values.subarray(from, to),
  };
}
