/**
 * The record of one order of the M-basis (mbasis.ts): the pivots, and the factors of their rows that cancel the other
 * rows' residuals.
 *
 *   x : residuals of the rows, n entries
 *   c : a column, and the pivot whose residual is the first with an entry there
 *
 * The reduced echelon form is kept in place: row E_c has d ≠ 0 at c, 0 at the other pivots' columns and, where those
 * are, how it arose, E_c = Σ_l M_cl·x_(pivot l). It is made without divisions: a residual x gives
 *
 *   y = d·x − Σ_c x_c·E_c,   zero at the pivots' columns, −Σ x_c·M_cl is kept there
 *
 * and, if it has an entry δ at a new column c', E_c ← δ·E_c − E_c[c']·y, E_c' ← d·y, d ← δ·d. After the last pivot the
 * rows are divided by d; then −x·E are the factors of the pivot rows that cancel a residual x. They are unique, so rows
 * that precede the last pivot get the same factors.
 *
 * Numbers are taken for factors as `combine` wants them, Montgomery residues for one: only ratios matter.
 */
import { digitWords, hasDigits, writeDigits } from './dot-u16.as';
import { BASIS_HEAD, TILE } from './mbasis-layout';
import { blend, combine, invert, invertPlain, negate, product } from '../residues/dot-u32.as';
import { F_ONE } from '../residues/field-layout';

/** The base case's sizes and places, in kernel memory: one a thread, alike but for the thread's own places. */
@unmanaged
export class Basis {
  rows!: i32;
  active!: i32; // rows that are no right-hand rows
  n!: i32;
  w!: i32; // vectors of a coefficient of G
  orders!: i32;
  field!: usize;
  byDigits!: bool; // whether sums go by digits, dot-u16.as.ts, and factors are plain residues
  factorWords!: i32; // of a row in a record
  order!: usize; // the rows by degree; with degrees and lengths, thread 0's
  degrees!: usize;
  lengths!: usize; // coefficients of a row of P
  records!: usize; // one an order
  recordBytes!: usize;
  // Own vectors: n + 1 factors, x without the pivots' columns, y and a row's factors, w each; pairs of rows.
  factors!: usize;
  known!: usize;
  y!: usize;
  ofRow!: usize;
  pairs!: usize;
  addresses!: usize; // own words: n + 1

  /** Places behind the object itself; kernels/poly/mbasis.ts counts the same. */
  place(): void {
    const w = <usize>this.w << 4;
    this.factors = changetype<usize>(this) + BASIS_HEAD;
    this.known = this.factors + w + 16;
    this.y = this.known + w;
    this.ofRow = this.y + w;
    this.pairs = this.ofRow + w;
    this.addresses = this.pairs + (<usize>(((this.n + 1) >> 1) * TILE) << 4);
    this.byDigits = hasDigits(this.field, this.n);
    this.factorWords = this.byDigits ? digitWords(this.n) : 4 * this.w;
  }
}

// @ts-ignore: decorator
@inline
export function get(list: usize, index: i32): i32 {
  return load<i32>(list + (<usize>index << 2));
}

// @ts-ignore: decorator
@inline
export function put(list: usize, index: i32, value: i32): void {
  store<i32>(list + (<usize>index << 2), value);
}

// @ts-ignore: decorator
@inline
function clear(to: usize, count: i32): void {
  for (let g: usize = 0, end = <usize>count << 4; g < end; g += 16) v128.store(to + g, i32x4.splat(0));
}

// A plan: 1 for a row that is a pivot, else 0; then vectors: −1 in the columns without pivots, w of them, and the rows
// E_c, w each.
// @ts-ignore: decorator
@inline
function freeOf(plan: usize, b: Basis): usize {
  return (plan + (<usize>b.rows << 2) + 63) & ~63;
}
// @ts-ignore: decorator
@inline
function echelonOf(plan: usize, b: Basis): usize {
  return freeOf(plan, b) + (<usize>b.w << 4);
}

// A record of an order, in words: coefficients of the longest pivot row, how many rows are no pivots, the pivots by
// their columns (−1 where there is none), the rows that are no pivots; then in whole vectors the factors of each of
// these, or their digits.
// @ts-ignore: decorator
@inline
export function recordOf(k: i32, b: Basis): usize {
  return b.records + <usize>k * b.recordBytes;
}
// @ts-ignore: decorator
@inline
export function longestIn(record: usize): i32 {
  return load<i32>(record);
}
/** 0 where there are no pivots either: such an order changes nothing. */
// @ts-ignore: decorator
@inline
export function countOthers(record: usize): i32 {
  return load<i32>(record, 4);
}
// @ts-ignore: decorator
@inline
export function pivotsIn(record: usize): usize {
  return record + 8;
}
// @ts-ignore: decorator
@inline
export function othersIn(record: usize, b: Basis): usize {
  return record + 8 + (<usize>b.n << 2);
}
/** The factors of the t-th row without a pivot. */
// @ts-ignore: decorator
@inline
export function factorsIn(record: usize, t: i32, b: Basis): usize {
  const first = (othersIn(record, b) + (<usize>b.rows << 2) + 15) & ~15;
  return first + (<usize>(t * b.factorWords) << 2);
}

