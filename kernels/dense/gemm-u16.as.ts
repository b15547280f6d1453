/**
 * C ← C − A·B mod p < 2^16 on dense blocks of one matrix: both factors are packed into words that i32x4.dot_i16x8_s
 * takes, then a tile of 4 rows × 8 columns of C stays in registers over a block of words.
 *
 *   C, A, B   u16 canonical, row-major     word t of a row of A meets word t of a column of B, 16 + 16 bits
 *   split     word t is term t: −a as pair(−a) of u16.as.ts, b as (b & 255, b >> 8)
 *   plain     word t is terms 2t and 2t + 1 balanced, for p so small that products of residues leave room to add
 *
 * 4 words of one register: 4 products (split) or 8 (plain) for one multiplication and one addition. Sums run over
 * `terms` words between reductions (kernels/dense/gemm-bounds.ts). Packed layout: blocks of BLOCK words; within one, A
 * by tiles of 4 rows and B by panels of 8 columns; within these, word by word. Tails are zeros. Source of the shape:
 * Goto and van de Geijn 2008.
 */
import { nextChunk } from '../threads/chunks.as';
import { barrier } from '../threads/fork-join.as';
import { balance, reduce } from '../residues/u16.as';
import * as P from './gemm-arguments.as';

/** C ← C − A·B: packing is shared out evenly, the product by tasks. */
export function gemmU16(thread: i32, threads: i32, args: usize): void {
  packRows(thread, threads, args);
  packColumns(thread, threads, args + P.PACK_B);
  barrier(threads, load<i32>(args + P.PRODUCT, P.SPIN));
  product(args + P.PRODUCT);
}

/** A: rows first … of the matrix at the listed columns, negated. Tiles are dealt out among the threads. */
function packRows(thread: i32, threads: i32, args: usize): void {
  const from = load<usize>(args, P.FROM);
  const stride = load<usize>(args, P.STRIDE);
  const rows = load<i32>(args, P.COUNT);
  const columns = load<usize>(args, P.COLUMNS);
  const terms = load<i32>(args, P.DEPTH);
  const plain = load<i32>(args, P.PLAIN) != 0;
  const p = i32x4.splat(load<i32>(args, P.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, P.MODULUS)));
  const low = i32x4.splat(0xffff);
  const zero = i32x4.splat(0);
  const tiles = (rows + 3) >> 2;
  const words = plain ? (terms + 1) >> 1 : terms;
  for (let tile = thread; tile < tiles; tile += threads) {
    // Rows beyond the last repeat it: their products are not stored.
    const r0 = from + usize(tile * 4) * stride;
    const r1 = tile * 4 + 1 < rows ? r0 + stride : r0;
    const r2 = tile * 4 + 2 < rows ? r0 + 2 * stride : r0;
    const r3 = tile * 4 + 3 < rows ? r0 + 3 * stride : r0;
    for (let t = 0; t < words; t++) {
      let word = zero;
      if (plain) {
        const even = 2 * t < terms ? gather(r0, r1, r2, r3, columns, 2 * t) : zero;
        const odd = 2 * t + 1 < terms ? gather(r0, r1, r2, r3, columns, 2 * t + 1) : zero;
        const b0 = i32x4.neg(balance(even, p, inverse));
        const b1 = i32x4.neg(balance(odd, p, inverse));
        word = v128.or(v128.and(b0, low), i32x4.shl(b1, 16));
      } else if (t < terms) {
        const a = gather(r0, r1, r2, r3, columns, t);
        const b0 = i32x4.neg(balance(a, p, inverse));
        const b1 = i32x4.neg(balance(i32x4.shl(a, 8), p, inverse));
        word = v128.or(v128.and(b0, low), i32x4.shl(b1, 16));
      }
      v128.store(P.placeOf(load<usize>(args, P.TO), t, words, tile, tiles, 16), word);
    }
  }
}

// @ts-ignore: decorator
@inline
function gather(r0: usize, r1: usize, r2: usize, r3: usize, columns: usize, t: i32): v128 {
  const at = usize(load<u32>(columns + (usize(t) << 2))) << 1;
  const x = i32x4.replace_lane(i32x4.splat(load<u16>(r0 + at)), 1, load<u16>(r1 + at));
  return i32x4.replace_lane(i32x4.replace_lane(x, 2, load<u16>(r2 + at)), 3, load<u16>(r3 + at));
}

/** B: `terms` rows from `from` on, COUNT columns in panels of 8. */
function packColumns(thread: i32, threads: i32, args: usize): void {
  const from = load<usize>(args, P.FROM);
  const stride = load<usize>(args, P.STRIDE);
  const panels = load<i32>(args, P.COUNT) >> 3;
  const terms = load<i32>(args, P.DEPTH);
  const plain = load<i32>(args, P.PLAIN) != 0;
  const p = i32x4.splat(load<i32>(args, P.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, P.MODULUS)));
  const low = i32x4.splat(0xffff);
  const zero = i32x4.splat(0);
  const words = plain ? (terms + 1) >> 1 : terms;
  for (let panel = thread; panel < panels; panel += threads) {
    for (let t = 0; t < words; t++) {
      let left = zero;
      let right = zero;
      if (plain) {
        const at = from + usize(2 * t) * stride + usize(panel) * 16;
        const x = 2 * t < terms ? v128.load(at) : zero;
        const y = 2 * t + 1 < terms ? v128.load(at + stride) : zero;
        left = v128.or(
          v128.and(balance(i32x4.extend_low_i16x8_u(x), p, inverse), low),
          i32x4.shl(balance(i32x4.extend_low_i16x8_u(y), p, inverse), 16),
        );
        right = v128.or(
          v128.and(balance(i32x4.extend_high_i16x8_u(x), p, inverse), low),
          i32x4.shl(balance(i32x4.extend_high_i16x8_u(y), p, inverse), 16),
        );
      } else if (t < terms) {
        const x = v128.load(from + usize(t) * stride + usize(panel) * 16);
        left = i16x8.extend_low_i8x16_u(x);
        right = i16x8.extend_high_i8x16_u(x);
      }
      const to = P.placeOf(load<usize>(args, P.TO), t, words, panel, panels, 32);
      v128.store(to, left);
      v128.store(to, right, 16);
    }
  }
}

