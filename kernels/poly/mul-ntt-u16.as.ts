/**
 * Products of polynomial matrices by values, for p < 2^16 and short transforms: as mul-ntt-u32.as.ts and
 * pointwise-u32.as.ts, with residues modulo primes below 2^14 in 16-bit lanes.
 *
 * Values: prime l, row i, eight e of columns is the run of N vectors from (l·rows·eights + i·eights + e)·stride on; the
 * matrices that come in and go out have their columns in fours.
 */
import {
  Q, Q_RECIPROCAL, BIAS, FINE, RUN, EARLIER, PRIME_BYTES, C_P, C_RECIPROCAL, C_BIAS, C_WEIGHTS,
} from './ntt-u16-layout';
import * as L from './mul-layout';
import { runCount, runFirst, takeChunk } from '../threads/chunks.as';
import { balance, forward, inverse, mulRoot } from './ntt-u16.as';
import { F_HALF, F_P } from '../residues/field-layout';

const MAGIC: f32 = 12582912; // 1.5·2^23

/**
 * s mod m for |s| < 2^31 with |s|/m < 2^19: the quotient in single precision errs by less than 3·2^-24·2^19 < 0.1, and
 * adding 1.5·2^23 rounds it and leaves it in the low bits, beside a constant that `bias` takes away. |r| ≤ 0.6·m.
 */
// @ts-ignore: decorator
@inline
export function reduceSum(s: v128, reciprocal: v128, m: v128, bias: v128): v128 {
  const k = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(s), reciprocal), f32x4.splat(MAGIC));
  return i32x4.add(i32x4.sub(s, i32x4.mul(k, m)), bias);
}

/**
 * The groups first … first + groups − 1 of columns of a matrix.
 */
export function nttForwardU16(thread: i32, threads: i32, args: usize): void {
  const values = <usize>load<u32>(args, L.FORWARD_VALUES);
  const source = <usize>load<u32>(args, L.FORWARD_SOURCE);
  const rows = load<i32>(args, L.FORWARD_ROWS);
  const sourceGroups = load<i32>(args, L.FORWARD_SOURCE_GROUPS);
  const firstGroup = load<i32>(args, L.FORWARD_FIRST_GROUP);
  const groups = load<i32>(args, L.FORWARD_GROUPS);
  const sourceStride = <usize>load<u32>(args, L.FORWARD_SOURCE_STRIDE) << 4;
  const count = <usize>load<u32>(args, L.FORWARD_COUNT) << 4;
  const n = load<i32>(args, L.FORWARD_N);
  const stride = load<i32>(args, L.FORWARD_STRIDE);
  const primes = load<i32>(args, L.FORWARD_PRIMES);
  const table = <usize>load<u32>(args, L.FORWARD_TABLE);
  const field = <usize>load<u32>(args, L.FORWARD_FIELD);
  const p = v128.load32_splat(field, F_P);
  const half = v128.load32_splat(field, F_HALF);
  const eights = (groups + 1) >> 1;
  const vectors = rows * eights;
  const tasks = vectors * primes;
  const runs = runCount(tasks, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, tasks);
    for (let task = <i32>runFirst(run, runs, tasks); task < end; task++) {
      const l = task / vectors;
      const vector = task % vectors;
      const prime = table + <usize>l * PRIME_BYTES;
      const q = v128.load16_splat(prime, Q);
      const fine = v128.load16_splat(prime, FINE);
      const group = 2 * (vector % eights);
      const from = source + <usize>((vector / eights) * sourceGroups + firstGroup + group) * sourceStride;
      const to = values + ((<usize>(l * vectors + vector) * <usize>stride) << 4);
      // |x| ≤ floor(p/2) < 2^15
      if (group + 1 < groups) {
        for (let k: usize = 0; k < count; k += 16) {
          const x = v128.load(from + k);
          const y = v128.load(from + sourceStride + k);
          const low = i32x4.sub(x, v128.and(p, i32x4.gt_s(x, half)));
          const high = i32x4.sub(y, v128.and(p, i32x4.gt_s(y, half)));
          v128.store(to + k, balance(i16x8.narrow_i32x4_s(low, high), fine, q));
        }
      } else {
        for (let k: usize = 0; k < count; k += 16) {
          const x = v128.load(from + k);
          const low = i32x4.sub(x, v128.and(p, i32x4.gt_s(x, half)));
          v128.store(to + k, balance(i16x8.narrow_i32x4_s(low, i32x4.splat(0)), fine, q));
        }
      }
      memory.fill(to + count, 0, (<usize>n << 4) - count);
      forward(to, n, prime);
    }
  }
}

