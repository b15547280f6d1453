/** Sizes of dense elimination on a GPU (gpu-pluq.ts): its tiles, and its buffers in bytes. */
import type { WordPrime } from '../../fields/word-prime.js';

/** Columns that are eliminated together: a block of PANEL² residues is 16 for each of 256 invocations. */
export const PANEL = 64;

/** Rows of a tile of the product, vectors across it, and words of its inner dimension that are loaded together. */
export const TILE = 64;
export const ACROSS = 16;
export const DEPTH = 8;

/** A vector is four words, of two residues for p < 2^16 and one above. */
const VECTOR_BYTES = 16;

export interface PluqBytes {
  readonly matrix: number;
  readonly block: number; // a block's pivots, and its sweep
  readonly first: number; // a candidate for each column of a panel
  readonly left: number; // the factors as digits
  readonly right: number;
  readonly moved: number; // rows on their way to the front
}

export function pluqBytes(field: WordPrime, rows: number, cols: number): PluqBytes {
  const stride = rowBytes(field, cols) / VECTOR_BYTES;
  const steps = stepsOf(field, PANEL);
  return {
    matrix: rows * rowBytes(field, cols),
    block: 4 * (PANEL + PANEL * PANEL),
    first: 4 * PANEL,
    left: 4 * steps * TILE * Math.ceil(rows / TILE),
    right: VECTOR_BYTES * steps * 4 * ACROSS * Math.ceil(stride / ACROSS),
    moved: VECTOR_BYTES * 2 * PANEL * stride,
  };
}

/** Bytes of a row of the matrix, padded to whole panels. */
export function rowBytes(field: WordPrime, cols: number): number {
  return PANEL * Math.ceil(cols / PANEL) * (field.isU16 ? 2 : 4);
}

/** Words that hold so many residues of the inner dimension, in whole loads. */
export function stepsOf(field: WordPrime, count: number): number {
  return DEPTH * Math.ceil(count / (field.isU16 ? 2 : 1) / DEPTH);
}
