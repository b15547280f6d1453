/**
 * Y ← alpha·A·X + beta·Y for p < 2^16 where A has general entries alone, in one format, and rows so short that their sums need no
 * reduction before the end: most hashes, and most matrices of values.
 *
 *   arguments: spmm-arguments.as.ts      arithmetic: u16.as.ts
 *
 * What a row takes beside its entries is felt where they are few: 6545 rows of 2, as EX5's hash has, take 56 us instead of spmm-narrow's
 * 69 at width 16, 34 instead of 58 at width 8, 10000 rows of 20 as long as there and 207 instead of 232 (Zen 4 EPYC, one thread, 2026-11).
 */
import { affine, reduce, storePart, timesHigh, timesLow } from '../residues/u16.as';
import * as A from './spmm-arguments.as';

/** Where the indices of row `first` begin. */
// @ts-ignore: decorator
@inline
function beginning(part: usize, pointers: usize, first: u32): usize {
  return pointers ? A.restFirst(part, pointers, first) : A.mainFirst(part, first);
}

/** What leads from an index to its value. */
// @ts-ignore: decorator
@inline
function toValues(part: usize, pointers: usize): usize {
  return pointers ? A.restValues(part) : A.mainValues(part);
}

/** Where the indices of row i end, which begin at k. */
// @ts-ignore: decorator
@inline
function ending(part: usize, pointers: usize, k: usize, i: u32): usize {
  return pointers ? A.restEnd(part, pointers, i) : A.mainEnd(part, k, i);
}

/** Where those of the next row begin: what ELL_R leaves free lies between. */
// @ts-ignore: decorator
@inline
function following(part: usize, pointers: usize, k: usize, end: usize): usize {
  return pointers ? end : k + (load<usize>(part, A.MAIN_WIDTH) << 2);
}

/** Columns column … column + 15 of rows first … last − 1. */
export function generalRows16(args: usize, first: u32, last: u32, column: u32): void {
  generalRows(args, first, last, column, 16, true);
}

/** `count` ≤ 8 columns from `column` of rows first … last − 1; what is read behind them is not stored. */
export function generalRows8(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  generalRows(args, first, last, column, count, false);
}

/** `two` vectors a row, or one: known where this is inlined. */
// @ts-ignore: decorator
@inline
function generalRows(args: usize, first: u32, last: u32, column: u32, count: u32, two: bool): void {
  const stride = usize(load<u32>(args, A.WIDTH)) << 1;
  const x = load<usize>(args, A.X) + (usize(column) << 1);
  let y = load<usize>(args, A.Y) + (usize(column) << 1) + usize(first) * stride;
  const modulus = load<u32>(args, A.MODULUS);
  const p = i32x4.splat(modulus);
  const inverse = f32x4.splat(f32(1) / f32(modulus));
  const scaled = load<u32>(args, A.AFFINE);
  const alpha = load<u32>(args, A.ALPHA);
  const beta = load<u32>(args, A.BETA);
  const part = args + A.GENERAL;
  const pointers = load<usize>(part, A.REST_POINTERS);
  const values = toValues(part, pointers);
  let start = beginning(part, pointers, first);
  for (let i = first; i < last; i++) {
    let a0 = i32x4.splat(0);
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    const end = ending(part, pointers, start, i);
    for (let k = start; k < end; k += 4) {
      const at = x + usize(load<u32>(k)) * stride;
      const v = v128.load_splat<u32>(values + k);
      if (two) {
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(v128.load_ext<u8>(at), v));
        a1 = i32x4.add(a1, i32x4.dot_i16x8_s(v128.load_ext<u8>(at, 8), v));
        a2 = i32x4.add(a2, i32x4.dot_i16x8_s(v128.load_ext<u8>(at, 16), v));
        a3 = i32x4.add(a3, i32x4.dot_i16x8_s(v128.load_ext<u8>(at, 24), v));
      } else {
        const x0 = v128.load(at);
        a0 = i32x4.add(a0, timesLow(x0, v));
        a1 = i32x4.add(a1, timesHigh(x0, v));
      }
    }
    start = following(part, pointers, start, end);
    let r0 = i16x8.narrow_i32x4_u(reduce(a0, p, inverse), reduce(a1, p, inverse));
    if (scaled) r0 = affine(r0, alpha, v128.load(y), beta, modulus);
    if (count < 8) storePart(y, r0, count);
    else v128.store(y, r0);
    if (two) {
      let r1 = i16x8.narrow_i32x4_u(reduce(a2, p, inverse), reduce(a3, p, inverse));
      if (scaled) r1 = affine(r1, alpha, v128.load(y, 16), beta, modulus);
      v128.store(y, r1, 16);
    }
    y += stride;
  }
}
