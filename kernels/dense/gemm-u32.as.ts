/**
 * C ← C − A·B mod p, 2^16 < p < 2^31, on dense blocks of one matrix, in doubles: the twin of gemm-u16.as.ts.
 *
 *   C, A, B   u32 canonical, row-major      word t of a row of A: −a balanced      of a column of B: its two digits
 *   b = low + 2^16·high balanced, −2^15 ≤ low < 2^15: Σ a·low and Σ a·high are exact for `terms` terms
 *
 * Sums run over `terms` words (halfProductsBeforeReduction of fields/reduction.ts). A tile is 4 rows × 2 columns, both
 * digits. Packed layout: as there, B by panels of 2 columns, low digits first.
 */
import { nextChunk } from '../threads/chunks.as';
import { barrier } from '../threads/fork-join.as';
import * as P from './gemm-arguments.as';

/** C ← C − A·B: packing is shared out evenly, the product by tasks. */
export function gemmU32(thread: i32, threads: i32, args: usize): void {
  packRows(thread, threads, args);
  packColumns(thread, threads, args + P.PACK_B);
  barrier(threads, load<i32>(args + P.PRODUCT, P.SPIN));
  product(args + P.PRODUCT);
}

/** A: rows first … of the matrix at the listed columns, negated. Tiles are dealt out among the threads. */
function packRows(thread: i32, threads: i32, args: usize): void {
  const from = load<usize>(args, P.FROM);
  const stride = load<usize>(args, P.STRIDE);
  const rows = load<i32>(args, P.COUNT);
  const columns = load<usize>(args, P.COLUMNS);
  const words = load<i32>(args, P.DEPTH);
  const p = load<u32>(args, P.MODULUS);
  const tiles = (rows + 3) >> 2;
  for (let tile = thread; tile < tiles; tile += threads) {
    // Rows beyond the last repeat it: their products are not stored.
    const r0 = from + usize(tile * 4) * stride;
    const r1 = tile * 4 + 1 < rows ? r0 + stride : r0;
    const r2 = tile * 4 + 2 < rows ? r0 + 2 * stride : r0;
    const r3 = tile * 4 + 3 < rows ? r0 + 3 * stride : r0;
    for (let t = 0; t < words; t++) {
      const at = usize(load<u32>(columns + (usize(t) << 2))) << 2;
      const to = P.placeOf(load<usize>(args, P.TO), t, words, tile, tiles, 32);
      store<f64>(to, f64(-balance(load<u32>(r0 + at), p)));
      store<f64>(to, f64(-balance(load<u32>(r1 + at), p)), 8);
      store<f64>(to, f64(-balance(load<u32>(r2 + at), p)), 16);
      store<f64>(to, f64(-balance(load<u32>(r3 + at), p)), 24);
    }
  }
}

// @ts-ignore: decorator
@inline
function balance(a: u32, p: u32): i32 {
  return a > p >> 1 ? i32(a) - i32(p) : i32(a);
}

/** B: `terms` rows from `from` on, COUNT columns in panels of 2. */
function packColumns(thread: i32, threads: i32, args: usize): void {
  const from = load<usize>(args, P.FROM);
  const stride = load<usize>(args, P.STRIDE);
  const panels = load<i32>(args, P.COUNT) >> 1;
  const words = load<i32>(args, P.DEPTH);
  const p = i32x4.splat(load<i32>(args, P.MODULUS));
  const half = i32x4.splat(load<i32>(args, P.MODULUS) >> 1);
  for (let panel = thread; panel < panels; panel += threads) {
    for (let t = 0; t < words; t++) {
      const x = v128.load64_zero(from + usize(t) * stride + usize(panel) * 8);
      const y = i32x4.sub(x, v128.and(p, i32x4.gt_s(x, half)));
      const low = i32x4.shr_s(i32x4.shl(y, 16), 16);
      const high = i32x4.shr_s(i32x4.sub(y, low), 16);
      const to = P.placeOf(load<usize>(args, P.TO), t, words, panel, panels, 32);
      v128.store(to, f64x2.convert_low_i32x4_s(low));
      v128.store(to, f64x2.convert_low_i32x4_s(high), 16);
    }
  }
}

