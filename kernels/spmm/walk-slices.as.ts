/** Walks of rows in slices of sliced ELLPACK (walks.as.ts): of variable height, of 1 × b blocks, with diagonals. */
import * as A from './spmm-arguments.as';
import { FullPlaces, ListedPlaces } from './walk-kinds.as';

/**
 * Slices of variable height: entry t of row i is heights[i]·t places behind its first one; the cursor leads to every
 * heights[i]-th place.
 *   0 of each row and of the end, where its first entry is      1 entries before row i      2 heights
 */
// @ts-ignore: decorator
@final
@unmanaged
export class VariableSlices extends ListedPlaces {
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
    return first + (k - first) * usize(load<u32>(load<usize>(part, A.WORD_2) + (usize(i) << 2)));
  }

  // @ts-ignore: decorator
  @inline
  value(part: usize, values: usize, k: usize, i: u32): usize {
    return values + this.column(part, k, i);
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
    return this.seek(part, i + 1);
  }
}

/**
 * Slices of blocks of b = 2^s columns: the cursor counts the places of a row, four each, b a block; blocks are 32
 * places apart.
 *   0 (first place, blocks) of each row      1 the first column of each block      2 s
 */
// @ts-ignore: decorator
@final
@unmanaged
export class BlockSlices extends FullPlaces {
  // @ts-ignore: decorator
  @inline
  seek(part: usize, i: u32): usize {
    return 0;
  }

  // @ts-ignore: decorator
  @inline
  end(part: usize, k: usize, i: u32): usize {
    const blocks = load<u32>(load<usize>(part, A.WORD_0) + (usize(i) << 3), 4);
    return usize(blocks) << (load<usize>(part, A.WORD_2) + 2);
  }

  /** The block of the cursor. */
  // @ts-ignore: decorator
  @inline
  place(part: usize, k: usize, i: u32): usize {
    const first = load<u32>(load<usize>(part, A.WORD_0) + (usize(i) << 3));
    return usize(first) + (k >> (load<usize>(part, A.WORD_2) + 2) << 5);
  }

  /** The bytes of the cursor within its block. */
  // @ts-ignore: decorator
  @inline
  within(part: usize, k: usize): usize {
    return k & ((4 << load<usize>(part, A.WORD_2)) - 1);
  }

  // @ts-ignore: decorator
  @inline
  column(part: usize, k: usize, i: u32): usize {
    const first = load<u32>(load<usize>(part, A.WORD_1) + (this.place(part, k, i) << 2));
    return load<usize>(part, A.COLUMNS) + (usize(first) << 2) + this.within(part, k);
  }

  // @ts-ignore: decorator
  @inline
  value(part: usize, values: usize, k: usize, i: u32): usize {
    const block = this.place(part, k, i) << (load<usize>(part, A.WORD_2) + 2);
    return load<usize>(part, A.VALUES) + block + this.within(part, k);
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
    return 0;
  }
}

/**
 * Slices of 32 rows with diagonals: the cursor counts a row's diagonals and then its other entries, four each.
 *   0 (words of indices, diagonals) before each slice      1 other entries of each row
 *   2 indices: of each slice an offset a diagonal, then columns
 */
// @ts-ignore: decorator
@final
@unmanaged
export class DiagonalSlices extends FullPlaces {
  // @ts-ignore: decorator
  @inline
  slice(part: usize, i: u32): usize {
    return load<usize>(part, A.WORD_0) + (usize(i >> 5) << 3);
  }

  // @ts-ignore: decorator
  @inline
  seek(part: usize, i: u32): usize {
    return 0;
  }

  // @ts-ignore: decorator
  @inline
  end(part: usize, k: usize, i: u32): usize {
    const slice = this.slice(part, i);
    const others = load<u32>(load<usize>(part, A.WORD_1) + (usize(i) << 2));
    return usize(load<u32>(slice, 12) - load<u32>(slice, 4) + others) << 2;
  }

  // @ts-ignore: decorator
  @inline
  column(part: usize, k: usize, i: u32): usize {
    const slice = this.slice(part, i);
    const diagonals = usize(load<u32>(slice, 12) - load<u32>(slice, 4)) << 2;
    const indices = load<usize>(part, A.WORD_2) + (usize(load<u32>(slice)) << 2);
    if (k < diagonals) return load<usize>(part, A.COLUMNS) + (usize(i + load<u32>(indices + k)) << 2);
    return indices + diagonals + ((k - diagonals) << 5) + (usize(i & 31) << 2);
  }

  // @ts-ignore: decorator
  @inline
  value(part: usize, values: usize, k: usize, i: u32): usize {
    const slice = this.slice(part, i);
    const first = load<u32>(slice) + 31 * load<u32>(slice, 4) + (i & 31);
    return load<usize>(part, A.VALUES) + (usize(first) << 2) + (k << 5);
  }

  // @ts-ignore: decorator
  @inline
  next(part: usize, k: usize, end: usize, i: u32): usize {
    return 0;
  }
}
