/**
 * Of which dense blocks a plan stores a matrix that consists of them (block-fill.ts), by the columns of the vectors:
 * test/bench/RESULTS.md#blocks-unasked.
 */

import { i16SumTerms } from '../../fields/reduction.js';
import { findBlocks } from './block-fill.js';
import { type BlockSize, countBlocks } from './formats/bcsr.js';
import type { ResidueMatrix } from './residue-matrix.js';

/** Columns from which products are wide: the kernels of rows then take 16 at a time. */
export const WIDE = 16;

/** The share of the blocks' places that entries have, at least, so that zeros take less time than blocks gain. */
const FULL = 0.95;

/** The share of ±1 at most: more of them are faster apart. */
const FEW_UNITS = 1 / 4;

/** Blocks of this size are stored as those of the most rows that a kernel sums at once. */
const LARGE = 16;
const STORED_AS = 8;

/** Null where the matrix does not consist of blocks, their kernel lacks the residues, or rows are faster. */
export function chooseBlocks(matrix: ResidueMatrix, p: number, longest: number, width: number): BlockSize | null {
  if (p >= 2 ** 16 || (width >= WIDE && haveSmallSums(p, longest))) return null;
  const found = findBlocks(matrix);
  if (found === null || found === 2) return null;
  const b = found === LARGE ? STORED_AS : found;
  const nnz = matrix.colIdx.length;
  const isFull = nnz >= FULL * countBlocks(matrix, b) * b * b;
  return isFull && countUnits(matrix.values, p) <= FEW_UNITS * nnz ? b : null;
}

/**
 * Whether 16 bits hold the sums of rows of up to so many entries: their kernel (kernels/spmm/spmm-u16-small-p.as.ts)
 * makes 8 products at once, that of blocks four. Mod 2 entries are 1, or codes of GF(2^k), which have no such kernel.
 */
function haveSmallSums(p: number, longest: number): boolean {
  return p > 2 && longest <= i16SumTerms(p, Math.floor(p / 2));
}

// A loop of its own: residue-matrix.ts.
function countUnits(values: Uint32Array, p: number): number {
  let units = 0;
  for (let k = 0; k < values.length; k++) if (values[k] === 1 || values[k] === p - 1) units++;
  return units;
}
