/**
 * Arguments of the SpMM kernels, in bytes from `args`; kernels/spmm/cpu-operator.ts writes them.
 *
 * Three parts follow from byte PARTS on: +1, −1, general, PART_BYTES each. A part may have a rectangle (`main`: ELL or
 * ELL_R) and compressed rows (`rest`); an absent one has width 0, a null pointer.
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

export const PARTS: usize = 64;
export const PART_BYTES: usize = 32;
export const PLUS: usize = PARTS;
export const MINUS: usize = PARTS + PART_BYTES;
export const GENERAL: usize = PARTS + 2 * PART_BYTES;

// Within a part.
export const MAIN_WIDTH: usize = 0;
export const MAIN_LENGTHS: usize = 4; // ELL_R; 0: every row is full
export const MAIN_COLUMNS: usize = 8;
export const MAIN_VALUES: usize = 12;
export const REST_POINTERS: usize = 16; // rows + 1 offsets; 0: no rest
export const REST_COLUMNS: usize = 20;
export const REST_VALUES: usize = 24;

/** Rows that one column tile walks before the next tile takes the same rows: their indices stay in the first cache. */
export const ROWS_TOGETHER: u32 = 32;

// @ts-ignore: decorator
@inline
export function present(part: usize): bool {
  return (load<u32>(part, MAIN_WIDTH) | load<u32>(part, REST_POINTERS)) != 0;
}

/** Addresses of the column indices of row i: its rectangle from mainFirst to mainEnd, then restFirst to restEnd. */
// @ts-ignore: decorator
@inline
export function mainFirst(part: usize, i: u32): usize {
  return load<usize>(part, MAIN_COLUMNS) + ((usize(i) * load<usize>(part, MAIN_WIDTH)) << 2);
}

// @ts-ignore: decorator
@inline
export function mainEnd(part: usize, first: usize, i: u32): usize {
  const lengths = load<usize>(part, MAIN_LENGTHS);
  return first + ((lengths ? usize(load<u32>(lengths + (usize(i) << 2))) : load<usize>(part, MAIN_WIDTH)) << 2);
}

// @ts-ignore: decorator
@inline
export function restFirst(part: usize, pointers: usize, i: u32): usize {
  return load<usize>(part, REST_COLUMNS) + (usize(load<u32>(pointers + (usize(i) << 2))) << 2);
}

// @ts-ignore: decorator
@inline
export function restEnd(part: usize, pointers: usize, i: u32): usize {
  return load<usize>(part, REST_COLUMNS) + (usize(load<u32>(pointers + (usize(i) << 2), 4)) << 2);
}

/** What leads from a column's address to its value's. */
// @ts-ignore: decorator
@inline
export function mainValues(part: usize): usize {
  return load<usize>(part, MAIN_VALUES) - load<usize>(part, MAIN_COLUMNS);
}

// @ts-ignore: decorator
@inline
export function restValues(part: usize): usize {
  return load<usize>(part, REST_VALUES) - load<usize>(part, REST_COLUMNS);
}
