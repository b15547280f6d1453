/**
 * The product of two polynomial matrices given by values: a small matrix product at every point, modulo every prime.
 *
 *   A : rows × inner, B : inner × cols, values laid out as in mul-ntt-u32.as.ts
 *
 * Sums are f64, where values |x| ≤ 3·q leave room for many products. Four points at a time are widened into scratch
 * memory that stays in the caches.
 */
import { Q_F64, Q_RECIPROCAL_F64, PRIME_BYTES } from './ntt-u32-layout';
import * as L from './mul-layout';
import { runCount, runFirst, takeChunk } from '../threads/chunks.as';

// Products in one f64 sum, within pointProductsBeforeReduction of fields/transform-bounds.ts.
const PRODUCTS: i32 = 256;

/** acc − round(acc/q)·q, |.| ≤ q/2·(1 + 2^-20); exact, since all integers in it are below 2^53. */
// @ts-ignore: decorator
@inline
function reduceF64(acc: v128, q: v128, qr: v128): v128 {
  return f64x2.sub(acc, f64x2.mul(f64x2.nearest(f64x2.mul(acc, qr)), q));
}

/** Two pairs of integral f64 below 2^51 as four i32: 1.5·2^52 more leaves them in the low halves. */
// @ts-ignore: decorator
@inline
function narrow(x: v128, y: v128): v128 {
  const magic = f64x2.splat(6755399441055744);
  return v128.shuffle<i32>(f64x2.add(x, magic), f64x2.add(y, magic), 0, 2, 4, 6);
}

/** Four vectors at `from`, one for each point, as f64 at `to`, `step` bytes from point to point. */
// @ts-ignore: decorator
@inline
function widen(from: usize, to: usize, step: usize): void {
  for (let t: usize = 0; t < 4; t++) {
    const x = v128.load(from + (t << 4));
    v128.store(to + t * step, f64x2.convert_low_i32x4_s(x));
    v128.store(to + t * step, f64x2.convert_low_i32x4_s(v128.shuffle<i32>(x, x, 2, 3, 2, 3)), 16);
  }
}

/** The same for one row of A: entries of four rows lie side by side, `to` is the place of this row's first. */
// @ts-ignore: decorator
@inline
function widenRow(from: usize, to: usize, step: usize): void {
  for (let t: usize = 0; t < 4; t++) {
    const x = v128.load(from + (t << 4));
    const low = f64x2.convert_low_i32x4_s(x);
    const high = f64x2.convert_low_i32x4_s(v128.shuffle<i32>(x, x, 2, 3, 2, 3));
    v128.store64_lane(to + t * step, low, 0);
    v128.store64_lane(to + t * step, low, 1, 32);
    v128.store64_lane(to + t * step, high, 0, 64);
    v128.store64_lane(to + t * step, high, 1, 96);
  }
}

/**
 * C ← A·B at every point. Four points at a time are widened to f64, A by fours of rows and B by fours of columns: entry
 * k of four rows and entry k of four columns are 32 bytes each, and meet in eight registers. Rows that fill up the last
 * four of A are 0, since tiny f64 in them would be slow (test/bench/RESULTS.md#sigma-basis). Their products are not
 * stored.
 * Scratch bytes a thread: 128·(4·ceil(rows / 4)·groups of A + inner·groups of B).
 */
