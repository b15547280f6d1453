/**
 * Products of block vectors with small dense blocks over GF(2^k), k ≤ 8; vectors, factors and sums are codes, a byte
 * each.
 *
 *   projectGf256   part[t, a, ·] = Σ f[i·layers + a]·z[i, ·] over the coordinates i of task t, for `layers` values of a
 *   sumPartsGf256  out[r·layers + a, ·] = Σ part[t, a, ·] over the tasks t of block row r
 *   combineGf256   y[i, ·] ← y[i, ·] + Σ_a f[i·layers + a]·c[i's block row·layers + a, ·]
 *   scaleGf256     v[i, ·] ← f[i]·v[i, ·]
 *
 * Coordinates come in tasks (block-ops-layout.ts). Rows of parts are padded to 16 codes.
 */
import { takeChunk } from '../threads/chunks.as';
import { plusProduct, storeGf256, TABLE_SHIFT, timesCode, timesTable } from '../residues/gf256.as';
import * as L from './block-ops-layout';

export function projectGf256(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, L.WIDTH);
  const layers = load<u32>(args, L.LAYERS);
  const tasks = load<usize>(args, L.TASKS);
  const count = load<u32>(args, L.COUNT);
  const padded = usize((width + 15) & ~15);
  for (;;) {
    const task = takeChunk(thread, threads, count);
    if (task < 0) return;
    const at = tasks + usize(task) * L.TASK_BYTES;
    const first = load<u32>(at, L.TASK_FIRST);
    const last = load<u32>(at, L.TASK_END);
    const out = load<usize>(args, L.BLOCK) + usize(task) * usize(layers) * padded;
    for (let column: u32 = 0; column < width; column += 16) {
      let a: u32 = 0;
      for (; a + 4 <= layers; a += 4) fourSums(args, first, last, a, column, out + usize(a) * padded + usize(column), padded);
      for (; a < layers; a++) oneSum(args, first, last, a, column, out + usize(a) * padded + usize(column));
    }
  }
}

function oneSum(args: usize, first: u32, last: u32, a: u32, column: u32, out: usize): void {
  const stride = usize(load<u32>(args, L.WIDTH));
  const step = usize(load<u32>(args, L.LAYERS));
  const tables = load<usize>(args, L.CONSTANT);
  let z = load<usize>(args, L.VECTOR) + usize(first) * stride + usize(column);
  let f = load<usize>(args, L.FACTORS) + usize(first) * step + usize(a);
  let sum = i64x2.splat(0);
  for (; first < last; first++, z += stride, f += step) sum = v128.xor(sum, timesCode(v128.load(z), f, tables));
  v128.store(out, sum);
}

/** Layers a … a + 3: the halves of z are taken apart once for all of them. */
function fourSums(args: usize, first: u32, last: u32, a: u32, column: u32, out: usize, padded: usize): void {
  const stride = usize(load<u32>(args, L.WIDTH));
  const step = usize(load<u32>(args, L.LAYERS));
  const tables = load<usize>(args, L.CONSTANT);
  let z = load<usize>(args, L.VECTOR) + usize(first) * stride + usize(column);
  let f = load<usize>(args, L.FACTORS) + usize(first) * step + usize(a);
  let s0 = i64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (; first < last; first++, z += stride, f += step) {
    const x = v128.load(z);
    const low = v128.and(x, i8x16.splat(15));
    const high = v128.and(i16x8.shr_u(x, 4), i8x16.splat(15));
    s0 = plusProduct(s0, low, high, tables + (usize(load<u8>(f)) << TABLE_SHIFT));
    s1 = plusProduct(s1, low, high, tables + (usize(load<u8>(f, 1)) << TABLE_SHIFT));
    s2 = plusProduct(s2, low, high, tables + (usize(load<u8>(f, 2)) << TABLE_SHIFT));
    s3 = plusProduct(s3, low, high, tables + (usize(load<u8>(f, 3)) << TABLE_SHIFT));
  }
  v128.store(out, s0);
  v128.store(out + padded, s1);
  v128.store(out + 2 * padded, s2);
  v128.store(out + 3 * padded, s3);
}

export function sumPartsGf256(thread: i32, threads: i32, args: usize): void {
  if (thread != 0) return;
  let part = load<usize>(args, L.SUM_PARTS);
  const tasks = load<usize>(args, L.SUM_TASKS);
  const count = load<u32>(args, L.SUM_COUNT);
  const layers = load<u32>(args, L.SUM_LAYERS);
  const width = load<u32>(args, L.SUM_WIDTH);
  const padded = usize((width + 15) & ~15);
  // A block row without coordinates has no task.
  memory.fill(load<usize>(args, L.SUM_OUT), 0, usize(load<u32>(args, L.SUM_ROWS) * width) << 2);
  for (let t: u32 = 0; t < count; t++) {
    const row = load<u32>(tasks + usize(t) * L.TASK_BYTES, L.TASK_ROW);
    let out = load<usize>(args, L.SUM_OUT) + ((usize(row) * layers * width) << 2);
    for (let a: u32 = 0; a < layers; a++) {
      for (let j: u32 = 0; j < width; j++, out += 4) store<u32>(out, load<u32>(out) ^ u32(load<u8>(part + usize(j))));
      part += padded;
    }
  }
}

export function combineGf256(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, L.WIDTH);
  const stride = usize(width);
  const layers = load<u32>(args, L.LAYERS);
  const tasks = load<usize>(args, L.TASKS);
  const count = load<u32>(args, L.COUNT);
  const tables = load<usize>(args, L.CONSTANT);
  for (;;) {
    const task = takeChunk(thread, threads, count);
    if (task < 0) return;
    const at = tasks + usize(task) * L.TASK_BYTES;
    const c = load<usize>(args, L.BLOCK) + usize(load<u32>(at, L.TASK_ROW)) * usize(layers) * stride;
    const last = load<u32>(at, L.TASK_END);
    for (let i = load<u32>(at, L.TASK_FIRST); i < last; i++) {
      const f = load<usize>(args, L.FACTORS) + usize(i) * usize(layers);
      for (let column: u32 = 0; column < width; column += 16) {
        const y = load<usize>(args, L.VECTOR) + usize(i) * stride + usize(column);
        let sum = v128.load(y);
        let from = c + usize(column);
        for (let a: u32 = 0; a < layers; a++, from += stride) {
          sum = v128.xor(sum, timesCode(v128.load(from), f + usize(a), tables));
        }
        storeGf256(y, sum, min<u32>(16, width - column));
      }
    }
  }
}

/** The thread's share of the rows. */
export function scaleGf256(thread: i32, threads: i32, args: usize): void {
  const width = load<u32>(args, L.SCALE_WIDTH);
  const length = u64(load<u32>(args, L.SCALE_LENGTH));
  const last = u32((length * u64(thread + 1)) / u64(threads));
  for (let i = u32((length * u64(thread)) / u64(threads)); i < last; i++) {
    const code = usize(load<u8>(load<usize>(args, L.SCALE_FACTORS) + usize(i)));
    const table = load<usize>(args, L.SCALE_CONSTANT) + (code << TABLE_SHIFT);
    const row = load<usize>(args, L.SCALE_VECTOR) + usize(i) * usize(width);
    for (let column: u32 = 0; column < width; column += 16) {
      const at = row + usize(column);
      storeGf256(at, timesTable(v128.load(at), table), min<u32>(16, width - column));
    }
  }
}
