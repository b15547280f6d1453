/**
 * The arguments of the dense product, and where a packed word lies: shared by gemm-u16.as.ts and
 * gemm-u32.as.ts, written by kernels/dense/gemm.ts.
 */

// Packing, twice: for A from the command's arguments on, for B from PACK_B on. 32-bit words.
export const FROM: usize = 0; // first row (and, for columns, first column) in the matrix
export const STRIDE: usize = 4; // bytes of a row
export const COUNT: usize = 8; // rows of A, or columns of B (a multiple of 8)
export const COLUMNS: usize = 12; // A: its columns, u32 each
export const DEPTH: usize = 16; // inner dimension
export const PLAIN: usize = 20;
export const MODULUS: usize = 24;
export const TO: usize = 28;
export const PACK_B: usize = 32;

// The product, from here on.
export const PRODUCT: usize = 64;
export const C: usize = 0;
export const C_STRIDE: usize = 4;
export const C_ROWS: usize = 8;
export const C_COLUMNS: usize = 12;
export const A: usize = 16;
export const B: usize = 20;
export const WORDS: usize = 24;
export const TERMS: usize = 28; // words between reductions
export const FRESH: usize = 32; // C is taken for 0
export const C_MODULUS: usize = 36;
export const SPIN: usize = 40; // of the barrier between packing and product

/** Words of a block: a panel of B (8 kB) stays in the first cache, TASK_ROWS rows of A (256 kB) in the second. */
export const BLOCK: i32 = 256;
export const TASK_ROWS: i32 = 128;
export const TASK_COLUMNS: i32 = 128;

/** Word t of `words` of strip `strip` of `strips`, `bytes` a word of a strip. */
// @ts-ignore: decorator
@inline
export function packed(to: usize, t: i32, words: i32, strip: i32, strips: i32, bytes: usize): usize {
  const start = t & ~(BLOCK - 1);
  const count = min(BLOCK, words - start);
  return to + (usize(start) * usize(strips) + usize(strip * count) + usize(t - start)) * bytes;
}
