/**
 * Y ← alpha·A·X + beta·Y for 2^16 < p < 2^31: one pass over the rows of A, a row's +1, −1 and general entries in turn.
 *
 *   X, Y : u32, canonical, `width` a row      arguments: spmm-arguments.as.ts      arithmetic: u32.as.ts
 *   W : walks.as.ts
 *
 * ±1 entries keep a canonical sum, three operations for four residues and no bound; general entries are 64-bit
 * products, whose sums of 8 columns are what the registers hold. Without them they hold those of 16 columns, a cache
 * line of X. Fewer columns than 8 are summed 2 or 4 at a time, so that few multiplications are in vain.
 */
import { addResidues, affineU32, fromSums, storeU32, subResidues } from '../residues/u32.as';
import * as A from './spmm-arguments.as';
import { ColumnsU32, columnRows } from './spmm-columns.as';
import { Blocks } from './walk-patterns.as';

// @ts-ignore: decorator
@final
@unmanaged
export class U32 {
  rows<W>(args: usize, first: u32, last: u32): void {
    const width = load<u32>(args, A.WIDTH);
    let column: u32 = 0;
    if (!A.isPresent(args + A.GENERAL)) {
      for (; column + 16 <= width; column += 16) unitRows16<W>(args, first, last, column);
    }
    for (; column + 4 < width; column += 8) rows8<W>(args, first, last, column, min<u32>(8, width - column));
    if (column + 2 < width) rows4<W>(args, first, last, column, width - column);
    else if (column < width) rows2<W>(args, first, last, column, width - column);
  }

  blocks(args: usize, first: u32, last: u32): void {
    for (let i = first; i < last; i += A.ROWS_TOGETHER) this.rows<Blocks>(args, i, min(last, i + A.ROWS_TOGETHER));
  }

  columns(args: usize, first: u32, last: u32): void {
    columnRows<ColumnsU32>(args, first, last);
  }
}

/** Columns column … column + 15 of rows first … last − 1, where entries are ±1. */
function unitRows16<W>(args: usize, first: u32, last: u32, column: u32): void {
  tile<W>(args, first, last, column, 8, 16);
}

/** `count` ≤ 8 columns from `column` of rows first … last − 1; what is read behind them is not stored. */
function rows8<W>(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  tile<W>(args, first, last, column, count, 8);
}

/** The same of `count` ≤ 4 columns, and of `count` ≤ 2. */
function rows4<W>(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  tile<W>(args, first, last, column, count, 4);
}

function rows2<W>(args: usize, first: u32, last: u32, column: u32, count: u32): void {
  tile<W>(args, first, last, column, count, 2);
}

