/**
 * Y ← alpha·A·X + beta·Y for p < 2^16: one pass over the rows of A, a row's −1, +1 and general entries one after
 * another.
 *
 *   X, Y : u16, canonical, `width` a row          arguments: spmm-arguments.as.ts          W : walks.as.ts
 *
 * ±1 entries: a vector of 8 residues is taken as 4 words w = even + 2^16·odd. s = Σ w mod 2^32 and o = Σ odd give
 * Σ even = s − 2^16·o mod 2^32, right while the sums fit 32 bits: one shift and two additions for 8 residues.
 * General entries: u16.as.ts. A run of entries longer than its bound is folded to residues in between.
 */
import { addU16, affine, evenSum, highColumns, lowColumns, reduce, reducePacked, storePart, timesHigh, timesLow } from '../residues/u16.as';
import * as A from './spmm-arguments.as';
import { blockRowsU16 } from './spmm-blocks-u16.as';
import { ColumnsU16, columnRows } from './spmm-columns.as';
import { smallRows16, smallRows8 } from './spmm-u16-small-p.as';
import { shortRows16, shortRows8 } from './spmm-u16-units.as';

// @ts-ignore: decorator
@final
@unmanaged
export class U16 {
  rows<W>(args: usize, first: u32, last: u32): void {
    const width = load<u32>(args, A.WIDTH);
    const sums = changetype<W>(0).isCommon() ? load<u32>(args, A.SUMS) : A.ANY_SUMS;
    let column: u32 = 0;
    for (; column + 16 <= width; column += 16) {
      if (sums == A.SMALL_SUMS) smallRows16<W>(args, first, last, column);
      else if (sums == A.SHORT_SUMS) shortRows16<W>(args, first, last, column);
      else if (sums == A.GENERAL_SUMS) plainRows16<W>(args, first, last, column);
      else rows16<W>(args, first, last, column);
    }
    for (; column < width; column += 8) {
      const columns = min<u32>(8, width - column);
      if (sums == A.SMALL_SUMS) smallRows8<W>(args, first, last, column, columns);
      else if (sums == A.SHORT_SUMS) shortRows8<W>(args, first, last, column, columns);
      else if (sums == A.GENERAL_SUMS) plainRows8<W>(args, first, last, column, columns);
      else rows8<W>(args, first, last, column, columns);
    }
  }

  blocks(args: usize, first: u32, last: u32): void {
    blockRowsU16(args, first, last);
  }

  columns(args: usize, first: u32, last: u32): void {
    columnRows<ColumnsU16>(args, first, last);
  }
}

/** Columns column … column + 15 of rows first … last − 1. */
function rows16<W>(args: usize, first: u32, last: u32, column: u32): void {
  tile<W>(args, first, last, column, 16, true, false);
}

/** `count` ≤ 8 columns from `column` of rows first … last − 1; what is read behind them is not stored. */
function rows8<W>(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  tile<W>(args, first, last, column, count, false, false);
}

/** The same for general entries alone whose sums need no folding: most hashes, and most matrices of values. */
function plainRows16<W>(args: usize, first: u32, last: u32, column: u32): void {
  tile<W>(args, first, last, column, 16, true, true);
}

function plainRows8<W>(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  tile<W>(args, first, last, column, count, false, true);
}

/**
 * `two` vectors a row, or one; `plain`: general entries alone, nothing folded. Both are known where this is inlined.
 */
