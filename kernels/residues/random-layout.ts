/**
 * Arguments of randomU16, randomU32 and randomGf256, byte offsets: read as TypeScript by random.ts and as
 * AssemblyScript by the kernels, so it holds numbers alone.
 */
export const TO = 0;
export const COUNT = 4;
export const BELOW = 8; // numbers are below it; 0 for 2^32
export const KEY = 12; // the seed, two words
export const KEY_HIGH = 16;
export const STREAM = 20;
export const SCRATCH = 24; // a piece a thread
export const WIDTH = 28; // numbers of a row
export const OF = 32; // and of a row of the block whose columns from FIRST on they are
export const FIRST = 36;

/** log2 of the bytes of a piece. */
export const LOG_SCRATCH = 6;
