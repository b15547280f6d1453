/**
 * Where a packed word of the dense product lies, and its blocks: shared by gemm-u16.as.ts and gemm-u32.as.ts with the
 * arguments of gemm-layout.ts.
 */
export * from './gemm-layout';

/** Words of a block: a panel of B (8 kB) stays in the first cache, TASK_ROWS rows of A (256 kB) in the second. */
export const BLOCK: i32 = 256;
export const TASK_ROWS: i32 = 128;
export const TASK_COLUMNS: i32 = 128;

/** Word t of `words` of strip `strip` of `strips`, `bytes` a word of a strip. */
// @ts-ignore: decorator
@inline
export function placeOf(to: usize, t: i32, words: i32, strip: i32, strips: i32, bytes: usize): usize {
  const start = t & ~(BLOCK - 1);
  const count = min(BLOCK, words - start);
  return to + (usize(start) * usize(strips) + usize(strip * count) + usize(t - start)) * bytes;
}
