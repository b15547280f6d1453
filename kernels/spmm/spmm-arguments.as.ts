/** How the SpMM kernels read their arguments (spmm-layout.ts) and the parts among them. */
import { COLUMNS, ORDER, VALUES } from './spmm-layout';

export * from './spmm-layout';

/** Rows that one column tile walks before the next tile takes the same rows: their indices stay in the first cache. */
export const ROWS_TOGETHER: u32 = 32;

// @ts-ignore: decorator
@inline
export function isPresent(part: usize): bool {
  return load<u32>(part, COLUMNS) != 0;
}

/** The distance from a column's address to its value's. */
// @ts-ignore: decorator
@inline
export function toValues(part: usize): usize {
  return load<usize>(part, VALUES) - load<usize>(part, COLUMNS);
}

/** The row of A that a walk takes as its i-th. */
// @ts-ignore: decorator
@inline
export function rowAt(args: usize, i: u32): u32 {
  return load<u32>(load<usize>(args, ORDER) + (usize(i) << 2));
}
