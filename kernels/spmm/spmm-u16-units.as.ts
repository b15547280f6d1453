/**
 * Y ← alpha·A·X + beta·Y for p < 2^16 and matrices of ±1 alone with short rows: sums stay canonical in 16-bit lanes.
 *
 *   arguments: spmm-arguments.as.ts          a − b mod p = min(a − b mod 2^16, p − max(b − a, 0)), as unsigned numbers:
 *   for a ≥ b the first is a − b < p and the second p; for a < b the second is the residue and the first 2^16 − p more.
 *   a + b = a − (p − b): nothing there asks b to be below p.
 *
 * Five and four operations for 8 residues and no reduction at the end, where spmm-u16.as.ts has three and twenty a row.
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

/** Columns column … column + 15 of rows first … last − 1. */
export function shortRows16(args: usize, first: u32, last: u32, column: u32): void {
  const stride = usize(load<u32>(args, A.WIDTH)) << 1;
  const x = load<usize>(args, A.X) + (usize(column) << 1);
  let y = load<usize>(args, A.Y) + (usize(column) << 1) + usize(first) * stride;
  const p = i16x8.splat(load<u16>(args, A.MODULUS));
  const scaled = load<u32>(args, A.AFFINE);
  const hasMinus = A.present(args + A.MINUS);
  for (let i = first; i < last; i++) {
    let s0 = i16x8.splat(0);
    let s1 = s0;
    let rest = load<usize>(args, A.PLUS + A.REST_POINTERS);
    let k = A.mainFirst(args + A.PLUS, i);
    let end = A.mainEnd(args + A.PLUS, k, i);
    if (k == end && rest) {
      k = A.restFirst(args + A.PLUS, rest, i);
      end = A.restEnd(args + A.PLUS, rest, i);
      rest = 0;
    }
    if (k < end) {
      const at = x + usize(load<u32>(k)) * stride;
      s0 = v128.load(at);
      s1 = v128.load(at, 16);
      k += 4;
    }
    for (;;) {
      for (; k < end; k += 4) {
        const at = x + usize(load<u32>(k)) * stride;
        s0 = add(s0, v128.load(at), p);
        s1 = add(s1, v128.load(at, 16), p);
      }
      if (!rest) break;
      k = A.restFirst(args + A.PLUS, rest, i);
      end = A.restEnd(args + A.PLUS, rest, i);
      rest = 0;
    }
    if (hasMinus) {
      rest = load<usize>(args, A.MINUS + A.REST_POINTERS);
      k = A.mainFirst(args + A.MINUS, i);
      end = A.mainEnd(args + A.MINUS, k, i);
      for (;;) {
        for (; k < end; k += 4) {
          const at = x + usize(load<u32>(k)) * stride;
          s0 = sub(s0, v128.load(at), p);
          s1 = sub(s1, v128.load(at, 16), p);
        }
        if (!rest) break;
        k = A.restFirst(args + A.MINUS, rest, i);
        end = A.restEnd(args + A.MINUS, rest, i);
        rest = 0;
      }
    }
    if (scaled) {
      const alpha = load<u32>(args, A.ALPHA);
      const beta = load<u32>(args, A.BETA);
      s0 = affine(s0, alpha, v128.load(y), beta, load<u32>(args, A.MODULUS));
      s1 = affine(s1, alpha, v128.load(y, 16), beta, load<u32>(args, A.MODULUS));
    }
    v128.store(y, s0);
    v128.store(y, s1, 16);
    y += stride;
  }
}

/** `count` ≤ 8 columns from `column` of rows first … last − 1; what is read behind them is not stored. */
export function shortRows8(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  const stride = usize(load<u32>(args, A.WIDTH)) << 1;
  const x = load<usize>(args, A.X) + (usize(column) << 1);
  let y = load<usize>(args, A.Y) + (usize(column) << 1) + usize(first) * stride;
  const p = i16x8.splat(load<u16>(args, A.MODULUS));
  const scaled = load<u32>(args, A.AFFINE);
  const hasMinus = A.present(args + A.MINUS);
  for (let i = first; i < last; i++) {
    let s = i16x8.splat(0);
    let rest = load<usize>(args, A.PLUS + A.REST_POINTERS);
    let k = A.mainFirst(args + A.PLUS, i);
    let end = A.mainEnd(args + A.PLUS, k, i);
    if (k == end && rest) {
      k = A.restFirst(args + A.PLUS, rest, i);
      end = A.restEnd(args + A.PLUS, rest, i);
      rest = 0;
    }
    if (k < end) {
      s = v128.load(x + usize(load<u32>(k)) * stride);
      k += 4;
    }
    for (;;) {
      for (; k < end; k += 4) s = add(s, v128.load(x + usize(load<u32>(k)) * stride), p);
      if (!rest) break;
      k = A.restFirst(args + A.PLUS, rest, i);
      end = A.restEnd(args + A.PLUS, rest, i);
      rest = 0;
    }
    if (hasMinus) {
      rest = load<usize>(args, A.MINUS + A.REST_POINTERS);
      k = A.mainFirst(args + A.MINUS, i);
      end = A.mainEnd(args + A.MINUS, k, i);
      for (;;) {
        for (; k < end; k += 4) s = sub(s, v128.load(x + usize(load<u32>(k)) * stride), p);
        if (!rest) break;
        k = A.restFirst(args + A.MINUS, rest, i);
        end = A.restEnd(args + A.MINUS, rest, i);
        rest = 0;
      }
    }
    if (scaled) {
      s = affine(s, load<u32>(args, A.ALPHA), v128.load(y), load<u32>(args, A.BETA), load<u32>(args, A.MODULUS));
    }
    if (count == 8) v128.store(y, s);
    else storePart(y, s, count);
    y += stride;
  }
}
