/**
 * Y ← alpha·A·X + beta·Y for p < 2^16 and matrices of ±1 alone with short rows: sums stay canonical in 16-bit lanes.
 *
 *   arguments: spmm-arguments.as.ts          W : walks.as.ts
 *
 * Short rows gain: there is no reduction at the end of a row, for more operations an entry than in spmm-u16.as.ts.
 */
import { addU16, affine, storePart, subU16 } from '../residues/u16.as';
import * as A from './spmm-arguments.as';

export function shortRows16<W>(args: usize, first: u32, last: u32, column: u32): void {
  shortRows<W>(args, first, last, column, 16, true);
}

export function shortRows8<W>(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  shortRows<W>(args, first, last, column, count, false);
}

/** `two` vectors a row, or one: known where this is inlined. */
// @ts-ignore: decorator
@inline
function shortRows<W>(args: usize, first: u32, last: u32, column: u32, count: u32, two: bool): void {
  const walk = changetype<W>(0);
  const stride = usize(load<u32>(args, A.WIDTH)) << 1;
  const x = load<usize>(args, A.X) + (usize(column) << 1);
  const rows = load<usize>(args, A.Y) + (usize(column) << 1);
  let next = rows + usize(first) * stride;
  const p = i16x8.splat(load<u16>(args, A.MODULUS));
  const ending = load<u32>(args, A.AFFINE);
  const plus = args + A.PLUS;
  const minus = args + A.MINUS;
  const hasPlus = walk.hasUnits() && A.isPresent(plus);
  const hasMinus = walk.hasUnits() && A.isPresent(minus);
  let plusAt = hasPlus ? walk.seek(plus, first) : 0;
  let minusAt = hasMinus ? walk.seek(minus, first) : 0;
  for (let i = first; i < last; i++) {
    let s0 = i16x8.splat(0);
    let s1 = s0;
    if (hasPlus) {
      const end = walk.end(plus, plusAt, i);
      let k = plusAt;
      if (k < end) {
        const at = x + usize(load<u32>(walk.column(plus, k, i))) * stride;
        s0 = v128.load(at);
        if (two) s1 = v128.load(at, 16);
        k += 4;
      }
      for (; k < end; k += 4) {
        const at = x + usize(load<u32>(walk.column(plus, k, i))) * stride;
        s0 = addU16(s0, v128.load(at), p);
        if (two) s1 = addU16(s1, v128.load(at, 16), p);
      }
      plusAt = walk.next(plus, plusAt, end, i);
    }
    if (hasMinus) {
      const end = walk.end(minus, minusAt, i);
      for (let k = minusAt; k < end; k += 4) {
        const at = x + usize(load<u32>(walk.column(minus, k, i))) * stride;
        s0 = subU16(s0, v128.load(at), p);
        if (two) s1 = subU16(s1, v128.load(at, 16), p);
      }
      minusAt = walk.next(minus, minusAt, end, i);
    }
    const y = walk.isOrdered() ? rows + usize(A.rowAt(args, i)) * stride : next;
    if (ending == A.ADD) {
      s0 = addU16(s0, v128.load(y), p);
      if (two) s1 = addU16(s1, v128.load(y, 16), p);
    } else if (ending) {
      const alpha = load<u32>(args, A.ALPHA);
      const beta = load<u32>(args, A.BETA);
      s0 = affine(s0, alpha, v128.load(y), beta, load<u32>(args, A.MODULUS));
      if (two) s1 = affine(s1, alpha, v128.load(y, 16), beta, load<u32>(args, A.MODULUS));
    }
    if (count < 8) storePart(y, s0, count);
    else v128.store(y, s0);
    if (two) v128.store(y, s1, 16);
    next += stride;
  }
}
