/**
 * Arguments of bitPanel and bitUpdate, byte offsets, and the size of their tables: read as TypeScript by bit-pluq.ts
 * and as AssemblyScript by the kernels, so it holds numbers alone.
 */
export const MATRIX = 0;
export const STRIDE = 4; // bytes of a row, a multiple of 16
export const ROWS = 8;
export const FIRST = 12; // rows above it have their pivots
export const WORD = 16; // the strip
export const INDEX = 20; // u64 a row below: bit t is L's at pivot t of the strip

// bitPanel
export const PIVOTS = 24; // u32 a pivot: its column; from `first` on they are written here
export const NUMBERS = 28; // u32 a row: which row of the given matrix it is
export const FOUND = 32; // u32: how many pivots the strip has is written here

// bitUpdate
export const COUNT = 24; // pivots of the strip
export const TABLES = 28; // TABLE_COUNT tables a thread

/** Vectors that a table is wide: the tables of so many columns stay in the second cache. */
export const CHUNK = 16;

/** 256 rows of vectors. */
export const TABLE_BYTES = 256 * CHUNK * 16;
export const TABLE_COUNT = 8;
