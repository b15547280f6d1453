/**
 * Products of polynomial matrices over GF(2^8) by additive Fourier transforms, 16 columns at a time, a byte each
 * (gf256.as.ts).
 *
 *   β_0 = 1, β_(i+1)² + β_(i+1) = β_i : Cantor's basis       W_i = span(β_0 … β_(i−1))
 *   s_i(x) = Π over W_i of (x − w) = Σ x^(2^e) over the e with C(i, e) odd: additive, so s_i(β_j) = β_(j−i)
 *
 * f of degree below 2^(i+1) at all points of a + W_(i+1): f = h·s_i + l, and s_i is c = s_i(a) on a + W_i and c + 1 on
 * a + β_i + W_i, so that l + c·h and that plus h are to be evaluated on the two halves. c depends on the number of the
 * half alone: t = Σ t_b·2^b has c = Σ t_b·β_(b+1), whatever i is.
 *
 * There are 2^8 points. Longer polynomials are taken as f(z, y) with z^(2^7) for y, and evaluated at pairs of points: a
 * product has degree below 2^8 in z, and in y as many terms as both have, less one.
 *
 * A transformed matrix has its rows one after another, `stride` vectors apart; a row is points of y × points of z ×
 * vectors of 16 columns.
 * Sources: Cantor 1989; von zur Gathen and Gerhard 1996; Gao and Mateer 2010.
 */
import { runCount, runFirst, takeChunk } from '../threads/chunks.as';
import { plusProduct, TABLE_SHIFT, timesTable } from '../residues/gf256.as';
import * as L from './additive-fft-layout';

/** Coefficients to values. */
export function additiveFftForward(thread: i32, threads: i32, args: usize): void {
  const rows = load<u32>(args, L.ROWS);
  const vectors = load<i32>(args, L.VECTORS);
  const logZ = load<i32>(args, L.LOG_Z);
  const logY = load<i32>(args, L.LOG_Y);
  const block = load<i32>(args, L.BLOCK);
  const length = load<i32>(args, L.POLY_COUNT);
  const terms = (length + block - 1) / block; // in y
  const line = usize(vectors << logZ) << 4;
  const runs = runCount(rows, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    for (let i = runFirst(run, runs, rows); i < runFirst(run + 1, runs, rows); i++) {
      const row = load<usize>(args, L.VALUES) + ((usize(i) * load<usize>(args, L.STRIDE)) << 4);
      memory.fill(row, 0, line << usize(logY));
      read(row, i, args);
      for (let y = 0; y < terms; y++) {
        forward(row + usize(y) * line, logZ, vectors, min(block, length - y * block), args);
      }
      forward(row, logY, vectors << logZ, terms, args);
    }
  }
}

/** Values to coefficients L.POLY_FIRST … L.POLY_FIRST + L.POLY_COUNT − 1: words as above. */
export function additiveFftInverse(thread: i32, threads: i32, args: usize): void {
  const rows = load<u32>(args, L.ROWS);
  const vectors = load<i32>(args, L.VECTORS);
  const logZ = load<i32>(args, L.LOG_Z);
  const logY = load<i32>(args, L.LOG_Y);
  const line = usize(vectors << logZ) << 4;
  const runs = runCount(rows, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    for (let i = runFirst(run, runs, rows); i < runFirst(run + 1, runs, rows); i++) {
      const row = load<usize>(args, L.VALUES) + ((usize(i) * load<usize>(args, L.STRIDE)) << 4);
      inverse(row, logY, vectors << logZ, args);
      for (let y = 0; y < 1 << logY; y++) inverse(row + usize(y) * line, logZ, vectors, args);
      write(row, i, args);
    }
  }
}

/** Coefficients of row i, packed into bytes. */
function read(row: usize, i: u32, args: usize): void {
  const groups = load<i32>(args, L.POLY_GROUPS);
  const step = load<usize>(args, L.POLY_STRIDE) << 4;
  const vectors = load<i32>(args, L.VECTORS);
  const block = load<i32>(args, L.BLOCK);
  const length = load<i32>(args, L.POLY_COUNT);
  const zero = i64x2.splat(0);
  for (let v = 0; v < vectors; v++) {
    let from = load<usize>(args, L.POLY) + usize(i * groups + 4 * v) * step;
    const most = groups - 4 * v;
    for (let k = 0; k < length; k++, from += 16) {
      const a = v128.load(from);
      const b = most > 1 ? v128.load(from + step) : zero;
      const c = most > 2 ? v128.load(from + 2 * step) : zero;
      const d = most > 3 ? v128.load(from + 3 * step) : zero;
      const at = ((k / block) << load<i32>(args, L.LOG_Z)) + (k % block);
      const bytes = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_u(a, b), i16x8.narrow_i32x4_u(c, d));
      v128.store(row + (usize(at * vectors + v) << 4), bytes);
    }
  }
}

