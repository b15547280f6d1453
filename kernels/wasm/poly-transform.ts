/**
 * Products of polynomial matrices in three steps: values at the N-th roots of unity modulo several primes q_l, a small
 * matrix product at each of them, and back with the Chinese remainder theorem to residues mod p.
 *
 * Values: prime l, row i, group g is the run of N vectors from (l·rows·groups + i·groups + g)·stride on, with a stride a
 * little above N, so that the matrix at one point does not fall into few sets of the cache.
 */
import {
  EARLIER, forward, inverse, MAGIC, mulRoot, Q, Q_F64, Q_RECIPROCAL, Q_RECIPROCAL_F64, reduce,
} from './poly-ntt';
import { addLanes, F_HALF, F_P } from './poly-residues';

const PRIME_BYTES: usize = 128;

// The constants for going back to residues mod p (written by kernels/poly-primes.ts).
const C_P: usize = 0;
const C_MAGIC: usize = 4; // 1.5·2^23 as f32
const C_BIAS: usize = 8; // 0x4B400000·p mod 2^32
const C_WEIGHTS: usize = 16; // pairs: q_0·…·q_(l−1) mod p, balanced, and that over p

/**
 * The groups first … first + groups − 1 of columns of a matrix.
 * Words: values, source, rows, source groups, first group, groups, source stride, source coefficients, N, stride,
 * primes, their address, field, 1 if floor(p/2) exceeds half of the smallest prime.
 */
export function polyForward(thread: i32, threads: i32, args: usize): void {
  const values = <usize>load<u32>(args);
  const source = <usize>load<u32>(args + 4);
  const rows = load<i32>(args + 8);
  const sourceGroups = load<i32>(args + 12);
  const firstGroup = load<i32>(args + 16);
  const groups = load<i32>(args + 20);
  const sourceStride = load<i32>(args + 24);
  const count = load<i32>(args + 28);
  const n = load<i32>(args + 32);
  const stride = load<i32>(args + 36);
  const primes = load<i32>(args + 40);
  const table = <usize>load<u32>(args + 44);
  const field = <usize>load<u32>(args + 48);
  const wide = load<i32>(args + 52) != 0;
  const p = v128.load32_splat(field, F_P);
  const half = v128.load32_splat(field, F_HALF);
  const vectors = rows * groups;
  const tasks = vectors * primes;
  const end = <i32>((<i64>tasks * (thread + 1)) / threads);
  for (let task = <i32>((<i64>tasks * thread) / threads); task < end; task++) {
    const vector = task / primes;
    const l = task % primes;
    const prime = table + <usize>l * PRIME_BYTES;
    const q = v128.load32_splat(prime, Q);
    const qr = v128.load32_splat(prime, Q_RECIPROCAL);
    const magic = v128.load32_splat(prime, MAGIC);
    const place = (vector / groups) * sourceGroups + firstGroup + (vector % groups);
    const from = source + (<usize>(place * sourceStride) << 4);
    const to = values + ((<usize>(l * vectors + vector) * <usize>stride) << 4);
    const bytes = <usize>count << 4;
    for (let k: usize = 0; k < bytes; k += 16) {
      const x = v128.load(from + k);
      let balanced = i32x4.sub(x, v128.and(p, i32x4.gt_s(x, half)));
      if (wide) balanced = reduce(balanced, qr, q, magic);
      v128.store(to + k, balanced);
    }
    memory.fill(to + bytes, 0, (<usize>n << 4) - bytes);
    forward(to, n, prime);
  }
}

// Products in one f64 sum: values are below 3·q < 2^22.4, 256 products of them below 2^52.8.
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
 * four of A hold old values; their products are not stored.
 * Words: C, A, B, rows, inner, groups of A, groups of B, N, stride, primes, their address, scratch, scratch bytes a
 * thread: 128·(4·ceil(rows / 4)·groups of A + inner·groups of B).
 */
