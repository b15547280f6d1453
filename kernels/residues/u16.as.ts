/**
 * Arithmetic mod p < 2^16 in packed lanes.
 *
 *   residues   u16x8, canonical          sums   i32x4, any congruent number within largestI32Sum of fields/reduction.ts
 *   pair(v)    one u32: the low 16 bits are v, the high ones 256·v mod p, both signed and balanced; made here, up to
 *              `magnitudeAfterReduction` of fields/quotients.ts
 *
 * x·v for x = lo + 256·hi is lo·v + hi·(256·v mod p): bytes of x beside each other in 16-bit lanes, times pair(v), are
 * one i32x4.dot_i16x8_s. Proofs of the bounds: fields/reduction.ts.
 */
import * as L from './multipliers-layout';

/** 1.5·2^23: adding it to an f32 of magnitude < 2^22 rounds it to an integer, found in the low bits. */
export const MAGIC: f32 = 12582912;
export const MAGIC_BITS: i32 = 0x4b400000;

/** The canonical residue of each |acc| < 2^21·p, by the rounded f32 quotient and one correction. */
// @ts-ignore: decorator
@inline
export function reduce(acc: v128, p: v128, inverse: v128): v128 {
  const r = balance(acc, p, inverse);
  return i32x4.min_u(r, i32x4.add(r, p));
}

/** The residue before that correction: |r| ≤ p/2 + 3·2^-24·|acc|. */
// @ts-ignore: decorator
@inline
export function balance(acc: v128, p: v128, inverse: v128): v128 {
  const quotient = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(acc), inverse), f32x4.splat(MAGIC));
  return i32x4.sub(acc, i32x4.mul(i32x4.sub(quotient, i32x4.splat(MAGIC_BITS)), p));
}

/** Residues 0 … 3 of x times pair(v). */
// @ts-ignore: decorator
@inline
export function timesLow(x: v128, pair: v128): v128 {
  return i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(x), pair);
}

/** Residues 4 … 7 of x times pair(v). */
// @ts-ignore: decorator
@inline
export function timesHigh(x: v128, pair: v128): v128 {
  return i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(x), pair);
}

/** Σ even from s = Σ (even + 2^16·odd) and o = Σ odd. */
// @ts-ignore: decorator
@inline
export function evenSum(s: v128, o: v128): v128 {
  return i32x4.sub(s, i32x4.shl(o, 16));
}

/** Columns 0 … 3 of the sums in even and odd order. */
// @ts-ignore: decorator
@inline
export function lowColumns(even: v128, odd: v128): v128 {
  return i32x4.shuffle(even, odd, 0, 4, 1, 5);
}

// @ts-ignore: decorator
@inline
export function highColumns(even: v128, odd: v128): v128 {
  return i32x4.shuffle(even, odd, 2, 6, 3, 7);
}

/** Residues congruent to the sums, packed as a vector of the block vector is. */
// @ts-ignore: decorator
@inline
export function reducePacked(s: v128, o: v128, p: v128, inverse: v128): v128 {
  return v128.or(reduce(evenSum(s, o), p, inverse), i32x4.shl(reduce(o, p, inverse), 16));
}

/**
 * a − b mod p of canonical residues in 16-bit lanes: min(a − b mod 2^16, p − max(b − a, 0)), as unsigned numbers. For
 * a ≥ b the first is a − b < p and the second p; for a < b the second is the residue and the first 2^16 − p more.
 */
// @ts-ignore: decorator
@inline
export function subU16(a: v128, b: v128, p: v128): v128 {
  return i16x8.min_u(i16x8.sub(a, b), i16x8.sub(p, i16x8.sub_sat_u(b, a)));
}

/** a + b = a − (p − b), which holds for b = p too. */
// @ts-ignore: decorator
@inline
export function addU16(a: v128, b: v128, p: v128): v128 {
  return subU16(a, i16x8.sub(p, b), p);
}

/** alpha·r + beta·y, canonical; alpha and beta are pairs. */
export function affine(r: v128, alpha: u32, y: v128, beta: u32, modulus: u32): v128 {
  const p = i32x4.splat(modulus);
  const inverse = f32x4.splat(f32(1) / f32(modulus));
  const a = i32x4.splat(alpha);
  const b = i32x4.splat(beta);
  const low = i32x4.add(timesLow(r, a), timesLow(y, b));
  const high = i32x4.add(timesHigh(r, a), timesHigh(y, b));
  return i16x8.narrow_i32x4_u(reduce(low, p, inverse), reduce(high, p, inverse));
}

/** The first `count` < 8 residues of v. */
// @ts-ignore: decorator
@inline
export function storePart(at: usize, v: v128, count: u32): void {
  if (count & 4) {
    v128.store_lane<u64>(at, v, 0);
    v = i64x2.shuffle(v, v, 1, 1);
    at += 8;
  }
  if (count & 2) {
    v128.store_lane<u32>(at, v, 0);
    v = i64x2.shr_u(v, 32);
    at += 4;
  }
  if (count & 1) v128.store_lane<u16>(at, v, 0);
}

/** pair(v) of four residues, i32x4. */
// @ts-ignore: decorator
@inline
export function pairs(v: v128, p: v128, inverse: v128): v128 {
  const b256 = i32x4.shl(balance(i32x4.shl(v, 8), p, inverse), 16);
  return v128.or(v128.and(balance(v, p, inverse), i32x4.splat(0xffff)), b256);
}

/** pair(v) of residues, for operations whose factors live on the device. */
export function pairsU16(thread: i32, threads: i32, args: usize): void {
  const from = load<usize>(args, L.PAIRS_SOURCE);
  const to = load<usize>(args, L.PAIRS_TO);
  const count = load<u32>(args, L.PAIRS_COUNT);
  const p = i32x4.splat(load<i32>(args, L.PAIRS_MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, L.PAIRS_MODULUS)));
  // Whole vectors of 4: both arrays have room behind their end.
  const vectors = (count + 3) >> 2;
  const first = u32((u64(vectors) * u64(thread)) / u64(threads));
  const last = u32((u64(vectors) * u64(thread + 1)) / u64(threads));
  for (let t = first; t < last; t++) {
    v128.store(to + usize(t) * 16, pairs(v128.load_ext<u16>(from + usize(t) * 8), p, inverse));
  }
}
