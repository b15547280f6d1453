/**
 * Y ← alpha·A·X + beta·Y for small p and rows whose sums fit 16 bits: one operation for 8 residues and a ±1 entry
 * (i16-sums.as.ts).
 *
 *   arguments: spmm-arguments.as.ts, of multipliers the low half: the balanced residue          W : walks.as.ts
 */
import { reduceSmall } from '../residues/i16-sums.as';
import { addU16, affine, storePart } from '../residues/u16.as';
import * as A from './spmm-arguments.as';

export function smallRows16<W>(args: usize, first: u32, last: u32, column: u32): void {
  smallRows<W>(args, first, last, column, 16, true);
}

export function smallRows8<W>(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  smallRows<W>(args, first, last, column, count, false);
}

/** `two` vectors a row, or one: known where this is inlined. */
// @ts-ignore: decorator
@inline
function smallRows<W>(args: usize, first: u32, last: u32, column: u32, count: u32, two: bool): void {
  const walk = changetype<W>(0);
  const stride = usize(load<u32>(args, A.WIDTH)) << 1;
  const x = load<usize>(args, A.X) + (usize(column) << 1);
  const rows = load<usize>(args, A.Y) + (usize(column) << 1);
  let next = rows + usize(first) * stride;
  const p = i16x8.splat(load<u16>(args, A.MODULUS));
  const c = i16x8.splat(load<u16>(args, A.CONSTANT));
  const plus = args + A.PLUS;
  const minus = args + A.MINUS;
  const general = args + A.GENERAL;
  const hasPlus = walk.hasUnits() && A.isPresent(plus);
  const hasMinus = walk.hasUnits() && A.isPresent(minus);
  const hasGeneral = A.isPresent(general);
  let plusAt = hasPlus ? walk.seek(plus, first) : 0;
  let minusAt = hasMinus ? walk.seek(minus, first) : 0;
  let generalAt = hasGeneral ? walk.seek(general, first) : 0;
  const ending = load<u32>(args, A.AFFINE);
  for (let i = first; i < last; i++) {
    let s0 = i16x8.splat(0);
    let s1 = s0;
    if (hasPlus) {
      const end = walk.end(plus, plusAt, i);
      for (let k = plusAt; k < end; k += 4) {
        const at = x + usize(load<u32>(walk.column(plus, k, i))) * stride;
        s0 = i16x8.add(s0, v128.load(at));
        if (two) s1 = i16x8.add(s1, v128.load(at, 16));
      }
      plusAt = walk.next(plus, plusAt, end, i);
    }
    if (hasMinus) {
      const end = walk.end(minus, minusAt, i);
      for (let k = minusAt; k < end; k += 4) {
        const at = x + usize(load<u32>(walk.column(minus, k, i))) * stride;
        s0 = i16x8.sub(s0, v128.load(at));
        if (two) s1 = i16x8.sub(s1, v128.load(at, 16));
      }
      minusAt = walk.next(minus, minusAt, end, i);
    }
    if (hasGeneral) {
      const values = A.toValues(general);
      const end = walk.end(general, generalAt, i);
      for (let k = generalAt; k < end; k += 4) {
        const place = walk.value(general, values, k, i);
        const at = x + usize(load<u32>(walk.column(general, k, i))) * stride;
        const v = v128.load_splat<u16>(place);
        s0 = i16x8.add(s0, i16x8.mul(v128.load(at), v));
        if (two) s1 = i16x8.add(s1, i16x8.mul(v128.load(at, 16), v));
      }
      generalAt = walk.next(general, generalAt, end, i);
    }
    s0 = reduceSmall(s0, p, c);
    if (two) s1 = reduceSmall(s1, p, c);
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
