/**
 * How far a reduction mod p may be delayed: the one home of every bound. Counts of sums and products are the largest with
 * which the sum stays within M whatever the elements are: one term more, all elements extreme, leaves it.
 *
 *   M : the largest magnitude up to which the accumulator is exact     m : the largest magnitude of one element
 *   bound = floor(M / term), term = m for sums, m² for sums of products
 *
 * Source: Boyer, Dumas, Giorgi 2010, section 3 (floor(M / m²) delayed products, M = 2^24 − 1 and 2^53 − 1).
 */

/** What a sum is kept in. */
export type Accumulator = 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64';

/**
 * M of each accumulator: every integer of magnitude ≤ M (and, in the unsigned kinds, ≥ 0) is held exactly. An f32 has a
 * 24-bit significand and an f64 one of 53 bits, so all integers below 2^24 and 2^53 are floats, and a sum or product
 * whose exact value is such an integer is not rounded.
 */
const CAPACITY: Readonly<Record<Accumulator, bigint>> = {
  i32: 2n ** 31n - 1n,
  u32: 2n ** 32n - 1n,
  i64: 2n ** 63n - 1n,
  u64: 2n ** 64n - 1n,
  f32: 2n ** 24n - 1n,
  f64: 2n ** 53n - 1n,
};

export function capacity(accumulator: Accumulator): bigint {
  return CAPACITY[accumulator];
}

/** Canonical: 0 … p − 1. Balanced: −floor(p/2) … floor(p/2), where p odd gives each residue once. */
export type Residues = 'classical' | 'balanced';

/** The largest magnitude of a residue: p − 1, or floor(p/2) in the balanced representation. */
export function largestResidue(p: bigint, residues: Residues): bigint {
  return residues === 'classical' ? p - 1n : p / 2n;
}

/**
 * How many terms of magnitude ≤ `term` fit beside a value of magnitude ≤ `carried`: t·term + carried ≤ M means
 * t ≤ (M − carried) / term. Every partial sum then stays within M, so the order of the additions is free. Counts beyond
 * 2^53 − 1 are reported as 2^53 − 1. 0 says that not even one term fits. Balanced residues are negative: asking about
 * an unsigned accumulator is an error of the caller.
 */
export function termsBeforeReduction(accumulator: Accumulator, term: bigint, carried = 0n): number {
  const count = term <= 0n ? 2n ** 53n : (CAPACITY[accumulator] - carried) / term;
  if (count <= 0n) return 0;
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(count);
}

/** Products of two residues, m² each: t·m² ≤ M holds for t = floor(M / m²) and, with all elements = m, for no more. */
export function productsBeforeReduction(p: bigint, accumulator: Accumulator, residues: Residues = 'classical'): number {
  refuseSigned(accumulator, residues);
  const m = largestResidue(p, residues);
  return termsBeforeReduction(accumulator, m * m);
}

/** Sums of residues, m each: t·m ≤ M. */
export function additionsBeforeReduction(
  p: bigint,
  accumulator: Accumulator,
  residues: Residues = 'classical',
): number {
  refuseSigned(accumulator, residues);
  return termsBeforeReduction(accumulator, largestResidue(p, residues));
}

function refuseSigned(accumulator: Accumulator, residues: Residues): void {
  if (residues === 'balanced' && (accumulator === 'u32' || accumulator === 'u64'))
    throw new RangeError(`balanced residues: expected a signed accumulator, got ${accumulator}`);
}

/**
 * The largest lo + hi over x = lo + 256·hi in [0, p), p < 2^16. With p − 1 = 256·h + l: for hi = h the best lo is l; for
 * hi < h every lo is allowed and (h − 1, 255) is the best.
 */
export function largestByteSum(p: number): number {
  const h = (p - 1) >> 8;
  const l = (p - 1) & 255;
  return h === 0 ? l : Math.max(h + l, h - 1 + 255);
}

/**
 * Terms of the 16-bit multiplication by bytes that one i32 accumulator holds, p < 2^16. x·v ≡ lo·v + hi·v' (mod p) with
 * x = lo + 256·hi canonical, v and v' ≡ 256·v balanced, |v|, |v'| ≤ floor(p/2) ≤ 32767: both fit signed 16 bits, so one
 * `i32x4.dot_i16x8_s` makes both products and their sum. |lo·v + hi·v'| ≤ (lo + hi)·floor(p/2), hence t terms stay
 * within t·largestByteSum(p)·floor(p/2) ≤ 2^31 − 1, and a `carried` value takes its share first. The sum is also held
 * to where reduceQuotientBound is still right, |sum| < 2^22·p, which binds only for p < 2^9.
 */
export function byteSplitTermsBeforeReduction(p: number, carried = 0): number {
  const term = largestByteSum(p) * Math.floor(p / 2);
  const limit = Math.min(2 ** 31 - 1, reduceQuotientBound * p - 1);
  return term === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, Math.floor((limit - carried) / term));
}

/**
 * Products of a canonical residue, p < 2^16, and a factor |v| ≤ `factor` that a signed sum of 16 bits holds whose magnitude is
 * at most 32767, as its reduction by round(2^15/p) wants (kernels/residues/i16-sums.as.ts).
 */
export function i16SumTerms(p: number, factor: number): number {
  return Math.floor((2 ** 15 - 1) / ((p - 1) * factor));
}

/**
 * The reduction r = a − round(fl(a)·fl(1/p))·p of an i32 accumulator in f32 is right, r ≡ a and |r| ≤ 1.2501·p, when
 * |a| / p < 2^22.
 *
 * Proof. u = 2^-24. fl(a) = a(1 + e1), fl(1/p) = (1 + e2)/p, their float product y = (a/p)(1 + e1)(1 + e2)(1 + e3), each
 * |e| ≤ u, so |y − a/p| ≤ |a/p|·(3u + 3u² + u³) < 2^22·3.000001·2^-24 < 0.750001. |y| < 2^22 + 1 < 2^23, where f32
 * has every half-integer, so rounding to nearest gives an integer q with |q − y| ≤ 1/2: |a/p − q| < 1.250001, that is
 * |r| < 1.2501·p. q·p and a − q·p may be computed mod 2^32: r itself is within i32, and congruent. ∎
 *
 * Two conditional corrections give a canonical residue; below 2^21 the error is < 0.375001 + 1/2 and one is enough.
 */
export const reduceQuotientBound = 2 ** 22;

/** Below this |a| / p the same reduction leaves |r| < p, so `r + (r < 0 ? p : 0)` is canonical. */
export const singleCorrectionQuotientBound = 2 ** 21;

/**
 * The largest |r| that the reduction leaves for |a| ≤ accumulated: (1/2 + 3.00001·2^-24·accumulated/p)·p by the proof
 * above. p = 65521 and any i32: below 0.506·p.
 */
export function reducedMagnitude(p: number, accumulated: number): number {
  if (!(accumulated / p < reduceQuotientBound))
    throw new RangeError(`reducedMagnitude: expected |a| < 2^22·${p}, got ${accumulated}`);
  return Math.floor(p / 2 + (3.00001 * accumulated) / 2 ** 24);
}
