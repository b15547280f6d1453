/**
 * The rank of one small sparse matrix over F_p, p < 2^31: pivots of little fill, then a dense end.
 *
 *   A : m × n, a place for each cell, a bit for each that is not 0, and their numbers by row and by column
 *
 * A column with one entry is a pivot without arithmetic. Where there is none the pivot is of the shortest row, in its
 * shortest column: a choice close to Markowitz's (1957), which would look at all places. Rows and columns left become
 * dense once 1/FILL of their cells are not 0: below that single cells are cheaper than whole rows. Multiples of rows
 * are added as in determinants.as.ts.
 */
import { invMontgomery, mulMontgomery } from '../residues/dot-u32.as';
import { F_P, F_PINV } from '../residues/field-layout';
import { addMultiple, exchange } from './determinants.as';
import * as L from './small-rank-layout';

const FILL: i32 = 3;

// Of the matrix at hand; each thread has an instance of the module, and so its own.
let p: u32 = 0;
let pinv: u32 = 0;
let field: usize = 0;
let cells: usize = 0;
let stride: usize = 0; // bytes of a row of cells
let pattern: usize = 0;
let words: usize = 0; // of 64 bits a row of the pattern
let rowCounts: usize = 0;
let colCounts: usize = 0;
let lines: usize = 0; // the rows that are left
let left: i32 = 0; // so many
let nonzeros: i32 = 0;

export function smallRank(thread: i32, threads: i32, args: usize): void {
  if (thread != 0) return;
  const n = load<i32>(args, L.COLS);
  const out = <usize>load<u32>(args, L.OUT);
  begin(args, load<i32>(args, L.ROWS), n);
  spread(args);
  dropEmptyRows();
  store<u32>(out, 0, 4);
  store<u32>(out, 0, 8);
  let rank = 0;
  while (nonzeros > 0) {
    let columns = 0;
    let single = -1;
    for (let j = 0; j < n; j++) {
      const count = load<u32>(colCounts + (<usize>j << 2));
      columns += i32(count != 0);
      if (count != 1) continue;
      single = j;
      break;
    }
    if (single >= 0) {
      removeRow(rowWith(<usize>single));
      rank++;
      continue;
    }
    const place = shortestRow();
    if (nonzeros * FILL > left * columns) {
      const dense = <usize>load<u32>(args, L.DENSE);
      gather(dense, n, (columns + 3) >> 2);
      store<u32>(out, left, 4);
      store<u32>(out, columns, 8);
      rank += denseRank(dense, left, columns);
      break;
    }
    const row = line(place);
    const column = shortestColumn(row);
    const inverse = invMontgomery(load<u32>(cellOf(row, column)), field);
    for (let at = 0; at < left; at++) {
      if (at != place && load<u32>(cellOf(line(at), column)) != 0) cancel(row, line(at), column, inverse);
    }
    removeRow(place);
    rank++;
  }
  store<u32>(out, rank);
}

function begin(args: usize, m: i32, n: i32): void {
  field = <usize>load<u32>(args, L.FIELD);
  p = load<u32>(field, F_P);
  pinv = load<u32>(field, F_PINV);
  cells = <usize>load<u32>(args, L.CELLS);
  stride = <usize>((n + 3) >> 2) << 4;
  pattern = <usize>load<u32>(args, L.PATTERN);
  words = <usize>((n + 63) >> 6);
  rowCounts = <usize>load<u32>(args, L.COUNTS);
  colCounts = rowCounts + (<usize>m << 2);
  lines = colCounts + (<usize>n << 2);
  left = m;
  nonzeros = 0;
  memory.fill(cells, 0, <usize>m * stride);
  memory.fill(pattern, 0, (<usize>m * words) << 3);
  memory.fill(rowCounts, 0, <usize>(m + n) << 2);
}

/** Entries to their cells, repeats added. */
function spread(args: usize): void {
  const rowIdx = <usize>load<u32>(args, L.ROW_IDX);
  const colIdx = <usize>load<u32>(args, L.COL_IDX);
  const values = <usize>load<u32>(args, L.VALUES);
  const end = <usize>load<u32>(args, L.NNZ) << 2;
  for (let k: usize = 0; k < end; k += 4) {
    const value = load<i32>(values + k) % <i32>p;
    if (value == 0) continue;
    add(<usize>load<u32>(rowIdx + k), <usize>load<u32>(colIdx + k), value < 0 ? <u32>value + p : <u32>value);
  }
}

/** The cell += x ≠ 0; what is counted follows. */
// @ts-ignore: decorator
@inline
function add(row: usize, column: usize, x: u32): void {
  const cell = cellOf(row, column);
  const old = load<u32>(cell);
  const sum = old + x;
  const reduced = min<u32>(sum, sum - p);
  store<u32>(cell, reduced);
  if (old == 0) mark(row, column, 1);
  else if (reduced == 0) mark(row, column, -1);
}

