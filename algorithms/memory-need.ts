/**
 * Bytes that block Wiedemann holds at its peak beside the matrix as it was read, estimated from sizes before it begins.
 *
 *   B : A or the Schur complement of its pivots, N × N after the hash      L ≥ N : the longer side
 *   m = 2·n rows and n columns a block, s for the verification      k : numbers that an element of GF(q) takes
 *
 * The largest part is the order basis: series of (m + n + s) × n with N/m + N/n terms, and what a product of two halves takes
 * beside it. Its factor is what the whole process was seen to gain, over what it had after reading, on ch7-7-b4, EX5,
 * Trefethen_20000 and random matrices of 10000 rows (2026-11): estimates are 0 to 50 % above it.
 */
import type { WordPrime } from '../fields/word-prime.js';
import { chooseBlocks } from './block-wiedemann/blocks.js';
import { verificationWidth } from './block-wiedemann/verification.js';
import { numbersAnElement, workingDegree } from './block-wiedemann/working-field.js';

/** An entry of a matrix: host and kernels, both directions, indices and values. */
const ENTRY_BYTES = 32;

/** Series of the size of the sequence that the order basis and its products hold at their peak. */
const SERIES = { narrow: 15, wide: 22 };

const HASHES = 2; // entries a row

/** Block Wiedemann on an operator of nnz stored entries. */
export function wiedemannBytes(field: WordPrime, rows: number, cols: number, nnz: number): number {
  const [N, L] = [Math.min(rows, cols), Math.max(rows, cols)];
  const k = numbersAnElement(field.p, 'block');
  const { m, n } = chooseBlocks(N, k);
  const s = verificationWidth(workingDegree(field.p, 'block') * Math.log2(field.p));
  const vectors = (N + 2 * L) * k * (n + s) * (field.narrow ? 2 : 4);
  const hash = HASHES * L * k * k * ENTRY_BYTES;
  const series = (m + n + s) * n * (N / m + N / n) * 4 * (field.narrow ? SERIES.narrow : SERIES.wide);
  return ENTRY_BYTES * nnz + vectors + hash + series;
}
