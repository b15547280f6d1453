/**
 * pluqPanelU16: elimination of a panel of 16 columns of u16 residues, p < 2^16, column by column: see pluq-panel.as.ts.
 *
 *   scratch : the panel by columns, 8 rows a vector; columns are SPAN bytes apart, zeros behind the last row
 *   column j: its entries at the pivots' rows become u (solved from the top), the others lose Σ_t L[·, t]·u_t, at once:
 *   15 terms fit i32 (byteSplitTermsBeforeReduction of fields/reduction.ts), so a residue is reduced once a column
 */
import { reduce } from '../residues/u16.as';
import { exchange, inverseWord, mulWord } from './pluq-panel.as';
import * as Q from './pluq-panel.as';

/** Runs on one thread; FOUND ← the number of pivots. */
export function pluqPanelU16(thread: i32, threads: i32, args: usize): void {
  if (thread != 0) return;
  const stride = load<usize>(args, Q.STRIDE);
  const matrix = load<usize>(args, Q.MATRIX);
  const first = load<i32>(args, Q.FIRST);
  const count = load<i32>(args, Q.ROWS) - first;
  const panel = matrix + usize(first) * stride + usize(load<u32>(args, Q.COLUMN)) * 2;
  const span = usize((count + 7) >> 3) << 4;
  const scratch = load<usize>(args, Q.SCRATCH);
  const numbers = load<usize>(args, Q.NUMBERS) + (usize(first) << 2);
  const pivots = load<usize>(args, Q.PIVOTS) + (usize(first) << 2);
  const p = load<u32>(args, Q.FIELD);
  const behind = scratch + 16 * span;
  const inverses = behind; // u32 a pivot
  const columns = behind + 64; // u32 a pivot: its column in the panel
  const factors = behind + 128; // u32 a pivot: pair(−u)
  transposeIn(panel, stride, scratch, span, count);
  let rank = 0;
  for (let j = 0; j < Q.WIDTH && rank < count; j++) {
    const column = scratch + usize(j) * span;
    if (rank > 0) {
      solveTop(scratch, span, column, rank, columns, inverses, factors, p);
      update(scratch, span, column, rank, columns, factors, p);
    }
    const best = firstCandidate(column, numbers, rank, count);
    if (best < 0) continue;
    if (best != rank) {
      exchange(matrix + usize(first + rank) * stride, matrix + usize(first + best) * stride, stride);
      for (let c = 0; c < Q.WIDTH; c++) swap16(scratch + usize(c) * span, rank, best);
      swap32(numbers, rank, best);
    }
    store<u32>(inverses + (usize(rank) << 2), inverseWord(load<u16>(column + usize(rank) * 2), p));
    store<u32>(columns + (usize(rank) << 2), j);
    store<u32>(pivots + (usize(rank) << 2), load<u32>(args, Q.COLUMN) + j);
    rank++;
  }
  transposeOut(panel, stride, scratch, span, count);
  store<u32>(load<usize>(args, Q.FOUND), rank);
}

/** u_t = (a_t − Σ_{s<t} L_ts·u_s) / L_tt for the entries a_t of the column at the pivots' rows. */
function solveTop(
  scratch: usize,
  span: usize,
  column: usize,
  rank: i32,
  columns: usize,
  inverses: usize,
  factors: usize,
  p: u32,
): void {
  for (let t = 0; t < rank; t++) {
    let x = u64(load<u16>(column + usize(t) * 2));
    // Below 2^16 + 15·2^32.
    for (let s = 0; s < t; s++) {
      const l = load<u16>(scratch + usize(load<u32>(columns + (usize(s) << 2))) * span + usize(t) * 2);
      x += u64(l) * u64(p - load<u16>(column + usize(s) * 2));
    }
    const u = mulWord(u32(x % u64(p)), load<u32>(inverses + (usize(t) << 2)), p);
    store<u16>(column + usize(t) * 2, u16(u));
    store<u32>(factors + (usize(t) << 2), pairOf(u == 0 ? 0 : p - u, p));
  }
}

