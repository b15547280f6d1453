/**
 * Y ← alpha·A·X + beta·Y over GF(2^k), k ≤ 8: 16 columns at a time, a byte each (gf256.as.ts).
 *
 *   X, Y : u8, `width` a row          arguments: spmm-arguments.as.ts, factors being addresses of tables
 *
 * Entries 1 are positions alone, and each is one exclusive or; 1 = −1, so there are two classes of entries.
 */
import { takeChunk } from '../threads/chunks.as';
import { storeGf256, timesTable } from '../residues/gf256.as';
import * as A from './spmm-arguments.as';
import { prefetchRows } from './prefetch.as';

export function spmmGf256(thread: i32, threads: i32, args: usize): void {
  const chunks = load<usize>(args, A.CHUNKS);
  const count = load<u32>(args, A.CHUNK_COUNT);
  for (;;) {
    const chunk = takeChunk(thread, threads, count);
    if (chunk < 0) return;
    const last = load<u32>(chunks + usize(chunk) * 4 + 4);
    rowsGf256(args, load<u32>(chunks + usize(chunk) * 4), last);
  }
}

/** Rows first … last − 1, in order: a row may gather what an earlier one has stored (triangular-solve.as.ts). */
export function rowsGf256(args: usize, first: u32, last: u32): void {
  const width = load<u32>(args, A.WIDTH);
  for (let i = first; i < last; i += A.ROWS_TOGETHER) {
    const end = min(last, i + A.ROWS_TOGETHER);
    if (load<u32>(args, A.ROW_BYTES)) prefetchRows(args, i, end);
    for (let column: u32 = 0; column < width; column += 16) rows16(args, i, end, column, min<u32>(16, width - column));
  }
}

/** Columns column … column + count − 1 of rows first … last − 1. */
function rows16(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  const stride = usize(load<u32>(args, A.WIDTH));
  const x = load<usize>(args, A.X) + usize(column);
  let y = load<usize>(args, A.Y) + usize(column) + usize(first) * stride;
  const affine = load<u32>(args, A.AFFINE);
  const plus = args + A.PLUS;
  const general = args + A.GENERAL;
  const hasPlus = A.present(plus);
  const hasGeneral = A.present(general);
  for (let i = first; i < last; i++) {
    let s = i64x2.splat(0);
    if (hasPlus) {
      let rest = load<usize>(plus, A.REST_POINTERS);
      let k = A.mainFirst(plus, i);
      let end = A.mainEnd(plus, k, i);
      for (;;) {
        for (; k < end; k += 4) s = v128.xor(s, v128.load(x + usize(load<u32>(k)) * stride));
        if (!rest) break;
        k = A.restFirst(plus, rest, i);
        end = A.restEnd(plus, rest, i);
        rest = 0;
      }
    }
    if (hasGeneral) {
      let rest = load<usize>(general, A.REST_POINTERS);
      let k = A.mainFirst(general, i);
      let end = A.mainEnd(general, k, i);
      let values = A.mainValues(general);
      for (;;) {
        for (; k < end; k += 4) {
          s = v128.xor(s, timesTable(v128.load(x + usize(load<u32>(k)) * stride), load<usize>(k + values)));
        }
        if (!rest) break;
        k = A.restFirst(general, rest, i);
        end = A.restEnd(general, rest, i);
        values = A.restValues(general);
        rest = 0;
      }
    }
    if (affine) {
      s = v128.xor(timesTable(s, load<usize>(args, A.ALPHA)), timesTable(v128.load(y), load<usize>(args, A.BETA)));
    }
    storeGf256(y, s, count);
    y += stride;
  }
}
