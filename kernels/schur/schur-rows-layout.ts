/**
 * Arguments of schurSparse and schurDense, byte offsets: read as TypeScript by schur-rows.ts and as AssemblyScript by
 * the kernels, so it holds numbers alone.
 */
export const ROWS = 0; // the rows to form, u32 each
export const COUNT = 4;
export const ROW_PTR = 8; // of A
export const COL_IDX = 12; // u32 an entry, in any order within a row
export const VALUES = 16; // u32 an entry
export const PIVOTS = 20;
export const PIVOT_ROWS = 24; // u32 a pivot
export const FACTORS = 28; // u32 a pivot: −1 / A[pivot k, k]
export const COLS = 32;
export const WORK = 36; // a thread: COLS u64 and a bit a column, all 0, before and after
export const WORK_BYTES = 40;
export const MODULUS = 44;
export const BOUND = 48; // K, two words

// schurSparse
export const RESULTS = 56; // a row of the list: address and number of its entries
export const ROOM = 60; // a thread: address of the next free byte, and of the last; two words, 64 bytes apart

// schurDense
export const STRIDE = 64; // bytes of a row
export const DENSE = 68; // row 0
export const BYTES = 72; // of a residue; 0: a bit each