/** Insertion sort of the row numbers by degree, ties by number; nearly sorted from one order to the next. */
function sortRows(order: usize, degrees: usize, rows: i32): void {
  for (let a = 1; a < rows; a++) {
    const row = get(order, a);
    const degree = get(degrees, row);
    let b = a - 1;
    for (; b >= 0; b--) {
      const other = get(order, b);
      const d = get(degrees, other);
      if (d < degree || (d == degree && other < row)) break;
      put(order, b + 1, other);
    }
    put(order, b + 1, row);
  }
}

// @ts-ignore: decorator
@inline
function negateRow(out: usize, x: usize, n: i32, field: usize): void {
  for (let c = 0; c < n; c++) put(out, c, negate(get(x, c), field));
}

/**
 * The record of order k, of residuals at that coefficient of the rows at `rows`; `plan` is room to work in. Thread 0's
 * lists are raised as the order leaves them.
 */
export function makeRecord(plan: usize, k: i32, rows: usize, b: Basis): void {
  const record = recordOf(k, b);
  const n = b.n;
  const rank = findPivots(plan, k, rows, b);
  const pivots = pivotsIn(record);
  let longest = 0;
  for (let c = 0; c < n; c++) if (get(pivots, c) >= 0) longest = max(longest, get(b.lengths, get(pivots, c)));
  store<i32>(record, longest);
  store<i32>(record, rank == 0 ? 0 : findFactors(plan, k, rows, b), 4);
  for (let i = 0; i < b.rows; i++) put(b.lengths, i, max(get(b.lengths, i), longest));
  for (let c = 0; c < n; c++) {
    const i = get(pivots, c);
    if (i < 0) continue;
    put(b.degrees, i, get(b.degrees, i) + 1);
    put(b.lengths, i, get(b.lengths, i) + 1);
  }
}

/** The pivots of order k, in its record, and the echelon form of their residuals, in the plan. */
function findPivots(plan: usize, k: i32, rows: usize, b: Basis): i32 {
  const n = b.n;
  const w = b.w;
  const field = b.field;
  const pivots = pivotsIn(recordOf(k, b));
  const free = freeOf(plan, b);
  const echelon = echelonOf(plan, b);
  const rowBytes = <usize>w << 4;
  const y = b.y;
  for (let i = 0; i < b.rows; i++) put(plan, i, 0);
  for (let c = 0; c < 4 * w; c++) put(free, c, c < n ? -1 : 0);
  clear(echelon, n * w);
  put(b.addresses, 0, <i32>b.known);
  for (let c = 0; c < n; c++) {
    put(pivots, c, -1);
    put(b.addresses, c + 1, <i32>(echelon + <usize>c * rowBytes));
  }
  sortRows(b.order, b.degrees, b.active);
  let rank = 0;
  let d = load<u32>(field, F_ONE);
  for (let a = 0; a < b.active && rank < n; a++) {
    const i = get(b.order, a);
    const x = <usize>get(rows, i) + <usize>k * rowBytes;
    for (let g: usize = 0; g < rowBytes; g += 16) {
      v128.store(b.known + g, v128.and(v128.load(x + g), v128.load(free + g)));
    }
    put(b.factors, 0, d);
    negateRow(b.factors + 4, x, n, field);
    clear(y, w);
    combine(y, b.factors, b.addresses, n + 1, 0, w, field);
    let c = 0;
    while (c < n && (get(y, c) & get(free, c)) == 0) c++;
    if (c == n) continue;
    const delta = get(y, c);
    put(y, c, d);
    put(free, c, 0);
    put(pivots, c, i);
    put(plan, i, 1);
    rank++;
    for (let other = 0; other < n; other++) {
      if (get(pivots, other) < 0) continue;
      const row = echelon + <usize>other * rowBytes;
      const factor = other == c ? d : negate(get(row, c), field);
      put(row, c, 0);
      blend(row, delta, factor, y, w, field);
    }
    d = product(d, delta, field);
  }
  const inverse = b.byDigits ? invertPlain(d, field) : invert(d, field);
  for (let c = 0; c < n; c++) {
    if (get(pivots, c) < 0) continue;
    const row = echelon + <usize>c * rowBytes;
    for (let g: usize = 0; g < rowBytes; g += 16) {
      v128.store(row + g, v128.andnot(v128.load(row + g), v128.load(free + g)));
    }
    blend(row, inverse, 0, row, w, field);
  }
  return rank;
}

/** The rows that are no pivots, and the factors that cancel their residuals at order k, into its record. */
function findFactors(plan: usize, k: i32, rows: usize, b: Basis): i32 {
  const record = recordOf(k, b);
  const others = othersIn(record, b);
  const n = b.n;
  const w = b.w;
  const echelon = echelonOf(plan, b);
  for (let c = 0; c < n; c++) put(b.addresses, c, <i32>(echelon + (<usize>(c * w) << 4)));
  let found = 0;
  for (let i = 0; i < b.rows; i++) {
    if (get(plan, i) != 0) continue;
    const x = <usize>get(rows, i) + (<usize>(k * w) << 4);
    const to = factorsIn(record, found, b);
    put(others, found++, i);
    negateRow(b.factors, x, n, b.field);
    const factors = b.byDigits ? b.ofRow : to;
    clear(factors, w);
    combine(factors, b.factors, b.addresses, n, 0, w, b.field);
    if (b.byDigits) writeDigits(to, factors, n);
  }
  return found;
}
