/**
 * Arguments of smallRank, byte offsets: read as TypeScript by small-rank.ts and as AssemblyScript by the kernel, so it
 * holds numbers alone.
 */
export const ROWS = 0;
export const COLS = 4;
export const NNZ = 8;
export const ROW_IDX = 12;
export const COL_IDX = 16;
export const VALUES = 20; // i32 each, any integers
export const CELLS = 24; // room for rows × 4·⌈cols / 4⌉ words
export const DENSE = 28; // the same
export const PATTERN = 32; // room for rows × ⌈cols / 64⌉ words of 64 bits
export const COUNTS = 36; // room for 2·(rows + cols) words
export const FIELD = 40;
export const OUT = 44; // the rank, and the rows and columns of the dense end
export const OUT_WORDS = 3;
