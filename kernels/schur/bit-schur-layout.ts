/**
 * Arguments of bitSchur, byte offsets: read as TypeScript by bit-schur.ts and as AssemblyScript by the kernel, so it
 * holds numbers alone.
 */
export const COL_PTR = 0;
export const ROW_IDX = 4;
export const PIVOTS = 8;
export const PIVOT_ROWS = 12; // u32 a pivot
export const PIVOT_COLS = 16;
export const OTHERS = 20; // columns without a pivot
export const OTHER_COLS = 24; // u32 each
export const LINES = 28; // rows without a pivot
export const LINE_ROWS = 32; // u32 each
export const ROWS = 36;
export const WORK = 40; // a thread: WORK_BYTES a row
export const OUT = 44; // OTHERS rows of LINES bits
export const STRIDE = 48; // bytes of a row of OUT

/** 512 bits a row. */
export const WORK_BYTES = 64;
