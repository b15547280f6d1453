/**
 * Products of block vectors with small dense blocks, 2^16 < p < 2^31; factors are residues, u32. Arithmetic: u32.as.ts.
 *
 *   projectU32   part[t, a, ·] = 2^-64·Σ f[i·layers + a]·z[i, ·] over the coordinates i of task t
 *   combineU32   y[i, ·] ← y[i, ·] + 2^-64·Σ_a f[i·layers + a]·c[i's block row·layers + a, ·]
 *
 * Tasks: 3 words each, block row, first coordinate, last + 1. The powers of 2 are the caller's to make up for.
 */
import { takeChunk } from '../threads/chunks.as';
import { addResidues, fromSums, storeU32 } from '../residues/u32.as';

/** Arguments: 0 z  1 width  2 f  3 layers  4 tasks  5 count  6 parts (rows padded to 8)  7 p  8 terms  9 −1/p. */
export function projectU32(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, 4);
  const layers = load<u32>(args, 12);
  const tasks = load<usize>(args, 16);
  const count = load<u32>(args, 20);
  const padded = usize((width + 7) & ~7);
  const stride = usize(width) << 2;
  for (;;) {
    const task = takeChunk(thread, threads, count);
    if (task < 0) return;
    const at = tasks + usize(task) * 12;
    const first = load<u32>(at, 4);
    const out = load<usize>(args, 24) + usize(task) * usize(layers) * padded * 4;
    for (let column: u32 = 0; column < width; column += 8) {
      for (let a: u32 = 0; a < layers; a++) {
        const z = load<usize>(args) + usize(first) * stride + (usize(column) << 2);
        const f = load<usize>(args, 8) + ((usize(first) * usize(layers) + usize(a)) << 2);
        const sum = out + (usize(a) * padded + column) * 4;
        products8(args, z, stride, f, usize(layers) << 2, load<u32>(at, 8) - first, sum, false, 8);
      }
    }
  }
}

/** Arguments: 0 y  1 width  2 f  3 layers  4 tasks  5 count  6 c  7 p  8 terms  9 −1/p. */
export function combineU32(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, 4);
  const stride = usize(width) << 2;
  const layers = load<u32>(args, 12);
  const tasks = load<usize>(args, 16);
  const count = load<u32>(args, 20);
  for (;;) {
    const task = takeChunk(thread, threads, count);
    if (task < 0) return;
    const at = tasks + usize(task) * 12;
    const c = load<usize>(args, 24) + usize(load<u32>(at)) * usize(layers) * stride;
    const last = load<u32>(at, 8);
    for (let i = load<u32>(at, 4); i < last; i++) {
      const row = load<usize>(args) + usize(i) * stride;
      const f = load<usize>(args, 8) + ((usize(i) * usize(layers)) << 2);
      for (let column: u32 = 0; column < width; column += 8) {
        const y = row + (usize(column) << 2);
        products8(args, c + (usize(column) << 2), stride, f, 4, layers, y, true, min<u32>(8, width - column));
      }
    }
  }
}

/**
 * out ← (out or 0) + 2^-64·Σ over `count` rows z, z + stride, … times the factors f, f + step, …; 8 columns, `stored`
 * of them kept.
 */
function products8(
  args: usize,
  z: usize,
  stride: usize,
  f: usize,
  step: usize,
  count: u32,
  out: usize,
  keep: bool,
  stored: u32,
): void {
  const p = i32x4.splat(load<i32>(args, 28));
  const n = i32x4.splat(load<i32>(args, 36));
  const terms = load<u32>(args, 32);
  const mask = i64x2.splat(0xffffffff);
  let acc0 = i64x2.splat(0);
  let acc1 = acc0;
  let acc2 = acc0;
  let acc3 = acc0;
  let high0 = acc0;
  let high1 = acc0;
  let high2 = acc0;
  let high3 = acc0;
  while (count > 0) {
    const run = min(count, terms);
    count -= run;
    for (let t: u32 = 0; t < run; t++) {
      const v = v128.load_splat<u32>(f);
      const x0 = v128.load(z);
      const x1 = v128.load(z, 16);
      acc0 = i64x2.add(acc0, i64x2.extmul_low_i32x4_u(x0, v));
      acc1 = i64x2.add(acc1, i64x2.extmul_high_i32x4_u(x0, v));
      acc2 = i64x2.add(acc2, i64x2.extmul_low_i32x4_u(x1, v));
      acc3 = i64x2.add(acc3, i64x2.extmul_high_i32x4_u(x1, v));
      z += stride;
      f += step;
    }
    high0 = i64x2.add(high0, i64x2.shr_u(acc0, 32));
    high1 = i64x2.add(high1, i64x2.shr_u(acc1, 32));
    high2 = i64x2.add(high2, i64x2.shr_u(acc2, 32));
    high3 = i64x2.add(high3, i64x2.shr_u(acc3, 32));
    acc0 = v128.and(acc0, mask);
    acc1 = v128.and(acc1, mask);
    acc2 = v128.and(acc2, mask);
    acc3 = v128.and(acc3, mask);
  }
  let r0 = fromSums(acc0, acc1, high0, high1, p, n);
  let r1 = fromSums(acc2, acc3, high2, high3, p, n);
  if (keep) {
    r0 = addResidues(r0, v128.load(out), p);
    r1 = addResidues(r1, v128.load(out, 16), p);
  }
  storeU32(out, r0, r1, stored);
}

/**
 * scaleU32: v[i, ·] ← d[i]·v[i, ·], thread's share of the rows; `square` = 2^128 mod p makes up for both reductions.
 *   0 v  1 width  2 d  3 length  4 p  5 −1/p  6 square
 */
export function scaleU32(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, 4);
  const length = u64(load<u32>(args, 12));
  const p = i32x4.splat(load<i32>(args, 16));
  const n = i32x4.splat(load<i32>(args, 20));
  const square = i32x4.splat(load<i32>(args, 24));
  const last = u32((length * u64(thread + 1)) / u64(threads));
  for (let i = u32((length * u64(thread)) / u64(threads)); i < last; i++) {
    const d = times(v128.load_splat<u32>(load<usize>(args, 8) + (usize(i) << 2)), square, p, n);
    const row = load<usize>(args) + ((usize(i) * usize(width)) << 2);
    for (let column: u32 = 0; column < width; column += 8) {
      const at = row + (usize(column) << 2);
      const low = times(v128.load(at), d, p, n);
      storeU32(at, low, times(v128.load(at, 16), d, p, n), min<u32>(8, width - column));
    }
  }
}

/** 2^-64·a·b */
// @ts-ignore: decorator
@inline
function times(a: v128, b: v128, p: v128, n: v128): v128 {
  const s0 = i64x2.extmul_low_i32x4_u(a, b);
  const s1 = i64x2.extmul_high_i32x4_u(a, b);
  const mask = i64x2.splat(0xffffffff);
  return fromSums(v128.and(s0, mask), v128.and(s1, mask), i64x2.shr_u(s0, 32), i64x2.shr_u(s1, 32), p, n);
}
