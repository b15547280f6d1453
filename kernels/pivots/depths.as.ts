/**
 * Pivots in order of depth, as orderByDepth in algorithms/presolve/pattern.ts has them, which has the reasons: the same
 * order. A thread takes a matching by itself.
 */
import * as L from './depths-layout';

const UNSEEN: i32 = -2;
const OPEN: i32 = -1; // on the stack

export function pivotDepths(thread: i32, threads: i32, args: usize): void {
  const matchings = load<i32>(args, L.MATCHINGS);
  for (let m = thread; m < matchings; m += threads) {
    const at = args + L.FIRST + usize(m) * L.MATCHING_BYTES;
    const deepest = findDepths(args, at);
    const count = deepest == UNSEEN ? L.NO_ORDER : u32(deepest + 1);
    store<u32>(load<usize>(args, L.COUNTS) + (usize(m) << 2), count);
    if (count != L.NO_ORDER) sortByDepth(args, at, count);
  }
}

/** The greatest depth, −1 without pivots, or UNSEEN where there is a cycle. */
function findDepths(matrix: usize, args: usize): i32 {
  const rows = load<u32>(matrix, L.ROWS);
  const rowPtr = load<usize>(matrix, L.ROW_PTR);
  const colIdx = load<usize>(matrix, L.COL_IDX);
  const colOf = load<usize>(args, L.COL_OF);
  const rowOf = load<usize>(args, L.ROW_OF);
  const depth = load<usize>(args, L.DEPTH);
  const next = load<usize>(args, L.NEXT);
  const stack = load<usize>(args, L.STACK);
  for (let i: u32 = 0; i < rows; i++) set(depth, i, UNSEEN);
  let deepest: i32 = -1;
  for (let start: u32 = 0; start < rows; start++) {
    if (get(colOf, start) < 0 || get(depth, start) != UNSEEN) continue;
    let top: i32 = 0;
    set(stack, 0, i32(start));
    set(depth, start, OPEN);
    set(next, start, get(rowPtr, start));
    while (top >= 0) {
      const i = get(stack, top);
      const end = get(rowPtr, i + 1);
      let k = get(next, i);
      while (k < end) {
        const before = get(rowOf, get(colIdx, k));
        if (before < 0 || before == i || get(depth, before) >= 0) {
          k++;
          continue;
        }
        if (get(depth, before) != UNSEEN) return UNSEEN;
        set(depth, before, OPEN);
        set(next, before, get(rowPtr, before));
        set(stack, ++top, before);
        break;
      }
      set(next, i, k);
      if (k < end) continue;
      top--;
      let deep: i32 = 0;
      for (k = get(rowPtr, i); k < end; k++) {
        const before = get(rowOf, get(colIdx, k));
        if (before >= 0 && before != i && get(depth, before) >= deep) deep = get(depth, before) + 1;
      }
      set(depth, i, deep);
      if (deep > deepest) deepest = deep;
    }
  }
  return deepest;
}

/** Rows in order within a depth. */
function sortByDepth(matrix: usize, args: usize, count: u32): void {
  const rows = load<u32>(matrix, L.ROWS);
  const colOf = load<usize>(args, L.COL_OF);
  const depth = load<usize>(args, L.DEPTH);
  const depths = load<usize>(args, L.DEPTHS);
  const next = load<usize>(args, L.STACK); // free again, and no shorter
  const pivotRows = load<usize>(args, L.PIVOT_ROWS);
  const pivotCols = load<usize>(args, L.PIVOT_COLS);
  memory.fill(depths, 0, usize(count + 1) << 2);
  for (let i: u32 = 0; i < rows; i++) {
    if (get(colOf, i) < 0) continue;
    const d = get(depth, i) + 1;
    set(depths, d, get(depths, d) + 1);
  }
  for (let d: u32 = 0; d < count; d++) {
    set(next, d, get(depths, d));
    set(depths, d + 1, get(depths, d) + get(depths, d + 1));
  }
  for (let i: u32 = 0; i < rows; i++) {
    const j = get(colOf, i);
    if (j < 0) continue;
    const d = get(depth, i);
    const k = get(next, d);
    set(next, d, k + 1);
    set(pivotRows, k, i32(i));
    set(pivotCols, k, j);
  }
}

// @ts-ignore: decorator
@inline
function get(array: usize, k: i32): i32 {
  return load<i32>(array + (usize(k) << 2));
}

// @ts-ignore: decorator
@inline
function set(array: usize, k: i32, value: i32): void {
  store<i32>(array + (usize(k) << 2), value);
}
