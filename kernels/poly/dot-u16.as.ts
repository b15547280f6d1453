/**
 * Sums of products mod an odd p < 2^16 for the base case of sigma-basis, canonical in and out, by products of 16-bit
 * lanes.
 *
 *   to[k] += Σ_j c_j·y_j[k]     c_j = c_j1·2^8 + c_j0, plain residues, digits in 0 … 255
 *
 * Two rows y share a vector, one's residues in the low halves of its lanes, the other's in the high ones; flipping the
 * highest bit of a half makes y − 2^15 of y, and dot adds both rows' products. So Σ c_j0·y_j and Σ c_j1·y_j come out as
 * dot(…) + 2^15·Σ c_j, each in [0, MOST_TERMS·2^24). With L and H for the two sums,
 *
 *   t = (H + floor(L / 2^8)) mod± p,   to + t·2^8 + L mod 2^8
 *
 * where mod± leaves |t| ≤ 0.51·p (reduceSum: a quotient below 2^15 errs by less than 2^15·3·2^-24 < 0.01 before it is
 * rounded), so that the second sum is below 2^24: single precision holds it, its quotient errs by less than 2^8·2^-23,
 * and what reduceSum leaves of it is above −p and below p.
 */
import { F_BIAS, F_DIGIT_RECIPROCAL, F_P, F_TABLES } from '../residues/field-layout';
import { TILE } from './mbasis-layout';
import { reduceSum } from './mul-ntt-u16.as';

/** Products in one sum, within digitProductsBeforeReduction of fields/reduction.ts. */
const MOST_TERMS: i32 = 64;

/** Whether sums of so many products can go by digits. */
export function hasDigits(field: usize, terms: i32): bool {
  return load<u32>(field, F_TABLES) == 0 && load<u32>(field, F_DIGIT_RECIPROCAL) != 0 && terms <= MOST_TERMS;
}

/** Words that writeDigits makes. */
export function digitWords(terms: i32): i32 {
  return 2 + ((terms + 1) & ~1);
}

/** 2^15·Σ of the low digits, of the high ones, then a word of each for two factors: their digits as 16-bit lanes. */
export function writeDigits(out: usize, factors: usize, terms: i32): void {
  let low: u32 = 0;
  let high: u32 = 0;
  for (let j = 0; j < terms; j += 2) {
    const at = factors + (<usize>j << 2);
    const both = load<u32>(at) | (j + 1 < terms ? load<u32>(at, 4) << 16 : 0);
    const lows = both & 0xff00ff;
    const highs = (both >> 8) & 0xff00ff;
    store<u32>(out + (<usize>j << 2), lows, 8);
    store<u32>(out + (<usize>j << 2), highs, 12);
    low += lows;
    high += highs;
  }
  // Sums of halves stay below 2^16: MOST_TERMS/2 of 255.
  store<u32>(out, ((low & 0xffff) + (low >> 16)) << 15);
  store<u32>(out, ((high & 0xffff) + (high >> 16)) << 15, 4);
}

/**
 * Pairs of rows as halves y − 2^15, `count` ≤ TILE vectors from `offset` bytes on, the runs of the pairs TILE vectors
 * apart.
 */
export function pairRows(out: usize, rows: usize, terms: i32, offset: usize, count: i32): void {
  const flip = i16x8.splat(-32768);
  const end = <usize>count << 4;
  for (let j = 0; j < terms; j += 2, out += <usize>TILE << 4) {
    const x = <usize>load<u32>(rows + (<usize>j << 2)) + offset;
    // Beside an odd last row stands itself, times 0.
    const y = j + 1 == terms ? x : <usize>load<u32>(rows + (<usize>j << 2), 4) + offset;
    for (let at: usize = 0; at < end; at += 16) {
      v128.store(out + at, v128.xor(v128.or(v128.load(x + at), i32x4.shl(v128.load(y + at), 16)), flip));
    }
  }
}

/** to + H·2^8 + L mod p. */
// @ts-ignore: decorator
@inline
function fold(to: v128, l: v128, h: v128, reciprocal: v128, p: v128, bias: v128): v128 {
  const t = reduceSum(i32x4.add(h, i32x4.shr_u(l, 8)), reciprocal, p, bias);
  const sum = i32x4.add(i32x4.add(to, i32x4.shl(t, 8)), v128.and(l, i32x4.splat(255)));
  const r = reduceSum(sum, reciprocal, p, bias);
  return i32x4.add(r, v128.and(p, i32x4.shr_s(r, 31)));
}

/** to += Σ_j c_j·y_j for `count` vectors of pairRows and factors of writeDigits. */
export function addPairs(to: usize, digits: usize, pairs: usize, terms: i32, count: i32, field: usize): void {
  const startLow = v128.load32_splat(digits);
  const startHigh = v128.load32_splat(digits, 4);
  const p = v128.load32_splat(field, F_P);
  const reciprocal = v128.load32_splat(field, F_DIGIT_RECIPROCAL);
  const bias = v128.load32_splat(field, F_BIAS);
  const runs = <usize>((terms + 1) >> 1) * (<usize>TILE << 4);
  // Two vectors at a time; an odd last one is computed twice and stored twice.
  for (let i = 0; i < count; i += 2) {
    const next: usize = i + 1 < count ? 16 : 0;
    let low0 = startLow;
    let high0 = startHigh;
    let low1 = startLow;
    let high1 = startHigh;
    const first = pairs + (<usize>i << 4);
    let c = digits + 8;
    for (let pair = first; pair < first + runs; pair += <usize>TILE << 4, c += 8) {
      const cLow = v128.load32_splat(c);
      const cHigh = v128.load32_splat(c, 4);
      const y0 = v128.load(pair);
      low0 = i32x4.add(low0, i32x4.dot_i16x8_s(y0, cLow));
      high0 = i32x4.add(high0, i32x4.dot_i16x8_s(y0, cHigh));
      const y1 = v128.load(pair + next);
      low1 = i32x4.add(low1, i32x4.dot_i16x8_s(y1, cLow));
      high1 = i32x4.add(high1, i32x4.dot_i16x8_s(y1, cHigh));
    }
    const target = to + (<usize>i << 4);
    const result1 = fold(v128.load(target + next), low1, high1, reciprocal, p, bias);
    const result0 = fold(v128.load(target), low0, high0, reciprocal, p, bias);
    v128.store(target + next, result1);
    v128.store(target, result0);
  }
}
