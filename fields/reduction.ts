/**
 * How far a reduction mod p may be delayed: the one home of every bound. Counts of sums and products are the largest
 * with which the sum stays within M whatever the elements are: one term more, all elements extreme, leaves it.
 *
 *   M : the largest magnitude up to which the accumulator is exact     m : the largest magnitude of one element
 *   bound = floor(M / term), term = m for sums, m² for sums of products
 *
 * The proofs of what a rounded quotient leaves are in quotients.ts, the bounds of transforms in transform-bounds.ts.
 * Source: Boyer, Dumas, Giorgi 2010, section 3 (floor(M / m²) delayed products, M = 2^24 − 1 and 2^53 − 1).
 */
import { magnitudeAfterReduction, singleCorrectionQuotientBound } from './quotients.js';

/** The number type of a sum. */
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
 * Entries of a sparse row, ±1 or general, that a sum of floats holds beside what a reduction leaves, p > 2
 * (kernels/float-words/spmm-floats.as.ts): t·m + m + (p + 5)/2 ≤ M for ±1, t·m² + m + (p + 5)/2 ≤ M for the others.
 * 0: the words do not hold F_p.
 *
 * The reduction of x is r = x − q·p, q = nearest(fl(x·fl(1/p))). With u the unit roundoff, u·M < 1, the product is
 * (x/p)(1 + e1)(1 + e2), |e| ≤ u, so |x/p − q| ≤ 1/2 + |x/p|·(2u + u²) and |r| ≤ p/2 + (2u + u²)·|x| < p/2 + 2.01, an
 * integer of at most (p + 4)/2. So q·p = x − r is within M, and all of this is exact. For p ≥ 5 that is at most p − 1,
 * and one ±p makes any such r classical or balanced. For p = 3, |x| ≤ M/8 leaves |r| < p/2 + 0.26, which is the same.
 */
export function floatEntriesBeforeReduction(
  p: number,
  accumulator: 'f32' | 'f64',
  residues: Residues,
): { readonly units: number; readonly general: number } {
  const m = largestResidue(BigInt(p), residues);
  const unused = p < 5 ? (7n * CAPACITY[accumulator]) / 8n + 1n : 0n;
  const carried = m + BigInt((p + 5) >> 1) + unused;
  return {
    units: termsBeforeReduction(accumulator, m, carried),
    general: termsBeforeReduction(accumulator, m * m, carried),
  };
}

/**
 * The largest Σ |v| of factors v of canonical residues whose products an i64 holds beside what a signed remainder
 * leaves, p < 2^31 (kernels/jit/word-rows.ts): Σ |v|·(p − 1) + (p − 1) ≤ 2^63 − 1.
 */
export function weightBeforeReduction(p: number): number {
  return termsBeforeReduction('i64', BigInt(p - 1), BigInt(p - 1));
}

/**
 * The largest lo + hi over x = lo + 256·hi in [0, p), p < 2^16. With p − 1 = 256·h + l: for hi = h the best lo is l;
 * for hi < h every lo is allowed and (h − 1, 255) is the best.
 */
export function largestByteSum(p: number): number {
  const h = (p - 1) >> 8;
  const l = (p - 1) & 255;
  return h === 0 ? l : Math.max(h + l, h - 1 + 255);
}

/**
 * The largest |sum| of i32 that `reduce` of kernels/residues/u16.as.ts makes canonical: within i32 and below 2^21·p.
 */
export function largestI32Sum(p: number): number {
  return Math.min(2 ** 31 - 1, singleCorrectionQuotientBound * p - 1);
}

/** The largest magnitude that `balance` of u16.as.ts leaves of such a sum. */
export function largestBalancedSum(p: number): number {
  return magnitudeAfterReduction(p, largestI32Sum(p));
}

/**
 * Terms of the 16-bit multiplication by bytes that one i32 holds beside a value of magnitude ≤ `carried`, p < 2^16.
 *
 * x·v ≡ lo·v + hi·v' (mod p) with x = lo + 256·hi canonical, v' ≡ 256·v. The host makes |v|, |v'| ≤ floor(p/2);
 * `balance` makes them of at most 256·(p − 1), so |v|, |v'| ≤ h = magnitudeAfterReduction(p, 256·(p − 1)) ≤ 32767: both
 * fit signed 16 bits, and one `i32x4.dot_i16x8_s` makes both products and their sum. |lo·v + hi·v'| ≤ (lo + hi)·h,
 * hence t·largestByteSum(p)·h + carried ≤ largestI32Sum(p).
 */
