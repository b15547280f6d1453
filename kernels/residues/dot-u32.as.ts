/**
 * The field arithmetic of the base case, and sums of products mod p in four 32-bit lanes, for any prime p < 2^31,
 * canonical in and out.
 *
 *   t = Σ c_j·y_j in 64 bits     REDC(t) = t·2^-32 mod p     (Montgomery 1985)
 *
 * With c_j stored as c·2^32 mod p the sum comes out plain. A sum runs over `run` products before it is brought back by
 * K = run·p²: the accumulator starts at −K, stays in [−K, K) and loses K whenever it is not negative
 * (runBeforeCorrection of fields/reduction.ts).
 * p = 2 has no inverse mod 2^32; with 2^31 in its place REDC(t) = t mod 2 for t < 2^32, and 1 stands for 2^32.
 */
import { F_K, F_ONE, F_P, F_PINV, F_RUN, F_TABLES } from './field-layout';
import { addByTables, combineByTables, invertByTables, negateByTables, timesByTables } from './gfq-tables.as';

/** a·b·2^-32 mod p. */
// @ts-ignore: decorator
@inline
export function mulMontgomery(a: u32, b: u32, p: u32, pinv: u32): u32 {
  const t = <u64>a * <u64>b;
  const m = <u32>t * pinv;
  const r = <u32>(t >> 32) - <u32>((<u64>m * <u64>p) >> 32);
  return min<u32>(r, r + p);
}

/** −a. */
// @ts-ignore: decorator
@inline
export function negate(a: u32, field: usize): u32 {
  if (load<u32>(field, F_TABLES) != 0) return negateByTables(a, field);
  return a == 0 ? 0 : load<u32>(field, F_P) - a;
}

/** a·b of factors of `combine`. */
export function product(a: u32, b: u32, field: usize): u32 {
  if (load<u32>(field, F_TABLES) != 0) return timesByTables(a, b, field);
  return mulMontgomery(a, b, load<u32>(field, F_P), load<u32>(field, F_PINV));
}

/** The inverse, in the form that a has. */
// @ts-ignore: decorator
@inline
export function invert(a: u32, field: usize): u32 {
  return load<u32>(field, F_TABLES) != 0 ? invertByTables(a, field) : invMontgomery(a, field);
}

/** The inverse of a Montgomery residue, as one: a^(p−2). */
export function invMontgomery(a: u32, field: usize): u32 {
  const p = load<u32>(field, F_P);
  const pinv = load<u32>(field, F_PINV);
  let result = load<u32>(field, F_ONE);
  let base = a;
  for (let e = p - 2; e != 0; e >>= 1) {
    if (e & 1) result = mulMontgomery(result, base, p, pinv);
    base = mulMontgomery(base, base, p, pinv);
  }
  return result;
}

/** The inverse of a Montgomery residue as a plain one. */
export function invertPlain(a: u32, field: usize): u32 {
  return mulMontgomery(invMontgomery(a, field), 1, load<u32>(field, F_P), load<u32>(field, F_PINV));
}

/** REDC of four sums given as two pairs of 64-bit lanes, each in [0, 2^32·p). */
// @ts-ignore: decorator
@inline
export function reduceLanes(low: v128, high: v128, p: v128, pinv: v128): v128 {
  const m = i32x4.mul(v128.shuffle<i32>(low, high, 0, 2, 4, 6), pinv);
  const mp = v128.shuffle<i32>(i64x2.extmul_low_i32x4_u(m, p), i64x2.extmul_high_i32x4_u(m, p), 1, 3, 5, 7);
  const r = i32x4.sub(v128.shuffle<i32>(low, high, 1, 3, 5, 7), mp);
  return i32x4.min_u(r, i32x4.add(r, p));
}

/** t − K where t ≥ 0, for t in [−K, K). */
// @ts-ignore: decorator
@inline
export function lower(t: v128, k: v128): v128 {
  return i64x2.sub(t, v128.andnot(k, i64x2.lt_s(t, i64x2.splat(0))));
}

