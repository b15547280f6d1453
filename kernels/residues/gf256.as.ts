/**
 * Arithmetic of GF(2^k), k ≤ 8, on 16 elements at a time, a byte each: an element is the code Σ c_i·2^i of its
 * polynomial.
 *
 *   x + y : exclusive or
 *   v·x   : linear in the bits of x, so v·x = v·(x & 15) + v·(x & 240): two look-ups in the table of v, 32 bytes at
 *           tables + 32·v, v·t for t < 16 and then v·16·t (kernels/residues/storage.ts makes it)
 */

/** Bytes of the table of one factor, as a shift. */
export const TABLE_SHIFT: usize = 5;

/** x times the factor that `table` belongs to. */
// @ts-ignore: decorator
@inline
export function timesTable(x: v128, table: usize): v128 {
  const four = i8x16.splat(15);
  const low = v128.swizzle(v128.load(table), v128.and(x, four));
  return v128.xor(low, v128.swizzle(v128.load(table, 16), v128.and(i16x8.shr_u(x, 4), four)));
}

/** sum + v·x for the halves of x and the table of v. */
// @ts-ignore: decorator
@inline
export function plusProduct(sum: v128, low: v128, high: v128, table: usize): v128 {
  return v128.xor(sum, v128.xor(v128.swizzle(v128.load(table), low), v128.swizzle(v128.load(table, 16), high)));
}

/** x times the code at `factor`. */
// @ts-ignore: decorator
@inline
export function timesCode(x: v128, factor: usize, tables: usize): v128 {
  return timesTable(x, tables + (usize(load<u8>(factor)) << TABLE_SHIFT));
}

/** The first `count` ≤ 16 codes of v. */
// @ts-ignore: decorator
@inline
export function storeGf256(at: usize, v: v128, count: u32): void {
  if (count == 16) {
    v128.store(at, v);
    return;
  }
  if (count & 8) {
    v128.store_lane<u64>(at, v, 0);
    v = i64x2.shuffle(v, v, 1, 1);
    at += 8;
  }
  if (count & 4) {
    v128.store_lane<u32>(at, v, 0);
    v = i64x2.shr_u(v, 32);
    at += 4;
  }
  if (count & 2) {
    v128.store_lane<u16>(at, v, 0);
    v = i64x2.shr_u(v, 16);
    at += 2;
  }
  if (count & 1) v128.store_lane<u8>(at, v, 0);
}