/** The wanted coefficients of row i: what overlaps in z and y adds up. */
function write(row: usize, i: u32, args: usize): void {
  const groups = load<i32>(args, L.POLY_GROUPS);
  const step = load<usize>(args, L.POLY_STRIDE) << 4;
  const vectors = load<i32>(args, L.VECTORS);
  const logZ = load<i32>(args, L.LOG_Z);
  const logY = load<i32>(args, L.LOG_Y);
  const block = load<i32>(args, L.BLOCK);
  const first = load<i32>(args, L.POLY_FIRST);
  const count = load<i32>(args, L.POLY_COUNT);
  for (let v = 0; v < vectors; v++) {
    let to = load<usize>(args, L.POLY) + usize(i * groups + 4 * v) * step;
    const most = groups - 4 * v;
    for (let k = first; k < first + count; k++, to += 16) {
      const y = k / block;
      const z = k % block;
      let bytes = i64x2.splat(0);
      if (y < 1 << logY) bytes = v128.load(row + (usize(((y << logZ) + z) * vectors + v) << 4));
      if (y > 0 && block < 1 << logZ) {
        bytes = v128.xor(bytes, v128.load(row + (usize((((y - 1) << logZ) + z + block) * vectors + v) << 4)));
      }
      const low = i16x8.extend_low_i8x16_u(bytes);
      const high = i16x8.extend_high_i8x16_u(bytes);
      v128.store(to, i32x4.extend_low_i16x8_u(low));
      if (most > 1) v128.store(to + step, i32x4.extend_high_i16x8_u(low));
      if (most > 2) v128.store(to + 2 * step, i32x4.extend_low_i16x8_u(high));
      if (most > 3) v128.store(to + 3 * step, i32x4.extend_high_i16x8_u(high));
    }
  }
}

/** 2^log elements of `width` vectors each, of which those from `length` on are 0. */
function forward(at: usize, log: i32, width: i32, length: i32, args: usize): void {
  const bytes = usize(width) << 4;
  for (let i = log - 1; i >= 0; i--) {
    const half = 1 << i;
    const skip = usize(half) * bytes;
    if (length <= half) {
      // h = 0 in every block so far: both halves are l.
      for (let t = 0; t < 1 << (log - 1 - i); t++) {
        const block = at + ((usize(t) * skip) << 1);
        memory.copy(block + skip, block, usize(length) * bytes);
      }
      continue;
    }
    for (let t = 0; t < 1 << (log - 1 - i); t++) {
      const block = at + ((usize(t) * skip) << 1);
      divide(block, i, width);
      const table = load<usize>(load<usize>(args, L.TWIDDLES) + (usize(t) << 2));
      for (let low = block; low < block + skip; low += 16) {
        const h = v128.load(low + skip);
        let l = v128.load(low);
        if (t > 0) l = v128.xor(l, timesTable(h, table));
        v128.store(low, l);
        v128.store(low + skip, v128.xor(l, h));
      }
    }
  }
}

function inverse(at: usize, log: i32, width: i32, args: usize): void {
  const bytes = usize(width) << 4;
  for (let i = 0; i < log; i++) {
    const half = 1 << i;
    const skip = usize(half) * bytes;
    for (let t = 0; t < 1 << (log - 1 - i); t++) {
      const block = at + ((usize(t) * skip) << 1);
      const table = load<usize>(load<usize>(args, L.TWIDDLES) + (usize(t) << 2));
      for (let low = block; low < block + skip; low += 16) {
        let l = v128.load(low);
        const h = v128.xor(l, v128.load(low + skip));
        if (t > 0) l = v128.xor(l, timesTable(h, table));
        v128.store(low, l);
        v128.store(low + skip, h);
      }
      multiply(block, i, width);
    }
  }
}

