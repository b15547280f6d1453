/**
 * Y ← alpha·A·X + beta·Y for 2^16 < p < 2^31: one pass over the rows of A, a row's +1, −1 and general entries in turn.
 *
 *   X, Y : u32, canonical, `width` a row          arguments: spmm-arguments.ts          arithmetic: wide.ts
 *
 * ±1 entries keep a canonical sum, three operations for four residues and no bound; general entries are 64-bit products.
 */
import { nextChunk } from './chunks';
import * as A from './spmm-arguments';
import { addResidues, affineWide, fromSums, storeWide, subResidues } from './wide';

export function spmmWide(thread: i32, threads: i32, args: usize): void {
  const chunks = load<usize>(args, A.CHUNKS);
  const count = load<u32>(args, A.CHUNK_COUNT);
  const width = load<u32>(args, A.WIDTH);
  for (;;) {
    const chunk = nextChunk(load<usize>(args, A.COUNTER));
    if (chunk >= count) return;
    const last = load<u32>(chunks + usize(chunk) * 4 + 4);
    for (let i = load<u32>(chunks + usize(chunk) * 4); i < last; i += A.ROWS_TOGETHER) {
      const end = min(last, i + A.ROWS_TOGETHER);
      for (let column: u32 = 0; column < width; column += 8) rows8(args, i, end, column, min<u32>(8, width - column));
    }
  }
}

/** `count` ≤ 8 columns from `column` of rows first … last − 1; what is read behind them is not stored. */
function rows8(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  const stride = usize(load<u32>(args, A.WIDTH)) << 2;
  const x = load<usize>(args, A.X) + (usize(column) << 2);
  let y = load<usize>(args, A.Y) + (usize(column) << 2) + usize(first) * stride;
  const p = i32x4.splat(load<i32>(args, A.MODULUS));
  const hasGeneral = load<u32>(args, A.GENERAL + A.MAIN_WIDTH) | load<u32>(args, A.GENERAL + A.REST_POINTERS);
  const hasPlus = load<u32>(args, A.PLUS + A.MAIN_WIDTH) | load<u32>(args, A.PLUS + A.REST_POINTERS);
  const hasMinus = load<u32>(args, A.MINUS + A.MAIN_WIDTH) | load<u32>(args, A.MINUS + A.REST_POINTERS);
  for (let i = first; i < last; i++) {
    let r0 = i32x4.splat(0);
    let r1 = r0;
    if (hasPlus) {
      const bytes = usize(load<u32>(args, A.PLUS + A.MAIN_WIDTH)) << 2;
      let rest = load<usize>(args, A.PLUS + A.REST_POINTERS);
      let k = load<usize>(args, A.PLUS + A.MAIN_COLUMNS) + usize(i) * bytes;
      let end = k + A.mainBytes(load<usize>(args, A.PLUS + A.MAIN_LENGTHS), bytes, i);
      for (;;) {
        for (; k < end; k += 4) {
          const at = x + usize(load<u32>(k)) * stride;
          r0 = addResidues(r0, v128.load(at), p);
          r1 = addResidues(r1, v128.load(at, 16), p);
        }
        if (!rest) break;
        rest += usize(i) << 2;
        const columns = load<usize>(args, A.PLUS + A.REST_COLUMNS);
        k = columns + (usize(load<u32>(rest)) << 2);
        end = columns + (usize(load<u32>(rest, 4)) << 2);
        rest = 0;
      }
    }
    if (hasMinus) {
      const bytes = usize(load<u32>(args, A.MINUS + A.MAIN_WIDTH)) << 2;
      let rest = load<usize>(args, A.MINUS + A.REST_POINTERS);
      let k = load<usize>(args, A.MINUS + A.MAIN_COLUMNS) + usize(i) * bytes;
      let end = k + A.mainBytes(load<usize>(args, A.MINUS + A.MAIN_LENGTHS), bytes, i);
      for (;;) {
        for (; k < end; k += 4) {
          const at = x + usize(load<u32>(k)) * stride;
          r0 = subResidues(r0, v128.load(at), p);
          r1 = subResidues(r1, v128.load(at, 16), p);
        }
        if (!rest) break;
        rest += usize(i) << 2;
        const columns = load<usize>(args, A.MINUS + A.REST_COLUMNS);
        k = columns + (usize(load<u32>(rest)) << 2);
        end = columns + (usize(load<u32>(rest, 4)) << 2);
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
      const bytes = usize(load<u32>(args, A.GENERAL + A.MAIN_WIDTH)) << 2;
      let rest = load<usize>(args, A.GENERAL + A.REST_POINTERS);
      let k = load<usize>(args, A.GENERAL + A.MAIN_COLUMNS) + usize(i) * bytes;
      let values = load<usize>(args, A.GENERAL + A.MAIN_VALUES) + usize(i) * bytes - k;
      let end = k + A.mainBytes(load<usize>(args, A.GENERAL + A.MAIN_LENGTHS), bytes, i);
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
        rest += usize(i) << 2;
        const columns = load<usize>(args, A.GENERAL + A.REST_COLUMNS);
        k = columns + (usize(load<u32>(rest)) << 2);
        end = columns + (usize(load<u32>(rest, 4)) << 2);
        values = load<usize>(args, A.GENERAL + A.REST_VALUES) - columns;
        rest = 0;
      }
      const n = i32x4.splat(load<i32>(args, A.NEGATIVE_INVERSE));
      r0 = addResidues(r0, fromSums(acc0, acc1, high0, high1, p, n), p);
      r1 = addResidues(r1, fromSums(acc2, acc3, high2, high3, p, n), p);
    }
    if (load<u32>(args, A.AFFINE)) {
      const alpha = i32x4.splat(load<i32>(args, A.ALPHA));
      const beta = i32x4.splat(load<i32>(args, A.BETA));
      const n = i32x4.splat(load<i32>(args, A.NEGATIVE_INVERSE));
      r0 = affineWide(r0, alpha, v128.load(y), beta, p, n);
      r1 = affineWide(r1, alpha, v128.load(y, 16), beta, p, n);
    }
    storeWide(y, r0, r1, count);
    y += stride;
  }
}
