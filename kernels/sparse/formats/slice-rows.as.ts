/**
 * sliceWindows and sliceEntries make the slices of sliced-ell-slices.ts on a team, word by word those of slice-rows.ts:
 * the slots of a window and how much its slices hold, by one thread; then the entries of each slice.
 */
import { nextChunk, runCount, runFirst, takeChunk } from '../../threads/chunks.as';
import * as L from './slice-rows-layout';

/** Words of a pair. */
// @ts-ignore: decorator
@inline
function pairWords(p: u32): u32 {
  return p < 65536 ? 3 : 4;
}

export function sliceWindows(thread: i32, threads: i32, args: usize): void {
  const rows = load<u32>(args, L.SLOT_COUNT);
  const some = load<usize>(args, L.WORK) + (usize(thread) << L.LOG_WORK);
  const others = some + 4 * L.WINDOW;
  const next = others + 4 * L.WINDOW;
  const slots = load<usize>(args, L.SLOTS);
  const words = pairWords(load<u32>(args, L.MODULUS));
  const window = load<u32>(args, L.WINDOW_ROWS);
  const slice = load<u32>(args, L.SLICE_ROWS);
  const windows = (rows + window - 1) / window;
  for (let w = nextChunk(); w < windows; w = nextChunk()) {
    const first = w * window;
    const last = min(first + window, rows);
    const count = collectSlots(args, first, last, some);
    sortFalling(some, others, count, 22, next);
    sortFalling(others, slots + (usize(first) << 2), count, 14, next);
    for (let at = first + count; at < last; at++) store<u32>(slots + (usize(at) << 2), L.VACANT);
    for (let begin = first; begin < last; begin += slice) {
      measure(slots, begin, min(begin + slice, last), slice, words, load<usize>(args, L.SLICES));
    }
  }
}

/** Slots of rows first … last − 1 in their order, without long ones; returns how many. */
function collectSlots(args: usize, first: u32, last: u32, to: usize): u32 {
  const starts = load<usize>(args, L.STARTS);
  const ends = load<usize>(args, L.ENDS);
  const values = load<usize>(args, L.VALUES);
  const minus = load<u32>(args, L.MODULUS) - 1;
  const most = load<u32>(args, L.MOST);
  let count: u32 = 0;
  for (let i = first; i < last; i++) {
    const start = load<u32>(starts + (usize(i) << 2));
    const length = load<u32>(ends + (usize(i) << 2)) - start;
    if (length > most) continue;
    let units: u32 = 0;
    for (let k: u32 = 0; k < length; k++) {
      const value = load<u32>(values + (usize(start + k) << 2));
      units += u32(value == 1) | u32(value == minus);
    }
    store<u32>(to + (usize(count++) << 2), (i - first) | (units << 14) | ((length - units) << 22));
  }
  return count;
}

/** Stable, by the eight bits from `shift` on. */
function sortFalling(from: usize, to: usize, count: u32, shift: u32, next: usize): void {
  memory.fill(next, 0, 4 * (L.LONG + 2));
  for (let k: u32 = 0; k < count; k++) {
    const at = next + (usize(L.LONG + 1 - ((load<u32>(from + (usize(k) << 2)) >> shift) & L.LONG)) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  for (let c = 0; c <= L.LONG; c++) {
    const at = next + (usize(c) << 2);
    store<u32>(at, load<u32>(at) + load<u32>(at, 4), 4);
  }
  for (let k: u32 = 0; k < count; k++) {
    const slot = load<u32>(from + (usize(k) << 2));
    const at = next + (usize(L.LONG - ((slot >> shift) & L.LONG)) << 2);
    const place = load<u32>(at);
    store<u32>(to + (usize(place) << 2), slot);
    store<u32>(at, place + 1);
  }
}

/** Words of units and of pairs of the slice of slots begin … end − 1. */
function measure(slots: usize, begin: u32, end: u32, slice: u32, words: u32, slices: usize): void {
  let units: u32 = 0;
  let generals: u32 = 0;
  for (let at = begin; at < end; at++) {
    const slot = load<u32>(slots + (usize(at) << 2));
    if (slot == L.VACANT) break;
    units = max(units, (slot >> 14) & L.LONG);
    generals = max(generals, slot >> 22);
  }
  const to = slices + (usize(begin / slice) << 3);
  store<u32>(to, slice * units);
  store<u32>(to, slice * words * ((generals + 1) / 2), 4);
}

export function sliceEntries(thread: i32, threads: i32, args: usize): void {
  const slice = load<u32>(args, L.SLICE_ROWS);
  const slices = (load<u32>(args, L.SLOT_COUNT) + slice - 1) / slice;
  const runs = runCount(slices, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = runFirst(run + 1, runs, slices);
    for (let s = runFirst(run, runs, slices); s < end; s++) fillSlice(args, s, slices, slice);
  }
}

function fillSlice(args: usize, s: u32, slices: u32, slice: u32): void {
  const size = pairWords(load<u32>(args, L.MODULUS));
  const place = load<usize>(args, L.SLICES) + (usize(s) << 3);
  const unitBegin = load<u32>(place);
  const pairBegin = load<u32>(place, 4);
  const isLast = s + 1 == slices;
  const unitEnd = isLast ? load<u32>(args, L.UNIT_WORDS) : load<u32>(place, 8);
  const pairEnd = isLast ? load<u32>(args, L.PAIR_WORDS) : load<u32>(place, 12);
  const units = load<usize>(args, L.UNITS) + (usize(unitBegin) << 2);
  const pairs = load<usize>(args, L.PAIRS) + (usize(pairBegin) << 2);
  memory.fill(units, 0, usize(unitEnd - unitBegin) << 2);
  memory.fill(pairs, 0, usize(pairEnd - pairBegin) << 2);
  const first = load<u32>(args, L.FIRST);
  const slots = load<usize>(args, L.SLOTS);
  const last = load<u32>(args, L.WINDOW_ROWS) - 1;
  const end = min(slice * (s + 1), load<u32>(args, L.SLOT_COUNT));
  for (let at = slice * s; at < end; at++) {
    const slot = load<u32>(slots + (usize(at) << 2));
    if (slot == L.VACANT) return;
    const row = ((first + at) & ~last) + (slot & last);
    const lane = usize(at - slice * s) << 2;
    fillRow(args, row, units + lane, pairs + lane, size, 4 * usize(slice));
  }
}

/** `step`: bytes from a word of the row to its next. */
// @ts-ignore: decorator
@inline
function fillRow(args: usize, row: u32, units: usize, pairs: usize, size: u32, step: usize): void {
  const minus = load<u32>(args, L.MODULUS) - 1;
  const colIdx = load<usize>(args, L.COL_IDX);
  const values = load<usize>(args, L.VALUES);
  const end = load<u32>(load<usize>(args, L.ENDS) + (usize(row) << 2));
  let second: u32 = 0;
  for (let k = load<u32>(load<usize>(args, L.STARTS) + (usize(row) << 2)); k < end; k++) {
    const column = load<u32>(colIdx + (usize(k) << 2));
    const value = load<u32>(values + (usize(k) << 2));
    if (value == 1 || value == minus) {
      store<u32>(units, (column << 1) | u32(value != 1));
      units += step;
      continue;
    }
    store<u32>(pairs + usize(second) * step, column);
    if (size == 4) store<u32>(pairs + usize(2 + second) * step, value);
    else store<u32>(pairs + 2 * step, load<u32>(pairs + 2 * step) | (value << (16 * second)));
    pairs += usize(second * size) * step;
    second = 1 - second;
  }
}
