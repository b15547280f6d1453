/**
 * Sums mod p < 2^15 so small that 16 bits hold them, with their sign: additions and products of 8 residues at a time.
 *
 *   residues x in [0, p)     factors |v| ≤ p/2, balanced     |Σ x·v| ≤ 32767 (i16SumTerms of fields/reduction.ts)
 */

/**
 * The canonical residues of |s| ≤ 32767, c = round(2^15/p): q = floor(s·c/2^15 + 1/2) is less than 1 from s/p, since
 * |c − 2^15/p| ≤ 1/2 makes s·c/2^15 differ from s/p by less than 1/2; so |s − q·p| < p, and p is added where that is
 * negative.
 */
// @ts-ignore: decorator
@inline
export function reduceSmall(s: v128, p: v128, c: v128): v128 {
  const r = i16x8.sub(s, i16x8.mul(i16x8.q15mulr_sat_s(s, c), p));
  return i16x8.min_u(r, i16x8.add(r, p));
}
