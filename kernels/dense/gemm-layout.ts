/**
 * Arguments of gemmU16 and gemmU32, byte offsets: read as TypeScript by gemm.ts and as AssemblyScript by the kernels,
 * so it holds numbers alone.
 */

// Packing A, from the beginning on.
export const FROM = 0; // first row (and, for columns, first column) in the matrix
export const STRIDE = 4; // bytes of a row
export const COUNT = 8; // rows of A, or columns of B (a multiple of 8)
export const COLUMNS = 12; // A: its columns, u32 each
export const DEPTH = 16; // inner dimension
export const PLAIN = 20; // two terms a word
export const MODULUS = 24;
export const TO = 28;

/** Packing B: the same words. */
export const PACK_B = 32;

/** The product's words, from here on. */
export const PRODUCT = 64;
export const C = 0;
export const C_STRIDE = 4;
export const C_ROWS = 8;
export const C_COLUMNS = 12;
export const A = 16;
export const B = 20;
export const WORDS = 24;
export const TERMS = 28; // words between reductions
export const FRESH = 32; // C is taken for 0
export const C_MODULUS = 36;
export const SPIN = 40; // of the barrier between packing and product