/** C from the packed factors, task by task. */
function product(args: usize): void {
  const rows = load<i32>(args, P.C_ROWS);
  const columns = load<i32>(args, P.C_COLUMNS);
  const terms = load<i32>(args, P.TERMS);
  const words = load<i32>(args, P.WORDS);
  const fresh = load<i32>(args, P.FRESH) != 0;
  const c = load<usize>(args, P.C);
  const stride = load<usize>(args, P.C_STRIDE);
  const p = load<u32>(args, P.C_MODULUS);
  const tiles = (rows + 3) >> 2;
  const panels = columns >> 1;
  const across = (columns + P.TASK_COLUMNS - 1) / P.TASK_COLUMNS;
  const tasks = across * ((rows + P.TASK_ROWS - 1) / P.TASK_ROWS);
  for (;;) {
    const task = i32(nextChunk());
    if (task >= tasks) return;
    const firstTile = (task / across) * (P.TASK_ROWS >> 2);
    const lastTile = min(tiles, firstTile + (P.TASK_ROWS >> 2));
    const firstPanel = (task % across) * (P.TASK_COLUMNS >> 1);
    const lastPanel = min(panels, firstPanel + (P.TASK_COLUMNS >> 1));
    for (let start = 0; start < words; start += P.BLOCK) {
      const count = min(P.BLOCK, words - start);
      const a = load<usize>(args, P.A) + usize(start) * usize(tiles) * 32;
      const b = load<usize>(args, P.B) + usize(start) * usize(panels) * 32;
      for (let panel = firstPanel; panel < lastPanel; panel++) {
        for (let tile = firstTile; tile < lastTile; tile++) {
          const at = c + usize(tile * 4) * stride + usize(panel) * 8;
          const left = a + usize(tile * count) * 32;
          const right = b + usize(panel * count) * 32;
          tile4x2(left, right, count, terms, at, stride, rows - tile * 4, fresh && start == 0, p);
        }
      }
    }
  }
}

/** 4 rows × 2 columns of C (`rows` of them are there) less `words` words of a times b; `fresh`: C was 0. */
function tile4x2(
  a: usize,
  b: usize,
  words: i32,
  terms: i32,
  c: usize,
  stride: usize,
  rows: i32,
  fresh: bool,
  modulus: u32,
): void {
  let l0 = f64x2.splat(0);
  let l1 = l0;
  let l2 = l0;
  let l3 = l0;
  let h0 = l0;
  let h1 = l0;
  let h2 = l0;
  let h3 = l0;
  const p = f64x2.splat(f64(modulus));
  const inverse = f64x2.splat(1 / f64(modulus));
  let left = words;
  for (;;) {
    for (let stop = b + (usize(min(left, terms)) << 5); b < stop; a += 32, b += 32) {
      const low = v128.load(b);
      const high = v128.load(b, 16);
      let x = v128.load_splat<u64>(a);
      l0 = f64x2.add(l0, f64x2.mul(x, low));
      h0 = f64x2.add(h0, f64x2.mul(x, high));
      x = v128.load_splat<u64>(a, 8);
      l1 = f64x2.add(l1, f64x2.mul(x, low));
      h1 = f64x2.add(h1, f64x2.mul(x, high));
      x = v128.load_splat<u64>(a, 16);
      l2 = f64x2.add(l2, f64x2.mul(x, low));
      h2 = f64x2.add(h2, f64x2.mul(x, high));
      x = v128.load_splat<u64>(a, 24);
      l3 = f64x2.add(l3, f64x2.mul(x, low));
      h3 = f64x2.add(h3, f64x2.mul(x, high));
    }
    left -= terms;
    h0 = reduceDouble(h0, p, inverse);
    h1 = reduceDouble(h1, p, inverse);
    h2 = reduceDouble(h2, p, inverse);
    h3 = reduceDouble(h3, p, inverse);
    if (left <= 0) break;
    l0 = reduceDouble(l0, p, inverse);
    l1 = reduceDouble(l1, p, inverse);
    l2 = reduceDouble(l2, p, inverse);
    l3 = reduceDouble(l3, p, inverse);
  }
  finish(c, l0, h0, fresh, p, inverse);
  if (rows > 1) finish(c + stride, l1, h1, fresh, p, inverse);
  if (rows > 2) finish(c + 2 * stride, l2, h2, fresh, p, inverse);
  if (rows > 3) finish(c + 3 * stride, l3, h3, fresh, p, inverse);
}

/**
 * r ≡ x, |r| ≤ p/2 + 2, for integers |x| ≤ 2^53 − p. fl(x·fl(1/p)) = (x/p)(1 + e), |e| < 2.1·2^-53, is within 2.1/p of
 * x/p, so its nearest integer q is within 1/2 + 2.1/p of it; q·p and x − q·p are integers below 2^53, hence exact.
 */
// @ts-ignore: decorator
@inline
function reduceDouble(x: v128, p: v128, inverse: v128): v128 {
  return f64x2.sub(x, f64x2.mul(f64x2.nearest(f64x2.mul(x, inverse)), p));
}

// @ts-ignore: decorator
@inline
function finish(at: usize, low: v128, high: v128, fresh: bool, p: v128, inverse: v128): void {
  let sum = f64x2.add(low, f64x2.mul(high, f64x2.splat(65536)));
  if (!fresh) sum = f64x2.add(sum, f64x2.convert_low_i32x4_u(v128.load64_zero(at)));
  const r = reduceDouble(sum, p, inverse);
  const canonical = f64x2.add(r, v128.and(p, f64x2.lt(r, f64x2.splat(0))));
  // 2^52 more, and the residue stands in the low words.
  const bits = f64x2.add(canonical, f64x2.splat(4503599627370496));
  v128.store_lane<u64>(at, i32x4.shuffle(bits, bits, 0, 2, 0, 2), 0);
}
