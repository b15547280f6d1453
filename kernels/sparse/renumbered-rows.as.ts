/**
 * Rows of a matrix mod p with their columns renumbered, in increasing order, on threads: those that keep their order
 * come first, and the others are sorted.
 */
import { nextChunk, runCount, runFirst } from '../threads/chunks.as';
import * as L from './renumbered-rows-layout';

export function renumberedRows(_thread: i32, threads: i32, args: usize): void {
  const count = load<u32>(args, L.COUNT);
  const runs = runCount(count, threads);
  for (let run = nextChunk(); run < runs; run = nextChunk()) {
    const end = runFirst(run + 1, runs, count);
    for (let k = runFirst(run, runs, count); k < end; k++) renumber(args, k);
  }
}

function renumber(args: usize, k: u32): void {
  const row = load<usize>(args, L.ROW_PTR) + (load<usize>(load<usize>(args, L.LIST) + (usize(k) << 2)) << 2);
  const colIdx = load<usize>(args, L.COL_IDX);
  const toValues = load<usize>(args, L.VALUES) - colIdx;
  const place = load<usize>(args, L.PLACE);
  const given = load<u32>(args, L.GIVEN);
  const scaled = load<u32>(args, L.SCALED) != 0;
  const outIdx = load<usize>(args, L.OUT_IDX);
  const toOut = load<usize>(args, L.OUT_VALUES) - outIdx;
  const outPtr = load<usize>(args, L.OUT_PTR) + (usize(k) << 2);
  const begin = outIdx + (load<usize>(outPtr) << 2);
  const end = outIdx + (load<usize>(outPtr, 4) << 2);
  let front = begin;
  let back = end;
  let pivot: u32 = 1;
  const stop = colIdx + (load<usize>(row, 4) << 2);
  for (let e = colIdx + (load<usize>(row) << 2); e < stop; e += 4) {
    const c = load<u32>(place + (load<usize>(e) << 2));
    const value = load<u32>(e + toValues);
    if (scaled && c == given + k) {
      pivot = value;
      continue;
    }
    let to = front;
    if (c < given) front += 4;
    else {
      back -= 4;
      to = back;
    }
    store<u32>(to, c);
    store<u32>(to + toOut, value);
  }
  sort(back, end, toOut);
  if (scaled) scale(begin + toOut, end + toOut, pivot, load<u32>(args, L.MODULUS));
}

/** Values ← −values / pivot. */
function scale(begin: usize, end: usize, pivot: u32, p: u32): void {
  if (pivot == p - 1 && pivot != 1) return;
  const factor = u64(p - inverse(pivot, p));
  const minus = pivot == 1;
  for (let e = begin; e < end; e += 4) {
    const value = load<u32>(e);
    store<u32>(e, minus ? p - value : u32((u64(value) * factor) % p));
  }
}

/** 1 / x mod p, 0 < x < p, by Euclid's algorithm: t·x = r mod p, with |t| ≤ p. */
function inverse(x: u32, p: u32): u32 {
  let r0 = i64(p);
  let r1 = i64(x);
  let t0: i64 = 0;
  let t1: i64 = 1;
  while (r1 != 0) {
    const q = r0 / r1;
    const r = r0 - q * r1;
    r0 = r1;
    r1 = r;
    const t = t0 - q * t1;
    t0 = t1;
    t1 = t;
  }
  return u32(t0 < 0 ? t0 + i64(p) : t0);
}

/** Bytes of the longest run that is sorted by insertion. */
const SHORT: usize = 32 << 2;

/** Sorts the words of [begin, end), and those `other` bytes behind with them: by insertion, or as a heap. */
function sort(begin: usize, end: usize, other: usize): void {
  if (end - begin > SHORT) return heapSort(begin, (end - begin) >> 2, other);
  for (let e = begin + 4; e < end; e += 4) {
    const key = load<u32>(e);
    const value = load<u32>(e + other);
    let to = e;
    for (; to > begin && load<u32>(to - 4) > key; to -= 4) {
      store<u32>(to, load<u32>(to - 4));
      store<u32>(to + other, load<u32>(to + other - 4));
    }
    store<u32>(to, key);
    store<u32>(to + other, value);
  }
}

function heapSort(begin: usize, count: usize, other: usize): void {
  for (let k = count >> 1; k > 0; k--) sink(begin, k - 1, count, other, load<u32>(begin + ((k - 1) << 2)));
  for (let last = count - 1; last > 0; last--) {
    const at = begin + (last << 2);
    const key = load<u32>(at);
    const value = load<u32>(at + other);
    store<u32>(at, load<u32>(begin));
    store<u32>(at + other, load<u32>(begin + other));
    store<u32>(begin + other, value);
    sink(begin, 0, last, other, key);
  }
}

/** Moves the entry of node k, with this key, down to its place in a heap of `count`. */
function sink(begin: usize, k: usize, count: usize, other: usize, key: u32): void {
  const value = load<u32>(begin + other + (k << 2));
  let node = k;
  for (;;) {
    let child = (node << 1) + 1;
    if (child >= count) break;
    if (child + 1 < count && load<u32>(begin + (child << 2), 4) > load<u32>(begin + (child << 2))) child++;
    const at = begin + (child << 2);
    if (load<u32>(at) <= key) break;
    const to = begin + (node << 2);
    store<u32>(to, load<u32>(at));
    store<u32>(to + other, load<u32>(at + other));
    node = child;
  }
  const to = begin + (node << 2);
  store<u32>(to, key);
  store<u32>(to + other, value);
}