/** Rows 2j and 2j + 1 of one eight of columns of B, side by side: four columns and four columns. */
// @ts-ignore: decorator
@inline
function pairUp(x: v128, y: v128, to: usize): void {
  v128.store(to, v128.shuffle<i16>(x, y, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to, v128.shuffle<i16>(x, y, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}

/**
 * C ← A·B at every point: two columns of A meet two rows of B in one instruction that adds their products. Sums run
 * over `RUN` eights of products before they are reduced (eightsBeforeReduction of fields/transform-bounds.ts). Rows
 * beyond the last are the last one again, and are not stored.
 * Scratch bytes a thread: 512·eights of A·eights of B.
 */
export function nttPointwiseU16(thread: i32, threads: i32, args: usize): void {
  const c = <usize>load<u32>(args, L.POINT_C);
  const a = <usize>load<u32>(args, L.POINT_A);
  const b = <usize>load<u32>(args, L.POINT_B);
  const rows = load<i32>(args, L.POINT_ROWS);
  const inner = load<i32>(args, L.POINT_INNER);
  const aEights = load<i32>(args, L.POINT_A_GROUPS);
  const bEights = load<i32>(args, L.POINT_B_GROUPS);
  const n = load<i32>(args, L.POINT_N);
  const bytes = <usize>load<u32>(args, L.POINT_STRIDE) << 4;
  const primes = load<i32>(args, L.POINT_PRIMES);
  const table = <usize>load<u32>(args, L.POINT_TABLE);
  const right = <usize>load<u32>(args, L.POINT_SCRATCH) + <usize>thread * <usize>load<u32>(args, L.POINT_SCRATCH_BYTES);
  const aRow = <usize>aEights * bytes;
  const bRow = <usize>bEights * bytes;
  const pointStep = <usize>(aEights * bEights) << 7;
  const tiles = n >> 2;
  const tasks = tiles * primes;
  const runs = runCount(tasks, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, tasks);
    for (let task = <i32>runFirst(run, runs, tasks); task < end; task++) {
      const l = task / tiles;
      const offset = <usize>(task % tiles) << 6;
      const prime = table + <usize>l * PRIME_BYTES;
      const q = v128.load32_splat(prime, Q);
      const qr = v128.load32_splat(prime, Q_RECIPROCAL);
      const bias = v128.load32_splat(prime, BIAS);
      const most = load<i32>(prime, RUN);
      const aAt = a + <usize>(l * rows) * aRow + offset;
      const bAt = b + <usize>(l * inner) * bRow + offset;
      const cAt = c + <usize>(l * rows) * bRow + offset;
      for (let e = 0; e < bEights; e++) {
        for (let j = 0; j < 4 * aEights; j++) {
          const to = right + (<usize>(e * 4 * aEights + j) << 5);
          const from = bAt + <usize>(2 * j) * bRow + <usize>e * bytes;
          for (let t: usize = 0; t < 4; t++) {
            const x = 2 * j < inner ? v128.load(from + (t << 4)) : i32x4.splat(0);
            const y = 2 * j + 1 < inner ? v128.load(from + bRow + (t << 4)) : i32x4.splat(0);
            pairUp(x, y, to + t * pointStep);
          }
        }
      }
      for (let t: usize = 0; t < 4; t++) {
        for (let i = 0; i < rows; i += 4) {
          const row0 = aAt + <usize>i * aRow + (t << 4);
          const last = rows - 1 - i;
          const row1 = row0 + <usize>min(1, last) * aRow;
          const row2 = row0 + <usize>min(2, last) * aRow;
          const row3 = row0 + <usize>min(3, last) * aRow;
          let y = right + t * pointStep;
          for (let e = 0; e < bEights; e++) {
            let r00 = i32x4.splat(0), r01 = r00, r10 = r00, r11 = r00, r20 = r00, r21 = r00, r30 = r00, r31 = r00;
            let x: usize = 0;
            for (let k = 0; k < aEights; k += most) {
              const stop = x + <usize>min(aEights - k, most) * bytes;
              for (; x < stop; x += bytes) {
                for (let pair: usize = 0; pair < 16; pair += 4, y += 32) {
                  const y0 = v128.load(y);
                  const y1 = v128.load(y, 16);
                  const x0 = v128.load32_splat(row0 + x + pair);
                  r00 = i32x4.add(r00, i32x4.dot_i16x8_s(x0, y0));
                  r01 = i32x4.add(r01, i32x4.dot_i16x8_s(x0, y1));
                  const x1 = v128.load32_splat(row1 + x + pair);
                  r10 = i32x4.add(r10, i32x4.dot_i16x8_s(x1, y0));
                  r11 = i32x4.add(r11, i32x4.dot_i16x8_s(x1, y1));
                  const x2 = v128.load32_splat(row2 + x + pair);
                  r20 = i32x4.add(r20, i32x4.dot_i16x8_s(x2, y0));
                  r21 = i32x4.add(r21, i32x4.dot_i16x8_s(x2, y1));
                  const x3 = v128.load32_splat(row3 + x + pair);
                  r30 = i32x4.add(r30, i32x4.dot_i16x8_s(x3, y0));
                  r31 = i32x4.add(r31, i32x4.dot_i16x8_s(x3, y1));
                }
              }
              r00 = reduceSum(r00, qr, q, bias);
              r01 = reduceSum(r01, qr, q, bias);
              r10 = reduceSum(r10, qr, q, bias);
              r11 = reduceSum(r11, qr, q, bias);
              r20 = reduceSum(r20, qr, q, bias);
              r21 = reduceSum(r21, qr, q, bias);
              r30 = reduceSum(r30, qr, q, bias);
              r31 = reduceSum(r31, qr, q, bias);
            }
            const to = cAt + <usize>i * bRow + <usize>e * bytes + (t << 4);
            v128.store(to, i16x8.narrow_i32x4_s(r00, r01));
            if (last >= 1) v128.store(to + bRow, i16x8.narrow_i32x4_s(r10, r11));
            if (last >= 2) v128.store(to + 2 * bRow, i16x8.narrow_i32x4_s(r20, r21));
            if (last >= 3) v128.store(to + 3 * bRow, i16x8.narrow_i32x4_s(r30, r31));
          }
        }
      }
    }
  }
}

/** (x − y)·w mod q by the pair at `w`. */
// @ts-ignore: decorator
@inline
function next(x: v128, y: v128, w: usize, q: v128): v128 {
  return mulRoot(i16x8.sub(x, y), v128.load16_splat(w), v128.load16_splat(w, 2), q);
}

/** v0·w0 + v1·w1 + v2·w2 + v3·w3 of four lanes, the pairs side by side, as a canonical residue mod p. */
// @ts-ignore: decorator
@inline
function weigh(v01: v128, w01: v128, v23: v128, w23: v128, constants: usize): v128 {
  const p = v128.load32_splat(constants, C_P);
  const s = i32x4.add(i32x4.dot_i16x8_s(v01, w01), i32x4.dot_i16x8_s(v23, w23));
  const r = reduceSum(s, v128.load32_splat(constants, C_RECIPROCAL), p, v128.load32_splat(constants, C_BIAS));
  return i32x4.min_u(r, i32x4.add(r, p));
}

/**
 * out ← the coefficients start … start + count − 1 mod p from the values, which are overwritten.
 *
 * Garner as in mul-ntt-u32.as.ts, with digits |v_l| ≤ 0.943·q_l: c itself when |c| ≤ Π q_l / digitSlack(0.943)
 * (fields/transform-bounds.ts). Differences of two stay below 0.943·2·15361 < 2^15, the sum with weights below
 * 4·14486·2^15 < 2^31, and below 2^16·p.
 */
export function nttInverseU16(thread: i32, threads: i32, args: usize): void {
  const out = <usize>load<u32>(args, L.INVERSE_OUT);
  const outStride = <usize>load<u32>(args, L.INVERSE_OUT_STRIDE) << 4;
  const outGroups = load<i32>(args, L.INVERSE_OUT_GROUPS);
  const firstGroup = load<i32>(args, L.INVERSE_FIRST_GROUP);
  const values = <usize>load<u32>(args, L.INVERSE_VALUES);
  const rows = load<i32>(args, L.INVERSE_ROWS);
  const groups = load<i32>(args, L.INVERSE_GROUPS);
  const n = load<i32>(args, L.INVERSE_N);
  const bytes = <usize>load<u32>(args, L.INVERSE_STRIDE) << 4;
  const primes = load<i32>(args, L.INVERSE_PRIMES);
  const table = <usize>load<u32>(args, L.INVERSE_TABLE);
  const constants = <usize>load<u32>(args, L.INVERSE_CONSTANTS);
  const start = <usize>load<u32>(args, L.INVERSE_START) << 4;
  const count = <usize>load<u32>(args, L.INVERSE_COUNT) << 4;
  const scale = args + L.INVERSE_LENGTHS;
  const eights = (groups + 1) >> 1;
  const vectors = rows * eights;
  const step = <usize>vectors * bytes; // from prime to prime
  const w01 = v128.load32_splat(constants, C_WEIGHTS);
  const w23 = v128.load32_splat(constants, C_WEIGHTS + 4);
  const prime1 = table + PRIME_BYTES;
  const prime2 = prime1 + PRIME_BYTES;
  const prime3 = prime2 + PRIME_BYTES;
  const runs = runCount(vectors, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = <i32>runFirst(run + 1, runs, vectors);
    for (let task = <i32>runFirst(run, runs, vectors); task < end; task++) {
      const x = values + <usize>task * bytes;
      for (let l = 0; l < primes; l++) inverse(x + <usize>l * step, n, table + <usize>l * PRIME_BYTES);
      const group = 2 * (task % eights);
      const to = out + <usize>((task / eights) * outGroups + firstGroup + group) * outStride;
      const both = group + 1 < groups;
      const zero = i32x4.splat(0);
      for (let k: usize = 0; k < count; k += 16) {
        const at = x + start + k;
        const v0 = next(v128.load(at), zero, scale, v128.load16_splat(table, Q));
        let v1 = zero;
        let v2 = zero;
        let v3 = zero;
        if (primes > 1) {
          const q = v128.load16_splat(prime1, Q);
          v1 = next(next(v128.load(at + step), zero, scale + 4, q), v0, prime1 + EARLIER, q);
        }
        if (primes > 2) {
          const q = v128.load16_splat(prime2, Q);
          v2 = next(next(v128.load(at + 2 * step), zero, scale + 8, q), v0, prime2 + EARLIER, q);
          v2 = next(v2, v1, prime2 + EARLIER + 4, q);
        }
        if (primes > 3) {
          const q = v128.load16_splat(prime3, Q);
          v3 = next(next(v128.load(at + 3 * step), zero, scale + 12, q), v0, prime3 + EARLIER, q);
          v3 = next(next(v3, v1, prime3 + EARLIER + 4, q), v2, prime3 + EARLIER + 8, q);
        }
        const low01 = v128.shuffle<i16>(v0, v1, 0, 8, 1, 9, 2, 10, 3, 11);
        const low23 = v128.shuffle<i16>(v2, v3, 0, 8, 1, 9, 2, 10, 3, 11);
        v128.store(to + k, weigh(low01, w01, low23, w23, constants));
        if (!both) continue;
        const high01 = v128.shuffle<i16>(v0, v1, 4, 12, 5, 13, 6, 14, 7, 15);
        const high23 = v128.shuffle<i16>(v2, v3, 4, 12, 5, 13, 6, 14, 7, 15);
        v128.store(to + outStride + k, weigh(high01, w01, high23, w23, constants));
      }
    }
  }
}
