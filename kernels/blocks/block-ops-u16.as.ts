/**
 * Products of block vectors with small dense blocks, p < 2^16; factors are pairs (u16.as.ts), u32.
 *
 *   projectU16   part[t, a, ·] = Σ pair[i·layers + a]·z[i, ·] over the coordinates i of task t, for `layers` values of
 *                a
 *   combineU16   y[i, ·] ← y[i, ·] + Σ_a pair[i·layers + a]·c[i's block row·layers + a, ·]
 *
 * Both take their coordinates in tasks (block-ops-layout.ts).
 */
import { takeChunk } from '../threads/chunks.as';
import { reduce, storePart, timesHigh, timesLow } from '../residues/u16.as';
import { reduceSmall } from '../residues/i16-sums.as';
import * as L from './block-ops-layout';

export function projectU16(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, L.WIDTH);
  const layers = load<u32>(args, L.LAYERS);
  const tasks = load<usize>(args, L.TASKS);
  const count = load<u32>(args, L.COUNT);
  const padded = usize((width + 7) & ~7);
  for (;;) {
    const task = takeChunk(thread, threads, count);
    if (task < 0) return;
    const at = tasks + usize(task) * L.TASK_BYTES;
    const out = load<usize>(args, L.BLOCK) + usize(task) * usize(layers) * padded * 4;
    const first = load<u32>(at, L.TASK_FIRST);
    const last = load<u32>(at, L.TASK_END);
    const small = last - first <= load<u32>(args, L.I16_TERMS);
    for (let column: u32 = 0; column < width; column += 8) {
      let a: u32 = 0;
      if (small) {
        for (; a + 4 <= layers; a += 4) {
          fourSmallSums(args, first, last, a, column, out + (usize(a) * padded + column) * 4, padded);
        }
      }
      for (; a + 4 <= layers; a += 4) {
        fourSums(args, first, last, a, column, out + (usize(a) * padded + column) * 4, padded);
      }
      for (; a < layers; a++) {
        sum8(args, first, last, a, column, out + (usize(a) * padded + column) * 4);
      }
    }
  }
}

function sum8(args: usize, first: u32, last: u32, a: u32, column: u32, out: usize): void {
  const stride = usize(load<u32>(args, L.WIDTH)) << 1;
  const step = usize(load<u32>(args, L.LAYERS)) << 2;
  const p = i32x4.splat(load<i32>(args, L.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, L.MODULUS)));
  const terms = load<u32>(args, L.TERMS);
  let z = load<usize>(args, L.VECTOR) + usize(first) * stride + (usize(column) << 1);
  let pair = load<usize>(args, L.FACTORS) + usize(first) * step + (usize(a) << 2);
  let low = i32x4.splat(0);
  let high = low;
  while (first < last) {
    const stop = min(last, first + terms);
    for (; first < stop; first++) {
      const v = v128.load_splat<u32>(pair);
      low = i32x4.add(low, i32x4.dot_i16x8_s(v128.load_ext<u8>(z), v));
      high = i32x4.add(high, i32x4.dot_i16x8_s(v128.load_ext<u8>(z, 8), v));
      z += stride;
      pair += step;
    }
    low = reduce(low, p, inverse);
    high = reduce(high, p, inverse);
  }
  storeSums(out, low, high);
}

