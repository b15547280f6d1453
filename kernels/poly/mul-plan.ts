/**
 * How a range of the coefficients of a product of polynomial matrices is computed.
 *
 *   direct      by the definition
 *   transforms  pieces of `piece` coefficients, each by transforms of n points modulo `primes` primes
 *   cut         a is longer than any transform, or than any that there is room for
 *
 * Costs are counts of operations on vectors of four residues; the definition takes 14.
 */
import { coefficientBound } from '../../fields/transform-bounds.js';
import type { KernelName } from '../generated/kernel-names.js';
import { groupsOf, type PolyMatrix } from './poly-matrix.js';

/** Transforms modulo the primes of one size, as the kernels of that size want them. */
export interface Transforms {
  readonly lanes: 4 | 8; // columns of a vector
  readonly kernels: readonly [forward: KernelName, pointwise: KernelName, inverse: KernelName];
  readonly forwardWord: number; // what `forward` wants behind its common arguments
  readonly level: number; // operations of a level of a transform on four columns
  readonly products: number; // of four products at a point, there and back between representations included
  readonly at: number; // the primes' constants
  readonly back: number; // those for going back to residues mod p
  /** How many primes suffice for coefficients of magnitude ≤ bound; Infinity when all of them do not. */
  primesFor(bound: number): number;
  /** The shortest transform of at least `length` points that the first `primes` primes have; Infinity if none has. */
  transformLength(length: number, primes: number): number;
  /** Makes the tables of roots long enough for transforms of n points. */
  prepare(n: number): void;
  /** N^-1 modulo the primes, as words for the inverse kernel's arguments. */
  inverseLengths(n: number, primes: number): readonly number[];
  /** Scratch of a thread for rows × inner times inner × cols at a point. */
  scratchBytes(rows: number, inner: number, cols: number): number;
  dispose(): void;
}

export interface Schedule {
  readonly kind: 'transforms';
  readonly transforms: Transforms;
  readonly n: number;
  readonly primes: number;
  readonly piece: number;
  readonly extra: number; // coefficients beyond n of a full product
  readonly bytes: number; // transforms of a
}

export interface Range {
  readonly a: PolyMatrix;
  readonly b: PolyMatrix;
  readonly from: number;
  readonly count: number; // from + count ≤ total
  readonly total: number; // coefficients of a·b from here on vanish
  readonly modulus: bigint;
}

/** Coefficients that a full product may be longer than its transform. */
const MOST_EXTRA = 2;
const LONGEST_DIRECT = 512;
/** Coefficients that are computed by the definition from factors of any length: no transform pays for so few. */
const FEW = 16;
const PIECES = [1, 2, 3, 4, 6, 8, 12, 16, 32, 64];
/** Bytes of transforms of a beyond which shorter pieces are taken even if they cost more. */
const VALUES_BYTES = 80 * 2 ** 20;
/** Where all plans have more than that: times the least, and no more. */
const TIMES_LEAST = 2;

/** `room`: bytes of transforms of a at most. */
export function schedule(
  range: Range,
  transforms: readonly Transforms[],
  room = Number.POSITIVE_INFINITY,
): Schedule | { kind: 'direct' } | { kind: 'cut' } {
  const { a, b, from, count, modulus } = range;
  const short = Math.min(a.length, b.length, from + count);
  const products = a.rows * a.cols * groupsOf(b.cols);
  const aVectors = a.rows * groupsOf(a.cols);
  const vectors = (a.cols + a.rows) * groupsOf(b.cols);
  // For long factors the definition is no choice unless little is wanted: either transforms reach, or a is cut.
  let bestCost = short <= LONGEST_DIRECT || count <= FEW ? 14 * products * short * count : Infinity;
  let best: Schedule | null = null;
  const bound = coefficientBound(modulus, a.cols * short, 'balanced');
  const plans: { readonly plan: Schedule; readonly cost: number }[] = [];
  for (const by of transforms) {
    const primes = by.primesFor(bound);
    if (primes === Infinity) continue;
    for (const pieces of PIECES) {
      const piece = Math.ceil(count / pieces);
      const { n, extra } = points(range, piece, (length) => by.transformLength(length, primes));
      if (n === Infinity) continue;
      const there = (by.level * Math.log2(n) + 10) * (aVectors + pieces * vectors);
      const cost = primes * n * (there + pieces * by.products * products);
      const bytes = (primes * aVectors * n * 64) / by.lanes;
      if (bytes <= room)
        plans.push({ plan: { kind: 'transforms', transforms: by, n, primes, piece, extra, bytes }, cost });
    }
  }
  const most = Math.max(VALUES_BYTES, TIMES_LEAST * Math.min(...plans.map(({ plan }) => plan.bytes)));
  for (const { plan, cost } of plans) {
    if (plan.bytes > most || cost >= bestCost) continue;
    best = plan;
    bestCost = cost;
  }
  return best ?? { kind: bestCost < Infinity ? 'direct' : 'cut' };
}

/** The points for one piece, and how many coefficients of a full product they lack. */
function points(
  { a, b, from, total }: Range,
  piece: number,
  transformLength: (length: number) => number,
): { n: number; extra: number } {
  const full = Math.min(total, a.length + b.length - 1);
  const [short, long] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  if (from === 0 && piece === full) {
    // A product that ends early can be as short as a factor, which has to fit itself.
    const n = transformLength(Math.max(full, long));
    const shorter = transformLength(Math.max(full - MOST_EXTRA, long));
    return shorter < n && full > 64 && short > MOST_EXTRA ? { n: shorter, extra: full - shorter } : { n, extra: 0 };
  }
  // Wanted from deg a on, or from the start: what lies beyond n wraps below.
  return { n: transformLength(a.length - 1 + Math.min(piece, b.length)), extra: 0 };
}
