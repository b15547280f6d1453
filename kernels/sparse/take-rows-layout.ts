/**
 * Arguments of takeRows and scaleRows, byte offsets: read as TypeScript by take-rows-team.ts and as AssemblyScript by
 * the kernels, so it holds numbers alone.
 */
export const OUT_PTR = 0; // rows + 1 offsets
export const OUT_COLUMNS = 4;
export const OUT_VALUES = 8;
export const PIVOTS = 12; // rows with a pivot, the first ones
export const DIAGONAL = 16; // u32 a pivot: takeRows writes it, scaleRows multiplies by it
export const FIRST = 20; // the rows that are wanted
export const END = 24;

// takeRows, of some rows that follow each other
export const COUNT = 28;
export const ROW_PTR = 32; // COUNT + 1 offsets
export const BASE = 36; // the offset of the first entry that is here
export const COL_IDX = 40;
export const VALUES = 44;
export const RANKS = 48; // the row of the result that each is
export const PLACE = 52; // by column, its number in the result
export const GIVEN = 56; // columns without pivots

// scaleRows
export const MODULUS = 60;
