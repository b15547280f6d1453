/**
 * Y ← alpha·A·X + beta·Y for p < 2^16: one pass over the rows of A, a row's −1, +1 and general entries one after another.
 *
 *   X, Y : u16, canonical, `width` a row          arguments: spmm-arguments.as.ts
 *
 * ±1 entries: a vector of 8 residues is taken as 4 words w = even + 2^16·odd. s = Σ w mod 2^32 and o = Σ odd give
 * Σ even = s − 2^16·o mod 2^32, right while the sums fit 32 bits: one shift and two additions for 8 residues. The −1
 * entries come first, then s and o change sign, so that both loops add.
 * General entries: u16.as.ts. A run of entries longer than its bound is folded to residues in between.
 */
import { takeChunk } from '../threads/chunks.as';
import { affine, evenSum, highColumns, lowColumns, packed, reduce, storePart, timesHigh, timesLow } from '../residues/u16.as';
import * as A from './spmm-arguments.as';
import { generalRows16, generalRows8 } from './spmm-u16-general.as';
import { shortRows16, shortRows8 } from './spmm-u16-units.as';
import { smallRows16, smallRows8 } from './spmm-u16-small-p.as';
import { prefetchRows } from './prefetch.as';

export function spmmU16(thread: i32, threads: i32, args: usize): void {
  const chunks = load<usize>(args, A.CHUNKS);
  const count = load<u32>(args, A.CHUNK_COUNT);
  for (;;) {
    const chunk = takeChunk(thread, threads, count);
    if (chunk < 0) return;
    const last = load<u32>(chunks + usize(chunk) * 4 + 4);
    rowsU16(args, load<u32>(chunks + usize(chunk) * 4), last);
  }
}

/** Rows first … last − 1, in order: a row may gather what an earlier one has stored (triangular-solve.as.ts). */
export function rowsU16(args: usize, first: u32, last: u32): void {
  const width = load<u32>(args, A.WIDTH);
  const sums = load<u32>(args, A.SUMS);
  for (let i = first; i < last; i += A.ROWS_TOGETHER) {
    const end = min(last, i + A.ROWS_TOGETHER);
    if (load<u32>(args, A.ROW_BYTES)) prefetchRows(args, i, end);
    let column: u32 = 0;
    for (; column + 16 <= width; column += 16) {
      if (sums == A.SMALL_SUMS) smallRows16(args, i, end, column);
      else if (sums == A.SHORT_SUMS) shortRows16(args, i, end, column);
      else if (sums == A.GENERAL_SUMS) generalRows16(args, i, end, column);
      else rows16(args, i, end, column);
    }
    for (; column < width; column += 8) {
      const columns = min<u32>(8, width - column);
      if (sums == A.SMALL_SUMS) smallRows8(args, i, end, column, columns);
      else if (sums == A.SHORT_SUMS) shortRows8(args, i, end, column, columns);
      else if (sums == A.GENERAL_SUMS) generalRows8(args, i, end, column, columns);
      else rows8(args, i, end, column, columns);
    }
  }
}

/** Columns column … column + 15 of rows first … last − 1. */
function rows16(args: usize, first: u32, last: u32, column: u32): void {
  const stride = usize(load<u32>(args, A.WIDTH)) << 1;
  const x = load<usize>(args, A.X) + (usize(column) << 1);
  let y = load<usize>(args, A.Y) + (usize(column) << 1) + usize(first) * stride;
  const p = i32x4.splat(load<i32>(args, A.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, A.MODULUS)));
  const hasPlus = A.present(args + A.PLUS);
  const hasMinus = A.present(args + A.MINUS);
  const hasGeneral = A.present(args + A.GENERAL);
  for (let i = first; i < last; i++) {
    let s0 = i32x4.splat(0);
    let s1 = s0;
    let o0 = s0;
    let o1 = s0;
    for (let part = A.MINUS; part >= A.PLUS; part -= A.PART_BYTES) {
      if (part == A.MINUS) {
        if (!hasMinus) continue;
      } else {
        if (hasMinus) {
          s0 = i32x4.neg(s0);
          s1 = i32x4.neg(s1);
          o0 = i32x4.neg(o0);
          o1 = i32x4.neg(o1);
        }
        if (!hasPlus) break;
      }
      let rest = load<usize>(args + part, A.REST_POINTERS);
      let k = A.mainFirst(args + part, i);
      let end = A.mainEnd(args + part, k, i);
      for (;;) {
        while (k < end) {
          const stop = min(end, k + load<usize>(args, A.UNIT_TERMS));
          for (; k < stop; k += 4) {
            const at = x + usize(load<u32>(k)) * stride;
            const x0 = v128.load(at);
            const x1 = v128.load(at, 16);
            s0 = i32x4.add(s0, x0);
            o0 = i32x4.add(o0, i32x4.shr_u(x0, 16));
            s1 = i32x4.add(s1, x1);
            o1 = i32x4.add(o1, i32x4.shr_u(x1, 16));
          }
          if (k < end) {
            s0 = packed(s0, o0, p, inverse);
            s1 = packed(s1, o1, p, inverse);
            o0 = i32x4.shr_u(s0, 16);
            o1 = i32x4.shr_u(s1, 16);
          }
        }
        if (!rest) break;
        k = A.restFirst(args + part, rest, i);
        end = A.restEnd(args + part, rest, i);
        rest = 0;
      }
    }
    let r0: v128;
    let r1: v128;
    if (!hasGeneral) {
      r0 = packed(s0, o0, p, inverse);
      r1 = packed(s1, o1, p, inverse);
    } else {
      s0 = evenSum(s0, o0);
      s1 = evenSum(s1, o1);
      let a0 = lowColumns(s0, o0);
      let a1 = highColumns(s0, o0);
      let a2 = lowColumns(s1, o1);
      let a3 = highColumns(s1, o1);
      let rest = load<usize>(args, A.GENERAL + A.REST_POINTERS);
      let k = A.mainFirst(args + A.GENERAL, i);
      let values = A.mainValues(args + A.GENERAL);
      let end = A.mainEnd(args + A.GENERAL, k, i);
      for (;;) {
        while (k < end) {
          const stop = min(end, k + load<usize>(args, A.GENERAL_TERMS));
          for (; k < stop; k += 4) {
            const at = x + usize(load<u32>(k)) * stride;
            const v = v128.load_splat<u32>(values + k);
            a0 = i32x4.add(a0, i32x4.dot_i16x8_s(v128.load_ext<u8>(at), v));
            a1 = i32x4.add(a1, i32x4.dot_i16x8_s(v128.load_ext<u8>(at, 8), v));
            a2 = i32x4.add(a2, i32x4.dot_i16x8_s(v128.load_ext<u8>(at, 16), v));
            a3 = i32x4.add(a3, i32x4.dot_i16x8_s(v128.load_ext<u8>(at, 24), v));
          }
          if (k < end || rest) {
            a0 = reduce(a0, p, inverse);
            a1 = reduce(a1, p, inverse);
            a2 = reduce(a2, p, inverse);
            a3 = reduce(a3, p, inverse);
          }
        }
        if (!rest) break;
        k = A.restFirst(args + A.GENERAL, rest, i);
        end = A.restEnd(args + A.GENERAL, rest, i);
        values = A.restValues(args + A.GENERAL);
        rest = 0;
      }
      r0 = i16x8.narrow_i32x4_u(reduce(a0, p, inverse), reduce(a1, p, inverse));
      r1 = i16x8.narrow_i32x4_u(reduce(a2, p, inverse), reduce(a3, p, inverse));
    }
    if (load<u32>(args, A.AFFINE)) {
      const alpha = load<u32>(args, A.ALPHA);
      const beta = load<u32>(args, A.BETA);
      r0 = affine(r0, alpha, v128.load(y), beta, load<u32>(args, A.MODULUS));
      r1 = affine(r1, alpha, v128.load(y, 16), beta, load<u32>(args, A.MODULUS));
    }
    v128.store(y, r0);
    v128.store(y, r1, 16);
    y += stride;
  }
}

