/**
 * Walks of rows whose columns follow from a pattern (walks.as.ts): DIA, BCSR, dense. They have a value at each place, 0
 * too, and for columns the numbers 0, 1, ….
 */
import * as A from './spmm-arguments.as';
import { FullPlaces } from './walk-kinds.as';

/**
 * DIA: diagonal d has its value of row i at place d·rows + i; the cursor leads along the offsets j − i, which increase.
 *   0 offsets      1 their number      2 (rows, columns)
 */
// @ts-ignore: decorator
@final
@unmanaged
export class Diagonals extends FullPlaces {
  /** The first diagonal that is at column `least` or beyond in row i. */
  first(part: usize, i: u32, least: i32): usize {
    let low = load<usize>(part, A.WORD_0);
    let high = low + (load<usize>(part, A.WORD_1) << 2);
    while (low < high) {
      const middle = low + (((high - low) >> 3) << 2);
      if (i32(i) + load<i32>(middle) < least) low = middle + 4;
      else high = middle;
    }
    return low;
  }

  // @ts-ignore: decorator
  @inline
  seek(part: usize, i: u32): usize {
    return this.first(part, i, 0);
  }

  // @ts-ignore: decorator
  @inline
  end(part: usize, k: usize, i: u32): usize {
    return this.first(part, i, load<i32>(load<usize>(part, A.WORD_2), 4));
  }

  // @ts-ignore: decorator
  @inline
  column(part: usize, k: usize, i: u32): usize {
    return load<usize>(part, A.COLUMNS) + (usize(i + load<u32>(k)) << 2);
  }

  // @ts-ignore: decorator
  @inline
  value(part: usize, values: usize, k: usize, i: u32): usize {
    const place = ((k - load<usize>(part, A.WORD_0)) >> 2) * load<u32>(load<usize>(part, A.WORD_2)) + usize(i);
    return load<usize>(part, A.VALUES) + (place << 2);
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
    return this.first(part, i + 1, 0);
  }
}

/**
 * BCSR: row i of block row i / b owns b places of each of its blocks, whose places are by columns; the cursor counts
 * them all, from the first block on, four a place.
 *   0 (b, rows)      1 blocks before each block row      2 the first column of each block
 */
// @ts-ignore: decorator
@final
@unmanaged
export class Blocks extends FullPlaces {
  // @ts-ignore: decorator
  @inline
  seek(part: usize, i: u32): usize {
    const b = load<u32>(load<usize>(part, A.WORD_0));
    return usize(load<u32>(load<usize>(part, A.WORD_1) + (usize(i / b) << 2)) * b) << 2;
  }

  // @ts-ignore: decorator
  @inline
  end(part: usize, k: usize, i: u32): usize {
    const b = load<u32>(load<usize>(part, A.WORD_0));
    return usize(load<u32>(load<usize>(part, A.WORD_1) + (usize(i / b) << 2), 4) * b) << 2;
  }

  // @ts-ignore: decorator
  @inline
  column(part: usize, k: usize, i: u32): usize {
    const b = load<u32>(load<usize>(part, A.WORD_0));
    const place = u32(k >> 2);
    const column = load<u32>(load<usize>(part, A.WORD_2) + (usize(place / b) << 2)) + (place % b);
    return load<usize>(part, A.COLUMNS) + (usize(column) << 2);
  }

  // @ts-ignore: decorator
  @inline
  value(part: usize, values: usize, k: usize, i: u32): usize {
    const b = load<u32>(load<usize>(part, A.WORD_0));
    return load<usize>(part, A.VALUES) + k * usize(b) + (usize(i % b) << 2);
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
    return this.seek(part, i + 1);
  }
}

/**
 * Dense: row i has its value of column j at place i·columns + j; the cursor is 4·j.
 *   0 columns
 */
// @ts-ignore: decorator
@final
@unmanaged
export class Full extends FullPlaces {
  // @ts-ignore: decorator
  @inline
  seek(part: usize, i: u32): usize {
    return 0;
  }

  // @ts-ignore: decorator
  @inline
  end(part: usize, k: usize, i: u32): usize {
    return load<usize>(part, A.WORD_0) << 2;
  }

  // @ts-ignore: decorator
  @inline
  column(part: usize, k: usize, i: u32): usize {
    return load<usize>(part, A.COLUMNS) + k;
  }

  // @ts-ignore: decorator
  @inline
  value(part: usize, values: usize, k: usize, i: u32): usize {
    return load<usize>(part, A.VALUES) + usize(i) * (load<usize>(part, A.WORD_0) << 2) + k;
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
    return 0;
  }
}
