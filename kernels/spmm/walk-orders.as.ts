/** Walks of rows that are found by a search or stand in an order of their own (walks.as.ts): COO, JAD, SELL. */
import * as A from './spmm-arguments.as';
import { OrderedPlaces, ListedPlaces } from './walk-kinds.as';

/**
 * Coordinates in order of rows.
 *   0 rows      1 their number
 */
// @ts-ignore: decorator
@final
@unmanaged
export class Coordinates extends ListedPlaces {
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
  value(part: usize, values: usize, k: usize, i: u32): usize {
    return values + k;
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
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
export class Jad extends OrderedPlaces {
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
  value(part: usize, values: usize, k: usize, i: u32): usize {
    return load<usize>(part, A.VALUES) + (usize(load<u32>(k) + i) << 2);
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
    return k;
  }
}

/**
 * SELL: entry t of slot i is 2^s·t places behind its first one; the cursor leads to every 2^s-th place.
 *   0 of each slot, where its first entry is      1 entries before the i-th slot      2 s
 */
// @ts-ignore: decorator
@final
@unmanaged
export class Slices extends OrderedPlaces {
  // @ts-ignore: decorator
  @inline
  seek(part: usize, i: u32): usize {
    return load<usize>(part, A.COLUMNS) + (usize(load<u32>(load<usize>(part, A.WORD_0) + (usize(i) << 2))) << 2);
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
    const first = this.seek(part, i);
    return first + ((k - first) << load<usize>(part, A.WORD_2));
  }

  // @ts-ignore: decorator
  @inline
  value(part: usize, values: usize, k: usize, i: u32): usize {
    const first = this.seek(part, i);
    return values + first + ((k - first) << load<usize>(part, A.WORD_2));
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
    return this.seek(part, i + 1);
  }
}