/** f ← (l, h) with f = h·s_i + l, from the top down: x^(2^i + u) = s_i·x^u + Σ x^(2^e + u) over the lower e. */
function divide(block: usize, i: i32, width: i32): void {
  const bytes = usize(width) << 4;
  for (let u = (1 << i) - 1; u >= 0; u--) {
    const from = block + usize((1 << i) + u) * bytes;
    for (let e = 0; e < i; e++) {
      if ((e & ~i) == 0) add(block + usize((1 << e) + u) * bytes, from, bytes);
    }
  }
}

/** The way back, from the bottom up. */
function multiply(block: usize, i: i32, width: i32): void {
  const bytes = usize(width) << 4;
  for (let u = 0; u < 1 << i; u++) {
    const from = block + usize((1 << i) + u) * bytes;
    for (let e = 0; e < i; e++) {
      if ((e & ~i) == 0) add(block + usize((1 << e) + u) * bytes, from, bytes);
    }
  }
}

// @ts-ignore: decorator
@inline
function add(to: usize, from: usize, bytes: usize): void {
  for (let k: usize = 0; k < bytes; k += 16) v128.store(to + k, v128.xor(v128.load(to + k), v128.load(from + k)));
}

/** Matrix products at every point. */
export function additiveFftPointwise(thread: i32, threads: i32, args: usize): void {
  const rows = load<i32>(args, L.OUT_ROWS);
  const inner = load<i32>(args, L.INNER);
  const points = load<u32>(args, L.POINTS);
  const tables = load<usize>(args, L.PRODUCT_TABLES);
  const width = load<usize>(args, L.RIGHT_VECTORS) << 4;
  const outStep = load<usize>(args, L.OUT_STRIDE) << 4;
  const leftStep = load<usize>(args, L.LEFT_STRIDE) << 4;
  const rightStep = load<usize>(args, L.RIGHT_STRIDE) << 4;
  const runs = runCount(points, threads);
  for (let run = takeChunk(thread, threads, runs); run >= 0; run = takeChunk(thread, threads, runs)) {
    const end = runFirst(run + 1, runs, points);
    for (let t = runFirst(run, runs, points); t < end; t++) {
      const left = load<usize>(args, L.LEFT) + ((usize(t) * load<usize>(args, L.LEFT_VECTORS)) << 4);
      const right = load<usize>(args, L.RIGHT) + usize(t) * width;
      const out = load<usize>(args, L.OUT) + usize(t) * width;
      for (let column: usize = 0; column < width; column += 16) {
        let i = 0;
        for (; i + 4 <= rows; i += 4) {
          fourRows(
            out + usize(i) * outStep + column, outStep,
            left + usize(i) * leftStep, leftStep,
            right + column, rightStep, inner, tables,
          );
        }
        for (; i < rows; i++) {
          const codes = left + usize(i) * leftStep;
          let sum = i64x2.splat(0);
          let b = right + column;
          for (let l: usize = 0; l < usize(inner); l++, b += rightStep) {
            sum = v128.xor(sum, timesTable(v128.load(b), tables + (usize(load<u8>(codes + l)) << TABLE_SHIFT)));
          }
          v128.store(out + usize(i) * outStep + column, sum);
        }
      }
    }
  }
}

/** Four rows at one point: what is read of `right` is taken apart once for them. */
function fourRows(
  out: usize, outStep: usize, left: usize, leftStep: usize, right: usize, rightStep: usize, inner: i32, tables: usize,
): void {
  const four = i8x16.splat(15);
  const left1 = left + leftStep;
  const left2 = left1 + leftStep;
  const left3 = left2 + leftStep;
  let s0 = i64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (let l: usize = 0; l < usize(inner); l++, right += rightStep) {
    const x = v128.load(right);
    const low = v128.and(x, four);
    const high = v128.and(i16x8.shr_u(x, 4), four);
    s0 = plusProduct(s0, low, high, tables + (usize(load<u8>(left + l)) << TABLE_SHIFT));
    s1 = plusProduct(s1, low, high, tables + (usize(load<u8>(left1 + l)) << TABLE_SHIFT));
    s2 = plusProduct(s2, low, high, tables + (usize(load<u8>(left2 + l)) << TABLE_SHIFT));
    s3 = plusProduct(s3, low, high, tables + (usize(load<u8>(left3 + l)) << TABLE_SHIFT));
  }
  v128.store(out, s0);
  v128.store(out + outStep, s1);
  v128.store(out + 2 * outStep, s2);
  v128.store(out + 3 * outStep, s3);
}
