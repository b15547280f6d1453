/**
 * Y ← alpha·A·X + beta·Y for 2^16 < p < 2^31: one pass over the rows of A, a row's +1, −1 and general entries in turn.
 *
 *   X, Y : u32, canonical, `width` a row          arguments: spmm-arguments.as.ts          arithmetic: u32.as.ts
 *
 * ±1 entries keep a canonical sum, three operations for four residues and no bound; general entries are 64-bit products.
 */
import { takeChunk } from '../threads/chunks.as';
import * as A from './spmm-arguments.as';
import { prefetchRows } from './prefetch.as';
import { unitRows16 } from './spmm-u32-units.as';
import { addResidues, affineU32, fromSums, storeU32, subResidues } from '../residues/u32.as';

export function spmmU32(thread: i32, threads: i32, args: usize): void {
  const chunks = load<usize>(args, A.CHUNKS);
  const count = load<u32>(args, A.CHUNK_COUNT);
  for (;;) {
    const chunk = takeChunk(thread, threads, count);
    if (chunk < 0) return;
    const last = load<u32>(chunks + usize(chunk) * 4 + 4);
    rowsU32(args, load<u32>(chunks + usize(chunk) * 4), last);
  }
}

/** Rows first … last − 1, in order: a row may gather what an earlier one has stored (triangular-solve.as.ts). */
export function rowsU32(args: usize, first: u32, last: u32): void {
  const width = load<u32>(args, A.WIDTH);
  const units = !A.present(args + A.GENERAL);
  for (let i = first; i < last; i += A.ROWS_TOGETHER) {
    const end = min(last, i + A.ROWS_TOGETHER);
    if (load<u32>(args, A.ROW_BYTES)) prefetchRows(args, i, end);
    let column: u32 = 0;
    if (units) for (; column + 16 <= width; column += 16) unitRows16(args, i, end, column);
    for (; column < width; column += 8) rows8(args, i, end, column, min<u32>(8, width - column));
  }
}

/** `count` ≤ 8 columns from `column` of rows first … last − 1; what is read behind them is not stored. */
function rows8(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  const stride = usize(load<u32>(args, A.WIDTH)) << 2;
  const x = load<usize>(args, A.X) + (usize(column) << 2);
  let y = load<usize>(args, A.Y) + (usize(column) << 2) + usize(first) * stride;
  const p = i32x4.splat(load<i32>(args, A.MODULUS));
  const hasGeneral = A.present(args + A.GENERAL);
  const hasPlus = A.present(args + A.PLUS);
  const hasMinus = A.present(args + A.MINUS);
  for (let i = first; i < last; i++) {
    let r0 = i32x4.splat(0);
    let r1 = r0;
    if (hasPlus) {
      let rest = load<usize>(args, A.PLUS + A.REST_POINTERS);
      let k = A.mainFirst(args + A.PLUS, i);
      let end = A.mainEnd(args + A.PLUS, k, i);
      for (;;) {
        for (; k < end; k += 4) {
          const at = x + usize(load<u32>(k)) * stride;
          r0 = addResidues(r0, v128.load(at), p);
          r1 = addResidues(r1, v128.load(at, 16), p);
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
          r0 = subResidues(r0, v128.load(at), p);
          r1 = subResidues(r1, v128.load(at, 16), p);
        }
        if (!rest) break;
        k = A.restFirst(args + A.MINUS, rest, i);
        end = A.restEnd(args + A.MINUS, rest, i);
        rest = 0;
      }
    }
    if (hasGeneral) {
      const mask = i64x2.splat(0xffffffff);
      let acc0 = i64x2.splat(0);
      let acc1 = acc0;
      let acc2 = acc0;
      let acc3 = acc0;
      let high0 = acc0;
      let high1 = acc0;
      let high2 = acc0;
      let high3 = acc0;
      let rest = load<usize>(args, A.GENERAL + A.REST_POINTERS);
      let k = A.mainFirst(args + A.GENERAL, i);
      let values = A.mainValues(args + A.GENERAL);
      let end = A.mainEnd(args + A.GENERAL, k, i);
      const terms = load<usize>(args, A.GENERAL_TERMS);
      for (;;) {
        while (k < end) {
          const stop = min(end, k + terms);
          for (; k < stop; k += 4) {
            const at = x + usize(load<u32>(k)) * stride;
            const v = v128.load_splat<u32>(values + k);
            const x0 = v128.load(at);
            const x1 = v128.load(at, 16);
            acc0 = i64x2.add(acc0, i64x2.extmul_low_i32x4_u(x0, v));
            acc1 = i64x2.add(acc1, i64x2.extmul_high_i32x4_u(x0, v));
            acc2 = i64x2.add(acc2, i64x2.extmul_low_i32x4_u(x1, v));
            acc3 = i64x2.add(acc3, i64x2.extmul_high_i32x4_u(x1, v));
          }
          high0 = i64x2.add(high0, i64x2.shr_u(acc0, 32));
          high1 = i64x2.add(high1, i64x2.shr_u(acc1, 32));
          high2 = i64x2.add(high2, i64x2.shr_u(acc2, 32));
          high3 = i64x2.add(high3, i64x2.shr_u(acc3, 32));
          acc0 = v128.and(acc0, mask);
          acc1 = v128.and(acc1, mask);
          acc2 = v128.and(acc2, mask);
          acc3 = v128.and(acc3, mask);
        }
        if (!rest) break;
        k = A.restFirst(args + A.GENERAL, rest, i);
        end = A.restEnd(args + A.GENERAL, rest, i);
        values = A.restValues(args + A.GENERAL);
        rest = 0;
      }
      const n = i32x4.splat(load<i32>(args, A.CONSTANT));
      r0 = addResidues(r0, fromSums(acc0, acc1, high0, high1, p, n), p);
      r1 = addResidues(r1, fromSums(acc2, acc3, high2, high3, p, n), p);
    }
    if (load<u32>(args, A.AFFINE)) {
      const alpha = i32x4.splat(load<i32>(args, A.ALPHA));
      const beta = i32x4.splat(load<i32>(args, A.BETA));
      const n = i32x4.splat(load<i32>(args, A.CONSTANT));
      r0 = affineU32(r0, alpha, v128.load(y), beta, p, n);
      r1 = affineU32(r1, alpha, v128.load(y, 16), beta, p, n);
    }
    storeU32(y, r0, r1, count);
    y += stride;
  }
}