/** `count` ≤ 8 columns from `column` of rows first … last − 1; what is read behind them is not stored. */
function rows8(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  const stride = usize(load<u32>(args, A.WIDTH)) << 1;
  const x = load<usize>(args, A.X) + (usize(column) << 1);
  let y = load<usize>(args, A.Y) + (usize(column) << 1) + usize(first) * stride;
  const p = i32x4.splat(load<i32>(args, A.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, A.MODULUS)));
  const firstPart = A.present(args + A.MINUS) ? A.MINUS : A.PLUS;
  for (let i = first; i < last; i++) {
    let s = i32x4.splat(0);
    let o = s;
    for (let part = firstPart; part >= A.PLUS; part -= A.PART_BYTES) {
      s = i32x4.neg(s);
      o = i32x4.neg(o);
      let rest = load<usize>(args + part, A.REST_POINTERS);
      let k = A.mainFirst(args + part, i);
      let end = A.mainEnd(args + part, k, i);
      for (;;) {
        while (k < end) {
          const stop = min(end, k + load<usize>(args, A.UNIT_TERMS));
          for (; k < stop; k += 4) {
            const x0 = v128.load(x + usize(load<u32>(k)) * stride);
            s = i32x4.add(s, x0);
            o = i32x4.add(o, i32x4.shr_u(x0, 16));
          }
          if (k < end) {
            s = packed(s, o, p, inverse);
            o = i32x4.shr_u(s, 16);
          }
        }
        if (!rest) break;
        k = A.restFirst(args + part, rest, i);
        end = A.restEnd(args + part, rest, i);
        rest = 0;
      }
    }
    s = evenSum(s, o);
    let low = lowColumns(s, o);
    let high = highColumns(s, o);
    let rest = load<usize>(args, A.GENERAL + A.REST_POINTERS);
    let k = A.mainFirst(args + A.GENERAL, i);
    let values = A.mainValues(args + A.GENERAL);
    let end = A.mainEnd(args + A.GENERAL, k, i);
    for (;;) {
      while (k < end) {
        const stop = min(end, k + load<usize>(args, A.GENERAL_TERMS));
        for (; k < stop; k += 4) {
          const x0 = v128.load(x + usize(load<u32>(k)) * stride);
          const v = v128.load_splat<u32>(values + k);
          low = i32x4.add(low, timesLow(x0, v));
          high = i32x4.add(high, timesHigh(x0, v));
        }
        if (k < end || rest) {
          low = reduce(low, p, inverse);
          high = reduce(high, p, inverse);
        }
      }
      if (!rest) break;
      k = A.restFirst(args + A.GENERAL, rest, i);
      end = A.restEnd(args + A.GENERAL, rest, i);
      values = A.restValues(args + A.GENERAL);
      rest = 0;
    }
    let r = i16x8.narrow_i32x4_u(reduce(low, p, inverse), reduce(high, p, inverse));
    if (load<u32>(args, A.AFFINE)) {
      r = affine(r, load<u32>(args, A.ALPHA), v128.load(y), load<u32>(args, A.BETA), load<u32>(args, A.MODULUS));
    }
    if (count == 8) v128.store(y, r);
    else storePart(y, r, count);
    y += stride;
  }
}
