/**
 * Arguments of the kernels of small dense blocks, byte offsets: read as TypeScript by cpu-block-ops.ts and as
 * AssemblyScript by the kernels, so it holds numbers alone.
 */

/** A task: coordinates FIRST … END − 1, all of one block row. */
export const TASK_ROW = 0;
export const TASK_FIRST = 4;
export const TASK_END = 8;
export const TASK_BYTES = 12;

// project and combine
export const VECTOR = 0; // z of a projection, y of a combination
export const WIDTH = 4;
export const FACTORS = 8; // U16: pairs, u32; U32: residues; Gf256: codes
export const LAYERS = 12;
export const TASKS = 16;
export const COUNT = 20; // of the tasks
export const BLOCK = 24; // project: the parts, rows padded to 8 words or 16 codes; combine: c
export const MODULUS = 28;
export const TERMS = 32; // before a reduction
export const CONSTANT = 36; // U16: round(2^15/p); U32: −1/p mod 2^32; Gf256: the tables
export const I16_TERMS = 40; // projectU16: terms that 16 bits hold

// sumParts
export const SUM_PARTS = 0;
export const SUM_TASKS = 4;
export const SUM_COUNT = 8;
export const SUM_LAYERS = 12;
export const SUM_WIDTH = 16;
export const SUM_OUT = 20; // u32
export const SUM_ROWS = 24; // of the block that is written
export const SUM_MODULUS = 28;
export const SUM_SCALE = 32;

// scale
export const SCALE_VECTOR = 0;
export const SCALE_WIDTH = 4;
export const SCALE_FACTORS = 8; // as FACTORS, one a coordinate
export const SCALE_LENGTH = 12;
export const SCALE_MODULUS = 16;
export const SCALE_CONSTANT = 20; // as CONSTANT
export const SCALE_SQUARE = 24; // U32: 2^128 mod p makes up for two reductions
