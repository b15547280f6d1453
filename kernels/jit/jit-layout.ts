/**
 * Arguments of compiled matrices, byte offsets: read as TypeScript by the host and as AssemblyScript by the kernels, so
 * it holds numbers alone.
 */
export const X = 0; // block vectors
export const Y = 4;
export const CODE = 8; // the module: where its bytes are, how many, and a number that no other has
export const CODE_BYTES = 12;
export const CODE_NUMBER = 16;
export const CHUNKS = 20; // functions for a whole tile of columns; as many for the last columns follow
export const TILES = 24; // whole tiles
export const TILE_BYTES = 28;
export const REST = 32; // columns after them
export const MODULUS = 36;
export const CONSTANT = 40; // of the storage
export const AFFINE = 44; // not 0 unless alpha = 1 and beta = 0
export const ALPHA = 48; // as kernels multiply: a pair or a scaled residue
export const BETA = 52;
export const ONE = 56; // likewise, for what is added to a row's first part
export const PLAIN_ALPHA = 60; // as they are
export const PLAIN_BETA = 64;
