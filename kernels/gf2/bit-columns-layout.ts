/**
 * Arguments of bitDot and bitAxpy, byte offsets, and the size of their tables: read as TypeScript by
 * cpu-bit-columns.ts and as AssemblyScript by the kernels, so it holds numbers alone.
 */
export const TO = 0; // bitDot: 64 words a thread; bitAxpy: y
export const X = 4;
export const LENGTH = 8;
export const TABLES = 12; // TABLE_BYTES a thread
export const FACTOR = 16; // bitDot: z; bitAxpy: the 64 words of a

/** Eight tables of 256 words. */
export const TABLE_BYTES = 16384;
export const BLOCK_BYTES = 512;
