/**
 * Arguments of the panels of PLUQ and of invertTriangle, byte offsets: read as TypeScript by pluq.ts and as
 * AssemblyScript by the kernels, so it holds numbers alone.
 */

// pluqPanelU16, pluqPanelU32
export const MATRIX = 0;
export const STRIDE = 4; // bytes of a row
export const ROWS = 8; // m
export const FIRST = 12; // rows above it have their pivots
export const COLUMN = 16; // the first of the panel
export const SCRATCH = 20; // (m − first)·16 residues and a row of 32 words
export const NUMBERS = 24; // u32 a row: which row of the given matrix it is
export const PIVOTS = 28; // u32 a pivot: its column; from `first` on they are written here
export const FOUND = 32; // u32: pivots of this panel
export const FIELD = 36; // u16: the modulus; u32: the address of the field's constants

// invertTriangle
export const TRIANGLE = 0; // its first row in the matrix
export const TRIANGLE_STRIDE = 4; // bytes of a row
export const TRIANGLE_COLUMNS = 8; // u32 each: its pivots'
export const SIZE = 12;
export const MODULUS = 16;
export const OUT = 20; // rows of 32 residues
export const RESIDUE_BYTES = 24;
