/**
 * How far the dense product's sums run before a reduction, in words of its packed factors: the host's side of
 * kernels/dense/gemm-u16.as.ts and gemm-u32.as.ts.
 *
 *   word : what one multiplication of the inner loop takes from each factor
 */
import {
  byteSplitTermsBeforeReduction,
  halfProductsBeforeReduction,
  largestBalancedSum,
  pairsBeforeReduction,
} from '../../fields/reduction.js';
import type { WordPrime } from '../../fields/word-prime.js';

export interface GemmBounds {
  readonly bytes: 2 | 4; // of a residue
  /** Bytes of a packed word of a row of A and of a column of B. */
  readonly wordBytesA: number;
  readonly wordBytesB: number;
  /** Two terms a word, products of balanced residues as they are. */
  readonly plain: boolean;
  readonly words: number; // between reductions
}

/** Runs shorter than this would reduce more than they multiply: plain words from p < 2^14 on. */
const SHORTEST_PLAIN_RUN = 16;

// Longer runs gain nothing, and a panel of so many words is one block (kernels/dense/gemm-arguments.as.ts).
const LONGEST_RUN = 256;

export function gemmBoundsOf(field: WordPrime): GemmBounds {
  return field.isU16 ? u16Bounds(field.p) : u32Bounds(field);
}

function u16Bounds(p: number): GemmBounds {
  // Beside the sum stand the rest of an earlier reduction and, at the end, a residue of C.
  const carried = largestBalancedSum(p) + p;
  const plainWords = pairsBeforeReduction(p, carried);
  const plain = plainWords >= SHORTEST_PLAIN_RUN;
  const words = Math.min(LONGEST_RUN, plain ? plainWords : byteSplitTermsBeforeReduction(p, carried));
  return { bytes: 2, wordBytesA: 4, wordBytesB: 4, plain, words };
}

function u32Bounds(field: WordPrime): GemmBounds {
  const words = Math.min(LONGEST_RUN, halfProductsBeforeReduction(field.modulus));
  return { bytes: 4, wordBytesA: 8, wordBytesB: 16, plain: false, words };
}
