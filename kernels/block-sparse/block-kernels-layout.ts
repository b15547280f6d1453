/**
 * Arguments of the kernels on small blocks, byte offsets: read as TypeScript by cpu-block-kernels.ts and as
 * AssemblyScript by the kernels, so it holds numbers alone. Words of residues are u32, canonical.
 */
export const COUNT = 0; // problems
export const STARTS = 4; // count + 1 block rows where they begin
export const BLOCK = 8; // b
export const WIDTH = 12; // w, of tall blocks
export const FIELD = 16;
export const ZERO = 20; // a word 0: the list of a product with one block
export const SCRATCH = 24; // SCRATCH_BYTES for each thread

export const PTR = 28; // block rows of A, or of its transpose: where their lists begin, one word more than there are
export const PLACES = 32; // the place of each block in `values`; 0: its place in the list
export const OTHERS = 36; // its block column
export const DIAGONAL = 40;
export const VALUES = 44;
export const INVERSES = 48;
export const SINGULAR = 52; // i32 a problem
export const POSITIONS = 56; // a word a block row, 0 before and after

export const Y = 60;
export const X = 64;
export const M = 68; // w × w words a problem
export const IS_MINUS = 72;
export const IS_TRANSPOSED = 76;
export const LACKS_DIAGONAL = 80;
export const IS_UPPER = 84;

/** The largest block, 32 × 32, beside a unit block. */
export const SCRATCH_BYTES = 8192;
