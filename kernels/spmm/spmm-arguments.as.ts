/**
 * Arguments of the SpMM kernels, in bytes from `args`; kernels/spmm/cpu-operator.ts writes them.
 *
 * Three parts follow from byte PARTS on: +1, −1, general, PART_BYTES each. All are walked alike (walks.as.ts).
 */

export const X: usize = 0; // block vectors
export const Y: usize = 4;
export const WIDTH: usize = 8; // columns of both
export const CHUNKS: usize = 12; // row offsets of the chunks, count + 1
export const CHUNK_COUNT: usize = 16;
export const MODULUS: usize = 20;
export const ALPHA: usize = 24; // as the kernel multiplies: a pair or a scaled residue
export const BETA: usize = 28;
export const AFFINE: usize = 32; // 0: alpha = 1 and beta = 0
export const UNIT_TERMS: usize = 36; // ±1 entries of one run before a reduction, in bytes of indices
export const GENERAL_TERMS: usize = 40; // general entries, likewise
export const CONSTANT: usize = 44; // of the storage: −1/p mod 2^32 for p ≥ 2^16, round(2^15/p) below

export const SUMS: usize = 48; // of p < 2^16: ANY_SUMS, or what is known of every row
export const ROW_BYTES: usize = 52; // of a row of X where gathered rows are to be prefetched, else 0
export const SPIN: usize = 56; // of the waits of a substitution
export const SHARES: usize = 60; // of a section of a substitution, one a thread

export const ANY_SUMS: u32 = 0;
export const SHORT_SUMS: u32 = 1; // ±1 entries alone, and few
export const SMALL_SUMS: u32 = 2; // 16 bits hold them
export const GENERAL_SUMS: u32 = 3; // general entries alone, in one format, and no reduction before the end

export const WALK: usize = 64; // how rows are walked, as numbered in walks.as.ts
export const ORDER: usize = 68; // for a walk that takes rows in another order: row order[i] is the i-th; else 0

export const PARTS: usize = 72;
export const PART_BYTES: usize = 20;
export const PLUS: usize = PARTS;
export const MINUS: usize = PARTS + PART_BYTES;
export const GENERAL: usize = PARTS + 2 * PART_BYTES;

// Within a part.
export const COLUMNS: usize = 0; // 0: there is no such part
export const VALUES: usize = 4; // as long as the columns
export const WORD_0: usize = 8; // as the walk takes them
export const WORD_1: usize = 12;
export const WORD_2: usize = 16;

/** Rows that one column tile walks before the next tile takes the same rows: their indices stay in the first cache. */
export const ROWS_TOGETHER: u32 = 32;

// @ts-ignore: decorator
@inline
export function isPresent(part: usize): bool {
  return load<u32>(part, COLUMNS) != 0;
}

/** What leads from a column's address to its value's. */
// @ts-ignore: decorator
@inline
export function toValues(part: usize): usize {
  return load<usize>(part, VALUES) - load<usize>(part, COLUMNS);
}

/** The row of A that a walk takes as its i-th. */
// @ts-ignore: decorator
@inline
export function rowAt(args: usize, i: u32): u32 {
  return load<u32>(load<usize>(args, ORDER) + (usize(i) << 2));
}