/** The column below the pivots' rows ← itself + Σ_t L_t·factor_t. */
function update(
  scratch: usize,
  span: usize,
  column: usize,
  rank: i32,
  columns: usize,
  factors: usize,
  modulus: u32,
): void {
  const p = i32x4.splat(modulus);
  const inverse = f32x4.splat(f32(1) / f32(modulus));
  const start = usize(rank >> 3) << 4;
  const kept = v128.load(column + start);
  for (let at = start; at < span; at += 16) {
    const old = v128.load(column + at);
    let low = i32x4.extend_low_i16x8_u(old);
    let high = i32x4.extend_high_i16x8_u(old);
    for (let t = 0; t < rank; t++) {
      const l = v128.load(scratch + usize(load<u32>(columns + (usize(t) << 2))) * span + at);
      const factor = v128.load_splat<u32>(factors + (usize(t) << 2));
      low = i32x4.add(low, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(l), factor));
      high = i32x4.add(high, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(l), factor));
    }
    v128.store(column + at, i16x8.narrow_i32x4_u(reduce(low, p, inverse), reduce(high, p, inverse)));
  }
  // The pivots' rows in the first vector have their u already.
  const lanes = rank & 7;
  for (let t = 0; t < lanes; t++) store<u16>(column + start + usize(t) * 2, u16(lane(kept, t)));
}

function lane(x: v128, t: i32): u32 {
  const half = t < 4 ? i64x2.extract_lane(x, 0) : i64x2.extract_lane(x, 1);
  return u32(u64(half) >> (u64(t & 3) << 4)) & 0xffff;
}

/** The row ≥ rank with an entry whose number is least, or −1. */
function firstCandidate(column: usize, numbers: usize, rank: i32, count: i32): i32 {
  const none = i32x4.splat(-1);
  const zero = i32x4.splat(0);
  let least = none;
  let i = rank;
  let scalar: u32 = u32.MAX_VALUE;
  for (; i < count && (i & 7) != 0; i++) {
    if (load<u16>(column + usize(i) * 2) != 0) scalar = min(scalar, load<u32>(numbers + (usize(i) << 2)));
  }
  // Behind the last row there are zeros.
  for (; i < count; i += 8) {
    const empty = i16x8.eq(v128.load(column + usize(i) * 2), zero);
    const number = numbers + (usize(i) << 2);
    least = i32x4.min_u(least, v128.or(v128.load(number), i32x4.extend_low_i16x8_s(empty)));
    least = i32x4.min_u(least, v128.or(v128.load(number, 16), i32x4.extend_high_i16x8_s(empty)));
  }
  least = i32x4.min_u(least, i32x4.shuffle(least, least, 2, 3, 0, 1));
  least = i32x4.min_u(least, i32x4.shuffle(least, least, 1, 0, 3, 2));
  const number = min<u32>(scalar, u32(i32x4.extract_lane(least, 0)));
  if (number == u32.MAX_VALUE) return -1;
  i = rank;
  while (load<u32>(numbers + (usize(i) << 2)) != number) i++;
  return i;
}

function swap16(base: usize, i: i32, j: i32): void {
  const kept = load<u16>(base + usize(i) * 2);
  store<u16>(base + usize(i) * 2, load<u16>(base + usize(j) * 2));
  store<u16>(base + usize(j) * 2, kept);
}

function swap32(base: usize, i: i32, j: i32): void {
  const kept = load<u32>(base + (usize(i) << 2));
  store<u32>(base + (usize(i) << 2), load<u32>(base + (usize(j) << 2)));
  store<u32>(base + (usize(j) << 2), kept);
}

function transposeIn(panel: usize, stride: usize, scratch: usize, span: usize, count: i32): void {
  const whole = count & ~7;
  for (let i = 0; i < whole; i += 8) {
    const from = panel + usize(i) * stride;
    transpose8(from, stride, scratch + usize(i) * 2, span);
    transpose8(from + 16, stride, scratch + usize(i) * 2 + 8 * span, span);
  }
  for (let c: usize = 0; c < 16; c++) {
    for (let i = whole; i < (count + 7 & ~7); i++) {
      const value = i < count ? load<u16>(panel + usize(i) * stride + c * 2) : 0;
      store<u16>(scratch + c * span + usize(i) * 2, value);
    }
  }
}

