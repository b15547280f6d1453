/** panelNarrow: elimination of a panel of 16 columns of u16 residues, p < 2^16: see pluq-panel.ts. */
import { reduce } from './narrow';
import { copyPanel, exchangeRows, inverseWord, mulWord } from './pluq-panel';
import * as Q from './pluq-panel';

/** Runs on one thread; FOUND ← the number of pivots. */
export function panelNarrow(thread: i32, threads: i32, args: usize): void {
  if (thread != 0) return;
  copyPanel(args, 2, false);
  const scratch = load<usize>(args, Q.SCRATCH);
  const numbers = load<usize>(args, Q.NUMBERS);
  const pivots = load<usize>(args, Q.PIVOTS);
  const first = load<i32>(args, Q.FIRST);
  const rows = load<i32>(args, Q.ROWS);
  const p = load<u32>(args, Q.FIELD);
  const factors = scratch + usize(rows - first) * 32; // pair(−U) of the pivot's row, 16 words
  let rank = first;
  for (let column = 0; column < Q.WIDTH && rank < rows; column++) {
    let best = -1;
    let least: u32 = u32.MAX_VALUE;
    for (let i = rank; i < rows; i++) {
      if (load<u16>(scratch + usize(i - first) * 32 + usize(column) * 2) == 0) continue;
      const number = load<u32>(numbers + (usize(i) << 2));
      if (number < least) {
        least = number;
        best = i;
      }
    }
    if (best < 0) continue;
    exchangeRows(args, rank, best, 2);
    const row = scratch + usize(rank - first) * 32;
    const inverse = inverseWord(load<u16>(row + usize(column) * 2), p);
    for (let j = 0; j < Q.WIDTH; j++) {
      let u: u32 = 0;
      if (j > column) {
        u = mulWord(load<u16>(row + usize(j) * 2), inverse, p);
        store<u16>(row + usize(j) * 2, u16(u));
      }
      store<u32>(factors + (usize(j) << 2), pairOf(u == 0 ? 0 : p - u, p));
    }
    store<u32>(pivots + (usize(rank) << 2), load<u32>(args, Q.COLUMN) + column);
    rank++;
    if (column + 1 < Q.WIDTH) eliminate(scratch, rank - first, rows - first, column, factors, p);
  }
  copyPanel(args, 2, true);
  store<u32>(load<usize>(args, Q.FOUND), rank - first);
}

/** row ← row + row[column]·factors for rows first … last − 1; factors up to `column` are 0. */
function eliminate(scratch: usize, first: i32, last: i32, column: i32, factors: usize, modulus: u32): void {
  const p = i32x4.splat(modulus);
  const inverse = f32x4.splat(f32(1) / f32(modulus));
  const f0 = v128.load(factors);
  const f1 = v128.load(factors, 16);
  const f2 = v128.load(factors, 32);
  const f3 = v128.load(factors, 48);
  const end = scratch + usize(last) * 32;
  for (let row = scratch + usize(first) * 32; row < end; row += 32) {
    const a = u32(load<u16>(row + usize(column) * 2));
    if (a == 0) continue;
    const x = i32x4.splat((a & 255) | ((a >> 8) << 16));
    if (column < 7) {
      const old = v128.load(row);
      const left = i32x4.add(i32x4.extend_low_i16x8_u(old), i32x4.dot_i16x8_s(x, f0));
      const right = i32x4.add(i32x4.extend_high_i16x8_u(old), i32x4.dot_i16x8_s(x, f1));
      v128.store(row, i16x8.narrow_i32x4_u(reduce(left, p, inverse), reduce(right, p, inverse)));
    }
    const old = v128.load(row, 16);
    const left = i32x4.add(i32x4.extend_low_i16x8_u(old), i32x4.dot_i16x8_s(x, f2));
    const right = i32x4.add(i32x4.extend_high_i16x8_u(old), i32x4.dot_i16x8_s(x, f3));
    v128.store(row, i16x8.narrow_i32x4_u(reduce(left, p, inverse), reduce(right, p, inverse)), 16);
  }
}

/** pair(v) of narrow.ts. */
function pairOf(v: u32, p: u32): u32 {
  const w = (v << 8) % p;
  const b = v > p / 2 ? i32(v) - i32(p) : i32(v);
  const b256 = w > p / 2 ? i32(w) - i32(p) : i32(w);
  return u32((b & 0xffff) | (b256 << 16));
}
