/**
 * How the rows of a part are walked: one class a kind of format, inlined into a copy of every kernel (spmm-*.as.ts).
 *
 * A walk takes rows in order, by a number that leads to each next one: its cursor.
 *
 *   seek(part, i)             the cursor of row i
 *   end(part, k, i)           where row i ends, whose cursor is k; its entries are at k, k + 4, … below the end
 *   column(part, k, i)        where the column of the entry at k is
 *   value(part, values, k, i) where its value is; `values` is what it is behind the columns where both lie alike
 *   next(part, k, end, i)     the cursor of row i + 1
 *   isOrdered()               whether the i-th row is row order[i] of A, not row i
 *   hasUnits()                whether there are parts of ±1 entries
 *   isCommon()                whether kernels for some matrices alone are made for it, too
 *
 * Arguments of a part: spmm-arguments.as.ts; kernels/sparse/formats/ says which walk a format takes and with which
 * words.
 */
import * as A from './spmm-arguments.as';
import { prefetchRows } from './prefetch.as';
import { Coordinates, Jad, Slices } from './walk-orders.as';
import { Diagonals, Full } from './walk-patterns.as';
import { ListedRuns } from './walk-runs.as';
import { BlockSlices, DiagonalSlices, VariableSlices } from './walk-slices.as';

/**
 * Rows first … last − 1 by any walk but Runs; R: how they are summed, and the walks of dense blocks and of columns. The
 * cases are numbered by kernels/sparse/formats/layout.ts.
 */
export function walkOtherRows<R>(args: usize, first: u32, last: u32): void {
  switch (load<u32>(args, A.WALK)) {
    case 1:
      walk<R, Coordinates>(args, first, last);
      break;
    case 2:
      walk<R, Jad>(args, first, last);
      break;
    case 3:
      listedRows<R>(args, first, last);
      break;
    case 4:
      walk<R, Slices>(args, first, last);
      break;
    case 5:
      walk<R, Diagonals>(args, first, last);
      break;
    case 6:
      changetype<R>(0).blocks(args, first, last);
      break;
    case 7:
      walk<R, Full>(args, first, last);
      break;
    case 8:
      walk<R, VariableSlices>(args, first, last);
      break;
    case 9:
      walk<R, BlockSlices>(args, first, last);
      break;
    case 10:
      walk<R, DiagonalSlices>(args, first, last);
      break;
    case 11:
      changetype<R>(0).columns(args, first, last);
      break;
  }
}

// @ts-ignore: decorator
@inline
function walk<R, W>(args: usize, first: u32, last: u32): void {
  for (let i = first; i < last; i += A.ROWS_TOGETHER) {
    changetype<R>(0).rows<W>(args, i, min(last, i + A.ROWS_TOGETHER));
  }
}

function listedRows<R>(args: usize, first: u32, last: u32): void {
  for (let i = first; i < last; i += A.ROWS_TOGETHER) {
    const end = min(last, i + A.ROWS_TOGETHER);
    if (load<u32>(args, A.ROW_BYTES)) prefetchRows<ListedRuns>(args, i, end);
    changetype<R>(0).rows<ListedRuns>(args, i, end);
  }
}
