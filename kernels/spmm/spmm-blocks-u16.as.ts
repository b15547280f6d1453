/**
 * Y ← alpha·A·X + beta·Y for p < 2^16 and dense b × b blocks (kernels/sparse/formats/bcsr.ts): sums of several rows of
 * a block at once, so that what is read of X serves all of them, and an index serves a block.
 *
 *   I : block row          arguments: spmm-arguments.as.ts, words: walk-patterns.as.ts, arithmetic: u16.as.ts
 *
 * A block's values are by columns. At width 1 a vector is 4 rows of a column of the block, times a splat of a residue
 * of X. At other widths a vector is 4 columns of X, in a tile of 8 columns and up to 4 rows. Zeros within a block are
 * terms like others.
 */
import { addU16, affine, reduce, storePart } from '../residues/u16.as';
import * as A from './spmm-arguments.as';

/** The block rows that begin at rows first … last − 1. */
export function blockRowsU16(args: usize, first: u32, last: u32): void {
  const sizes = load<usize>(args + A.GENERAL, A.WORD_0);
  const b = load<u32>(sizes);
  const rows = load<u32>(sizes, 4);
  const width = load<u32>(args, A.WIDTH);
  const end = (last + b - 1) / b;
  for (let I = (first + b - 1) / b; I < end; I++) {
    const count = min(b, rows - I * b);
    if (width == 1) {
      if (b == 2) narrow2(args, I, count);
      else if (b < 8) narrow4(args, I, count);
      else for (let row: u32 = 0; row < count; row += 8) narrow8(args, I, row, min<u32>(8, count - row));
      continue;
    }
    for (let column: u32 = 0; column < width; column += 8) {
      const columns = min<u32>(8, width - column);
      if (b == 2) wide2(args, I, count, column, columns);
      else if (b == 3) wide3(args, I, count, column, columns);
      else for (let row: u32 = 0; row < count; row += 4) wide4(args, I, row, min<u32>(4, count - row), column, columns);
    }
  }
}

function narrow2(args: usize, I: u32, count: u32): void {
  narrow(args, I, 0, count, 2);
}

/** Of blocks of 3 rows, too: the last lane is then the column's to the right, and not stored. */
function narrow4(args: usize, I: u32, count: u32): void {
  narrow(args, I, 0, count, 4);
}

function narrow8(args: usize, I: u32, row: u32, count: u32): void {
  narrow(args, I, row, count, 8);
}

function wide2(args: usize, I: u32, count: u32, column: u32, columns: u32): void {
  wide(args, I, 0, count, column, columns, 2);
}

function wide3(args: usize, I: u32, count: u32, column: u32, columns: u32): void {
  wide(args, I, 0, count, column, columns, 3);
}

function wide4(args: usize, I: u32, row: u32, count: u32, column: u32, columns: u32): void {
  wide(args, I, row, count, column, columns, 4);
}

/**
 * Rows row … row + count − 1 of block row I at width 1; `lanes`, known where this is inlined: 2 rows of two columns at
 * once, 4 rows, 8 rows.
 */
// @ts-ignore: decorator
@inline
function narrow(args: usize, I: u32, row: u32, count: u32, lanes: u32): void {
  const part = args + A.GENERAL;
  const b = load<u32>(load<usize>(part, A.WORD_0));
  const p = i32x4.splat(load<i32>(args, A.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, A.MODULUS)));
  const x = load<usize>(args, A.X);
  const offsets = load<usize>(part, A.WORD_1) + (usize(I) << 2);
  const columns = load<usize>(part, A.WORD_2);
  const end = columns + (usize(load<u32>(offsets, 4)) << 2);
  const step = usize(b) << 2;
  const turn = load<usize>(args, A.GENERAL_TERMS) / step << 2;
  let place = load<usize>(part, A.VALUES) + usize(load<u32>(offsets) * b) * step + (usize(row) << 2);
  let a0 = i32x4.splat(0);
  let a1 = a0;
  for (let k = columns + (usize(load<u32>(offsets)) << 2); k < end; ) {
    const stop = min(end, k + turn);
    for (; k < stop; k += 4) {
      let at = x + (usize(load<u32>(k)) << 1);
      if (lanes == 2) {
        const two = v128.load_splat<u32>(at);
        const bytes = i8x16.shuffle(two, i8x16.splat(0), 0, 16, 1, 16, 0, 16, 1, 16, 2, 16, 3, 16, 2, 16, 3, 16);
        a0 = i32x4.add(a0, i32x4.dot_i16x8_s(bytes, v128.load(place)));
        place += 16;
      } else {
        for (const behind = at + (usize(b) << 1); at < behind; at += 2) {
          const bytes = i16x8.extend_low_i8x16_u(v128.load_splat<u16>(at));
          a0 = i32x4.add(a0, i32x4.dot_i16x8_s(bytes, v128.load(place)));
          if (lanes == 8) a1 = i32x4.add(a1, i32x4.dot_i16x8_s(bytes, v128.load(place, 16)));
          place += step;
        }
      }
    }
    if (k < end) {
      a0 = reduce(a0, p, inverse);
      if (lanes == 8) a1 = reduce(a1, p, inverse);
    }
  }
  if (lanes == 2) a0 = i32x4.add(a0, i64x2.shuffle(a0, a0, 1, 1));
  const y = load<usize>(args, A.Y) + (usize(I * b + row) << 1);
  store(args, y, i16x8.narrow_i32x4_u(reduce(a0, p, inverse), reduce(a1, p, inverse)), count);
}

