/** A part as the CPU's kernels take it. */

/**
 * A part as the kernels on the CPU get it (kernels/spmm/walks.as.ts): a walk takes its rows one after another, in an
 * order of its own if there is one.
 */
export interface Layout {
  readonly walk: number; // the case of walkRows there
  readonly columns: Uint32Array; // in any order that the walk knows
  readonly values: Uint32Array | null; // one for each of the columns
  readonly words: readonly (number | Uint32Array | null)[]; // up to 3, what else the walk asks for
  readonly order?: Uint32Array; // the row that is taken as the i-th
  readonly offsets?: Uint32Array; // in that order: entries before the i-th row, rows + 1 of them
}

/** The walk of formats whose rows have their places side by side: kernels take all value classes of a row at once. */
export const RUNS = 0;
