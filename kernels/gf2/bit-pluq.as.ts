/**
 * Elimination over GF(2), a bit an entry: strips of 64 columns, and all later columns by the method of the four
 * Russians.
 *
 *   A : m rows of 64-bit words, column 64·w + b is bit b of word w; rows are whole vectors of 128 bits
 *   L stays in the pivots' columns, U to the right of its pivots
 *
 * bitPanel finds the pivots of one strip. bitUpdate adds, to each row below, the sum of pivots' rows that its bits of L
 * name: 8 pivots are a table of all 256 sums, 8 tables serve the strip, and a row is read and written once a strip.
 * Sources: Arlazarov, Dinic, Kronrod, Faradzev 1970; Albrecht, Bard, Hart 2010 (several tables at a time).
 */
import { nextChunk } from '../threads/chunks.as';
import * as L from './bit-pluq-layout';

const TASK_ROWS: i32 = 2048;
const AHEAD: i32 = 8;

/** Pivots of strip WORD, by the first row that has a bit; runs on one thread. */
export function bitPanel(thread: i32, threads: i32, args: usize): void {
  if (thread != 0) return;
  const stride = load<usize>(args, L.STRIDE);
  const rows = load<i32>(args, L.ROWS);
  const first = load<i32>(args, L.FIRST);
  const strip = load<usize>(args, L.MATRIX) + (usize(load<u32>(args, L.WORD)) << 3);
  const scratch = load<usize>(args, L.INDEX);
  const pivots = load<usize>(args, L.PIVOTS);
  for (let i = first; i < rows; i++) store<u64>(at64(scratch, i - first), load<u64>(strip + usize(i) * stride));
  let rank = first;
  let chosen: u64 = 0; // the pivots' columns
  for (let column = 0; column < 64 && rank < rows; column++) {
    let best = rank;
    while (best < rows && ((load<u64>(at64(scratch, best - first)) >> column) & 1) == 0) best++;
    if (best == rows) continue;
    exchangeRows(args, rank, best);
    const row = load<u64>(at64(scratch, rank - first));
    addAbove(scratch, rank + 1 - first, rows - first, column, row & (column == 63 ? 0 : ~(u64(0)) << u64(column + 1)));
    store<u32>(pivots + (usize(rank) << 2), (load<u32>(args, L.WORD) << 6) + column);
    chosen |= u64(1) << column;
    rank++;
  }
  for (let i = first; i < rows; i++) store<u64>(strip + usize(i) * stride, load<u64>(at64(scratch, i - first)));
  store<u32>(load<usize>(args, L.FOUND), rank - first);
  solve(args, first, rank - first, chosen);
  // The bits of L side by side.
  for (let i = rank - first; i < rows - first; i++) store<u64>(at64(scratch, i), gather(load<u64>(at64(scratch, i)), chosen));
}

// @ts-ignore: decorator
@inline
function at64(base: usize, i: i32): usize {
  return base + (usize(i) << 3);
}

/** words i ← words i + u for those with bit `column`. */
function addAbove(words: usize, first: i32, last: i32, column: i32, u: u64): void {
  let i = first;
  if (i & 1 && i < last) {
    const w = load<u64>(at64(words, i));
    store<u64>(at64(words, i), w ^ (u & (0 - ((w >> column) & 1))));
    i++;
  }
  const uu = i64x2.splat(u);
  const one = i64x2.splat(1);
  for (; i + 1 < last; i += 2) {
    const at = at64(words, i);
    const w = v128.load(at);
    const set = i64x2.neg(v128.and(i64x2.shr_u(w, column), one));
    v128.store(at, v128.xor(w, v128.and(uu, set)));
  }
  if (i < last) {
    const w = load<u64>(at64(words, i));
    store<u64>(at64(words, i), w ^ (u & (0 - ((w >> column) & 1))));
  }
}

function exchangeRows(args: usize, to: i32, from: i32): void {
  if (to == from) return;
  const stride = load<usize>(args, L.STRIDE);
  const a = load<usize>(args, L.MATRIX) + usize(to) * stride;
  const b = load<usize>(args, L.MATRIX) + usize(from) * stride;
  for (let at: usize = 0; at < stride; at += 16) {
    const kept = v128.load(a + at);
    v128.store(a + at, v128.load(b + at));
    v128.store(b + at, kept);
  }
  const first = load<i32>(args, L.FIRST);
  const scratch = load<usize>(args, L.INDEX);
  const word = load<u64>(at64(scratch, to - first));
  store<u64>(at64(scratch, to - first), load<u64>(at64(scratch, from - first)));
  store<u64>(at64(scratch, from - first), word);
  const numbers = load<usize>(args, L.NUMBERS);
  const number = load<u32>(numbers + (usize(to) << 2));
  store<u32>(numbers + (usize(to) << 2), load<u32>(numbers + (usize(from) << 2)));
  store<u32>(numbers + (usize(from) << 2), number);
}

/** Right of the strip: the pivots' rows ← L11⁻¹ times them, row after row. */
function solve(args: usize, first: i32, count: i32, chosen: u64): void {
  const stride = load<usize>(args, L.STRIDE);
  const from = usize((load<u32>(args, L.WORD) + 1) << 3); // bytes of a row that are done with
  const matrix = load<usize>(args, L.MATRIX) + usize(first) * stride;
  const scratch = load<usize>(args, L.INDEX);
  for (let t = 1; t < count; t++) {
    const row = matrix + usize(t) * stride;
    let bits = gather(load<u64>(at64(scratch, t)), chosen) & ((u64(1) << t) - 1);
    for (; bits != 0; bits &= bits - 1) {
      const other = matrix + usize(ctz(bits)) * stride;
      let at = from;
      if (at & 8) {
        store<u64>(row + at, load<u64>(row + at) ^ load<u64>(other + at));
        at += 8;
      }
      for (; at < stride; at += 16) v128.store(row + at, v128.xor(v128.load(row + at), v128.load(other + at)));
    }
  }
}