export function byteSplitTermsBeforeReduction(p: number, carried = 0): number {
  const term = largestByteSum(p) * magnitudeAfterReduction(p, 256 * (p - 1));
  return Math.max(0, Math.floor((largestI32Sum(p) - carried) / term));
}

/**
 * Words of two products of balanced residues each that one i32 holds beside a value of magnitude ≤ `carried`, p < 2^16.
 * `balance` makes both factors of canonical residues: |v| ≤ h = magnitudeAfterReduction(p, p), so a word is ≤ 2·h².
 */
export function pairsBeforeReduction(p: number, carried: number): number {
  const h = magnitudeAfterReduction(p, p);
  return Math.max(0, Math.floor((largestI32Sum(p) - carried) / (2 * h * h)));
}

/**
 * Entries of a sparse row that one i32 holds in turn, p < 2^16: `units` entries ±1 in each of `runs` runs, and then
 * `general` entries by bytes. A run and the general entries reduce what they have whenever they have so many and go on.
 *
 * Without a reduction the runs come to runs·units·(p − 1) ≤ U = min(2^30, 2^20·p). A reduction leaves at most p − 1 in
 * place of what was there, so that the runs leave at most U + p − 1 whatever they reduce, and so
 * U + p + general·term ≤ largestI32Sum(p) is enough, with the term of byteSplitTermsBeforeReduction.
 */
export function entriesBeforeReduction(p: number, runs: number): { readonly units: number; readonly general: number } {
  const share = Math.min(2 ** 30, (singleCorrectionQuotientBound / 2) * p);
  return {
    units: Math.floor(share / ((p - 1) * runs)),
    general: byteSplitTermsBeforeReduction(p, share + p),
  };
}

/**
 * Products of a canonical residue, p < 2^16, and a factor |v| ≤ `factor` that a signed sum of 16 bits holds:
 * t·(p − 1)·factor ≤ 32767, as its reduction by round(2^15/p) wants (kernels/residues/i16-sums.as.ts).
 */
export function i16SumTerms(p: number, factor: number): number {
  return Math.floor((2 ** 15 - 1) / ((p - 1) * factor));
}

/**
 * Products that a sum of digits holds, p < 2^16 (kernels/poly/dot-u16.as.ts): with c = c_0 + 2^8·c_1 the sums
 * L = Σ c_0·y and H = Σ c_1·y are at most t·255·(p − 1), and
 *
 *   H + floor(L / 2^8) ≤ t·255·(1 + 2^-8)·(p − 1) < t·2^8·(p − 1) ≤ 2^31 − 1
 *
 * For t ≤ 2^7 the quotient of that by p is below 2^15.
 */
export function digitProductsBeforeReduction(p: number): number {
  return Math.min(2 ** 7, termsBeforeReduction('i32', BigInt(2 ** 8 * (p - 1))));
}

/**
 * Products that a u64 holds beside a folded sum, p < 2^31 (kernels/residues/u32.as.ts):
 * t·(p − 1)² + 2^32 − 1 ≤ 2^64 − 1.
 *
 * A fold adds less than 2^32 to the upper part. As 2^64/p² ≥ 4, t ≥ 2^63/p². So n < 2^31 products have at most
 * n/t + 2 ≤ p/2 + 2 folds, and at most 2^15 + 2 ≤ p/2 + 2 where kernels fold after 2^16 products: no more than the
 * p − 1 that fromSums allows.
 */
export function productsBeforeFolding(p: bigint): number {
  return termsBeforeReduction('u64', (p - 1n) ** 2n, 2n ** 32n - 1n);
}

/** Longer runs than any sum of products has; keeps the bound of the tiny primes below 2^32, which p = 2 needs. */
const LONGEST_RUN = 2n ** 28n;

/**
 * Products between two corrections of a signed 64-bit sum that starts at −K and loses K whenever it is not negative,
 * and K itself (kernels/residues/dot-u32.as.ts): K = run·p².
 *
 * A product is below p², so a run adds less than K and takes [−K, 0) into [−K, K): K ≤ 2^63 keeps both in i64. The end
 * is REDC of a sum in [0, K), which wants K ≤ 2^32·p; with p = 2, which has no inverse mod 2^32, K ≤ 2^32.
 */
export function runBeforeCorrection(p: bigint): { readonly run: bigint; readonly K: bigint } {
  const square = p * p;
  const most = [2n ** 63n, p === 2n ? 2n ** 32n : 2n ** 32n * p];
  const run = [...most.map((limit) => limit / square), LONGEST_RUN].reduce((a, b) => (a < b ? a : b));
  return { run, K: run * square };
}

