/**
 * 16 columns of Y ← alpha·A·X + beta·Y for 2^16 < p < 2^31 and matrices of ±1 alone: a gathered row is a cache line.
 *
 * Arguments: spmm-arguments.as.ts. Without products the sums of 16 columns fit the registers; spmm-u32.as.ts takes 8.
 */
import * as A from './spmm-arguments.as';
import { addResidues, affineU32, subResidues } from '../residues/u32.as';

/** Columns column … column + 15 of rows first … last − 1. */
export function unitRows16(args: usize, first: u32, last: u32, column: u32): void {
  const stride = usize(load<u32>(args, A.WIDTH)) << 2;
  const x = load<usize>(args, A.X) + (usize(column) << 2);
  let y = load<usize>(args, A.Y) + (usize(column) << 2) + usize(first) * stride;
  const p = i32x4.splat(load<i32>(args, A.MODULUS));
  const scaled = load<u32>(args, A.AFFINE);
  const hasMinus = A.present(args + A.MINUS);
  for (let i = first; i < last; i++) {
    let r0 = i32x4.splat(0);
    let r1 = r0;
    let r2 = r0;
    let r3 = r0;
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
      r0 = v128.load(at);
      r1 = v128.load(at, 16);
      r2 = v128.load(at, 32);
      r3 = v128.load(at, 48);
      k += 4;
    }
    for (;;) {
      for (; k < end; k += 4) {
        const at = x + usize(load<u32>(k)) * stride;
        r0 = addResidues(r0, v128.load(at), p);
        r1 = addResidues(r1, v128.load(at, 16), p);
        r2 = addResidues(r2, v128.load(at, 32), p);
        r3 = addResidues(r3, v128.load(at, 48), p);
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
          r0 = subResidues(r0, v128.load(at), p);
          r1 = subResidues(r1, v128.load(at, 16), p);
          r2 = subResidues(r2, v128.load(at, 32), p);
          r3 = subResidues(r3, v128.load(at, 48), p);
        }
        if (!rest) break;
        k = A.restFirst(args + A.MINUS, rest, i);
        end = A.restEnd(args + A.MINUS, rest, i);
        rest = 0;
      }
    }
    if (scaled) {
      const alpha = i32x4.splat(load<i32>(args, A.ALPHA));
      const beta = i32x4.splat(load<i32>(args, A.BETA));
      const n = i32x4.splat(load<i32>(args, A.CONSTANT));
      r0 = affineU32(r0, alpha, v128.load(y), beta, p, n);
      r1 = affineU32(r1, alpha, v128.load(y, 16), beta, p, n);
      r2 = affineU32(r2, alpha, v128.load(y, 32), beta, p, n);
      r3 = affineU32(r3, alpha, v128.load(y, 48), beta, p, n);
    }
    v128.store(y, r0);
    v128.store(y, r1, 16);
    v128.store(y, r2, 32);
    v128.store(y, r3, 48);
    y += stride;
  }
}