/** The bits of w at the set bits of `mask`, side by side from bit 0 on. */
function gather(w: u64, mask: u64): u64 {
  if ((mask & (mask + 1)) == 0) return w & mask;
  let out: u64 = 0;
  let to: u64 = 0;
  while (mask != 0) {
    // a run of ones at a time
    const skip = ctz(mask);
    w >>= skip;
    mask >>= skip;
    const run = ctz(~mask); // mask is not all ones: that is the case above
    const ones = (u64(1) << run) - 1;
    out |= (w & ones) << to;
    to += run;
    w >>= run;
    mask >>= run;
  }
  return out;
}

/** Rows below the strip's pivots, right of the strip; tasks are blocks of rows in chunks of columns. */
export function bitUpdate(thread: i32, threads: i32, args: usize): void {
  const stride = load<usize>(args, L.STRIDE);
  const rows = load<i32>(args, L.ROWS);
  const first = load<i32>(args, L.FIRST);
  const count = load<i32>(args, L.COUNT);
  const next = load<u32>(args, L.WORD) + 1;
  const matrix = load<usize>(args, L.MATRIX);
  const tables = load<usize>(args, L.TABLES) + usize(thread) * L.TABLE_COUNT * L.TABLE_BYTES;
  const start = i32(next >> 1); // vectors; the first may hold a word that is done with
  const vectors = i32(stride >> 4);
  const across = (vectors - start + L.CHUNK - 1) / L.CHUNK;
  const below = rows - first - count;
  const tasks = across * ((below + TASK_ROWS - 1) / TASK_ROWS);
  const index = load<usize>(args, L.INDEX);
  const groups = (count + 7) >> 3;
  let touched: u8 = 0;
  for (;;) {
    const task = i32(nextChunk());
    if (task >= tasks) break;
    const from = start + (task % across) * L.CHUNK;
    const width = usize(min(L.CHUNK, vectors - from)) << 4;
    const columns = matrix + (usize(from) << 4);
    const keep = (next & 1) != 0 && from == start;
    for (let g = 0; g < groups; g++) {
      const table = tables + usize(g) * L.TABLE_BYTES;
      fillTable(table, columns + usize(first + 8 * g) * stride, stride, min(8, count - 8 * g), width, keep);
    }
    const begin = (task / across) * TASK_ROWS;
    const end = min(below, begin + TASK_ROWS);
    let row = columns + usize(first + count + begin) * stride;
    let bits = at64(index, count + begin);
    for (let i = begin; i < end; i++, row += stride, bits += 8) {
      if (i + AHEAD < end) {
        for (let at: usize = 0; at < width; at += 64) touched |= load<u8>(row + usize(AHEAD) * stride + at);
      }
      if (groups == 8) addEight(row, load<u64>(bits), tables, width);
      else for (let g = 0; g < groups; g++) {
        addOne(row, tables + usize(g) * L.TABLE_BYTES + (usize(load<u8>(bits + g)) << 8), width);
      }
    }
  }
  store<u8>(tables, touched);
}

/** Entry e ← the sum of the rows t < count with bit t in e; `keep`: the first 64 columns count as 0. */
function fillTable(table: usize, rows: usize, stride: usize, count: i32, width: usize, keep: bool): void {
  memory.fill(table, 0, 256);
  for (let t = 0; t < count; t++) {
    const row = rows + usize(t) * stride;
    const half = usize(1) << (8 + t);
    for (let at: usize = 0; at < width; at += 16) {
      let x = v128.load(row + at);
      if (keep && at == 0) x = i64x2.replace_lane(x, 0, 0);
      for (let e: usize = 0; e < half; e += 256) {
        v128.store(table + half + e + at, v128.xor(v128.load(table + e + at), x));
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function entry(table: usize, bits: u64, g: u64): usize {
  return table + usize(g) * L.TABLE_BYTES + (usize((bits >> (8 * g)) & 255) << 8);
}

function addEight(row: usize, bits: u64, tables: usize, width: usize): void {
  if (bits == 0) return;
  const t0 = entry(tables, bits, 0);
  const t1 = entry(tables, bits, 1);
  const t2 = entry(tables, bits, 2);
  const t3 = entry(tables, bits, 3);
  const t4 = entry(tables, bits, 4);
  const t5 = entry(tables, bits, 5);
  const t6 = entry(tables, bits, 6);
  const t7 = entry(tables, bits, 7);
  for (let at: usize = 0; at < width; at += 16) {
    const a = v128.xor(v128.load(t0 + at), v128.load(t1 + at));
    const b = v128.xor(v128.load(t2 + at), v128.load(t3 + at));
    const c = v128.xor(v128.load(t4 + at), v128.load(t5 + at));
    const d = v128.xor(v128.load(t6 + at), v128.load(t7 + at));
    v128.store(row + at, v128.xor(v128.load(row + at), v128.xor(v128.xor(a, b), v128.xor(c, d))));
  }
}

function addOne(row: usize, sum: usize, width: usize): void {
  for (let at: usize = 0; at < width; at += 16) v128.store(row + at, v128.xor(v128.load(row + at), v128.load(sum + at)));
}
