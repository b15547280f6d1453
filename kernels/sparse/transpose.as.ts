/**
 * The transpose of compressed rows by a stable counting sort (residue-matrix.ts), on threads: every thread reads all
 * entries and takes those of its own run of columns, so that none writes where another one does, and its places stay in
 * its cache.
 */
import { barrier } from '../threads/fork-join.as';
import * as L from './transpose-layout';

export function transposeRows(thread: i32, threads: i32, args: usize): void {
  const cols = load<u32>(args, L.COLS);
  const outPtr = load<usize>(args, L.OUT_PTR);
  const next = load<usize>(args, L.NEXT);
  const spin = load<i32>(args, L.SPIN);
  count(args, u32((u64(cols) * thread) / threads), u32((u64(cols) * (thread + 1)) / threads));
  barrier(threads, spin);
  if (thread == 0) {
    let sum: u32 = 0;
    for (let at: usize = 0; at < usize(cols) << 2; at += 4) {
      const length = load<u32>(next + at);
      store<u32>(outPtr + at, sum);
      store<u32>(next + at, sum);
      sum += length;
    }
    store<u32>(outPtr + (usize(cols) << 2), sum);
  }
  barrier(threads, spin);
  deal(args, runOfEntries(outPtr, cols, thread, threads), runOfEntries(outPtr, cols, thread + 1, threads));
}

/** next[j] ← the number of entries of column j, from `first` to `end` − 1. */
function count(args: usize, first: u32, end: u32): void {
  const next = load<usize>(args, L.NEXT);
  memory.fill(next + (usize(first) << 2), 0, usize(end - first) << 2);
  const colIdx = load<usize>(args, L.COL_IDX);
  const stop = colIdx + (load<usize>(load<usize>(args, L.ROW_PTR) + (load<usize>(args, L.ROWS) << 2)) << 2);
  const length = end - first;
  for (let k = colIdx; k < stop; k += 4) {
    const j = load<u32>(k);
    if (j - first >= length) continue; // below `first` wraps around
    const at = next + (usize(j) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

/** Entries of columns `first` to `end` − 1 to the next places of their columns, with their rows. */
function deal(args: usize, first: u32, end: u32): void {
  const rows = load<u32>(args, L.ROWS);
  const rowPtr = load<usize>(args, L.ROW_PTR);
  const colIdx = load<usize>(args, L.COL_IDX);
  const toValues = load<usize>(args, L.VALUES) - colIdx;
  const outIdx = load<usize>(args, L.OUT_IDX);
  const outValues = load<usize>(args, L.OUT_VALUES);
  const next = load<usize>(args, L.NEXT);
  const length = end - first;
  for (let i: u32 = 0; i < rows; i++) {
    const row = rowPtr + (usize(i) << 2);
    const stop = colIdx + (load<usize>(row, 4) << 2);
    for (let k = colIdx + (load<usize>(row) << 2); k < stop; k += 4) {
      const j = load<u32>(k);
      if (j - first >= length) continue;
      const at = next + (usize(j) << 2);
      const place = load<usize>(at);
      store<u32>(at, u32(place) + 1);
      store<u32>(outIdx + (place << 2), i);
      store<u32>(outValues + (place << 2), load<u32>(k + toValues));
    }
  }
}

/** The first column of a thread's run, of about as many entries as the others'. */
function runOfEntries(outPtr: usize, cols: u32, thread: i32, threads: i32): u32 {
  if (thread == threads) return cols;
  const wanted = u32((u64(load<u32>(outPtr + (usize(cols) << 2))) * thread) / threads);
  let low: u32 = 0;
  let high = cols;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (load<u32>(outPtr + (usize(middle) << 2)) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
