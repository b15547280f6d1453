/**
 * Rows of the Schur complement of a set of triangular pivots, formed one by one: the sparse triangular solve x·U = row
 * with a dense accumulator.
 *
 *   A : rows × cols, columns renumbered: pivot k's column is k, the others follow; its row has entries at no pivot's
 *   column below k. From the lowest nonzero column on: row ← row − (row[k] / A[pivot k, k])·(row of pivot k), and
 *   the rest stands at columns ≥ pivots.
 *
 * Accumulator: one u64 a column, in [0, K), K = boundBeforeCorrection(p) of fields/reduction.ts. A sum that reaches K
 * loses it; the remainder mod p is formed once, at the column's turn. A map has a bit for each touched column, so that
 * their turns come in increasing order.
 * Sources: Gilbert and Peierls 1988 (row by row, cost by arithmetic alone); Bouillaguet and Delaplace 2016 (rank by
 * rounds).
 */
import { nextChunk } from '../threads/chunks.as';
import * as L from './schur-rows-layout';

/** Sparse rows as (column, residue) pairs; a thread without room for another row stops. */
export function schurSparse(thread: i32, threads: i32, args: usize): void {
  const count = load<u32>(args, L.COUNT);
  const pivots = load<u32>(args, L.PIVOTS);
  const cols = load<u32>(args, L.COLS);
  const p = u64(load<u32>(args, L.MODULUS));
  const work = load<usize>(args, L.WORK) + usize(thread) * load<usize>(args, L.WORK_BYTES);
  const bits = work + (usize(cols) << 3);
  const room = load<usize>(args, L.ROOM) + (usize(thread) << 6);
  const words = (cols + 63) >> 6;
  for (;;) {
    const start = load<usize>(room);
    if (load<usize>(room, 4) - start < usize(cols - pivots) * 8) return;
    const t = nextChunk();
    if (t >= count) return;
    solve(args, load<u32>(load<usize>(args, L.ROWS) + (usize(t) << 2)), work, bits);
    let to = start;
    for (let w = pivots >> 6; w < words; w++) {
      let word = load<u64>(bits + (usize(w) << 3));
      if (word == 0) continue;
      store<u64>(bits + (usize(w) << 3), 0);
      for (; word != 0; word &= word - 1) {
        const c = (w << 6) + u32(ctz(word));
        const value = load<u64>(work + (usize(c) << 3)) % p;
        store<u64>(work + (usize(c) << 3), 0);
        if (value == 0) continue;
        store<u32>(to, c - pivots);
        store<u32>(to, u32(value), 4);
        to += 8;
      }
    }
    store<usize>(room, to);
    const result = load<usize>(args, L.RESULTS) + (usize(t) << 3);
    store<usize>(result, start);
    store<u32>(result, u32((to - start) >> 3), 4);
  }
}

/** Rows of a dense matrix, which holds zeros. */
export function schurDense(thread: i32, threads: i32, args: usize): void {
  const count = load<u32>(args, L.COUNT);
  const pivots = load<u32>(args, L.PIVOTS);
  const cols = load<u32>(args, L.COLS);
  const p = u64(load<u32>(args, L.MODULUS));
  const work = load<usize>(args, L.WORK) + usize(thread) * load<usize>(args, L.WORK_BYTES);
  const bits = work + (usize(cols) << 3);
  const bytes = load<usize>(args, L.BYTES);
  const words = (cols + 63) >> 6;
  for (;;) {
    const t = nextChunk();
    if (t >= count) return;
    solve(args, load<u32>(load<usize>(args, L.ROWS) + (usize(t) << 2)), work, bits);
    const to = load<usize>(args, L.DENSE) + usize(t) * load<usize>(args, L.STRIDE);
    for (let w = pivots >> 6; w < words; w++) {
      let word = load<u64>(bits + (usize(w) << 3));
      if (word == 0) continue;
      store<u64>(bits + (usize(w) << 3), 0);
      for (; word != 0; word &= word - 1) {
        const c = (w << 6) + u32(ctz(word));
        const value = u32(load<u64>(work + (usize(c) << 3)) % p);
        store<u64>(work + (usize(c) << 3), 0);
        if (bytes == 0) {
          const at = to + (usize(c - pivots) >> 5 << 2);
          store<u32>(at, load<u32>(at) | (value << ((c - pivots) & 31)));
        } else if (bytes == 2) store<u16>(to + usize(c - pivots) * 2, u16(value));
        else store<u32>(to + usize(c - pivots) * 4, value);
      }
    }
  }
}

/** The accumulator ← row i less its multiples of pivots' rows; bits are left at columns ≥ pivots only. */
function solve(args: usize, i: u32, work: usize, bits: usize): void {
  const rowPtr = load<usize>(args, L.ROW_PTR);
  const colIdx = load<usize>(args, L.COL_IDX);
  const values = load<usize>(args, L.VALUES);
  const pivots = load<u32>(args, L.PIVOTS);
  const p = u64(load<u32>(args, L.MODULUS));
  const bound = load<u64>(args, L.BOUND);
  let lowest = u32.MAX_VALUE;
  const end = load<u32>(rowPtr + (usize(i) << 2), 4);
  for (let k = load<u32>(rowPtr + (usize(i) << 2)); k < end; k++) {
    const c = load<u32>(colIdx + (usize(k) << 2));
    store<u64>(work + (usize(c) << 3), load<u32>(values + (usize(k) << 2)));
    const at = bits + (usize(c >> 6) << 3);
    store<u64>(at, load<u64>(at) | (u64(1) << u64(c & 63)));
    lowest = min(lowest, c);
  }
  if (lowest >= pivots) return;
  const lastWord = (pivots + 63) >> 6;
  for (let w = lowest >> 6; w < lastWord; w++) {
    const at = bits + (usize(w) << 3);
    for (;;) {
      const word = load<u64>(at);
      if (word == 0) break;
      const c = (w << 6) + u32(ctz(word));
      if (c >= pivots) return;
      const acc = work + (usize(c) << 3);
      const x = load<u64>(acc) % p;
      if (x != 0) {
        const factor = (x * u64(load<u32>(load<usize>(args, L.FACTORS) + (usize(c) << 2)))) % p;
        const row = rowPtr + (usize(load<u32>(load<usize>(args, L.PIVOT_ROWS) + (usize(c) << 2))) << 2);
        addMultiple(colIdx, values, load<u32>(row), load<u32>(row, 4), factor, bound, work, bits);
      }
      // The pivot's own entry has come to 0 mod p: its bit is taken away with it.
      store<u64>(acc, 0);
      store<u64>(at, load<u64>(at) & ~(u64(1) << u64(c & 63)));
    }
  }
}

// @ts-ignore: decorator
@inline
function addMultiple(
  colIdx: usize,
  values: usize,
  first: u32,
  end: u32,
  factor: u64,
  bound: u64,
  work: usize,
  bits: usize,
): void {
  for (let k = first; k < end; k++) {
    const c = load<u32>(colIdx + (usize(k) << 2));
    const acc = work + (usize(c) << 3);
    const sum = load<u64>(acc) + factor * u64(load<u32>(values + (usize(k) << 2)));
    store<u64>(acc, sum >= bound ? sum - bound : sum);
    const at = bits + (usize(c >> 6) << 3);
    store<u64>(at, load<u64>(at) | (u64(1) << u64(c & 63)));
  }
}