/** C from the packed factors, task by task. */
function product(args: usize): void {
  const rows = load<i32>(args, P.C_ROWS);
  const columns = load<i32>(args, P.C_COLUMNS);
  const terms = load<i32>(args, P.TERMS);
  const words = load<i32>(args, P.WORDS);
  const fresh = load<i32>(args, P.FRESH) != 0;
  const c = load<usize>(args, P.C);
  const stride = load<usize>(args, P.C_STRIDE);
  const p = load<u32>(args, P.C_MODULUS);
  const tiles = (rows + 3) >> 2;
  const panels = columns >> 3;
  const across = (columns + P.TASK_COLUMNS - 1) / P.TASK_COLUMNS;
  const tasks = across * ((rows + P.TASK_ROWS - 1) / P.TASK_ROWS);
  for (;;) {
    const task = i32(nextChunk());
    if (task >= tasks) return;
    const firstTile = (task / across) * (P.TASK_ROWS >> 2);
    const lastTile = min(tiles, firstTile + (P.TASK_ROWS >> 2));
    const firstPanel = (task % across) * (P.TASK_COLUMNS >> 3);
    const lastPanel = min(panels, firstPanel + (P.TASK_COLUMNS >> 3));
    for (let start = 0; start < words; start += P.BLOCK) {
      const count = min(P.BLOCK, words - start);
      const a = load<usize>(args, P.A) + usize(start) * usize(tiles) * 16;
      const b = load<usize>(args, P.B) + usize(start) * usize(panels) * 32;
      for (let panel = firstPanel; panel < lastPanel; panel++) {
        for (let tile = firstTile; tile < lastTile; tile++) {
          tile4x8(
            a + usize(tile * count) * 16,
            b + usize(panel * count) * 32,
            count,
            terms,
            c + usize(tile * 4) * stride + usize(panel) * 16,
            stride,
            rows - tile * 4,
            fresh && start == 0,
            p,
          );
        }
      }
    }
  }
}

/** 4 rows × 8 columns of C (`rows` of them are there) less `words` words of a times b; `fresh`: C was 0. */
function tile4x8(
  a: usize,
  b: usize,
  words: i32,
  terms: i32,
  c: usize,
  stride: usize,
  rows: i32,
  fresh: bool,
  modulus: u32,
): void {
  let c00 = i32x4.splat(0);
  let c01 = c00;
  let c10 = c00;
  let c11 = c00;
  let c20 = c00;
  let c21 = c00;
  let c30 = c00;
  let c31 = c00;
  const p = i32x4.splat(modulus);
  const inverse = f32x4.splat(f32(1) / f32(modulus));
  let left = words;
  for (;;) {
    // One word a turn: unrolled loops are slower (test/bench/RESULTS.md#pluq).
    for (let stop = b + (usize(min(left, terms)) << 5); b < stop; a += 16, b += 32) {
      const b0 = v128.load(b);
      const b1 = v128.load(b, 16);
      let x = v128.load_splat<u32>(a);
      c00 = i32x4.add(c00, i32x4.dot_i16x8_s(x, b0));
      c01 = i32x4.add(c01, i32x4.dot_i16x8_s(x, b1));
      x = v128.load_splat<u32>(a, 4);
      c10 = i32x4.add(c10, i32x4.dot_i16x8_s(x, b0));
      c11 = i32x4.add(c11, i32x4.dot_i16x8_s(x, b1));
      x = v128.load_splat<u32>(a, 8);
      c20 = i32x4.add(c20, i32x4.dot_i16x8_s(x, b0));
      c21 = i32x4.add(c21, i32x4.dot_i16x8_s(x, b1));
      x = v128.load_splat<u32>(a, 12);
      c30 = i32x4.add(c30, i32x4.dot_i16x8_s(x, b0));
      c31 = i32x4.add(c31, i32x4.dot_i16x8_s(x, b1));
    }
    left -= terms;
    if (left <= 0) break;
    c00 = balance(c00, p, inverse);
    c01 = balance(c01, p, inverse);
    c10 = balance(c10, p, inverse);
    c11 = balance(c11, p, inverse);
    c20 = balance(c20, p, inverse);
    c21 = balance(c21, p, inverse);
    c30 = balance(c30, p, inverse);
    c31 = balance(c31, p, inverse);
  }
  finish(c, c00, c01, fresh, p, inverse);
  if (rows > 1) finish(c + stride, c10, c11, fresh, p, inverse);
  if (rows > 2) finish(c + 2 * stride, c20, c21, fresh, p, inverse);
  if (rows > 3) finish(c + 3 * stride, c30, c31, fresh, p, inverse);
}

// @ts-ignore: decorator
@inline
function finish(at: usize, left: v128, right: v128, fresh: bool, p: v128, inverse: v128): void {
  if (!fresh) {
    const old = v128.load(at);
    left = i32x4.add(left, i32x4.extend_low_i16x8_u(old));
    right = i32x4.add(right, i32x4.extend_high_i16x8_u(old));
  }
  v128.store(at, i16x8.narrow_i32x4_u(reduce(left, p, inverse), reduce(right, p, inverse)));
}
