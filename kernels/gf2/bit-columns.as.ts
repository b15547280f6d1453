/**
 * Products of 64 columns over GF(2), a row being a word, by the method of the four Russians: 8 bits are one look-up.
 *
 *   bitDot    part of xᵀ·z : T_b[byte b of x_i] ← T_b[byte b of x_i] + z_i for all i; row 8·b + k of xᵀ·z is the sum of
 *             T_b[e] over the e with bit k
 *   bitAxpy   y_i ← y_i + Σ_b T_b[byte b of x_i], T_b[e] being the sum of the rows 8·b + k of a over the bits k of e
 *
 * Each thread has rows and tables of its own; the host adds up the parts. Source: Montgomery 1995.
 */
import * as L from './bit-columns-layout';

// @ts-ignore: decorator
@inline
function firstOf(thread: i32, threads: i32, length: u32): usize {
  return usize((u64(length) * u64(thread)) / u64(threads));
}

/** Where table b has its place for byte b of w. */
// @ts-ignore: decorator
@inline
function placeOf(tables: usize, w: u64, b: usize): usize {
  return tables + (b << 11) + (usize((w >> u64(b << 3)) & 255) << 3);
}

// @ts-ignore: decorator
@inline
function addAt(place: usize, v: u64): void {
  store<u64>(place, load<u64>(place) ^ v);
}

export function bitDot(thread: i32, threads: i32, args: usize): void {
  const length = load<u32>(args, L.LENGTH);
  const tables = load<usize>(args, L.TABLES) + usize(thread) * L.TABLE_BYTES;
  memory.fill(tables, 0, L.TABLE_BYTES);
  const end = firstOf(thread + 1, threads, length) << 3;
  const x = load<usize>(args, L.X);
  const z = load<usize>(args, L.FACTOR);
  for (let at = firstOf(thread, threads, length) << 3; at < end; at += 8) {
    const w = load<u64>(x + at);
    const v = load<u64>(z + at);
    addAt(placeOf(tables, w, 0), v);
    addAt(placeOf(tables, w, 1), v);
    addAt(placeOf(tables, w, 2), v);
    addAt(placeOf(tables, w, 3), v);
    addAt(placeOf(tables, w, 4), v);
    addAt(placeOf(tables, w, 5), v);
    addAt(placeOf(tables, w, 6), v);
    addAt(placeOf(tables, w, 7), v);
  }
  let out = load<usize>(args, L.TO) + usize(thread) * L.BLOCK_BYTES;
  for (let table = tables; table < tables + L.TABLE_BYTES; table += 2048, out += 64) {
    // Entries with bit k, the highest left, go to row k and to the entries without it.
    for (let k: i32 = 7; k >= 0; k--) {
      const half = usize(8) << k;
      let sum: u64 = 0;
      for (let at = table; at < table + half; at += 8) {
        const v = load<u64>(at + half);
        sum ^= v;
        addAt(at, v);
      }
      store<u64>(out + (usize(k) << 3), sum);
    }
  }
}

export function bitAxpy(thread: i32, threads: i32, args: usize): void {
  const length = load<u32>(args, L.LENGTH);
  const tables = load<usize>(args, L.TABLES) + usize(thread) * L.TABLE_BYTES;
  let a = load<usize>(args, L.FACTOR);
  for (let table = tables; table < tables + L.TABLE_BYTES; table += 2048) {
    store<u64>(table, 0);
    for (let half: usize = 8; half < 2048; half <<= 1, a += 8) {
      const row = load<u64>(a);
      for (let at = table; at < table + half; at += 8) store<u64>(at + half, load<u64>(at) ^ row);
    }
  }
  const end = firstOf(thread + 1, threads, length) << 3;
  const x = load<usize>(args, L.X);
  const y = load<usize>(args, L.TO);
  for (let at = firstOf(thread, threads, length) << 3; at < end; at += 8) {
    const w = load<u64>(x + at);
    let sum = load<u64>(y + at);
    sum ^= load<u64>(placeOf(tables, w, 0));
    sum ^= load<u64>(placeOf(tables, w, 1));
    sum ^= load<u64>(placeOf(tables, w, 2));
    sum ^= load<u64>(placeOf(tables, w, 3));
    sum ^= load<u64>(placeOf(tables, w, 4));
    sum ^= load<u64>(placeOf(tables, w, 5));
    sum ^= load<u64>(placeOf(tables, w, 6));
    sum ^= load<u64>(placeOf(tables, w, 7));
    store<u64>(y + at, sum);
  }
}
