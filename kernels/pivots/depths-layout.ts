/**
 * Arguments of pivotDepths, byte offsets: read as TypeScript by pivots-on-team.ts and as AssemblyScript by the kernel,
 * so it holds numbers alone. Addresses are of arrays of 32-bit words.
 */
export const MATCHINGS = 0; // 1 or 2 of them
export const ROWS = 4;
export const ROW_PTR = 8;
export const COL_IDX = 12;
export const COUNTS = 16; // out: depths of each, or NO_ORDER where it has a cycle
export const FIRST = 20; // the first matching's arguments

/** Of a matching. */
export const COL_OF = 0;
export const ROW_OF = 4;
export const DEPTH = 8; // `rows` words
export const NEXT = 12; // `rows` words
export const STACK = 16; // a word more than pivots
export const DEPTHS = 20; // out: two words more than pivots: where each depth begins
export const PIVOT_ROWS = 24; // out: a word a pivot
export const PIVOT_COLS = 28; // out: a word a pivot
export const MATCHING_BYTES = 32;

export const NO_ORDER = 0xffffffff;