export function polyPointwise(thread: i32, threads: i32, args: usize): void {
  const c = <usize>load<u32>(args);
  const a = <usize>load<u32>(args + 4);
  const b = <usize>load<u32>(args + 8);
  const rows = load<i32>(args + 12);
  const inner = load<i32>(args + 16);
  const aGroups = load<i32>(args + 20);
  const bGroups = load<i32>(args + 24);
  const n = load<i32>(args + 28);
  const bytes = <usize>load<u32>(args + 32) << 4;
  const primes = load<i32>(args + 36);
  const table = <usize>load<u32>(args + 40);
  const left = <usize>load<u32>(args + 44) + <usize>thread * <usize>load<u32>(args + 48);
  const leftStep = <usize>(((rows + 3) & ~3) * aGroups) << 5;
  const right = left + 4 * leftStep;
  const rightStep = <usize>(inner * bGroups) << 5;
  const fourBytes = <usize>aGroups << 7;
  const tiles = n >> 2;
  const tasks = tiles * primes;
  const end = <i32>((<i64>tasks * (thread + 1)) / threads);
  for (let task = <i32>((<i64>tasks * thread) / threads); task < end; task++) {
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

const BLOCK: usize = 256; // bytes: 16 vectors of each prime at a time

/**
 * out ← the coefficients start … start + count − 1 mod p from the values, which are overwritten.
 *
 * Garner: c = v_0 + q_0·(v_1 + q_1·(v_2 + …)), v_l = (…((r_l − v_0)/q_0 − v_1)/q_1 …) mod q_l, |v_l| ≤ 0.82·q_l. That is
 * c itself when |c| + 0.82·(1 + 2^-19)·Π q_l < Π q_l (kernels/poly-primes.ts chooses the primes so).
 * Words: out, out stride, out groups, first group, values, rows, groups, N, stride, primes, their address, constants for
 * p, start, count, then pairs N^-1 mod q_l.
 */
export function polyInverse(thread: i32, threads: i32, args: usize): void {
  const out = <usize>load<u32>(args);
  const outStride = load<i32>(args + 4);
  const outGroups = load<i32>(args + 8);
  const firstGroup = load<i32>(args + 12);
  const values = <usize>load<u32>(args + 16);
  const rows = load<i32>(args + 20);
  const groups = load<i32>(args + 24);
  const n = load<i32>(args + 28);
  const bytes = <usize>load<u32>(args + 32) << 4;
  const primes = load<i32>(args + 36);
  const table = <usize>load<u32>(args + 40);
  const constants = <usize>load<u32>(args + 44);
  const start = <usize>load<u32>(args + 48) << 4;
  const count = <usize>load<u32>(args + 52) << 4;
  const vectors = rows * groups;
  const p = v128.load32_splat(constants, C_P);
  const pMagic = v128.load32_splat(constants, C_MAGIC);
  const bias = v128.load32_splat(constants, C_BIAS);
  const end = <i32>((<i64>vectors * (thread + 1)) / threads);
  for (let task = <i32>((<i64>vectors * thread) / threads); task < end; task++) {
    const x = values + <usize>task * bytes;
    for (let l = 0; l < primes; l++) inverse(x + <usize>(l * vectors) * bytes, n, table + <usize>l * PRIME_BYTES);
    const to = out + (<usize>((task / groups * outGroups + firstGroup + task % groups) * outStride) << 4);
    for (let first: usize = 0; first < count; first += BLOCK) {
      const stop = min(count, first + BLOCK);
      for (let l = 0; l < primes; l++) {
        const prime = table + <usize>l * PRIME_BYTES;
        const xl = x + <usize>(l * vectors) * bytes + start;
        const q = v128.load32_splat(prime, Q);
        const magic = v128.load32_splat(prime, MAGIC);
        // v_l ← r_l/N, then for every earlier digit v_l ← (v_l − v_i)/q_i
        let w = v128.load32_splat(args + 56 + (<usize>l << 3));
        let wq = v128.load32_splat(args + 60 + (<usize>l << 3));
        for (let k = first; k < stop; k += 16) v128.store(xl + k, mulRoot(v128.load(xl + k), w, wq, q, magic));
        for (let i = 0; i < l; i++) {
          w = v128.load32_splat(prime + EARLIER + (<usize>i << 3));
          wq = v128.load32_splat(prime + EARLIER + 4 + (<usize>i << 3));
          const xi = x + <usize>(i * vectors) * bytes + start;
          for (let k = first; k < stop; k += 16) {
            v128.store(xl + k, mulRoot(i32x4.sub(v128.load(xl + k), v128.load(xi + k)), w, wq, q, magic));
          }
        }
        // c ← c + v_l·(q_0·…·q_(l−1) mod p); the quotient by p as in mulRoot, |v_l| < 2^21, so |r| < 0.63·p
        w = v128.load32_splat(constants + C_WEIGHTS + (<usize>l << 3));
        wq = v128.load32_splat(constants + C_WEIGHTS + 4 + (<usize>l << 3));
        for (let k = first; k < stop; k += 16) {
          const v = v128.load(xl + k);
          const quotient = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(v), wq), pMagic);
          let r = i32x4.add(i32x4.sub(i32x4.mul(v, w), i32x4.mul(quotient, p)), bias);
          r = i32x4.min_u(r, i32x4.add(r, p));
          v128.store(to + k, l == 0 ? r : addLanes(r, v128.load(to + k), p));
        }
      }
    }
  }
}