/** The same rows and columns column … column + columns − 1 ≤ column + 7; `r` ≥ count: 2, 3 or 4, known likewise. */
// @ts-ignore: decorator
@inline
function wide(args: usize, I: u32, row: u32, count: u32, column: u32, columns: u32, r: u32): void {
  const part = args + A.GENERAL;
  const b = load<u32>(load<usize>(part, A.WORD_0));
  const p = i32x4.splat(load<i32>(args, A.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, A.MODULUS)));
  const stride = usize(load<u32>(args, A.WIDTH)) << 1;
  const x = load<usize>(args, A.X) + (usize(column) << 1);
  const offsets = load<usize>(part, A.WORD_1) + (usize(I) << 2);
  const firsts = load<usize>(part, A.WORD_2);
  const end = firsts + (usize(load<u32>(offsets, 4)) << 2);
  const step = usize(b) << 2;
  const turn = load<usize>(args, A.GENERAL_TERMS) / step << 2;
  let place = load<usize>(part, A.VALUES) + usize(load<u32>(offsets) * b) * step + (usize(row) << 2);
  let low0 = i32x4.splat(0);
  let low1 = low0;
  let low2 = low0;
  let low3 = low0;
  let high0 = low0;
  let high1 = low0;
  let high2 = low0;
  let high3 = low0;
  for (let k = firsts + (usize(load<u32>(offsets)) << 2); k < end; ) {
    const stop = min(end, k + turn);
    for (; k < stop; k += 4) {
      let at = x + usize(load<u32>(k)) * stride;
      for (const behind = place + step * usize(b); place < behind; place += step) {
        const low = v128.load_ext<u8>(at);
        const high = v128.load_ext<u8>(at, 8);
        at += stride;
        const v0 = v128.load_splat<u32>(place);
        low0 = i32x4.add(low0, i32x4.dot_i16x8_s(low, v0));
        high0 = i32x4.add(high0, i32x4.dot_i16x8_s(high, v0));
        const v1 = v128.load_splat<u32>(place, 4);
        low1 = i32x4.add(low1, i32x4.dot_i16x8_s(low, v1));
        high1 = i32x4.add(high1, i32x4.dot_i16x8_s(high, v1));
        if (r > 2) {
          const v2 = v128.load_splat<u32>(place, 8);
          low2 = i32x4.add(low2, i32x4.dot_i16x8_s(low, v2));
          high2 = i32x4.add(high2, i32x4.dot_i16x8_s(high, v2));
        }
        if (r > 3) {
          const v3 = v128.load_splat<u32>(place, 12);
          low3 = i32x4.add(low3, i32x4.dot_i16x8_s(low, v3));
          high3 = i32x4.add(high3, i32x4.dot_i16x8_s(high, v3));
        }
      }
    }
    if (k < end) {
      low0 = reduce(low0, p, inverse);
      high0 = reduce(high0, p, inverse);
      low1 = reduce(low1, p, inverse);
      high1 = reduce(high1, p, inverse);
      if (r > 2) {
        low2 = reduce(low2, p, inverse);
        high2 = reduce(high2, p, inverse);
      }
      if (r > 3) {
        low3 = reduce(low3, p, inverse);
        high3 = reduce(high3, p, inverse);
      }
    }
  }
  const y = load<usize>(args, A.Y) + usize(I * b + row) * stride + (usize(column) << 1);
  store(args, y, i16x8.narrow_i32x4_u(reduce(low0, p, inverse), reduce(high0, p, inverse)), columns);
  if (count > 1) {
    store(args, y + stride, i16x8.narrow_i32x4_u(reduce(low1, p, inverse), reduce(high1, p, inverse)), columns);
  }
  if (r > 2 && count > 2) {
    store(args, y + 2 * stride, i16x8.narrow_i32x4_u(reduce(low2, p, inverse), reduce(high2, p, inverse)), columns);
  }
  if (r > 3 && count > 3) {
    store(args, y + 3 * stride, i16x8.narrow_i32x4_u(reduce(low3, p, inverse), reduce(high3, p, inverse)), columns);
  }
}

/** The end of `count` ≤ 8 residues side by side in Y. */
function store(args: usize, y: usize, r: v128, count: u32): void {
  const ending = load<u32>(args, A.AFFINE);
  if (ending == A.ADD) {
    r = addU16(r, v128.load(y), i16x8.splat(load<u16>(args, A.MODULUS)));
  } else if (ending) {
    r = affine(r, load<u32>(args, A.ALPHA), v128.load(y), load<u32>(args, A.BETA), load<u32>(args, A.MODULUS));
  }
  if (count < 8) storePart(y, r, count);
  else v128.store(y, r);
}
