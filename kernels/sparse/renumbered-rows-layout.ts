/**
 * Arguments of renumberedRows, byte offsets: read as TypeScript by renumbered-rows.ts and as AssemblyScript by the
 * kernel, so it holds numbers alone. Addresses are of arrays of 32-bit words.
 */
export const COUNT = 0; // rows that are made
export const LIST = 4; // the row of A of each
export const ROW_PTR = 8; // A
export const COL_IDX = 12;
export const VALUES = 16;
export const PLACE = 20; // the new number of each column of A
export const GIVEN = 24; // new numbers below it increase with the old ones
export const SCALED = 28; // 1: row k loses its entry at GIVEN + k, and is divided by minus that
export const MODULUS = 32;
export const OUT_PTR = 36; // COUNT + 1 offsets
export const OUT_IDX = 40; // out
export const OUT_VALUES = 44; // out