/** x + y mod p of canonical lanes. */
// @ts-ignore: decorator
@inline
export function addLanes(x: v128, y: v128, p: v128): v128 {
  const s = i32x4.add(x, y);
  return i32x4.min_u(s, i32x4.sub(s, p));
}

/**
 * count vectors from `to` on: to[k] += Σ_{j < terms} c_j·row_j[k], c_j Montgomery residues at `c`, the addresses of
 * the rows at `rows`, each shifted by `offset` bytes.
 */
export function combine(to: usize, c: usize, rows: usize, terms: i32, offset: usize, count: i32, field: usize): void {
  if (load<u32>(field, F_TABLES) != 0) {
    combineByTables(to, c, rows, terms, offset, count, field);
    return;
  }
  const p = v128.load32_splat(field, F_P);
  const pinv = v128.load32_splat(field, F_PINV);
  const k = v128.load64_splat(field, F_K);
  const start = i64x2.neg(k);
  const run = load<i32>(field, F_RUN);
  // Two vectors at a time; an odd last one is computed twice and stored twice.
  for (let i = 0; i < count; i += 2) {
    const at = offset + (<usize>i << 4);
    const next: usize = i + 1 < count ? 16 : 0;
    let low0 = start;
    let high0 = start;
    let low1 = start;
    let high1 = start;
    let j = 0;
    while (true) {
      const end = min(terms, j + run);
      for (; j < end; j++) {
        const row = <usize>load<u32>(rows + (<usize>j << 2)) + at;
        const cj = v128.load32_splat(c + (<usize>j << 2));
        const y0 = v128.load(row);
        low0 = i64x2.add(low0, i64x2.extmul_low_i32x4_u(cj, y0));
        high0 = i64x2.add(high0, i64x2.extmul_high_i32x4_u(cj, y0));
        const y1 = v128.load(row + next);
        low1 = i64x2.add(low1, i64x2.extmul_low_i32x4_u(cj, y1));
        high1 = i64x2.add(high1, i64x2.extmul_high_i32x4_u(cj, y1));
      }
      // Each stretch leaves [−K, K), the last one too.
      low0 = lower(low0, k);
      high0 = lower(high0, k);
      low1 = lower(low1, k);
      high1 = lower(high1, k);
      if (j == terms) break;
    }
    const target = to + (<usize>i << 4);
    const sum1 = reduceLanes(i64x2.add(low1, k), i64x2.add(high1, k), p, pinv);
    const sum0 = reduceLanes(i64x2.add(low0, k), i64x2.add(high0, k), p, pinv);
    const result1 = addLanes(v128.load(target + next), sum1, p);
    const result0 = addLanes(v128.load(target), sum0, p);
    v128.store(target + next, result1);
    v128.store(target, result0);
  }
}

/** row ← a·row + f·y for factors a and f: count vectors. Two products stay below 2^32·p, as p < 2^31. */
export function blend(row: usize, a: u32, f: u32, y: usize, count: i32, field: usize): void {
  const end = <usize>count << 4;
  if (load<u32>(field, F_TABLES) != 0) {
    for (let at: usize = 0; at < end; at += 4) {
      const x = timesByTables(a, load<u32>(row + at), field);
      store<u32>(row + at, addByTables(x, timesByTables(f, load<u32>(y + at), field), field));
    }
    return;
  }
  const p = v128.load32_splat(field, F_P);
  const pinv = v128.load32_splat(field, F_PINV);
  const as = i32x4.splat(a);
  const fs = i32x4.splat(f);
  for (let at: usize = 0; at < end; at += 16) {
    const x = v128.load(row + at);
    const z = v128.load(y + at);
    const low = i64x2.add(i64x2.extmul_low_i32x4_u(as, x), i64x2.extmul_low_i32x4_u(fs, z));
    const high = i64x2.add(i64x2.extmul_high_i32x4_u(as, x), i64x2.extmul_high_i32x4_u(fs, z));
    v128.store(row + at, reduceLanes(low, high, p, pinv));
  }
}