function transposeOut(panel: usize, stride: usize, scratch: usize, span: usize, count: i32): void {
  const whole = count & ~7;
  for (let i = 0; i < whole; i += 8) {
    const to = panel + usize(i) * stride;
    transpose8(scratch + usize(i) * 2, span, to, stride);
    transpose8(scratch + usize(i) * 2 + 8 * span, span, to + 16, stride);
  }
  for (let i = whole; i < count; i++) {
    for (let c: usize = 0; c < 16; c++) {
      store<u16>(panel + usize(i) * stride + c * 2, load<u16>(scratch + c * span + usize(i) * 2));
    }
  }
}

/** 8 × 8 residues, transposed: three rounds of interleaving. */
function transpose8(from: usize, fromStride: usize, to: usize, toStride: usize): void {
  const r0 = v128.load(from);
  const r1 = v128.load(from + fromStride);
  const r2 = v128.load(from + 2 * fromStride);
  const r3 = v128.load(from + 3 * fromStride);
  const r4 = v128.load(from + 4 * fromStride);
  const r5 = v128.load(from + 5 * fromStride);
  const r6 = v128.load(from + 6 * fromStride);
  const r7 = v128.load(from + 7 * fromStride);
  const a0 = i16x8.shuffle(r0, r4, 0, 8, 1, 9, 2, 10, 3, 11);
  const a1 = i16x8.shuffle(r0, r4, 4, 12, 5, 13, 6, 14, 7, 15);
  const a2 = i16x8.shuffle(r1, r5, 0, 8, 1, 9, 2, 10, 3, 11);
  const a3 = i16x8.shuffle(r1, r5, 4, 12, 5, 13, 6, 14, 7, 15);
  const a4 = i16x8.shuffle(r2, r6, 0, 8, 1, 9, 2, 10, 3, 11);
  const a5 = i16x8.shuffle(r2, r6, 4, 12, 5, 13, 6, 14, 7, 15);
  const a6 = i16x8.shuffle(r3, r7, 0, 8, 1, 9, 2, 10, 3, 11);
  const a7 = i16x8.shuffle(r3, r7, 4, 12, 5, 13, 6, 14, 7, 15);
  const b0 = i16x8.shuffle(a0, a4, 0, 8, 1, 9, 2, 10, 3, 11);
  const b1 = i16x8.shuffle(a0, a4, 4, 12, 5, 13, 6, 14, 7, 15);
  const b2 = i16x8.shuffle(a1, a5, 0, 8, 1, 9, 2, 10, 3, 11);
  const b3 = i16x8.shuffle(a1, a5, 4, 12, 5, 13, 6, 14, 7, 15);
  const b4 = i16x8.shuffle(a2, a6, 0, 8, 1, 9, 2, 10, 3, 11);
  const b5 = i16x8.shuffle(a2, a6, 4, 12, 5, 13, 6, 14, 7, 15);
  const b6 = i16x8.shuffle(a3, a7, 0, 8, 1, 9, 2, 10, 3, 11);
  const b7 = i16x8.shuffle(a3, a7, 4, 12, 5, 13, 6, 14, 7, 15);
  v128.store(to, i16x8.shuffle(b0, b4, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to + toStride, i16x8.shuffle(b0, b4, 4, 12, 5, 13, 6, 14, 7, 15));
  v128.store(to + 2 * toStride, i16x8.shuffle(b1, b5, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to + 3 * toStride, i16x8.shuffle(b1, b5, 4, 12, 5, 13, 6, 14, 7, 15));
  v128.store(to + 4 * toStride, i16x8.shuffle(b2, b6, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to + 5 * toStride, i16x8.shuffle(b2, b6, 4, 12, 5, 13, 6, 14, 7, 15));
  v128.store(to + 6 * toStride, i16x8.shuffle(b3, b7, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to + 7 * toStride, i16x8.shuffle(b3, b7, 4, 12, 5, 13, 6, 14, 7, 15));
}

/** pair(v) of u16.as.ts. */
function pairOf(v: u32, p: u32): u32 {
  const w = (v << 8) % p;
  const b = v > p / 2 ? i32(v) - i32(p) : i32(v);
  const b256 = w > p / 2 ? i32(w) - i32(p) : i32(w);
  return u32((b & 0xffff) | (b256 << 16));
}
