/**
 * Parts of PLUQ's panels that u16 and u32 share: pivots by their row's original number, exchanges of whole rows, and
 * inverses of small triangles.
 *
 *   panel : 16 columns of rows first … m − 1 of the matrix, copied to `scratch`, eliminated there, and copied back
 *
 * A = L·U with U unit upper: a pivot's row is divided by it, its column stays as it is and is L's. The pivot of a
 * column is the candidate whose row came first in the matrix as it was given. That order makes the pivots those of the
 * rank profile matrix, so that sorted they are the row and the column rank profile. Source: Dumas, Pernet, Sultan 2015,
 * section 3.
 */

import * as Args from './pluq-panel-layout';

export * from './pluq-panel-layout';

export const WIDTH: i32 = 16;

/** Columns of the panel to or from scratch. */
export function copyPanel(args: usize, bytes: usize, back: bool): void {
  const stride = load<usize>(args, Args.STRIDE);
  const first = load<i32>(args, Args.FIRST);
  const count = load<i32>(args, Args.ROWS) - first;
  let at = load<usize>(args, Args.MATRIX) + usize(first) * stride + usize(load<u32>(args, Args.COLUMN)) * bytes;
  let scratch = load<usize>(args, Args.SCRATCH);
  const width = usize(WIDTH) * bytes;
  for (let i = 0; i < count; i++, at += stride, scratch += width) {
    for (let b: usize = 0; b < width; b += 16) {
      if (back) v128.store(at + b, v128.load(scratch + b));
      else v128.store(scratch + b, v128.load(at + b));
    }
  }
}

/** Row `from` takes the place `to`, in the panel, in the matrix and in the numbers; `bytes` a residue. */
export function exchangeRows(args: usize, to: i32, from: i32, bytes: usize): void {
  if (to == from) return;
  const stride = load<usize>(args, Args.STRIDE);
  const matrix = load<usize>(args, Args.MATRIX);
  exchange(matrix + usize(to) * stride, matrix + usize(from) * stride, stride);
  const scratch = load<usize>(args, Args.SCRATCH);
  const first = load<i32>(args, Args.FIRST);
  const width = usize(WIDTH) * bytes;
  exchange(scratch + usize(to - first) * width, scratch + usize(from - first) * width, width);
  const numbers = load<usize>(args, Args.NUMBERS);
  const kept = load<u32>(numbers + (usize(to) << 2));
  store<u32>(numbers + (usize(to) << 2), load<u32>(numbers + (usize(from) << 2)));
  store<u32>(numbers + (usize(from) << 2), kept);
}

export function exchange(a: usize, b: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 16) {
    const kept = v128.load(a + at);
    v128.store(a + at, v128.load(b + at));
    v128.store(b + at, kept);
  }
}

// @ts-ignore: decorator
@inline
export function mulWord(a: u32, b: u32, p: u32): u32 {
  return u32((u64(a) * u64(b)) % u64(p));
}

/** a^(p − 2). */
export function inverseWord(a: u32, p: u32): u32 {
  let result: u32 = 1;
  let base = a;
  for (let e = p - 2; e != 0; e >>= 1) {
    if (e & 1) result = mulWord(result, base, p);
    base = mulWord(base, base, p);
  }
  return result;
}

/**
 * invertTriangle: out ← −L⁻¹ for the lower triangle L of `size` rows of the matrix at the pivots' columns; above the
 * diagonal out gets zeros. Row i of X = L⁻¹ is (e_i − Σ_{j<i} L_ij·X_j) / L_ii.
 */
export function invertTriangle(thread: i32, threads: i32, args: usize): void {
  if (thread != 0) return;
  const size = load<i32>(args, Args.SIZE);
  const p = load<u32>(args, Args.MODULUS);
  const out = load<usize>(args, Args.OUT);
  const bytes = load<usize>(args, Args.RESIDUE_BYTES);
  for (let i = 0; i < size; i++) {
    const row = load<usize>(args, Args.TRIANGLE) + usize(i) * load<usize>(args, Args.TRIANGLE_STRIDE);
    const scale = inverseWord(residue(row, load<u32>(load<usize>(args, Args.TRIANGLE_COLUMNS) + (usize(i) << 2)), bytes), p);
    for (let j = 0; j < 32; j++) setResidue(out + usize(i) * 32 * bytes, j, 0, bytes);
    setResidue(out + usize(i) * 32 * bytes, i, p - scale, bytes);
    for (let k = 0; k < i; k++) {
      const x = residue(row, load<u32>(load<usize>(args, Args.TRIANGLE_COLUMNS) + (usize(k) << 2)), bytes);
      if (x == 0) continue;
      // −X_ij loses scale·L_ik·(−X_kj)
      const f = p - mulWord(x, scale, p);
      for (let j = 0; j <= k; j++) {
        const old = residue(out + usize(i) * 32 * bytes, j, bytes);
        const more = mulWord(f, residue(out + usize(k) * 32 * bytes, j, bytes), p);
        setResidue(out + usize(i) * 32 * bytes, j, old + more >= p ? old + more - p : old + more, bytes);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function residue(row: usize, j: u32, bytes: usize): u32 {
  return bytes == 2 ? u32(load<u16>(row + usize(j) * 2)) : load<u32>(row + usize(j) * 4);
}

// @ts-ignore: decorator
@inline
function setResidue(row: usize, j: u32, value: u32, bytes: usize): void {
  if (bytes == 2) store<u16>(row + usize(j) * 2, u16(value));
  else store<u32>(row + usize(j) * 4, value);
}
