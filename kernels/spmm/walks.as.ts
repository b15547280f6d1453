/**
 * How the rows of a part are walked: one class a kind of format, inlined into a copy of every kernel (spmm-*.as.ts).
 *
 * A walk takes rows in order, by an address that leads to each next one: its cursor.
 *
 *   seek(part, i)         the cursor of row i
 *   end(part, k, i)       where row i ends, whose cursor is k; its entries are at k, k + 4, … below the end
 *   column(part, k, i)    where the column index of the entry at k is; its value is `values` bytes further on
 *   next(part, k, end)    the cursor of row i + 1
 *   isOrdered()           whether the i-th row is row order[i] of A, not row i
 *   isCommon()            whether kernels for some matrices alone are made for it, too
 *
 * Arguments of a part: spmm-arguments.as.ts; kernels/sparse/formats/ says which walk a format takes and with which
 * words.
 */
import * as A from './spmm-arguments.as';

/**
 * Row i owns places side by side: ELL and ELL_R have a width, CSR has offsets.
 *   0 width, or 0      1 offsets, rows + 1 of them; or lengths; or 0 where every row is full
 */
// @ts-ignore: decorator
@final
@unmanaged
export class Runs {
  // @ts-ignore: decorator
  @inline
  isOrdered(): bool {
    return false;
  }

  // @ts-ignore: decorator
  @inline
  isCommon(): bool {
    return true;
  }

  // @ts-ignore: decorator
  @inline
  seek(part: usize, i: u32): usize {
    const width = load<usize>(part, A.WORD_0);
    const place = width ? usize(i) * width : usize(load<u32>(load<usize>(part, A.WORD_1) + (usize(i) << 2)));
    return load<usize>(part, A.COLUMNS) + (place << 2);
  }

  // @ts-ignore: decorator
  @inline
  end(part: usize, k: usize, i: u32): usize {
    const width = load<usize>(part, A.WORD_0);
    const at = load<usize>(part, A.WORD_1);
    if (!at) return k + (width << 2);
    if (width) return k + (usize(load<u32>(at + (usize(i) << 2))) << 2);
    return load<usize>(part, A.COLUMNS) + (usize(load<u32>(at + (usize(i) << 2), 4)) << 2);
  }

  // @ts-ignore: decorator
  @inline
  column(part: usize, k: usize, i: u32): usize {
    return k;
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize): usize {
    const width = load<usize>(part, A.WORD_0);
    return width ? k + (width << 2) : end;
  }
}

/**
 * Coordinates in order of rows.
 *   0 rows      1 their number
 */
// @ts-ignore: decorator
@final
@unmanaged
export class Coordinates {
  // @ts-ignore: decorator
  @inline
  isOrdered(): bool {
    return false;
  }

  // @ts-ignore: decorator
  @inline
  isCommon(): bool {
    return false;
  }

  /** The first entry of a row from i on. */
  seek(part: usize, i: u32): usize {
    const rows = load<usize>(part, A.WORD_0);
    let low: usize = 0;
    let high = load<usize>(part, A.WORD_1);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (load<u32>(rows + (middle << 2)) < i) low = middle + 1;
      else high = middle;
    }
    return load<usize>(part, A.COLUMNS) + (low << 2);
  }

  // @ts-ignore: decorator
  @inline
  end(part: usize, k: usize, i: u32): usize {
    const columns = load<usize>(part, A.COLUMNS);
    const rows = load<usize>(part, A.WORD_0) - columns;
    const last = columns + (load<usize>(part, A.WORD_1) << 2);
    while (k < last && load<u32>(rows + k) == i) k += 4;
    return k;
  }

  // @ts-ignore: decorator
  @inline
  column(part: usize, k: usize, i: u32): usize {
    return k;
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize): usize {
    return end;
  }
}

/**
 * JAD: entry t of the i-th row is at place diagonals[t] + i; the cursor leads along the diagonals.
 *   0 diagonals      1 entries before the i-th row, which say how many it has
 */
// @ts-ignore: decorator
@final
@unmanaged
export class Jad {
  // @ts-ignore: decorator
  @inline
  isOrdered(): bool {
    return true;
  }

  // @ts-ignore: decorator
  @inline
  isCommon(): bool {
    return false;
  }

  // @ts-ignore: decorator
  @inline
  seek(part: usize, i: u32): usize {
    return load<usize>(part, A.WORD_0);
  }

  // @ts-ignore: decorator
  @inline
  end(part: usize, k: usize, i: u32): usize {
    const offsets = load<usize>(part, A.WORD_1) + (usize(i) << 2);
    return k + (usize(load<u32>(offsets, 4) - load<u32>(offsets)) << 2);
  }

  // @ts-ignore: decorator
  @inline
  column(part: usize, k: usize, i: u32): usize {
    return load<usize>(part, A.COLUMNS) + (usize(load<u32>(k) + i) << 2);
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize): usize {
    return k;
  }
}

/**
 * Rows first … last − 1 by the walk that the arguments name; R: how they are summed. The cases number the walks, and a
 * format's layout names its own (kernels/sparse/formats/layout.ts).
 */
export function walkRows<R>(args: usize, first: u32, last: u32): void {
  switch (load<u32>(args, A.WALK)) {
    case 0:
      changetype<R>(0).rows<Runs>(args, first, last);
      break;
    case 1:
      changetype<R>(0).rows<Coordinates>(args, first, last);
      break;
    case 2:
      changetype<R>(0).rows<Jad>(args, first, last);
      break;
  }
}
