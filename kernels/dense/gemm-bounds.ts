/**
 * How far the dense product's sums run before a reduction, in words of its packed factors: the host's side of
 * kernels/dense/gemm-u16.as.ts and gemm-u32.as.ts.
 *
 *   word : what one multiplication of the inner loop takes from each factor
 */
import {
  capacity,
  largestByteSum,
  largestResidue,
  reducedMagnitude,
  singleCorrectionQuotientBound,
  termsBeforeReduction,
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

/**
 * A sum holds the words, what an earlier reduction left (reducedMagnitude) and, at the end, a residue of C. It must stay in i32
 * and below 2^21·p, where one correction makes it canonical.
 */
function u16Bounds(p: number): GemmBounds {
  const limit = Math.min(Number(capacity('i32')), singleCorrectionQuotientBound * p - 1);
  const room = limit - reducedMagnitude(p, limit) - p;
  const balanced = reducedMagnitude(p, p);
  const plainWords = Math.floor(room / (2 * balanced * balanced));
  const plain = plainWords >= SHORTEST_PLAIN_RUN;
  // Pairs come from `balance` of a and 256·a.
  const splitWords = Math.floor(room / (largestByteSum(p) * reducedMagnitude(p, 256 * (p - 1))));
  const words = shortened(plain ? plainWords : splitWords);
  return { bytes: 2, wordBytesA: 4, wordBytesB: 4, plain, words };
}

/**
 * b = low + 2^16·high, |low| ≤ 2^15 and |high| ≤ p/2^17 + 1 beside |a| ≤ p/2: sums of a·low, the larger, run in f64. At the end
 * 2^16 times a residue of at most p and a residue of C come to the sum.
 */
function u32Bounds(field: WordPrime): GemmBounds {
  const term = largestResidue(field.modulus, 'balanced') * 2n ** 15n;
  const words = shortened(termsBeforeReduction('f64', term, (2n ** 16n + 3n) * field.modulus));
  return { bytes: 4, wordBytesA: 8, wordBytesB: 16, plain: false, words };
}

function shortened(words: number): number {
  return Math.min(LONGEST_RUN, words);
}
