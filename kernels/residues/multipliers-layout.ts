/**
 * Arguments of the kernels that make multipliers, byte offsets: read as TypeScript by kernels/blocks/cpu-context.ts and
 * cpu-block-ops.ts and as AssemblyScript by the kernels, so it holds numbers alone.
 */

// multipliersU16, multipliersU32, multipliersGf256
export const AT = 0; // u32 a number; whole vectors of 4: there is room behind the last one
export const COUNT = 4;
export const MODULUS = 8;
export const CONSTANT = 12; // of the storage (kernels/residues/storage.ts)
export const SCALE = 16; // U32: the multiplier of 2^64 mod p

// pairsU16
export const PAIRS_SOURCE = 0;
export const PAIRS_TO = 4;
export const PAIRS_COUNT = 8;
export const PAIRS_MODULUS = 12;
