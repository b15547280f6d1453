/** The error for a size, an index or an array that no matrix can have, and the largest size. */

/** A size, an index or an array that no matrix here can have. */
export class StructureError extends Error {
  override readonly name = 'StructureError';
}

/** Sizes stay below 2³¹ so that every index fits an i32, in WebAssembly and in shaders. */
export const MAX_SIZE = 0x7fffffff;
