/** Matrices whose rank one kernel finds (small-rank.as.ts), and how large they may be. */

/** Cells, and entries, of the largest matrix: the kernel's cells stay in a core's cache. */
export const MOST_CELLS = 1 << 16;
export const LONGEST = 1024;

/** Entries as they were read: any integers, repeated places add up. */
export interface SmallMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly rowIdx: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly values: Int32Array;
}

export function isSmallMatrix(rows: number, cols: number, nnz: number): boolean {
  return rows * cols <= MOST_CELLS && Math.max(rows, cols) <= LONGEST && nnz <= MOST_CELLS;
}
