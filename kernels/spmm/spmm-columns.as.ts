/**
 * Y ← alpha·A·X + beta·Y for one part of A by columns (kernels/sparse/formats/csc.ts): each entry adds its product to a
 * row of Y, canonical before and after.
 *
 *   C : how residues of a vector register are added and multiplied      arguments: spmm-arguments.as.ts
 *   words of the part: 0 offsets of the columns      1 columns      its columns are the rows of the entries
 *
 * Rows first … last − 1 are one thread's: of each column the entries in them, which a bisection finds.
 */
import { affine, addU16, reduce, storePart, subU16, timesHigh, timesLow } from '../residues/u16.as';
import { addResidues, affineU32, fromSums, storeU32, subResidues } from '../residues/u32.as';
import { storeGf256, timesTable } from '../residues/gf256.as';
import * as A from './spmm-arguments.as';

export function columnRows<C>(args: usize, first: u32, last: u32): void {
  const c = changetype<C>(0);
  const width = load<u32>(args, A.WIDTH);
  const stride = usize(width) << c.shift();
  const y = load<usize>(args, A.Y);
  const from = y + usize(first) * stride;
  const ending = load<u32>(args, A.AFFINE);
  if (ending == A.STORE) memory.fill(from, 0, usize(last - first) * stride);
  else if (ending == A.ANY_AFFINE) {
    const size = (last - first) * width;
    for (let t: u32 = 0; t < size; t += c.lanes()) {
      const at = from + (usize(t) << c.shift());
      c.store(at, c.scale(args, v128.load(at), load<u32>(args, A.BETA)), min(c.lanes(), size - t));
    }
  }
  const sign = A.isPresent(args + A.PLUS) ? 1 : A.isPresent(args + A.MINUS) ? -1 : 0;
  const part = args + (sign > 0 ? A.PLUS : sign < 0 ? A.MINUS : A.GENERAL);
  const entries = load<usize>(part, A.COLUMNS);
  const values = A.toValues(part);
  const offsets = load<usize>(part, A.WORD_0);
  const cols = load<u32>(part, A.WORD_1);
  for (let j: u32 = 0; j < cols; j++) {
    const begin = entries + (usize(load<u32>(offsets + (usize(j) << 2))) << 2);
    const end = entries + (usize(load<u32>(offsets + (usize(j) << 2), 4)) << 2);
    const k0 = seek(begin, end, first);
    const k1 = seek(k0, end, last);
    if (k0 == k1) continue;
    for (let column: u32 = 0; column < width; column += c.lanes()) {
      const tile = usize(column) << c.shift();
      const count = min(c.lanes(), width - column);
      let x = v128.load(load<usize>(args, A.X) + usize(j) * stride + tile);
      if (ending == A.ANY_AFFINE) x = c.scale(args, x, load<u32>(args, A.ALPHA));
      for (let k = k0; k < k1; k += 4) {
        const at = y + usize(load<u32>(k)) * stride + tile;
        const old = v128.load(at);
        if (sign > 0) c.store(at, c.plus(args, old, x), count);
        else if (sign < 0) c.store(at, c.minus(args, old, x), count);
        else c.store(at, c.times(args, old, x, load<u32>(values + k)), count);
      }
    }
  }
}

/** The first of the entries from `begin` to `end` in a row from i on. */
function seek(begin: usize, end: usize, i: u32): usize {
  if (begin == end || load<u32>(begin) >= i) return begin;
  if (load<u32>(end - 4) < i) return end;
  let low = begin >> 2;
  let high = end >> 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(middle << 2) < i) low = middle + 1;
    else high = middle;
  }
  return low << 2;
}

// @ts-ignore: decorator
@final
@unmanaged
export class ColumnsU16 {
  // @ts-ignore: decorator
  @inline
  shift(): usize {
    return 1;
  }

  // @ts-ignore: decorator
  @inline
  lanes(): u32 {
    return 8;
  }

  // @ts-ignore: decorator
  @inline
  scale(args: usize, v: v128, factor: u32): v128 {
    return affine(v, factor, i64x2.splat(0), 0, load<u32>(args, A.MODULUS));
  }

  // @ts-ignore: decorator
  @inline
  plus(args: usize, y: v128, x: v128): v128 {
    return addU16(y, x, i16x8.splat(load<u16>(args, A.MODULUS)));
  }