// @ts-ignore: decorator
@inline
function tile<W>(args: usize, first: u32, last: u32, column: u32, count: u32, two: bool, plain: bool): void {
  const walk = changetype<W>(0);
  const stride = usize(load<u32>(args, A.WIDTH)) << 1;
  const x = load<usize>(args, A.X) + (usize(column) << 1);
  const rows = load<usize>(args, A.Y) + (usize(column) << 1);
  let next = rows + usize(first) * stride;
  const p = i32x4.splat(load<i32>(args, A.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, A.MODULUS)));
  const plus = args + A.PLUS;
  const minus = args + A.MINUS;
  const general = args + A.GENERAL;
  const hasPlus = walk.hasUnits() && !plain && A.isPresent(plus);
  const hasMinus = walk.hasUnits() && !plain && A.isPresent(minus);
  const hasGeneral = plain || A.isPresent(general);
  const values = A.toValues(general);
  const terms = load<usize>(args, A.GENERAL_TERMS);
  let plusAt = hasPlus ? walk.seek(plus, first) : 0;
  let minusAt = hasMinus ? walk.seek(minus, first) : 0;
  let generalAt = hasGeneral ? walk.seek(general, first) : 0;
  for (let i = first; i < last; i++) {
    let s0 = i32x4.splat(0);
    let s1 = s0;
    let o0 = s0;
    let o1 = s0;
    if (hasMinus) {
      const end = walk.end(minus, minusAt, i);
      for (let k = minusAt; k < end; ) {
        const stop = min(end, k + load<usize>(args, A.UNIT_TERMS));
        do {
          const at = x + usize(load<u32>(walk.column(minus, k, i))) * stride;
          const x0 = v128.load(at);
          s0 = i32x4.sub(s0, x0);
          o0 = i32x4.sub(o0, i32x4.shr_u(x0, 16));
          if (two) {
            const x1 = v128.load(at, 16);
            s1 = i32x4.sub(s1, x1);
            o1 = i32x4.sub(o1, i32x4.shr_u(x1, 16));
          }
          k += 4;
        } while (k < stop);
        if (k < end) {
          s0 = reducePacked(s0, o0, p, inverse);
          o0 = i32x4.shr_u(s0, 16);
          if (two) {
            s1 = reducePacked(s1, o1, p, inverse);
            o1 = i32x4.shr_u(s1, 16);
          }
        }
      }
      minusAt = walk.next(minus, minusAt, end, i);
    }
    if (hasPlus) {
      const end = walk.end(plus, plusAt, i);
      for (let k = plusAt; k < end; ) {
        const stop = min(end, k + load<usize>(args, A.UNIT_TERMS));
        do {
          const at = x + usize(load<u32>(walk.column(plus, k, i))) * stride;
          const x0 = v128.load(at);
          s0 = i32x4.add(s0, x0);
          o0 = i32x4.add(o0, i32x4.shr_u(x0, 16));
          if (two) {
            const x1 = v128.load(at, 16);
            s1 = i32x4.add(s1, x1);
            o1 = i32x4.add(o1, i32x4.shr_u(x1, 16));
          }
          k += 4;
        } while (k < stop);
        if (k < end) {
          s0 = reducePacked(s0, o0, p, inverse);
          o0 = i32x4.shr_u(s0, 16);
          if (two) {
            s1 = reducePacked(s1, o1, p, inverse);
            o1 = i32x4.shr_u(s1, 16);
          }
        }
      }
      plusAt = walk.next(plus, plusAt, end, i);
    }
    let r0: v128;
    let r1 = s1;
    if (!hasGeneral) {
      r0 = reducePacked(s0, o0, p, inverse);
      if (two) r1 = reducePacked(s1, o1, p, inverse);
    } else {
      if (!plain) s0 = evenSum(s0, o0);
      let a0 = plain ? s0 : lowColumns(s0, o0);
      let a1 = plain ? s0 : highColumns(s0, o0);
      if (!plain) s1 = evenSum(s1, o1);
      let a2 = plain ? s1 : lowColumns(s1, o1);
      let a3 = plain ? s1 : highColumns(s1, o1);
      const end = walk.end(general, generalAt, i);
      for (let k = generalAt; k < end; ) {
        const stop = plain ? end : min(end, k + terms);
        do {
          const place = walk.value(general, values, k, i);
          const at = x + usize(load<u32>(walk.column(general, k, i))) * stride;
          const v = v128.load_splat<u32>(place);
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
          k += 4;
        } while (k < stop);
        if (plain) break;
        if (k < end) {
          a0 = reduce(a0, p, inverse);
          a1 = reduce(a1, p, inverse);
          if (two) {
            a2 = reduce(a2, p, inverse);
            a3 = reduce(a3, p, inverse);
          }
        }
      }
      generalAt = walk.next(general, generalAt, end, i);
      r0 = i16x8.narrow_i32x4_u(reduce(a0, p, inverse), reduce(a1, p, inverse));
      if (two) r1 = i16x8.narrow_i32x4_u(reduce(a2, p, inverse), reduce(a3, p, inverse));
    }
    const y = walk.isOrdered() ? rows + usize(A.rowAt(args, i)) * stride : next;
    const ending = load<u32>(args, A.AFFINE);
    if (ending == A.ADD) {
      const modulus = i16x8.splat(load<u16>(args, A.MODULUS));
      r0 = addU16(r0, v128.load(y), modulus);
      if (two) r1 = addU16(r1, v128.load(y, 16), modulus);
    } else if (ending) {
      const alpha = load<u32>(args, A.ALPHA);
      const beta = load<u32>(args, A.BETA);
      r0 = affine(r0, alpha, v128.load(y), beta, load<u32>(args, A.MODULUS));
      if (two) r1 = affine(r1, alpha, v128.load(y, 16), beta, load<u32>(args, A.MODULUS));
    }
    if (count < 8) storePart(y, r0, count);
    else v128.store(y, r0);
    if (two) v128.store(y, r1, 16);
    next += stride;
  }
}