/** `columns`: those that are summed, with 16 of them no general entries; known where this is inlined. */
// @ts-ignore: decorator
@inline
function tile<W>(args: usize, first: u32, last: u32, column: u32, count: u32, columns: u32): void {
  const units = columns == 16;
  const walk = changetype<W>(0);
  const stride = usize(load<u32>(args, A.WIDTH)) << 2;
  const x = load<usize>(args, A.X) + (usize(column) << 2);
  const rows = load<usize>(args, A.Y) + (usize(column) << 2);
  let next = rows + usize(first) * stride;
  const p = i32x4.splat(load<i32>(args, A.MODULUS));
  const plus = args + A.PLUS;
  const minus = args + A.MINUS;
  const general = args + A.GENERAL;
  const hasPlus = walk.hasUnits() && A.isPresent(plus);
  const hasMinus = walk.hasUnits() && A.isPresent(minus);
  const hasGeneral = !units && A.isPresent(general);
  let plusAt = hasPlus ? walk.seek(plus, first) : 0;
  let minusAt = hasMinus ? walk.seek(minus, first) : 0;
  let generalAt = hasGeneral ? walk.seek(general, first) : 0;
  for (let i = first; i < last; i++) {
    let r0 = i32x4.splat(0);
    let r1 = r0;
    let r2 = r0;
    let r3 = r0;
    if (hasPlus) {
      const end = walk.end(plus, plusAt, i);
      let k = plusAt;
      if (k < end) {
        const at = x + usize(load<u32>(walk.column(plus, k, i))) * stride;
        r0 = v128.load(at);
        if (columns > 4) r1 = v128.load(at, 16);
        if (units) {
          r2 = v128.load(at, 32);
          r3 = v128.load(at, 48);
        }
        k += 4;
      }
      if (units) {
        // Two entries a turn: test/bench/RESULTS.md#spmm
        for (; k + 4 < end; k += 8) {
          const at = x + usize(load<u32>(walk.column(plus, k, i))) * stride;
          const second = x + usize(load<u32>(walk.column(plus, k + 4, i))) * stride;
          r0 = addResidues(r0, v128.load(at), p);
          r1 = addResidues(r1, v128.load(at, 16), p);
          r2 = addResidues(r2, v128.load(at, 32), p);
          r3 = addResidues(r3, v128.load(at, 48), p);
          r0 = addResidues(r0, v128.load(second), p);
          r1 = addResidues(r1, v128.load(second, 16), p);
          r2 = addResidues(r2, v128.load(second, 32), p);
          r3 = addResidues(r3, v128.load(second, 48), p);
        }
      }
      for (; k < end; k += 4) {
        const at = x + usize(load<u32>(walk.column(plus, k, i))) * stride;
        r0 = addResidues(r0, v128.load(at), p);
        if (columns > 4) r1 = addResidues(r1, v128.load(at, 16), p);
        if (units) {
          r2 = addResidues(r2, v128.load(at, 32), p);
          r3 = addResidues(r3, v128.load(at, 48), p);
        }
      }
      plusAt = walk.next(plus, plusAt, end, i);
    }
    if (hasMinus) {
      const end = walk.end(minus, minusAt, i);
      for (let k = minusAt; k < end; k += 4) {
        const at = x + usize(load<u32>(walk.column(minus, k, i))) * stride;
        r0 = subResidues(r0, v128.load(at), p);
        if (columns > 4) r1 = subResidues(r1, v128.load(at, 16), p);
        if (units) {
          r2 = subResidues(r2, v128.load(at, 32), p);
          r3 = subResidues(r3, v128.load(at, 48), p);
        }
      }
      minusAt = walk.next(minus, minusAt, end, i);
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
      const values = A.toValues(general);
      const terms = load<usize>(args, A.GENERAL_TERMS);
      const end = walk.end(general, generalAt, i);
      for (let k = generalAt; k < end; ) {
        const stop = min(end, k + terms);
        do {
          const place = walk.value(general, values, k, i);
          const at = x + usize(load<u32>(walk.column(general, k, i))) * stride;
          const v = v128.load_splat<u32>(place);
          const x0 = v128.load(at);
          acc0 = i64x2.add(acc0, i64x2.extmul_low_i32x4_u(x0, v));
          if (columns > 2) acc1 = i64x2.add(acc1, i64x2.extmul_high_i32x4_u(x0, v));
          if (columns > 4) {
            const x1 = v128.load(at, 16);
            acc2 = i64x2.add(acc2, i64x2.extmul_low_i32x4_u(x1, v));
            acc3 = i64x2.add(acc3, i64x2.extmul_high_i32x4_u(x1, v));
          }
          k += 4;
        } while (k < stop);
        high0 = i64x2.add(high0, i64x2.shr_u(acc0, 32));
        acc0 = v128.and(acc0, mask);
        if (columns > 2) {
          high1 = i64x2.add(high1, i64x2.shr_u(acc1, 32));
          acc1 = v128.and(acc1, mask);
        }
        if (columns > 4) {
          high2 = i64x2.add(high2, i64x2.shr_u(acc2, 32));
          high3 = i64x2.add(high3, i64x2.shr_u(acc3, 32));
          acc2 = v128.and(acc2, mask);
          acc3 = v128.and(acc3, mask);
        }
      }
      generalAt = walk.next(general, generalAt, end, i);
      const n = i32x4.splat(load<i32>(args, A.CONSTANT));
      r0 = addResidues(r0, fromSums(acc0, acc1, high0, high1, p, n), p);
      if (columns > 4) r1 = addResidues(r1, fromSums(acc2, acc3, high2, high3, p, n), p);
    }
    const y = walk.isOrdered() ? rows + usize(A.rowAt(args, i)) * stride : next;
    const ending = load<u32>(args, A.AFFINE);
    if (ending == A.ADD) {
      r0 = addResidues(r0, v128.load(y), p);
      if (columns > 4) r1 = addResidues(r1, v128.load(y, 16), p);
      if (units) {
        r2 = addResidues(r2, v128.load(y, 32), p);
        r3 = addResidues(r3, v128.load(y, 48), p);
      }
    } else if (ending) {
      const alpha = i32x4.splat(load<i32>(args, A.ALPHA));
      const beta = i32x4.splat(load<i32>(args, A.BETA));
      const n = i32x4.splat(load<i32>(args, A.CONSTANT));
      r0 = affineU32(r0, alpha, v128.load(y), beta, p, n);
      if (columns > 4) r1 = affineU32(r1, alpha, v128.load(y, 16), beta, p, n);
      if (units) {
        r2 = affineU32(r2, alpha, v128.load(y, 32), beta, p, n);
        r3 = affineU32(r3, alpha, v128.load(y, 48), beta, p, n);
      }
    }
    storeU32(y, r0, r1, count);
    if (units) {
      v128.store(y, r2, 32);
      v128.store(y, r3, 48);
    }
    next += stride;
  }
}