/** Layers a … a + 3: one load of z for all of them. */
function fourSums(args: usize, first: u32, last: u32, a: u32, column: u32, out: usize, padded: usize): void {
  const stride = usize(load<u32>(args, L.WIDTH)) << 1;
  const step = usize(load<u32>(args, L.LAYERS)) << 2;
  const p = i32x4.splat(load<i32>(args, L.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, L.MODULUS)));
  const terms = load<u32>(args, L.TERMS);
  let z = load<usize>(args, L.VECTOR) + usize(first) * stride + (usize(column) << 1);
  let pair = load<usize>(args, L.FACTORS) + usize(first) * step + (usize(a) << 2);
  let low0 = i32x4.splat(0);
  let low1 = low0;
  let low2 = low0;
  let low3 = low0;
  let high0 = low0;
  let high1 = low0;
  let high2 = low0;
  let high3 = low0;
  while (first < last) {
    const stop = min(last, first + terms);
    for (; first < stop; first++) {
      const x = v128.load_ext<u8>(z);
      const y = v128.load_ext<u8>(z, 8);
      const v0 = v128.load_splat<u32>(pair);
      low0 = i32x4.add(low0, i32x4.dot_i16x8_s(x, v0));
      high0 = i32x4.add(high0, i32x4.dot_i16x8_s(y, v0));
      const v1 = v128.load_splat<u32>(pair, 4);
      low1 = i32x4.add(low1, i32x4.dot_i16x8_s(x, v1));
      high1 = i32x4.add(high1, i32x4.dot_i16x8_s(y, v1));
      const v2 = v128.load_splat<u32>(pair, 8);
      low2 = i32x4.add(low2, i32x4.dot_i16x8_s(x, v2));
      high2 = i32x4.add(high2, i32x4.dot_i16x8_s(y, v2));
      const v3 = v128.load_splat<u32>(pair, 12);
      low3 = i32x4.add(low3, i32x4.dot_i16x8_s(x, v3));
      high3 = i32x4.add(high3, i32x4.dot_i16x8_s(y, v3));
      z += stride;
      pair += step;
    }
    low0 = reduce(low0, p, inverse);
    high0 = reduce(high0, p, inverse);
    low1 = reduce(low1, p, inverse);
    high1 = reduce(high1, p, inverse);
    low2 = reduce(low2, p, inverse);
    high2 = reduce(high2, p, inverse);
    low3 = reduce(low3, p, inverse);
    high3 = reduce(high3, p, inverse);
  }
  storeSums(out, low0, high0);
  storeSums(out + padded * 4, low1, high1);
  storeSums(out + padded * 8, low2, high2);
  storeSums(out + padded * 12, low3, high3);
}

// @ts-ignore: decorator
@inline
function storeSums(at: usize, low: v128, high: v128): void {
  v128.store(at, low);
  v128.store(at, high, 16);
}

/** Layers a … a + 3 of a task whose sums 16 bits hold: one load of z for all of them. */
function fourSmallSums(args: usize, first: u32, last: u32, a: u32, column: u32, out: usize, padded: usize): void {
  const stride = usize(load<u32>(args, L.WIDTH)) << 1;
  const step = usize(load<u32>(args, L.LAYERS)) << 2;
  const p = i16x8.splat(load<u16>(args, L.MODULUS));
  const c = i16x8.splat(load<u16>(args, L.CONSTANT));
  let z = load<usize>(args, L.VECTOR) + usize(first) * stride + (usize(column) << 1);
  let pair = load<usize>(args, L.FACTORS) + usize(first) * step + (usize(a) << 2);
  let s0 = i16x8.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (; first < last; first++, z += stride, pair += step) {
    const x = v128.load(z);
    s0 = i16x8.add(s0, i16x8.mul(x, v128.load_splat<u16>(pair)));
    s1 = i16x8.add(s1, i16x8.mul(x, v128.load_splat<u16>(pair, 4)));
    s2 = i16x8.add(s2, i16x8.mul(x, v128.load_splat<u16>(pair, 8)));
    s3 = i16x8.add(s3, i16x8.mul(x, v128.load_splat<u16>(pair, 12)));
  }
  storeWords(out, reduceSmall(s0, p, c));
  storeWords(out + padded * 4, reduceSmall(s1, p, c));
  storeWords(out + padded * 8, reduceSmall(s2, p, c));
  storeWords(out + padded * 12, reduceSmall(s3, p, c));
}

// @ts-ignore: decorator
@inline
function storeWords(at: usize, r: v128): void {
  v128.store(at, i32x4.extend_low_i16x8_u(r));
  v128.store(at, i32x4.extend_high_i16x8_u(r), 16);
}