  // @ts-ignore: decorator
  @inline
  minus(args: usize, y: v128, x: v128): v128 {
    return subU16(y, x, i16x8.splat(load<u16>(args, A.MODULUS)));
  }

  /** y + v·x: a residue and one product are within the bound of entriesBeforeReduction of fields/reduction.ts. */
  // @ts-ignore: decorator
  @inline
  times(args: usize, y: v128, x: v128, v: u32): v128 {
    const p = i32x4.splat(load<i32>(args, A.MODULUS));
    const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, A.MODULUS)));
    const pair = i32x4.splat(v);
    const low = i32x4.add(i32x4.extend_low_i16x8_u(y), timesLow(x, pair));
    const high = i32x4.add(i32x4.extend_high_i16x8_u(y), timesHigh(x, pair));
    return i16x8.narrow_i32x4_u(reduce(low, p, inverse), reduce(high, p, inverse));
  }

  // @ts-ignore: decorator
  @inline
  store(at: usize, v: v128, count: u32): void {
    if (count == 8) v128.store(at, v);
    else storePart(at, v, count);
  }
}

// @ts-ignore: decorator
@final
@unmanaged
export class ColumnsU32 {
  // @ts-ignore: decorator
  @inline
  shift(): usize {
    return 2;
  }

  // @ts-ignore: decorator
  @inline
  lanes(): u32 {
    return 4;
  }

  // @ts-ignore: decorator
  @inline
  scale(args: usize, v: v128, factor: u32): v128 {
    const p = i32x4.splat(load<i32>(args, A.MODULUS));
    const zero = i64x2.splat(0);
    return affineU32(v, i32x4.splat(factor), zero, zero, p, i32x4.splat(load<i32>(args, A.CONSTANT)));
  }

  // @ts-ignore: decorator
  @inline
  plus(args: usize, y: v128, x: v128): v128 {
    return addResidues(y, x, i32x4.splat(load<i32>(args, A.MODULUS)));
  }

  // @ts-ignore: decorator
  @inline
  minus(args: usize, y: v128, x: v128): v128 {
    return subResidues(y, x, i32x4.splat(load<i32>(args, A.MODULUS)));
  }

  // @ts-ignore: decorator
  @inline
  times(args: usize, y: v128, x: v128, v: u32): v128 {
    const p = i32x4.splat(load<i32>(args, A.MODULUS));
    const mask = i64x2.splat(0xffffffff);
    const s0 = i64x2.extmul_low_i32x4_u(x, i32x4.splat(v));
    const s1 = i64x2.extmul_high_i32x4_u(x, i32x4.splat(v));
    const n = i32x4.splat(load<i32>(args, A.CONSTANT));
    const product = fromSums(v128.and(s0, mask), v128.and(s1, mask), i64x2.shr_u(s0, 32), i64x2.shr_u(s1, 32), p, n);
    return addResidues(y, product, p);
  }

  // @ts-ignore: decorator
  @inline
  store(at: usize, v: v128, count: u32): void {
    storeU32(at, v, v, count);
  }
}

/** 1 = −1 in GF(2^k), so there are no entries −1. */
// @ts-ignore: decorator
@final
@unmanaged
export class ColumnsGf256 {
  // @ts-ignore: decorator
  @inline
  shift(): usize {
    return 0;
  }

  // @ts-ignore: decorator
  @inline
  lanes(): u32 {
    return 16;
  }

  // @ts-ignore: decorator
  @inline
  scale(args: usize, v: v128, factor: u32): v128 {
    return timesTable(v, factor);
  }

  // @ts-ignore: decorator
  @inline
  plus(args: usize, y: v128, x: v128): v128 {
    return v128.xor(y, x);
  }

  // @ts-ignore: decorator
  @inline
  minus(args: usize, y: v128, x: v128): v128 {
    return v128.xor(y, x);
  }

  // @ts-ignore: decorator
  @inline
  times(args: usize, y: v128, x: v128, v: u32): v128 {
    return v128.xor(y, timesTable(x, v));
  }

  // @ts-ignore: decorator
  @inline
  store(at: usize, v: v128, count: u32): void {
    storeGf256(at, v, count);
  }
}
