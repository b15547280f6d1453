/**
 * Y ← alpha·A·X + beta·Y for small p and rows whose sums fit 16 bits: one operation for 8 residues and a ±1 entry, two for
 * any other one, five a row (i16-sums.as.ts).
 *
 *   arguments: spmm-arguments.as.ts, of factors the low half: the balanced residue
 */
import { affine, storePart } from '../residues/u16.as';
import { reduceSmall } from '../residues/i16-sums.as';
import * as A from './spmm-arguments.as';

/** Columns column … column + 15 of rows first … last − 1. */
export function smallRows16(args: usize, first: u32, last: u32, column: u32): void {
  smallRows(args, first, last, column, 16);
}

/** `count` ≤ 8 columns from `column` of rows first … last − 1; what is read behind them is not stored. */
export function smallRows8(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  smallRows(args, first, last, column, count);
}

// @ts-ignore: decorator
@inline
function smallRows(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  const two = count == 16;
  const stride = usize(load<u32>(args, A.WIDTH)) << 1;
  const x = load<usize>(args, A.X) + (usize(column) << 1);
  let y = load<usize>(args, A.Y) + (usize(column) << 1) + usize(first) * stride;
  const p = i16x8.splat(load<u16>(args, A.MODULUS));
  const c = i16x8.splat(load<u16>(args, A.CONSTANT));
  const hasPlus = A.present(args + A.PLUS);
  const hasMinus = A.present(args + A.MINUS);
  const hasGeneral = A.present(args + A.GENERAL);
  const scaled = load<u32>(args, A.AFFINE);
  for (let i = first; i < last; i++) {
    let s0 = i16x8.splat(0);
    let s1 = s0;
    if (hasPlus) {
      let rest = load<usize>(args, A.PLUS + A.REST_POINTERS);
      let k = A.mainFirst(args + A.PLUS, i);
      let end = A.mainEnd(args + A.PLUS, k, i);
      for (;;) {
        for (; k < end; k += 4) {
          const at = x + usize(load<u32>(k)) * stride;
          s0 = i16x8.add(s0, v128.load(at));
          if (two) s1 = i16x8.add(s1, v128.load(at, 16));
        }
        if (!rest) break;
        k = A.restFirst(args + A.PLUS, rest, i);
        end = A.restEnd(args + A.PLUS, rest, i);
        rest = 0;
      }
    }
    if (hasMinus) {
      let rest = load<usize>(args, A.MINUS + A.REST_POINTERS);
      let k = A.mainFirst(args + A.MINUS, i);
      let end = A.mainEnd(args + A.MINUS, k, i);
      for (;;) {
        for (; k < end; k += 4) {
          const at = x + usize(load<u32>(k)) * stride;
          s0 = i16x8.sub(s0, v128.load(at));
          if (two) s1 = i16x8.sub(s1, v128.load(at, 16));
        }
        if (!rest) break;
        k = A.restFirst(args + A.MINUS, rest, i);
        end = A.restEnd(args + A.MINUS, rest, i);
        rest = 0;
      }
    }
    if (hasGeneral) {
      let rest = load<usize>(args, A.GENERAL + A.REST_POINTERS);
      let k = A.mainFirst(args + A.GENERAL, i);
      let end = A.mainEnd(args + A.GENERAL, k, i);
      let values = A.mainValues(args + A.GENERAL);
      for (;;) {
        for (; k < end; k += 4) {
          const at = x + usize(load<u32>(k)) * stride;
          const v = v128.load_splat<u16>(values + k);
          s0 = i16x8.add(s0, i16x8.mul(v128.load(at), v));
          if (two) s1 = i16x8.add(s1, i16x8.mul(v128.load(at, 16), v));
        }
        if (!rest) break;
        k = A.restFirst(args + A.GENERAL, rest, i);
        end = A.restEnd(args + A.GENERAL, rest, i);
        values = A.restValues(args + A.GENERAL);
        rest = 0;
      }
    }
    s0 = reduceSmall(s0, p, c);
    if (two) s1 = reduceSmall(s1, p, c);
    if (scaled) {
      const alpha = load<u32>(args, A.ALPHA);
      const beta = load<u32>(args, A.BETA);
      s0 = affine(s0, alpha, v128.load(y), beta, load<u32>(args, A.MODULUS));
      if (two) s1 = affine(s1, alpha, v128.load(y, 16), beta, load<u32>(args, A.MODULUS));
    }
    if (two) {
      v128.store(y, s0);
      v128.store(y, s1, 16);
    } else if (count == 8) v128.store(y, s0);
    else storePart(y, s0, count);
    y += stride;
  }
}
