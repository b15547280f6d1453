/**
 * Arguments of polySpread and polyFold, byte offsets: read as TypeScript by kernels/poly/mul-extension.ts and as
 * AssemblyScript by the kernels (gfq-tables.as.ts), so it holds numbers alone.
 */
export const SPREAD = 0; // the matrix over F_p
export const SPREAD_STRIDE = 4;
export const CODES = 8; // the matrix of codes
export const CODES_STRIDE = 12;
export const CODES_GROUPS = 16;
export const FIRST_GROUP = 20;
export const GROUPS = 24; // taken of the codes, and all that the spread matrix has
export const ROWS = 28;
export const COUNT = 32; // of the coefficients
export const FIELD = 36;
