/**
 * The transposed Schur complement Sᵀ of triangular pivots over GF(2), a bit an entry: 512 rows of S at a time, by
 * additions of whole cache lines.
 *
 *   A : columns as lists of rows     lines : the rows without pivots, 512 of them are a block
 *   V[i] : 512 bits, which rows of S of the block have row i of A in their sum: at first row i of the identity
 *
 * The pivots in order of elimination: column k is to vanish in every sum, so V[row of pivot k] ← Σ of V over the
 * column's other rows, all of which are settled: the row of a later pivot has no entry there. Then each column without
 * a pivot gives a row of Sᵀ: the sum of V over its rows.
 */
import { nextChunk } from '../threads/chunks.as';
import * as L from './bit-schur-layout';

const LINE: u32 = 512;

export function bitSchur(thread: i32, threads: i32, args: usize): void {
  const rows = load<u32>(args, L.ROWS);
  const lines = load<u32>(args, L.LINES);
  const v = load<usize>(args, L.WORK) + ((usize(thread) * usize(rows)) << 6);
  const stride = load<usize>(args, L.STRIDE);
  for (;;) {
    const first = nextChunk() * LINE;
    if (first >= lines) return;
    memory.fill(v, 0, usize(rows) << 6);
    const last = min(lines, first + LINE);
    for (let l = first; l < last; l++) {
      const i = load<u32>(load<usize>(args, L.LINE_ROWS) + (usize(l) << 2));
      const at = v + (usize(i) << 6) + usize((l - first) >> 3);
      store<u8>(at, u8(u32(1) << ((l - first) & 7)));
    }
    for (let k: u32 = 0; k < load<u32>(args, L.PIVOTS); k++) {
      const row = load<u32>(load<usize>(args, L.PIVOT_ROWS) + (usize(k) << 2));
      // V of the row itself is still 0.
      sum(args, load<u32>(load<usize>(args, L.PIVOT_COLS) + (usize(k) << 2)), v, v + (usize(row) << 6), 64);
    }
    const offset = usize(first >> 3);
    const bytes = min<usize>(64, stride - offset);
    for (let c: u32 = 0; c < load<u32>(args, L.OTHERS); c++) {
      const to = load<usize>(args, L.OUT) + usize(c) * stride + offset;
      sum(args, load<u32>(load<usize>(args, L.OTHER_COLS) + (usize(c) << 2)), v, to, bytes);
    }
  }
}

/** `bytes` ≤ 64 bytes, whole vectors, at `to` ← Σ V[i] over the rows of a column. */
function sum(args: usize, column: u32, v: usize, to: usize, bytes: usize): void {
  const colPtr = load<usize>(args, L.COL_PTR) + (usize(column) << 2);
  const rowIdx = load<usize>(args, L.ROW_IDX);
  let a = i64x2.splat(0);
  let b = a;
  let c = a;
  let d = a;
  const end = load<u32>(colPtr, 4);
  for (let e = load<u32>(colPtr); e < end; e++) {
    const at = v + (usize(load<u32>(rowIdx + (usize(e) << 2))) << 6);
    a = v128.xor(a, v128.load(at));
    b = v128.xor(b, v128.load(at, 16));
    c = v128.xor(c, v128.load(at, 32));
    d = v128.xor(d, v128.load(at, 48));
  }
  v128.store(to, a);
  if (bytes > 16) v128.store(to, b, 16);
  if (bytes > 32) v128.store(to, c, 32);
  if (bytes > 48) v128.store(to, d, 48);
}
