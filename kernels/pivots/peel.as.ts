/**
 * Structural pivots by peeling columns off, as algorithms/presolve/peeling.ts does it, which has the reasons: the same
 * pivots. A step needs the one before, so that a thread takes a side, columns or rows, by itself.
 */
import * as L from './peel-layout';

const NONE: i32 = -1;

export function peelSides(thread: i32, threads: i32, args: usize): void {
  const sides = load<i32>(args, L.SIDES);
  const full = load<usize>(args, L.FULL);
  for (let side = thread; side < sides; side += threads) {
    const at = args + L.FIRST + usize(side) * L.SIDE_BYTES;
    listColumns(at);
    const size = peel(at, full);
    store<u32>(load<usize>(args, L.SIZES) + (usize(side) << 2), size);
    if (side == 0 && size == min(load<u32>(at, L.ROWS), load<u32>(at, L.COLS))) atomic.store<u32>(full, 1);
  }
}

/** Bucket d is list[head[d] … tail[d] − 1], with room for the columns that begin with d or more active rows. */
function listColumns(args: usize): void {
  const cols = load<usize>(args, L.COLS);
  const colPtr = load<usize>(args, L.COL_PTR);
  const degree = load<usize>(args, L.DEGREE);
  const list = load<usize>(args, L.LIST);
  const head = load<usize>(args, L.HEAD);
  const tail = load<usize>(args, L.TAIL);
  const most = load<usize>(args, L.MOST) << 2;
  memory.fill(head, 0, most + 8);
  for (let j: usize = 0; j < cols << 2; j += 4) {
    const d = load<u32>(colPtr + j, 4) - load<u32>(colPtr + j);
    store<u32>(degree + j, d);
    const at = head + (usize(d) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  let more: u32 = 0;
  for (let d = most; d >= 4; d -= 4) {
    more += load<u32>(head + d);
    store<u32>(head + d, more);
  }
  let total: u32 = 0;
  for (let d: usize = 4; d <= most; d += 4) {
    const room = load<u32>(head + d);
    store<u32>(head + d, total);
    store<u32>(tail + d, total);
    total += room;
  }
  for (let j: usize = 0; j < cols; j++) {
    const d = load<u32>(degree + (j << 2));
    if (d > 0) push(list, tail, d, j);
  }
}

/** The number of pivots; any number once the word at `full` is not 0. */
function peel(args: usize, full: usize): u32 {
  const rows = load<usize>(args, L.ROWS);
  const rowPtr = load<usize>(args, L.ROW_PTR);
  const colIdx = load<usize>(args, L.COL_IDX);
  const colPtr = load<usize>(args, L.COL_PTR);
  const rowIdx = load<usize>(args, L.ROW_IDX);
  const colOf = load<usize>(args, L.COL_OF);
  const rowOf = load<usize>(args, L.ROW_OF);
  const active = load<usize>(args, L.ACTIVE);
  const degree = load<usize>(args, L.DEGREE);
  const list = load<usize>(args, L.LIST);
  const head = load<usize>(args, L.HEAD);
  const tail = load<usize>(args, L.TAIL);
  const most = load<u32>(args, L.MOST);
  memory.fill(active, 1, rows);
  memory.fill(colOf, 0xff, rows << 2);
  memory.fill(rowOf, 0xff, load<usize>(args, L.COLS) << 2);
  let size: u32 = 0;
  let least: u32 = 1; // no column of a smaller degree is listed
  while (least <= most && atomic.load<u32>(full) == 0) {
    const first = head + (usize(least) << 2);
    const next = load<u32>(first);
    if (next == load<u32>(tail + (usize(least) << 2))) {
      least++;
      continue;
    }
    store<u32>(first, next + 1);
    const j = load<u32>(list + (usize(next) << 2));
    const column = usize(j) << 2;
    if (load<u32>(degree + column) != least) continue;
    let kept = NONE;
    const end = rowIdx + (load<usize>(colPtr + column, 4) << 2);
    for (let k = rowIdx + (load<usize>(colPtr + column) << 2); k < end; k += 4) {
      const i = load<i32>(k);
      if (load<u8>(active + usize(i)) == 0) continue;
      if (kept == NONE) {
        kept = i;
        continue;
      }
      store<u8>(active + usize(i), 0);
      least = lower(rowPtr, colIdx, usize(i), degree, list, tail, least);
    }
    store<u32>(colOf + (usize(kept) << 2), j);
    store<i32>(rowOf + column, kept);
    size++;
    store<u8>(active + usize(kept), 0);
    least = lower(rowPtr, colIdx, usize(kept), degree, list, tail, least);
  }
  return size;
}

/** Lists the columns of row i, which is active no more, with a row less; returns the least degree that is listed. */
// @ts-ignore: decorator
@inline
function lower(rowPtr: usize, colIdx: usize, i: usize, degree: usize, list: usize, tail: usize, least: u32): u32 {
  let lowest = least;
  const row = rowPtr + (i << 2);
  const end = colIdx + (load<usize>(row, 4) << 2);
  for (let k = colIdx + (load<usize>(row) << 2); k < end; k += 4) {
    const j = load<usize>(k);
    const at = degree + (j << 2);
    const d = load<u32>(at) - 1;
    store<u32>(at, d);
    if (d == 0) continue;
    push(list, tail, d, j);
    if (d < lowest) lowest = d;
  }
  return lowest;
}

/** Column j behind the others of bucket d. */
// @ts-ignore: decorator
@inline
function push(list: usize, tail: usize, d: u32, j: usize): void {
  const last = tail + (usize(d) << 2);
  const at = load<usize>(last);
  store<u32>(last, u32(at) + 1);
  store<u32>(list + (at << 2), u32(j));
}
