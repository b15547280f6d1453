/** A part as the CPU's kernels take it. */

/**
 * A part as the kernels on the CPU get it (kernels/spmm/walks.as.ts): a walk takes its rows one after another, in an
 * order of its own if there is one.
 */
export interface Layout {
  readonly walk: number; // one of WALKS
  readonly columns: Uint32Array; // in any order that the walk knows
  readonly values: Uint32Array | null; // likewise
  readonly words: readonly (number | Uint32Array | null)[]; // up to 3, what else the walk asks for
  /** The row that is taken as the i-th: every row of the matrix, or fewer, which have all entries of the part. */
  readonly order?: Uint32Array;
  readonly offsets?: Uint32Array; // in that order: entries before the i-th row, one more than rows
}

/** The cases of walkRows. */
export const WALKS = {
  runs: 0,
  coordinates: 1,
  jad: 2,
  listedRuns: 3,
  slices: 4,
  diagonals: 5,
  blocks: 6,
  full: 7,
  variableSlices: 8,
  blockSlices: 9,
  diagonalSlices: 10,
  columns: 11,
} as const;

/** Walks that look for the rows of a chunk in all of the part: chunks are as few as threads. */
export const SEARCHING_WALKS: readonly number[] = [WALKS.columns];

/** Walks by which kernels take a row's entries of all value classes at once, in one pass. */
export const SHARED_WALKS: readonly number[] = [WALKS.runs, WALKS.listedRuns];

/** 0, 1, …, cols − 1: the columns of a walk that computes them. */
export function countUp(cols: number): Uint32Array {
  return Uint32Array.from({ length: Math.max(1, cols) }, (_, j) => j);
}