export function nttPointwiseU32(thread: i32, threads: i32, args: usize): void {
  const c = <usize>load<u32>(args, L.POINT_C);
  const a = <usize>load<u32>(args, L.POINT_A);
  const b = <usize>load<u32>(args, L.POINT_B);
  const rows = load<i32>(args, L.POINT_ROWS);
  const inner = load<i32>(args, L.POINT_INNER);
  const aGroups = load<i32>(args, L.POINT_A_GROUPS);
  const bGroups = load<i32>(args, L.POINT_B_GROUPS);
  const n = load<i32>(args, L.POINT_N);
  const bytes = <usize>load<u32>(args, L.POINT_STRIDE) << 4;
  const primes = load<i32>(args, L.POINT_PRIMES);
  const table = <usize>load<u32>(args, L.POINT_TABLE);
  const left = <usize>load<u32>(args, L.POINT_SCRATCH) + <usize>thread * <usize>load<u32>(args, L.POINT_SCRATCH_BYTES);
  const leftStep = <usize>(((rows + 3) & ~3) * aGroups) << 5;
  const right = left + 4 * leftStep;
  const rightStep = <usize>(inner * bGroups) << 5;
  const fourBytes = <usize>aGroups << 7;
  if ((rows & 3) != 0) memory.fill(left, 0, right - left);
  const tiles = n >> 2;
  const tasks = tiles * primes;
  const runs = runCount(tasks, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, tasks);
    for (let task = <i32>runFirst(run, runs, tasks); task < end; task++) {
      const l = task / tiles;
      const prime = table + <usize>l * PRIME_BYTES;
      const q = v128.load64_splat(prime, Q_F64);
      const qr = v128.load64_splat(prime, Q_RECIPROCAL_F64);
      const point = <usize>(task % tiles) << 6;
      const aAt = a + <usize>(l * rows * aGroups) * bytes + point;
      const bAt = b + <usize>(l * inner * bGroups) * bytes + point;
      const cAt = c + <usize>(l * rows * bGroups) * bytes + point;
      for (let i = 0, v: usize = 0; i < rows; i++) {
        const row = left + <usize>(i >> 2) * fourBytes + (<usize>(i & 3) << 3);
        for (let g = 0; g < aGroups; g++, v++) widenRow(aAt + v * bytes, row + (<usize>g << 7), leftStep);
      }
      for (let k = 0, v: usize = 0; k < inner; k++) {
        for (let g = 0; g < bGroups; g++, v++) widen(bAt + v * bytes, right + (<usize>(g * inner + k) << 5), rightStep);
      }
      for (let t: usize = 0; t < 4; t++) {
        for (let i = 0; i < rows; i += 4) {
          const four = left + t * leftStep + <usize>(i >> 2) * fourBytes;
          for (let g = 0; g < bGroups; g++) {
            let y = right + t * rightStep + (<usize>(g * inner) << 5);
            let x = four;
            let r00 = f64x2.splat(0), r01 = r00, r10 = r00, r11 = r00, r20 = r00, r21 = r00, r30 = r00, r31 = r00;
            for (let k = 0; k < inner; k += PRODUCTS) {
              const stop = x + (<usize>min(inner - k, PRODUCTS) << 5);
              for (; x < stop; x += 32, y += 32) {
                const y0 = v128.load(y);
                const y1 = v128.load(y, 16);
                const x0 = v128.load64_splat(x);
                r00 = f64x2.add(r00, f64x2.mul(x0, y0));
                r01 = f64x2.add(r01, f64x2.mul(x0, y1));
                const x1 = v128.load64_splat(x, 8);
                r10 = f64x2.add(r10, f64x2.mul(x1, y0));
                r11 = f64x2.add(r11, f64x2.mul(x1, y1));
                const x2 = v128.load64_splat(x, 16);
                r20 = f64x2.add(r20, f64x2.mul(x2, y0));
                r21 = f64x2.add(r21, f64x2.mul(x2, y1));
                const x3 = v128.load64_splat(x, 24);
                r30 = f64x2.add(r30, f64x2.mul(x3, y0));
                r31 = f64x2.add(r31, f64x2.mul(x3, y1));
              }
              r00 = reduceF64(r00, q, qr);
              r01 = reduceF64(r01, q, qr);
              r10 = reduceF64(r10, q, qr);
              r11 = reduceF64(r11, q, qr);
              r20 = reduceF64(r20, q, qr);
              r21 = reduceF64(r21, q, qr);
              r30 = reduceF64(r30, q, qr);
              r31 = reduceF64(r31, q, qr);
            }
            const to = cAt + <usize>(i * bGroups + g) * bytes + (t << 4);
            const rowStep = <usize>bGroups * bytes;
            v128.store(to, narrow(r00, r01));
            if (i + 1 < rows) v128.store(to + rowStep, narrow(r10, r11));
            if (i + 2 < rows) v128.store(to + 2 * rowStep, narrow(r20, r21));
            if (i + 3 < rows) v128.store(to + 3 * rowStep, narrow(r30, r31));
          }
        }
      }
    }
  }
}
