/**
 * Y ← alpha·A·X + beta·Y over GF(2^k), k ≤ 8: 16 columns at a time, a byte each (gf256.as.ts).
 *
 *   X, Y : u8, `width` a row      arguments: spmm-arguments.as.ts, multipliers being addresses of tables
 *   W : walks.as.ts
 *
 * Entries 1 are positions alone, and each is one exclusive or; 1 = −1, so there are two classes of entries.
 */
import { storeGf256, timesTable } from '../residues/gf256.as';
import * as A from './spmm-arguments.as';
import { ColumnsGf256, columnRows } from './spmm-columns.as';
import { Blocks } from './walk-patterns.as';

// @ts-ignore: decorator
@final
@unmanaged
export class Gf256 {
  rows<W>(args: usize, first: u32, last: u32): void {
    const width = load<u32>(args, A.WIDTH);
    for (let column: u32 = 0; column < width; column += 16) {
      rows16<W>(args, first, last, column, min<u32>(16, width - column));
    }
  }

  blocks(args: usize, first: u32, last: u32): void {
    for (let i = first; i < last; i += A.ROWS_TOGETHER) this.rows<Blocks>(args, i, min(last, i + A.ROWS_TOGETHER));
  }

  columns(args: usize, first: u32, last: u32): void {
    columnRows<ColumnsGf256>(args, first, last);
  }
}

/** Columns column … column + count − 1 of rows first … last − 1. */
function rows16<W>(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  const walk = changetype<W>(0);
  const stride = usize(load<u32>(args, A.WIDTH));
  const x = load<usize>(args, A.X) + usize(column);
  const rows = load<usize>(args, A.Y) + usize(column);
  let next = rows + usize(first) * stride;
  const ending = load<u32>(args, A.AFFINE);
  const plus = args + A.PLUS;
  const general = args + A.GENERAL;
  const hasPlus = walk.hasUnits() && A.isPresent(plus);
  const hasGeneral = A.isPresent(general);
  const values = A.toValues(general);
  let plusAt = hasPlus ? walk.seek(plus, first) : 0;
  let generalAt = hasGeneral ? walk.seek(general, first) : 0;
  for (let i = first; i < last; i++) {
    let s = i64x2.splat(0);
    if (hasPlus) {
      const end = walk.end(plus, plusAt, i);
      for (let k = plusAt; k < end; k += 4) {
        s = v128.xor(s, v128.load(x + usize(load<u32>(walk.column(plus, k, i))) * stride));
      }
      plusAt = walk.next(plus, plusAt, end, i);
    }
    if (hasGeneral) {
      const end = walk.end(general, generalAt, i);
      for (let k = generalAt; k < end; k += 4) {
        const place = walk.value(general, values, k, i);
        s = v128.xor(s, timesTable(v128.load(x + usize(load<u32>(walk.column(general, k, i))) * stride), load<usize>(place)));
      }
      generalAt = walk.next(general, generalAt, end, i);
    }
    const y = walk.isOrdered() ? rows + usize(A.rowAt(args, i)) * stride : next;
    if (ending == A.ADD) s = v128.xor(s, v128.load(y));
    else if (ending) {
      s = v128.xor(timesTable(s, load<usize>(args, A.ALPHA)), timesTable(v128.load(y), load<usize>(args, A.BETA)));
    }
    storeGf256(y, s, count);
    next += stride;
  }
}
