/**
 * How a range of the coefficients of a product of polynomial matrices is computed.
 *
 *   direct      by the definition
 *   transforms  pieces of `piece` coefficients, each by transforms of n points modulo `primes` primes
 *   cut         a is longer than any transform
 *
 * Costs are counts of operations on vectors of four residues: a level of a transform takes 6 a vector; the products at
 * the points 5.5 for four numbers, there and back between the representations included; the definition 14.
 */
import { groupsOf, type PolyMatrix } from './poly-matrix.js';
import { primesFor, transformLength } from './poly-primes.js';

export interface Schedule {
  readonly kind: 'transforms';
  readonly n: number;
  readonly primes: number;
  readonly piece: number;
  readonly extra: number; // coefficients beyond n of a full product
}

export interface Range {
  readonly a: PolyMatrix;
  readonly b: PolyMatrix;
  readonly from: number;
  readonly count: number; // from + count ≤ total
  readonly total: number; // coefficients of a·b from here on vanish
  readonly half: number; // the largest balanced residue mod p
}

/** Coefficients that a full product may be longer than its transform. */
const MOST_EXTRA = 2;
const LONGEST_DIRECT = 512;
const PIECES = [1, 2, 3, 4, 6, 8, 12, 16, 32, 64];
/** Bytes of transforms of a beyond which shorter pieces are taken even if they cost more. */
const VALUES_BYTES = 80 * 2 ** 20;

export function schedule(range: Range): Schedule | { kind: 'direct' } | { kind: 'cut' } {
  const { a, b, from, count, half } = range;
  const short = Math.min(a.length, b.length, from + count);
  const products = a.rows * a.cols * groupsOf(b.cols);
  const primes = primesFor(a.cols * short * half * half);
  const aVectors = a.rows * groupsOf(a.cols);
  const vectors = (a.cols + a.rows) * groupsOf(b.cols);
  // For long factors the definition is no choice: either transforms reach, or a is cut.
  let bestCost = short <= LONGEST_DIRECT ? 14 * products * short * count : Infinity;
  let best: Schedule | null = null;
  let small: Schedule | null = null; // least memory, should none keep to VALUES_BYTES
  for (const pieces of PIECES) {
    const piece = Math.ceil(count / pieces);
    const { n, extra } = points(range, piece, primes);
    if (n === Infinity) continue;
    const plan: Schedule = { kind: 'transforms', n, primes, piece, extra };
    if (small === null || n < small.n) small = plan;
    const cost = primes * n * ((6 * Math.log2(n) + 10) * (aVectors + pieces * vectors) + pieces * 5.5 * products);
    if (primes * aVectors * n * 16 > VALUES_BYTES || cost >= bestCost) continue;
    best = plan;
    bestCost = cost;
  }
  return best ?? (bestCost < Infinity ? { kind: 'direct' } : (small ?? { kind: 'cut' }));
}

/** The points for one piece, and how many coefficients of a full product they lack. */
function points({ a, b, from, total }: Range, piece: number, primes: number): { n: number; extra: number } {
  const full = Math.min(total, a.length + b.length - 1);
  const short = Math.min(a.length, b.length);
  if (from === 0 && piece === full) {
    const n = transformLength(full, primes);
    const shorter = transformLength(full - MOST_EXTRA, primes);
    return shorter < n && full > 64 && short > MOST_EXTRA ? { n: shorter, extra: full - shorter } : { n, extra: 0 };
  }
  // Wanted from deg a on, or from the start: what lies beyond n wraps below.
  return { n: transformLength(a.length - 1 + Math.min(piece, b.length), primes), extra: 0 };
}
