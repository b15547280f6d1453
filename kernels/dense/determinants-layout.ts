/**
 * Arguments of determinants, byte offsets: read as TypeScript by determinants.ts and as AssemblyScript by the kernel,
 * so it holds numbers alone.
 */
export const MATRICES = 0;
export const SIZE = 4; // s
export const COUNT = 8;
export const OUT = 12;
export const FIELD = 16;
