/**
 * Arguments of transposeRows, byte offsets: read as TypeScript by rows-on-team.ts and as AssemblyScript by the kernel,
 * so it holds numbers alone. Addresses are of arrays of 32-bit words.
 */
export const ROWS = 0;
export const COLS = 4;
export const ROW_PTR = 8;
export const COL_IDX = 12;
export const VALUES = 16;
export const OUT_PTR = 20; // out: COLS + 1 words
export const OUT_IDX = 24; // out: a word an entry
export const OUT_VALUES = 28; // out: a word an entry
export const NEXT = 32; // COLS words
export const SPIN = 36;
