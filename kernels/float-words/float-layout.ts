/**
 * Arguments of the kernels on floats, byte offsets: read as TypeScript by float-operator.ts and as AssemblyScript by
 * the kernels, so it holds numbers alone.
 */
// spmmF32U16, spmmF64U16, spmmF64U32: those of kernels/spmm/spmm-layout.ts, but in place of SUMS
export const FLOAT_HIGHEST = 48; // the largest residue of the representation

// floatsU16F32, floatsU16F64, floatsU32F64
export const FROM = 0; // canonical residues
export const TO = 4; // floats
export const COUNT = 8;
export const FLOAT_MODULUS = 12;
export const HIGHEST = 16;
