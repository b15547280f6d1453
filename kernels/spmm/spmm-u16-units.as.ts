/**
 * Y ← alpha·A·X + beta·Y for p < 2^16 and matrices of ±1 alone with short rows: sums stay canonical in 16-bit lanes.
 *
 *   arguments: spmm-arguments.as.ts          W : walks.as.ts
 *   a − b mod p = min(a − b mod 2^16, p − max(b − a, 0)), as unsigned numbers: for a ≥ b the first is a − b < p and the
 *   second p; for a < b the second is the residue and the first 2^16 − p more.
 *   a + b = a − (p − b), which holds for b = p too.
 *
 * Short rows gain: there is no reduction at the end of a row, for more operations an entry than in spmm-u16.as.ts.
 */
import { affine, storePart } from '../residues/u16.as';
import * as A from './spmm-arguments.as';

// @ts-ignore: decorator
@inline
function sub(a: v128, b: v128, p: v128): v128 {
  return i16x8.min_u(i16x8.sub(a, b), i16x8.sub(p, i16x8.sub_sat_u(b, a)));
}

// @ts-ignore: decorator
@inline
function add(a: v128, b: v128, p: v128): v128 {
  return sub(a, i16x8.sub(p, b), p);
}

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
  const scaled = load<u32>(args, A.AFFINE);
  const plus = args + A.PLUS;
  const minus = args + A.MINUS;
  const hasPlus = A.isPresent(plus);
  const hasMinus = A.isPresent(minus);
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
        s0 = add(s0, v128.load(at), p);
        if (two) s1 = add(s1, v128.load(at, 16), p);
      }
      plusAt = walk.next(plus, plusAt, end);
    }
    if (hasMinus) {
      const end = walk.end(minus, minusAt, i);
      for (let k = minusAt; k < end; k += 4) {
        const at = x + usize(load<u32>(walk.column(minus, k, i))) * stride;
        s0 = sub(s0, v128.load(at), p);
        if (two) s1 = sub(s1, v128.load(at, 16), p);
      }
      minusAt = walk.next(minus, minusAt, end);
    }
    const y = walk.isOrdered() ? rows + usize(A.rowAt(args, i)) * stride : next;
    if (scaled) {
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
