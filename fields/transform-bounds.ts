/**
 * Bounds of products of polynomial matrices by transforms modulo several primes q_l: how many primes a product needs,
 * and how far the sums at a point run.
 *
 *   c : a coefficient of the product over the integers     Π : the product of the primes taken
 *
 * The magnitudes inside a transform are proved beside its passes (kernels/poly/ntt-u16.as.ts, ntt-u32.as.ts,
 * ntt-prime.wgsl).
 * Source: Garner 1959.
 */
import { largestResidue, type Residues, termsBeforeReduction } from './reduction.js';

/** |c| ≤ terms·m² for a coefficient that is a sum of so many products of residues; rounded, as a double is. */
export function coefficientBound(p: bigint, terms: number, residues: Residues): number {
  const m = Number(largestResidue(p, residues));
  return terms * m * m;
}

/**
 * The power of two s such that |c| ≤ Π/s makes Garner's sum c itself, where digits are |v_l| ≤ digit·q_l, q_l > 2^12.
 *
 * The sum c' = v_0 + q_0·(v_1 + q_1·(v_2 + …)) is congruent to c mod Π and at most digit·(1 + 2^-12 + 2^-24 + …)·Π in
 * magnitude. So |c − c'| < Π, hence c = c', when 1/s + digit·(1 + 2^-11) ≤ 1.
 */
export function digitSlack(digit: number): number {
  return 2 ** Math.ceil(-Math.log2(1 - digit * (1 + 2 ** -11)));
}

/** How many primes, in their order, have a product of at least slack·bound; Infinity when all of them do not. */
export function primesForBound(bound: number, primes: readonly number[], slack: number): number {
  let product = 1;
  for (let count = 1; count <= primes.length; count++) {
    product *= primes[count - 1]!;
    // Both sides are rounded: 2^-40 of slack covers it, and makes the bound less than the product where slack is 1.
    if (bound * slack * (1 + 2 ** -40) <= product) return count;
  }
  return Infinity;
}

/**
 * Eights of products that an i32 holds beside a reduced sum, |r| ≤ 0.6·q, modulo 2^12 < q < 2^14
 * (kernels/poly/mul-ntt-u16.as.ts): values are |x| ≤ q·(1/2 + 2^-12), so t·8·x² + q ≤ 2^31 − 1. The quotient of such a
 * sum by q is below 2^19, as reduceSum wants.
 */
export function eightsBeforeReduction(q: number): number {
  const most = q * (1 / 2 + 2 ** -12);
  return Math.floor((2 ** 31 - 1 - q) / (8 * most * most));
}

/**
 * Products of values |x| ≤ 3·q that a double holds, q < 2^21 (kernels/poly/pointwise-u32.as.ts). Beside them there are
 * what a reduction left, and the step from the sum to the nearest multiple of q, each at most q/2·(1 + 2^-20).
 */
export function pointProductsBeforeReduction(q: number): number {
  return termsBeforeReduction('f64', 9n * BigInt(q) ** 2n, 2n * BigInt(q));
}

/**
 * Products of canonical values between two folds of hi·2^32 + lo, q < 2^30 (kernels/poly/pointwise.wgsl): t products
 * add at most t·q²/2^32 + 1 to hi. That is at most 2q, so hi stays below 4q < 2^32 and a fold brings it below 2q.
 */
export function gpuPointProductsBeforeFolding(q: number): number {
  const square = BigInt(q) ** 2n;
  return Number(((2n * BigInt(q) - 1n) << 32n) / square);
}