export function combineU16(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, L.WIDTH);
  const stride = usize(width) << 1;
  const layers = load<u32>(args, L.LAYERS);
  const tasks = load<usize>(args, L.TASKS);
  const count = load<u32>(args, L.COUNT);
  const terms = load<u32>(args, L.TERMS);
  const p = i32x4.splat(load<i32>(args, L.MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, L.MODULUS)));
  for (;;) {
    const task = takeChunk(thread, threads, count);
    if (task < 0) return;
    const at = tasks + usize(task) * L.TASK_BYTES;
    const c = load<usize>(args, L.BLOCK) + usize(load<u32>(at, L.TASK_ROW)) * usize(layers) * stride;
    const last = load<u32>(at, L.TASK_END);
    let i = load<u32>(at, L.TASK_FIRST);
    if (width == 4 && layers <= terms) i = combineFours(args, i, last, c, layers, p, inverse);
    for (; i < last; i++) {
      const row = load<usize>(args, L.VECTOR) + usize(i) * stride;
      const pairs = load<usize>(args, L.FACTORS) + ((usize(i) * usize(layers)) << 2);
      for (let column: u32 = 0; column < width; column += 8) {
        const y = row + (usize(column) << 1);
        let low = v128.load_ext<u16>(y);
        let high = v128.load_ext<u16>(y, 8);
        let from = c + (usize(column) << 1);
        let a: u32 = 0;
        while (a < layers) {
          const stop = min(layers, a + terms);
          for (; a < stop; a++) {
            const x = v128.load(from);
            const v = v128.load_splat<u32>(pairs + (usize(a) << 2));
            low = i32x4.add(low, timesLow(x, v));
            high = i32x4.add(high, timesHigh(x, v));
            from += stride;
          }
          low = reduce(low, p, inverse);
          high = reduce(high, p, inverse);
        }
        const r = i16x8.narrow_i32x4_u(low, high);
        if (column + 8 <= width) v128.store(y, r);
        else storePart(y, r, width - column);
      }
    }
  }
}

/** Rows of four in pairs, from `first` on: c is the same for all of them. The first row that is left. */
function combineFours(args: usize, first: u32, last: u32, c: usize, layers: u32, p: v128, inverse: v128): u32 {
  const step = usize(layers) << 2;
  let row = load<usize>(args, L.VECTOR) + (usize(first) << 3);
  let pair = load<usize>(args, L.FACTORS) + usize(first) * step;
  for (; first + 2 <= last; first += 2, row += 16, pair += step) {
    let even = v128.load_ext<u16>(row);
    let odd = v128.load_ext<u16>(row, 8);
    let from = c;
    for (const end = pair + step; pair < end; pair += 4, from += 8) {
      const x = i16x8.extend_low_i8x16_u(v128.load64_zero(from));
      even = i32x4.add(even, i32x4.dot_i16x8_s(x, v128.load_splat<u32>(pair)));
      odd = i32x4.add(odd, i32x4.dot_i16x8_s(x, v128.load_splat<u32>(pair + step)));
    }
    v128.store(row, i16x8.narrow_i32x4_u(reduce(even, p, inverse), reduce(odd, p, inverse)));
  }
  return first;
}

/** v[i, ·] ← pair[i]·v[i, ·], the thread's share of the rows. */
export function scaleU16(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, L.SCALE_WIDTH);
  const length = u64(load<u32>(args, L.SCALE_LENGTH));
  const p = i32x4.splat(load<i32>(args, L.SCALE_MODULUS));
  const inverse = f32x4.splat(f32(1) / f32(load<u32>(args, L.SCALE_MODULUS)));
  const last = u32((length * u64(thread + 1)) / u64(threads));
  for (let i = u32((length * u64(thread)) / u64(threads)); i < last; i++) {
    const v = v128.load_splat<u32>(load<usize>(args, L.SCALE_FACTORS) + (usize(i) << 2));
    const row = load<usize>(args, L.SCALE_VECTOR) + ((usize(i) * usize(width)) << 1);
    for (let column: u32 = 0; column < width; column += 8) {
      const at = row + (usize(column) << 1);
      const x = v128.load(at);
      const r = i16x8.narrow_i32x4_u(reduce(timesLow(x, v), p, inverse), reduce(timesHigh(x, v), p, inverse));
      if (column + 8 <= width) v128.store(at, r);
      else storePart(at, r, width - column);
    }
  }
}
