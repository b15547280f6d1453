/**
 * Arguments of the products of polynomial matrices, byte offsets: read as TypeScript by mul.ts and as AssemblyScript by
 * the kernels, so it holds numbers alone.
 *
 * Strides count vectors, from one group of four columns to the next (kernels/poly/poly-matrix.ts).
 */

// nttForwardU16 and nttForwardU32: values ← the groups of columns of a matrix.
export const FORWARD_VALUES = 0;
export const FORWARD_SOURCE = 4;
export const FORWARD_ROWS = 8;
export const FORWARD_SOURCE_GROUPS = 12;
export const FORWARD_FIRST_GROUP = 16;
export const FORWARD_GROUPS = 20;
export const FORWARD_SOURCE_STRIDE = 24;
export const FORWARD_COUNT = 28; // of the coefficients of the source
export const FORWARD_N = 32;
export const FORWARD_STRIDE = 36; // of the values
export const FORWARD_PRIMES = 40;
export const FORWARD_TABLE = 44; // the address of the primes
export const FORWARD_FIELD = 48;
export const FORWARD_REDUCES = 52; // U32: 1 where floor(p/2) exceeds half of the smallest prime

// nttPointwiseU16 and nttPointwiseU32: C ← A·B at every point.
export const POINT_C = 0;
export const POINT_A = 4;
export const POINT_B = 8;
export const POINT_ROWS = 12;
export const POINT_INNER = 16;
export const POINT_A_GROUPS = 20; // U16: eights of columns; U32: fours
export const POINT_B_GROUPS = 24;
export const POINT_N = 28;
export const POINT_STRIDE = 32;
export const POINT_PRIMES = 36;
export const POINT_TABLE = 40;
export const POINT_SCRATCH = 44;
export const POINT_SCRATCH_BYTES = 48; // a thread

// nttInverseU16 and nttInverseU32: out ← coefficients start … start + count − 1.
export const INVERSE_OUT = 0;
export const INVERSE_OUT_STRIDE = 4;
export const INVERSE_OUT_GROUPS = 8;
export const INVERSE_FIRST_GROUP = 12;
export const INVERSE_VALUES = 16;
export const INVERSE_ROWS = 20;
export const INVERSE_GROUPS = 24;
export const INVERSE_N = 28;
export const INVERSE_STRIDE = 32;
export const INVERSE_PRIMES = 36;
export const INVERSE_TABLE = 40;
export const INVERSE_CONSTANTS = 44; // for residues mod p
export const INVERSE_START = 48;
export const INVERSE_COUNT = 52;
export const INVERSE_LENGTHS = 56; // pairs of words: N^-1 mod q_l

// polyDirect, and polyUnwrap with `extra` for FROM and `period` for COUNT.
export const DIRECT_OUT = 0;
export const DIRECT_OUT_STRIDE = 4;
export const DIRECT_A = 8;
export const DIRECT_ROWS = 12;
export const DIRECT_A_GROUPS = 16;
export const DIRECT_A_STRIDE = 20;
export const DIRECT_A_LENGTH = 24;
export const DIRECT_B = 28;
export const DIRECT_B_GROUPS = 32;
export const DIRECT_B_STRIDE = 36;
export const DIRECT_B_LENGTH = 40;
export const DIRECT_INNER = 44;
export const DIRECT_FROM = 48;
export const DIRECT_COUNT = 52;
export const DIRECT_FIELD = 56;
