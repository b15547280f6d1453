/** Walks of rows whose places are side by side (walks.as.ts): of all rows, or of those that a list names. */
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
  hasUnits(): bool {
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
  value(part: usize, values: usize, k: usize, i: u32): usize {
    return values + k;
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
    const width = load<usize>(part, A.WORD_0);
    return width ? k + (width << 2) : end;
  }
}

/**
 * The i-th row of a list owns places side by side: COO_S.
 *   0 offsets, one more than rows that are listed
 */
// @ts-ignore: decorator
@final
@unmanaged
export class ListedRuns {
  // @ts-ignore: decorator
  @inline
  isOrdered(): bool {
    return true;
  }

  // @ts-ignore: decorator
  @inline
  isCommon(): bool {
    return true;
  }

  // @ts-ignore: decorator
  @inline
  hasUnits(): bool {
    return true;
  }

  // @ts-ignore: decorator
  @inline
  seek(part: usize, i: u32): usize {
    return load<usize>(part, A.COLUMNS) + (usize(load<u32>(load<usize>(part, A.WORD_0) + (usize(i) << 2))) << 2);
  }

  // @ts-ignore: decorator
  @inline
  end(part: usize, k: usize, i: u32): usize {
    return this.seek(part, i + 1);
  }

  // @ts-ignore: decorator
  @inline
  column(part: usize, k: usize, i: u32): usize {
    return k;
  }

  // @ts-ignore: decorator
  @inline
  value(part: usize, values: usize, k: usize, i: u32): usize {
    return values + k;
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
    return end;
  }
}