/**
 * The largest multiple K of p² up to 2^63, p < 2^31: a u64 in [0, K) and a product, below p² ≤ 2^62, make less than
 * 2^64, and less by K where it is K or more the sum is in [0, K) again (kernels/schur/schur-rows.as.ts).
 */
export function boundBeforeCorrection(p: bigint): bigint {
  const square = p * p;
  return (2n ** 63n / square) * square;
}

/**
 * Products of a balanced residue and the lower of two balanced digits that a double holds, 2^16 < p < 2^31
 * (kernels/dense/gemm-u32.as.ts): |a| ≤ floor(p/2), b = low + 2^16·high, |low| ≤ 2^15, |high| ≤ p/2^17 + 1 ≤ 2^15.
 *
 * Beside t·2^15·floor(p/2) there are, at the end, what a reduction left of the lower sum (p/2 + 2), 2^16 times what it
 * leaves of the upper one, a residue of C below p, and the p that reduceDouble wants free below 2^53: together below
 * (2^15 + 5/2)·p + 2^17 + 2, hence below (2^16 + 3)·p.
 */
export function halfProductsBeforeReduction(p: bigint): number {
  const term = largestResidue(p, 'balanced') * 2n ** 15n;
  return termsBeforeReduction('f64', term, (2n ** 16n + 3n) * p);
}

/**
 * Elements of GF(p^k) that a sum of 64 bits holds beside a reduced one, a coefficient in each floor(64 / k) = b bits
 * (kernels/residues/gfq-tables.as.ts): (run + 1)·(p − 1) ≤ 2^b − 1 keeps every coefficient out of the next one's bits.
 */
export function elementsBeforeReduction(p: number, degree: number): number {
  const bits = Math.floor(64 / degree);
  return Math.floor((2 ** bits - 1) / (p - 1)) - 1;
}

/**
 * Terms that a sum of the GPU's field preludes holds beside a folded value; an entry ±1 is at most p and less than a
 * term.
 *
 * p < 2^16 (kernels/residues/u16.wgsl): lo + 2^8·hi, each word at most 255·(p − 1) a product. lo begins with a folded
 * value below p, and 2^8·(hi mod p) comes to it at the end: t·255·(p − 1) + (p − 1) + 256·(p − 1) ≤ 2^32 − 1.
 *
 * p > 2^16 (u32-sums.wgsl): at most 2^16 − 1 in each of four words, which begin with as much and, at the end, take a
 * carry of 2^16 − 1 within i32: (t + 2)·(2^16 − 1) ≤ 2^31 − 1.
 */
export function gpuTermsBeforeFolding(p: number): number {
  if (p >= 2 ** 16) return termsBeforeReduction('i32', 65535n, 2n * 65535n);
  const m = BigInt(p - 1);
  return termsBeforeReduction('u32', 255n * m, 257n * m);
}

/**
 * Products that the sums of kernels/residues/u32-digits.wgsl hold beside a folded value: the largest digits are
 * 2^16 − 1 and 2^11 − 1, a folded value brings 2^16 − 1, and the end five bits of another sum, times 2^11:
 * t·(2^16 − 1)(2^11 − 1) + 2^16 − 1 + 31·2^11 ≤ 2^32 − 1, and so t ≤ 32.
 */
export function gpuDigitTermsBeforeFolding(): number {
  return termsBeforeReduction('u32', (2n ** 16n - 1n) * (2n ** 11n - 1n), 2n ** 16n - 1n + 31n * 2n ** 11n);
}

/**
 * Terms that the sums of packed products of bytes hold in dense elimination on a GPU.
 *
 * p < 2^16 (kernels/dense/pluq-u16.wgsl): two products of bytes a term in each of lo and hi, put together as above:
 * t·2·255² + 256·(p − 1) ≤ 2^32 − 1.
 *
 * p > 2^16 (pluq-u32.wgsl): four products of bytes a term, S in each of four sums, of which two make a word:
 * S + 2^8·S ≤ 2^32 − 1.
 */
export function gpuByteTermsBeforeReduction(p: number): number {
  if (p >= 2 ** 16) return termsBeforeReduction('u32', 257n * 4n * 255n ** 2n);
  return termsBeforeReduction('u32', 2n * 255n ** 2n, 256n * BigInt(p - 1));
}

/** Digits 0 … p − 1 that `bits` bits hold beside a reduced one: (t + 1)·(p − 1) ≤ 2^bits − 1. */
export function digitsBeforeReduction(p: number, bits: number): number {
  return Math.floor((2 ** bits - 1) / (p - 1)) - 1;
}
