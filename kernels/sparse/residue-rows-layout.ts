/**
 * Arguments of residueRows, byte offsets: read as TypeScript by rows-on-team.ts and as AssemblyScript by the kernel, so
 * it holds numbers alone. Addresses are of arrays of 32-bit words.
 */
export const ROWS = 0;
export const NNZ = 4;
export const ROW_IDX = 8;
export const COL_IDX = 12;
export const VALUES = 16; // integers; out: their residues
export const MODULUS = 20;
export const ROW_PTR = 24; // out: ROWS + 1 words
export const UNFIT = 28; // out: a word a thread, 1 where its entries are not in order, repeat, or vanish