/** The cell has become nonzero, or, by −1, zero. */
function mark(row: usize, column: usize, by: i32): void {
  const at = pattern + ((row * words + (column >> 6)) << 3);
  store<u64>(at, load<u64>(at) ^ (<u64>1 << <u64>(column & 63)));
  const inRow = rowCounts + (row << 2);
  const inColumn = colCounts + (column << 2);
  store<i32>(inRow, load<i32>(inRow) + by);
  store<i32>(inColumn, load<i32>(inColumn) + by);
  nonzeros += by;
}

function dropEmptyRows(): void {
  const rows = left;
  left = 0;
  for (let i = 0; i < rows; i++) {
    if (load<u32>(rowCounts + (<usize>i << 2)) == 0) continue;
    store<u32>(lines + (<usize>left << 2), i);
    left++;
  }
}

// @ts-ignore: decorator
@inline
function cellOf(row: usize, column: usize): usize {
  return cells + row * stride + (column << 2);
}

// @ts-ignore: decorator
@inline
function line(place: i32): usize {
  return <usize>load<u32>(lines + (<usize>place << 2));
}

/** The place of a row that has an entry in the column. */
function rowWith(column: usize): i32 {
  let place = 0;
  while (load<u32>(cellOf(line(place), column)) == 0) place++;
  return place;
}

/** The place of the row with the fewest entries; rows without any go. */
function shortestRow(): i32 {
  let place = 0;
  let fewest: u32 = u32.MAX_VALUE;
  for (let at = 0; at < left; at++) {
    const count = load<u32>(rowCounts + (line(at) << 2));
    if (count == 0) {
      store<u32>(lines + (<usize>at << 2), <u32>line(--left));
      at--;
    } else if (count < fewest) {
      fewest = count;
      place = at;
    }
  }
  return place;
}

function shortestColumn(row: usize): usize {
  let column: usize = 0;
  let fewest: u32 = u32.MAX_VALUE;
  for (let w: usize = 0; w < words; w++) {
    for (let bits = load<u64>(pattern + ((row * words + w) << 3)); bits != 0; bits &= bits - 1) {
      const j = (w << 6) + <usize>ctz(bits);
      const count = load<u32>(colCounts + (j << 2));
      if (count >= fewest) continue;
      fewest = count;
      column = j;
    }
  }
  return column;
}

/**
 * other += f·row, so that its cell in the pivot's column becomes 0. As in determinants.as.ts the pivot is inverted as a
 * Montgomery residue, f is one, and REDC(f·x) the plain product.
 */
function cancel(row: usize, other: usize, column: usize, inverse: u32): void {
  const f = mulMontgomery(p - load<u32>(cellOf(other, column)), inverse, p, pinv);
  for (let w: usize = 0; w < words; w++) {
    for (let bits = load<u64>(pattern + ((row * words + w) << 3)); bits != 0; bits &= bits - 1) {
      const j = (w << 6) + <usize>ctz(bits);
      add(other, j, mulMontgomery(f, load<u32>(cellOf(row, j)), p, pinv));
    }
  }
}

/** The row at the place goes, with its entries. */
function removeRow(place: i32): void {
  const row = line(place);
  for (let w: usize = 0; w < words; w++) {
    for (let bits = load<u64>(pattern + ((row * words + w) << 3)); bits != 0; bits &= bits - 1) {
      const count = colCounts + (((w << 6) + <usize>ctz(bits)) << 2);
      store<u32>(count, load<u32>(count) - 1);
    }
  }
  nonzeros -= load<i32>(rowCounts + (row << 2));
  store<u32>(lines + (<usize>place << 2), <u32>line(--left));
}

/** The rows that are left, and their columns with entries, to rows of `groups` vectors. */
function gather(dense: usize, n: i32, groups: i32): void {
  const rowBytes = <usize>groups << 4;
  memory.fill(dense, 0, <usize>left * rowBytes);
  let to = dense;
  for (let j = 0; j < n; j++) {
    if (load<u32>(colCounts + (<usize>j << 2)) == 0) continue;
    for (let at = 0; at < left; at++) store<u32>(to + <usize>at * rowBytes, load<u32>(cellOf(line(at), <usize>j)));
    to += 4;
  }
}

function denseRank(a: usize, m: i32, n: i32): i32 {
  const groups = (n + 3) >> 2;
  const rowBytes = <usize>groups << 4;
  let rank = 0;
  for (let c = 0; c < n && rank < m; c++) {
    const column = <usize>c << 2;
    const top = a + <usize>rank * rowBytes;
    let pivot = rank;
    while (pivot < m && load<u32>(a + <usize>pivot * rowBytes + column) == 0) pivot++;
    if (pivot == m) continue;
    if (pivot != rank) exchange(top, a + <usize>pivot * rowBytes, groups);
    const inverse = invMontgomery(load<u32>(top + column), field);
    for (let i = pivot + 1; i < m; i++) {
      const row = a + <usize>i * rowBytes;
      const value = load<u32>(row + column);
      if (value != 0) addMultiple(row, top, mulMontgomery(p - value, inverse, p, pinv), c >> 2, groups, p, pinv);
    }
    rank++;
  }
  return rank;
}
