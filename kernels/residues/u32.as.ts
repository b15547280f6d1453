/**
 * Arithmetic mod p, 2^16 < p < 2^31, in packed lanes.
 *
 *   residues  u32x4, canonical        products  u64x2        sums  (high, acc): high·2^32 + acc, high and acc u64x2
 *
 * A sum is folded, high += acc >> 32, acc &= 2^32 − 1, before acc could pass 2^64: every `terms` products
 * (productsBeforeFolding of fields/reduction.ts).
 * It is brought to a residue by two Montgomery steps, each a division by 2^32 mod p, so factors from outside are stored
 * times 2^64 mod p. Source: Montgomery 1985.
 */

/** a + b, canonical: the smaller, as unsigned numbers, of s and s − p. */
// @ts-ignore: decorator
@inline
export function addResidues(a: v128, b: v128, p: v128): v128 {
  const s = i32x4.add(a, b);
  return i32x4.min_u(s, i32x4.sub(s, p));
}

/** a − b, canonical: d or d + p, whichever is smaller as an unsigned number. */
// @ts-ignore: decorator
@inline
export function subResidues(a: v128, b: v128, p: v128): v128 {
  const d = i32x4.sub(a, b);
  return i32x4.min_u(d, i32x4.add(d, p));
}

/** The lower words of two u64x2, or the upper ones. */
// @ts-ignore: decorator
@inline
function lowWords(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 0, 2, 4, 6);
}

// @ts-ignore: decorator
@inline
function highWords(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 1, 3, 5, 7);
}

/**
 * The canonical residues congruent to (high·2^32 + acc) / 2^64, four of them; n = −1/p mod 2^32, acc < 2^32.
 *
 * Step one: m = acc·n mod 2^32 makes acc + m·p divisible by 2^32, and t = (acc + m·p)/2^32 ≤ p. u = high + t < 2^63.
 * Step two likewise: (u + m'·p)/2^32 < u/2^32 + p. high grows by less than 2^32 a fold and there are fewer than p − 1
 * folds (fields/reduction.ts), so that is below 2p, and one subtraction makes it canonical.
 */
export function fromSums(acc0: v128, acc1: v128, high0: v128, high1: v128, p: v128, n: v128): v128 {
  const m = i32x4.mul(lowWords(acc0, acc1), n);
  const u0 = i64x2.add(high0, i64x2.shr_u(i64x2.add(acc0, i64x2.extmul_low_i32x4_u(m, p)), 32));
  const u1 = i64x2.add(high1, i64x2.shr_u(i64x2.add(acc1, i64x2.extmul_high_i32x4_u(m, p)), 32));
  const m2 = i32x4.mul(lowWords(u0, u1), n);
  const r = highWords(
    i64x2.add(u0, i64x2.extmul_low_i32x4_u(m2, p)),
    i64x2.add(u1, i64x2.extmul_high_i32x4_u(m2, p)),
  );
  return i32x4.min_u(r, i32x4.sub(r, p));
}

/**
 * alpha·r + beta·y, canonical; alpha and beta are splats of scaled residues. Both products together stay below 2^63.
 */
export function affineU32(r: v128, alpha: v128, y: v128, beta: v128, p: v128, n: v128): v128 {
  const s0 = i64x2.add(i64x2.extmul_low_i32x4_u(r, alpha), i64x2.extmul_low_i32x4_u(y, beta));
  const s1 = i64x2.add(i64x2.extmul_high_i32x4_u(r, alpha), i64x2.extmul_high_i32x4_u(y, beta));
  const mask = i64x2.splat(0xffffffff);
  return fromSums(v128.and(s0, mask), v128.and(s1, mask), i64x2.shr_u(s0, 32), i64x2.shr_u(s1, 32), p, n);
}

/** The first `count` ≤ 8 residues of low, high. */
export function storeU32(at: usize, low: v128, high: v128, count: u32): void {
  if (count == 8) {
    v128.store(at, low);
    v128.store(at, high, 16);
    return;
  }
  if (count & 4) {
    v128.store(at, low);
    low = high;
    at += 16;
  }
  if (count & 2) {
    v128.store_lane<u64>(at, low, 0);
    low = i64x2.shuffle(low, low, 1, 1);
    at += 8;
  }
  if (count & 1) v128.store_lane<u32>(at, low, 0);
}
