/**
 * Arguments of peelSides, byte offsets: read as TypeScript by pivots-on-team.ts and as AssemblyScript by the kernel, so
 * it holds numbers alone. Addresses are of arrays of 32-bit words, but for ACTIVE, bytes.
 */
export const SIDES = 0; // 1 or 2 of them
export const SIZES = 4; // out: the number of pivots of each
export const FULL = 8; // a word, 0 at first: 1 once the first side has a pivot in every line, so that the other may end
export const FIRST = 12; // the first side's arguments

/** Of a side. */
export const ROWS = 0;
export const COLS = 4;
export const ROW_PTR = 8;
export const COL_IDX = 12;
export const COL_PTR = 16; // of the transpose
export const ROW_IDX = 20;
export const MOST = 24; // entries of a column at most
export const COL_OF = 28; // out: `rows` columns or −1
export const ROW_OF = 32; // out: `cols` rows or −1
export const ACTIVE = 36; // `rows` bytes
export const DEGREE = 40; // `cols` words
export const LIST = 44; // a word an entry
export const HEAD = 48; // MOST + 2 words
export const TAIL = 52; // MOST + 2 words
export const SIDE_BYTES = 56;
