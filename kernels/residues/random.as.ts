/**
 * randomU16, randomU32, randomGf256: numbers below p, or codes below p, of a counter-based stream, the same as
 * fields/random.ts gives one by one.
 *
 * Philox4x32-10 on four blocks of four words at a time, a block a lane of the vectors. Words at or above
 * floor(2^32 / p)·p are drawn again, one by one. Number j of row i is word i·of + first + j.
 */
import { runCount, runFirst, takeChunk } from '../threads/chunks.as';
import * as L from './random-layout';

const M0: u32 = 0xd2511f53;
const M1: u32 = 0xcd9e8d57;
const W0: u32 = 0x9e3779b9;
const W1: u32 = 0xbb67ae85;
const ROUNDS = 10;

/** Words that a thread takes at a time. */
const PIECE: u32 = 4096;

export function randomU16(thread: i32, threads: i32, args: usize): void {
  pieces(thread, threads, args, 1);
}

export function randomU32(thread: i32, threads: i32, args: usize): void {
  pieces(thread, threads, args, 2);
}

export function randomGf256(thread: i32, threads: i32, args: usize): void {
  pieces(thread, threads, args, 0);
}

/** 2^shift bytes a number. */
// @ts-ignore: decorator
@inline
function pieces(thread: i32, threads: i32, args: usize, shift: u32): void {
  const to = load<usize>(args, L.TO);
  const count = load<u32>(args, L.COUNT);
  const p = load<u32>(args, L.BELOW);
  const limit: u64 = p == 0 ? 1 << 32 : (1 << 32) - ((1 << 32) % u64(p));
  const width = load<u32>(args, L.WIDTH);
  const whole = u64(load<u32>(args, L.OF));
  const begin = u64(load<u32>(args, L.FIRST));
  const words = load<usize>(args, L.SCRATCH) + (usize(thread) << L.LOG_SCRATCH);
  const pieces = (count + PIECE - 1) / PIECE;
  const runs = runCount(pieces, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = min(count, runFirst(run + 1, runs, pieces) * PIECE);
    for (let i = runFirst(run, runs, pieces) * PIECE; i < end; ) {
      const row = i / width;
      const column = i - row * width;
      let place = u64(row) * whole + begin + u64(column);
      const rowEnd = i + min<u32>(width - column, end - i);
      while (i < rowEnd) {
        const lane = u32(place) & 3;
        fourBlocks(words, place >> 2, args);
        const last = i + min<u32>(rowEnd - i, 16 - lane);
        for (let from = words + (usize(lane) << 2); i < last; i++, place++, from += 4) {
          let word = load<u32>(from);
          for (let draw: u32 = 1; u64(word) >= limit; draw++) word = oneWord(place, draw, args);
          const at = to + (usize(i) << shift);
          const number = p == 0 ? word : word % p;
          if (shift == 0) store<u8>(at, u8(number));
          else if (shift == 1) store<u16>(at, u16(number));
          else store<u32>(at, number);
        }
      }
    }
  }
}

/** The 16 words of blocks first … first + 3, one block after another. */
function fourBlocks(to: usize, first: u64, args: usize): void {
  const low = i64x2.add(i64x2.splat(first), i64x2(0, 1));
  const high = i64x2.add(i64x2.splat(first), i64x2(2, 3));
  let c0 = i32x4.shuffle(low, high, 0, 2, 4, 6);
  let c1 = upper(low, high);
  let c2 = i32x4.splat(load<i32>(args, L.STREAM));
  let c3 = i32x4.splat(0);
  let k0 = load<u32>(args, L.KEY);
  let k1 = load<u32>(args, L.KEY_HIGH);
  const m0 = i32x4.splat(M0);
  const m1 = i32x4.splat(M1);
  for (let round = 0; round < ROUNDS; round++) {
    const hi0 = upper(i64x2.extmul_low_i32x4_u(m0, c0), i64x2.extmul_high_i32x4_u(m0, c0));
    const hi1 = upper(i64x2.extmul_low_i32x4_u(m1, c2), i64x2.extmul_high_i32x4_u(m1, c2));
    const lo0 = i32x4.mul(m0, c0);
    const lo1 = i32x4.mul(m1, c2);
    c0 = v128.xor(v128.xor(hi1, c1), i32x4.splat(k0));
    c1 = lo1;
    c2 = v128.xor(v128.xor(hi0, c3), i32x4.splat(k1));
    c3 = lo0;
    k0 += W0;
    k1 += W1;
  }
  const low01 = i32x4.shuffle(c0, c1, 0, 4, 1, 5);
  const low23 = i32x4.shuffle(c2, c3, 0, 4, 1, 5);
  const high01 = i32x4.shuffle(c0, c1, 2, 6, 3, 7);
  const high23 = i32x4.shuffle(c2, c3, 2, 6, 3, 7);
  v128.store(to, i64x2.shuffle(low01, low23, 0, 2));
  v128.store(to, i64x2.shuffle(low01, low23, 1, 3), 16);
  v128.store(to, i64x2.shuffle(high01, high23, 0, 2), 32);
  v128.store(to, i64x2.shuffle(high01, high23, 1, 3), 48);
}

/** The upper words of four numbers. */
// @ts-ignore: decorator
@inline
function upper(low: v128, high: v128): v128 {
  return i32x4.shuffle(low, high, 1, 3, 5, 7);
}

/** Word i of the draw-th drawing. */
function oneWord(i: u64, draw: u32, args: usize): u32 {
  let c0 = u32(i >> 2);
  let c1 = u32(i >> 34);
  let c2 = load<u32>(args, L.STREAM);
  let c3 = draw;
  let k0 = load<u32>(args, L.KEY);
  let k1 = load<u32>(args, L.KEY_HIGH);
  for (let round = 0; round < ROUNDS; round++) {
    const product0 = u64(M0) * u64(c0);
    const product1 = u64(M1) * u64(c2);
    c0 = u32(product1 >> 32) ^ c1 ^ k0;
    c1 = u32(product1);
    c2 = u32(product0 >> 32) ^ c3 ^ k1;
    c3 = u32(product0);
    k0 += W0;
    k1 += W1;
  }
  const lane = u32(i) & 3;
  return lane == 0 ? c0 : lane == 1 ? c1 : lane == 2 ? c2 : c3;
}
