/** pluqPanelU32: elimination of a panel of 16 columns of u32 residues, odd p < 2^31: see pluq-panel.as.ts. */
import { addLanes, reduceLanes } from '../residues/dot-u32.as';
import { F_ONE, F_P, F_PINV } from '../residues/field-layout';
import { copyPanel, exchangeRows, inverseWord, mulWord } from './pluq-panel.as';
import * as Q from './pluq-panel.as';

/** Runs on one thread; FOUND ← the number of pivots. */
export function pluqPanelU32(thread: i32, threads: i32, args: usize): void {
  if (thread != 0) return;
  copyPanel(args, 4, false);
  const scratch = load<usize>(args, Q.SCRATCH);
  const numbers = load<usize>(args, Q.NUMBERS);
  const pivots = load<usize>(args, Q.PIVOTS);
  const first = load<i32>(args, Q.FIRST);
  const rows = load<i32>(args, Q.ROWS);
  const field = load<usize>(args, Q.FIELD);
  const p = load<u32>(field, F_P);
  const radix = load<u32>(field, F_ONE);
  const factors = scratch + usize(rows - first) * 64; // −U of the pivot's row as Montgomery residues, 16 words
  let rank = first;
  for (let column = 0; column < Q.WIDTH && rank < rows; column++) {
    let best = -1;
    let least: u32 = u32.MAX_VALUE;
    for (let i = rank; i < rows; i++) {
      if (load<u32>(scratch + usize(i - first) * 64 + usize(column) * 4) == 0) continue;
      const number = load<u32>(numbers + (usize(i) << 2));
      if (number < least) {
        least = number;
        best = i;
      }
    }
    if (best < 0) continue;
    exchangeRows(args, rank, best, 4);
    const row = scratch + usize(rank - first) * 64;
    const inverse = inverseWord(load<u32>(row + usize(column) * 4), p);
    for (let j = 0; j < Q.WIDTH; j++) {
      let u: u32 = 0;
      if (j > column) {
        u = mulWord(load<u32>(row + usize(j) * 4), inverse, p);
        store<u32>(row + usize(j) * 4, u);
      }
      store<u32>(factors + (usize(j) << 2), u == 0 ? 0 : mulWord(p - u, radix, p));
    }
    store<u32>(pivots + (usize(rank) << 2), load<u32>(args, Q.COLUMN) + column);
    rank++;
    if (column + 1 < Q.WIDTH) eliminate(scratch, rank - first, rows - first, column, factors, field);
  }
  copyPanel(args, 4, true);
  store<u32>(load<usize>(args, Q.FOUND), rank - first);
}

/** row ← row + row[column]·factors for rows first … last − 1; factors up to `column` are 0. */
function eliminate(scratch: usize, first: i32, last: i32, column: i32, factors: usize, field: usize): void {
  const p = v128.load32_splat(field, F_P);
  const pinv = v128.load32_splat(field, F_PINV);
  const end = scratch + usize(last) * 64;
  const from = usize((column + 1) >> 2) << 4;
  for (let row = scratch + usize(first) * 64; row < end; row += 64) {
    const a = load<u32>(row + usize(column) * 4);
    if (a == 0) continue;
    const x = i32x4.splat(a);
    for (let at = from; at < 64; at += 16) {
      const f = v128.load(factors + at);
      const sum = reduceLanes(i64x2.extmul_low_i32x4_u(x, f), i64x2.extmul_high_i32x4_u(x, f), p, pinv);
      v128.store(row + at, addLanes(v128.load(row + at), sum, p));
    }
  }
}
