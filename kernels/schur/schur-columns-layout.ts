/**
 * Arguments of schurColumnsU16 and schurColumnsU32, byte offsets: read as TypeScript by schur-columns.ts and as
 * AssemblyScript by the kernels, so it holds numbers alone.
 */
export const FIRST = 0; // unit vectors FIRST … FIRST + COUNT − 1
export const COUNT = 4;
export const WIDTH = 8;
export const GIVEN = 12;
export const STEPS = 16; // rows of T
export const LENGTH = 20; // rows of B
export const T = 24; // address of the arguments of its rows (spmm-layout.ts)
export const B = 28;
export const WORKERS = 32; // threads that have a place
export const PLACES = 36;
export const PLACE_BYTES = 40;
export const V_AT = 44; // in a place, behind copies of T's and B's arguments
export const Y_AT = 48;
export const BYTES = 52; // of a residue
export const TO = 56; // the first row that is written
export const STRIDE = 60; // bytes of a row
export const BITS = 64; // 1 where rows hold bits
