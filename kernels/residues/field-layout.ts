/**
 * The constants of a field in the kernels' memory, byte offsets: read as TypeScript by field-words.ts, which writes
 * them, and as AssemblyScript by the kernels, so it holds numbers alone.
 */
export const F_P = 0;
export const F_RUN = 24; // products between two corrections
export const F_TABLES = 32; // not 0: GF(p^k) by tables

// F_p.
export const F_PINV = 4; // p^-1 mod 2^32
export const F_ONE = 8; // 2^32 mod p
export const F_SQUARE = 12; // 2^64 mod p
export const F_K = 16; // run·p², 64 bits
export const F_K_HIGH = 20;
export const F_HALF = 28; // floor(p/2), the largest magnitude of a balanced residue
export const F_DIGIT_RECIPROCAL = 36; // 1/p as f32 where sums go by digits (kernels/poly/dot-u16.as.ts); else 0
export const F_BIAS = 40; // of the quotients there

// GF(p^k).
export const F_CODES = 28; // GF(2^k), k ≤ 8: tables of products as in gf256.as.ts; else 0
export const F_LOG = 36;
export const F_CODE = 40;
export const F_SUM = 44;
export const F_UNITS = 48; // p^k − 1
export const F_DEGREE = 52;
export const F_RECIPROCAL = 56; // 1/p as f32
export const F_FOLD = 60; // address of x^(k + j) mod f, k words for each j < k − 1

export const FIELD_BYTES = 64;
