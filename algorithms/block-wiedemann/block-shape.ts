/**
 * Sizes: the block shape (m, n), how far the sequence has to go, and where the generator search looks up.
 *
 * With s more rows, which verify the rank, the sequence costs rank·(1 + n/(m + s)) columns of products with A, the
 * order basis about (m + n + s)²·n·σ·log² σ; verification takes rank/(m + s) steps of s columns. m = 2n balances the
 * first two.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { workingDegree } from './extension-degree.js';

export interface BlockShape {
  readonly m: number;
  readonly n: number;
}

/**
 * m and n for N unknowns whose elements take k numbers each: k·n columns go through every product with A. Where an
 * element is k coordinates the hash has k² entries for one, applied to n columns: n below 8 would leave its vectors
 * half empty.
 */
export function chooseBlocks(N: number, k: number): BlockShape {
  const n = widest(k) / (N < 64 ? 4 : N < 600 ? 2 : 1);
  return { m: 2 * n, n };
}

const widest = (k: number): number => (k === 1 ? 16 : 8);

/** Half the columns, for less memory; null where there is no such shape that chooseBlocks would take. */
export function narrower({ n }: BlockShape, k: number): BlockShape | null {
  return n > widest(k) / 4 ? { m: n, n: n / 2 } : null;
}

/** Entries mod p < 2^16 from which on a GPU takes twice as many columns. */
const WIDE_ENTRIES = 1.8e7;

/**
 * The shape for L × N, L ≥ N, on a GPU that binds so many bytes; undefined where chooseBlocks serves. Twice the columns
 * make a product a third longer where the rows of X are scattered, so that the sequence, (N/m + N/n)·nnz·10 ps with 16
 * columns, takes a third less; the order basis beside it takes four times as long, 6 µs of N more. Residues of 32 bits
 * gain nothing (test/bench/RESULTS.md#gpu-blocks).
 */
export function chooseGpuBlocks(
  L: number,
  N: number,
  nnz: number,
  field: WordPrime,
  maxBindingBytes: number,
): BlockShape | undefined {
  const wide = { m: 64, n: 32 };
  const pays = nnz >= WIDE_ENTRIES && N >= 600 && field.isU16 && workingDegree(field.p, 'block') === 1;
  return pays && 2 * L * wide.n <= maxBindingBytes ? wide : undefined;
}

/** Each error of what is claimed about the vectors A^k·V is at most 2^−VECTOR_ERROR. */
export const VECTOR_ERROR = 62;

/**
 * m = n for the generator of the vectors A^k·V of N unknowns over GF(q), q = 2^log2q, elements of k numbers, so that
 * 2·q^(1−n) is no larger an error.
 */
export function chooseVectorBlocks(N: number, k: number, log2q: number): BlockShape {
  const n = Math.max(k > 1 || N < 600 ? 8 : 16, 1 + Math.ceil((1 + VECTOR_ERROR) / log2q));
  return { m: n, n };
}

/** The caller's shape, with no more rows or columns than unknowns: further ones are dependent. */
export function fitBlocks({ m, n }: BlockShape, N: number): BlockShape {
  const most = Math.max(1, N);
  return { m: Math.min(m, most), n: Math.min(n, most) };
}

/**
 * Orders for which the generator must have been left alone before it is believed: a wrong one survives an order with
 * probability about q^−min(m, n), so this many leave 2^−128.
 */
export function stopGap(shape: BlockShape, log2q: number): number {
  return Math.ceil(128 / (Math.min(shape.m, shape.n) * log2q)) + 2;
}

/** How far an attempt at N unknowns may go, in blocks of its sequence. */
export interface SequenceLengths {
  readonly bound: number; // enough for a generator of full rank
  readonly capacity: number; // the attempt ends there
}

/** `s`: the rows that verify the rank, beside the m of U. */
export function sequenceLengths(N: number, { m, n }: BlockShape, s: number, gap: number): SequenceLengths {
  const bound = Math.ceil(N / (m + s)) + Math.ceil(N / n) + gap + 2;
  return { bound, capacity: bound + 2 * gap + 4 };
}

/** Orders beyond those of a generator that parts have, for degrees that are not quite even. */
const UNEVEN = 4;

/** Blocks of S with which an attempt at that rank ends, but for bad luck. */
export function lengthForRank(rank: number, { m, n }: BlockShape, s: number, gap: number): number {
  return Math.ceil(rank / (m + s)) + Math.ceil(rank / n) + gap + UNEVEN;
}

/** Orders from one look to the next that are worth one; and from which on twice as many are. */
const LOOK = 24;
const FINE_LOOK = 256;

/**
 * Orders at which to look for the generator, up to `bound`: doubling, as the order basis would be split anyway, and
 * eighths or sixteenths between. A look costs a residual of the whole basis, those between save up to seven sixteenths
 * of the sequence: a rank far below full, as that of a Schur complement mostly is, ends it at any order alike.
 */
export function checkpoints(bound: number): number[] {
  const out = new Set([bound]);
  for (let end = bound; end / 2 >= LOOK; end /= 2) {
    out.add(Math.ceil(end / 2));
    const parts = end / 16 >= FINE_LOOK ? 16 : 8;
    for (let k = parts / 2 + 1; k < parts; k++) if (end / parts >= LOOK) out.add(Math.ceil((end * k) / parts));
  }
  if (bound >= 8) out.add(Math.ceil(bound / 2));
  return [...out].sort((a, b) => a - b);
}
