/**
 * Entries in order of their rows and columns as compressed rows mod p, on threads: each takes a run of entries.
 */
import * as L from './residue-rows-layout';

export function residueRows(thread: i32, threads: i32, args: usize): void {
  const nnz = load<u32>(args, L.NNZ);
  const rows = load<u32>(args, L.ROWS);
  const rowIdx = load<usize>(args, L.ROW_IDX);
  const colIdx = load<usize>(args, L.COL_IDX);
  const values = load<usize>(args, L.VALUES);
  const rowPtr = load<usize>(args, L.ROW_PTR);
  const p = load<i32>(args, L.MODULUS);
  const first = u32((u64(nnz) * thread) / threads);
  const end = u32((u64(nnz) * (thread + 1)) / threads);
  let row: i32 = -1; // of the entry before
  let column: i32 = -1;
  if (first > 0) {
    row = load<i32>(rowIdx + (usize(first - 1) << 2));
    column = load<i32>(colIdx + (usize(first - 1) << 2));
  }
  let unfit: u32 = 0;
  for (let k = first; k < end; k++) {
    const at = usize(k) << 2;
    const i = load<i32>(rowIdx + at);
    const j = load<i32>(colIdx + at);
    if (i != row) {
      if (i < row) {
        unfit = 1;
        break;
      }
      while (row < i) store<u32>(rowPtr + (usize(++row) << 2), k);
    } else if (j <= column) {
      unfit = 1;
      break;
    }
    column = j;
    const value = load<i32>(values + at);
    let residue = value;
    if (value >= p || value <= -p) residue = value % p;
    if (residue == 0) {
      unfit = 1;
      break;
    }
    store<i32>(values + at, residue < 0 ? residue + p : residue);
  }
  store<u32>(load<usize>(args, L.UNFIT) + (usize(thread) << 2), unfit);
  // The last thread's run ends with the last entry.
  if (thread == threads - 1) while (row < i32(rows)) store<u32>(rowPtr + (usize(++row) << 2), nnz);
}
