/**
 * A matrix mod p that is never whole in memory: runs of its rows, made anew whenever one is asked for.
 *
 * Counts, and where they are bounded. Lines are numbered below 2^31 (MAX_SIZE): the sum of two numbers is a word.
 * Entries of all pieces, and bytes of files of 12 an entry at most, are doubles: exact below 2^53. Entries of a
 * piece are offsets in its rowPtr, of 32 bits (MOST_ENTRIES). Entries of a line are counted in 32 bits, and the
 * count that begins anew is met (src/io/entry-log.ts). Bytes of a piece in the kernels' memory are addresses below
 * 2^32, since that memory ends there; on a GPU they are words of one binding.
 */
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
