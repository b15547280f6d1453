/**
 * Products of block vectors with small dense blocks, 2^16 < p < 2^31; factors are residues, u32. Arithmetic: u32.as.ts.
 *
 *   projectU32   part[t, a, ·] = 2^-64·Σ f[i·layers + a]·z[i, ·] over the coordinates i of task t
 *   combineU32   y[i, ·] ← y[i, ·] + 2^-64·Σ_a f[i·layers + a]·c[i's block row·layers + a, ·]
 *
 * Coordinates come in tasks (block-ops-layout.ts). The caller makes up for the powers of 2.
 */
import { takeChunk } from '../threads/chunks.as';
import { addResidues, fromSums, storeU32 } from '../residues/u32.as';
import * as L from './block-ops-layout';

export function projectU32(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, L.WIDTH);
  const layers = load<u32>(args, L.LAYERS);
  const tasks = load<usize>(args, L.TASKS);
  const count = load<u32>(args, L.COUNT);
  const padded = usize((width + 7) & ~7);
  const stride = usize(width) << 2;
  for (;;) {
    const task = takeChunk(thread, threads, count);
    if (task < 0) return;
    const at = tasks + usize(task) * L.TASK_BYTES;
    const first = load<u32>(at, L.TASK_FIRST);
    const out = load<usize>(args, L.BLOCK) + usize(task) * usize(layers) * padded * 4;
    for (let column: u32 = 0; column < width; column += 8) {
      for (let a: u32 = 0; a < layers; a++) {
        const z = load<usize>(args, L.VECTOR) + usize(first) * stride + (usize(column) << 2);
        const f = load<usize>(args, L.FACTORS) + ((usize(first) * usize(layers) + usize(a)) << 2);
        const sum = out + (usize(a) * padded + column) * 4;
        products8(args, z, stride, f, usize(layers) << 2, load<u32>(at, L.TASK_END) - first, sum, false, 8);
      }
    }
  }
}

export function combineU32(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, L.WIDTH);
  const stride = usize(width) << 2;
  const layers = load<u32>(args, L.LAYERS);
  const tasks = load<usize>(args, L.TASKS);
  const count = load<u32>(args, L.COUNT);
  for (;;) {
    const task = takeChunk(thread, threads, count);
    if (task < 0) return;
    const at = tasks + usize(task) * L.TASK_BYTES;
    const c = load<usize>(args, L.BLOCK) + usize(load<u32>(at, L.TASK_ROW)) * usize(layers) * stride;
    const last = load<u32>(at, L.TASK_END);
    for (let i = load<u32>(at, L.TASK_FIRST); i < last; i++) {
      const row = load<usize>(args, L.VECTOR) + usize(i) * stride;
      const f = load<usize>(args, L.FACTORS) + ((usize(i) * usize(layers)) << 2);
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
  const p = i32x4.splat(load<i32>(args, L.MODULUS));
  const n = i32x4.splat(load<i32>(args, L.CONSTANT));
  const terms = load<u32>(args, L.TERMS);
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

/** v[i, ·] ← d[i]·v[i, ·], the thread's share of the rows. */
export function scaleU32(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, L.SCALE_WIDTH);
  const length = u64(load<u32>(args, L.SCALE_LENGTH));
  const p = i32x4.splat(load<i32>(args, L.SCALE_MODULUS));
  const n = i32x4.splat(load<i32>(args, L.SCALE_CONSTANT));
  const square = i32x4.splat(load<i32>(args, L.SCALE_SQUARE));
  const last = u32((length * u64(thread + 1)) / u64(threads));
  for (let i = u32((length * u64(thread)) / u64(threads)); i < last; i++) {
    const d = times(v128.load_splat<u32>(load<usize>(args, L.SCALE_FACTORS) + (usize(i) << 2)), square, p, n);
    const row = load<usize>(args, L.SCALE_VECTOR) + ((usize(i) * usize(width)) << 2);
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
