/**
 * Arguments of the SpMM and substitution kernels, byte offsets: read as TypeScript by cpu-operator.ts and as
 * AssemblyScript by the kernels, so it holds numbers alone.
 */
export const X = 0; // block vectors
export const Y = 4;
export const WIDTH = 8; // columns of both
export const CHUNKS = 12; // row offsets of the chunks, count + 1
export const CHUNK_COUNT = 16;
export const MODULUS = 20;
export const ALPHA = 24; // as the kernel multiplies: a pair or a scaled residue
export const BETA = 28;
export const AFFINE = 32; // ANY_AFFINE, or what alpha and beta are
export const UNIT_TERMS = 36; // ±1 entries of one run before a reduction, in bytes of indices
export const GENERAL_TERMS = 40; // general entries, likewise
export const CONSTANT = 44; // of the storage: −1/p mod 2^32 for p ≥ 2^16, round(2^15/p) below
export const SUMS = 48; // of p < 2^16: ANY_SUMS, or what is known of every row
export const ROW_BYTES = 52; // of a row of X where gathered rows are to be prefetched, else 0
export const SPIN = 56; // of the waits of a substitution
export const SHARES = 60; // of a section of a substitution, one a thread
export const WALK = 64; // how rows are walked, as numbered in walks.as.ts
export const ORDER = 68; // for a walk that takes rows in another order: row order[i] is the i-th; else 0

/** The end of a row. */
export const STORE = 0; // alpha = 1, beta = 0
export const ANY_AFFINE = 1;
export const ADD = 2; // alpha = 1, beta = 1: a pass after the first

/** The property of all rows that u16 kernels may rely on. */
export const ANY_SUMS = 0;
export const SHORT_SUMS = 1; // ±1 entries alone, and few
export const SMALL_SUMS = 2; // 16 bits hold them
export const GENERAL_SUMS = 3; // general entries alone, in one format, and no reduction before the end

/** Three parts, all walked alike: +1, −1, general, as VALUE_CLASSES has them. */
export const PARTS = 72;
export const PART_BYTES = 20;
export const PLUS = PARTS;
export const MINUS = PARTS + PART_BYTES;
export const GENERAL = PARTS + 2 * PART_BYTES;
export const ARGUMENT_BYTES = PARTS + 3 * PART_BYTES;

/** Within a part. */
export const COLUMNS = 0; // 0: there is no such part
export const VALUES = 4; // as long as the columns
export const WORD_0 = 8; // as the walk takes them
export const WORD_1 = 12;
export const WORD_2 = 16;
