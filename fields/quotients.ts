/**
 * The remainders of quotients rounded in single precision, and the numbers up to which reductions by them are right.
 *
 *   u = 2^-24, the unit roundoff of f32
 */

/**
 * The reduction r = a − round(fl(a)·fl(1/p))·p of an i32 accumulator in f32 is right, r ≡ a and |r| ≤ 1.2501·p, when
 * |a| / p < 2^22.
 *
 * Proof. fl(a) = a(1 + e1), fl(1/p) = (1 + e2)/p, their float product y = (a/p)(1 + e1)(1 + e2)(1 + e3), each
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
export function magnitudeAfterReduction(p: number, accumulated: number): number {
  if (!(accumulated / p < reduceQuotientBound))
    throw new RangeError(`magnitudeAfterReduction: expected |a| < 2^22·${p}, got ${accumulated}`);
  return Math.floor(p / 2 + (3.00001 * accumulated) / 2 ** 24);
}

/**
 * floor(fl(x + 1/2)·fl(1/p)) is floor(x/p) for integers 0 ≤ x < 2^22 (kernels/residues/gfq-tables.as.ts).
 *
 * Proof. x + 1/2 has 23 bits and is exact. The product is ((x + 1/2)/p)(1 + e1)(1 + e2), so it errs by at most
 * (x + 1/2)/p·(2u + u²) ≤ (2^22 − 1/2)(2^-23 + 2^-48)/p < 1/(2p), and (x + 1/2)/p is at least that far from integers. ∎
 */
export const floorQuotientBound = 2 ** 22;

/**
 * The largest q = p^k, k ≥ 2, whose codes and sums gfq-tables.as.ts may divide by p so. A coefficient of a product mod
 * f is at most (p − 1) + (k − 1)·(p − 1)² < k·p² ≤ 2·p^k, since k ≤ 2·p^(k − 2): below 2^22 for q ≤ 2^21.
 */
export const largestTableField = floorQuotientBound / 2;
