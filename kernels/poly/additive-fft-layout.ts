/**
 * Arguments of the additive transforms and of the products at their points, byte offsets: read as TypeScript by
 * mul-gf256.ts and as AssemblyScript by the kernels, so it holds numbers alone.
 */

// additiveFftForward and additiveFftInverse: a matrix of points and one of coefficients.
export const VALUES = 0;
export const STRIDE = 4; // vectors from a row of values to the next
export const ROWS = 8;
export const VECTORS = 12; // of columns
export const LOG_Z = 16;
export const LOG_Y = 20;
export const TABLES = 24; // of all factors
export const TWIDDLES = 28; // addresses of the tables of c, u32 by t
export const POLY = 32; // coefficients: 4 columns a vector, as kernels/poly/poly-matrix.ts has them
export const POLY_STRIDE = 36;
export const POLY_GROUPS = 40;
export const POLY_FIRST = 44; // of the inverse: the first coefficient that is wanted
export const POLY_COUNT = 48; // coefficients
export const BLOCK = 52; // coefficients in z before y counts one

// additiveFftPointwise.
export const OUT = 0;
export const LEFT = 4;
export const RIGHT = 8;
export const OUT_STRIDE = 12; // vectors a row
export const LEFT_STRIDE = 16;
export const RIGHT_STRIDE = 20;
export const OUT_ROWS = 24;
export const INNER = 28;
export const LEFT_VECTORS = 32;
export const RIGHT_VECTORS = 36; // of the columns of RIGHT and OUT
export const POINTS = 40;
export const PRODUCT_TABLES = 44;
