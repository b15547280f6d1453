/** takeRows and scaleRows: the loops of take-rows.ts on a team, entry by entry the same. */
import { runCount, runFirst, takeChunk } from '../threads/chunks.as';
import * as L from './take-rows-layout';

/** Entries of a row at pivots' columns up to which each is put among those before it. */
const FEW: u32 = 64;

export function takeRows(thread: i32, threads: i32, args: usize): void {
  const count = load<u32>(args, L.COUNT);
  const runs = runCount(count, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = runFirst(run + 1, runs, count);
    for (let i = runFirst(run, runs, count); i < end; i++) takeRow(args, i);
  }
}

function takeRow(args: usize, i: u32): void {
  const k = load<u32>(load<usize>(args, L.RANKS) + (usize(i) << 2));
  if (k < load<u32>(args, L.FIRST) || k >= load<u32>(args, L.END)) return;
  const base = load<u32>(args, L.BASE);
  const from = load<usize>(args, L.ROW_PTR) + (usize(i) << 2);
  const last = load<u32>(from, 4) - base;
  const old = load<usize>(args, L.COL_IDX);
  const was = load<usize>(args, L.VALUES);
  const place = load<usize>(args, L.PLACE);
  const given = load<u32>(args, L.GIVEN);
  const columns = load<usize>(args, L.OUT_COLUMNS);
  const values = load<usize>(args, L.OUT_VALUES);
  const to = load<usize>(args, L.OUT_PTR) + (usize(k) << 2);
  let next = load<u32>(to);
  const end = load<u32>(to, 4);
  let least = end; // the place of the first entry at a pivot's column
  for (let e = load<u32>(from) - base; e < last; e++) {
    const c = load<u32>(place + (usize(load<u32>(old + (usize(e) << 2))) << 2));
    const value = load<u32>(was + (usize(e) << 2));
    if (c == given + k) {
      store<u32>(load<usize>(args, L.DIAGONAL) + (usize(k) << 2), value);
      continue;
    }
    let at: u32;
    if (c < given) at = next++;
    else {
      at = --least;
      if (end - least <= FEW) at = shift(columns, values, at, 1, end, c);
    }
    store<u32>(columns + (usize(at) << 2), c);
    store<u32>(values + (usize(at) << 2), value);
  }
  if (end - least > FEW) sortRow(columns, values, least, end);
}

/** Moves smaller columns behind place `at`, every `gap`-th one, down to it, and returns where `c` belongs. */
// @ts-ignore: decorator
@inline
function shift(columns: usize, values: usize, at: u32, gap: u32, end: u32, c: u32): u32 {
  while (at + gap < end) {
    const above = columns + (usize(at + gap) << 2);
    if (load<u32>(above) >= c) break;
    store<u32>(columns + (usize(at) << 2), load<u32>(above));
    store<u32>(values + (usize(at) << 2), load<u32>(values + (usize(at + gap) << 2)));
    at += gap;
  }
  return at;
}

/** By columns, in place: Shell's sort with gaps (3^k − 1)/2, Knuth 5.2.1. */
function sortRow(columns: usize, values: usize, begin: u32, end: u32): void {
  let gap: u32 = 1;
  while (gap < (end - begin) / 3) gap = 3 * gap + 1;
  for (; gap > 0; gap /= 3) {
    for (let k = gap; k < end - begin; k++) {
      const first = end - 1 - k;
      const c = load<u32>(columns + (usize(first) << 2));
      const value = load<u32>(values + (usize(first) << 2));
      const at = shift(columns, values, first, gap, end, c);
      store<u32>(columns + (usize(at) << 2), c);
      store<u32>(values + (usize(at) << 2), value);
    }
  }
}

export function scaleRows(thread: i32, threads: i32, args: usize): void {
  const first = load<u32>(args, L.FIRST);
  const count = min(load<u32>(args, L.PIVOTS), load<u32>(args, L.END)) - first;
  const ptr = load<usize>(args, L.OUT_PTR);
  const values = load<usize>(args, L.OUT_VALUES);
  const factors = load<usize>(args, L.DIAGONAL);
  const p = u64(load<u32>(args, L.MODULUS));
  const runs = runCount(count, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = first + runFirst(run + 1, runs, count);
    for (let k = first + runFirst(run, runs, count); k < end; k++) {
      const factor = u64(load<u32>(factors + (usize(k) << 2)));
      const last = load<u32>(ptr + (usize(k) << 2), 4);
      for (let e = load<u32>(ptr + (usize(k) << 2)); e < last; e++) {
        const at = values + (usize(e) << 2);
        store<u32>(at, u32((u64(load<u32>(at)) * factor) % p));
      }
    }
  }
}
