/**
 * The plan of one order of the M-basis (poly-basis.ts): its pivots, and the echelon form that cancels the other rows'
 * residuals.
 *
 *   x : residuals of the rows, n entries     c : a column, and the pivot whose residual is the first with an entry there
 *
 * The reduced echelon form is kept in place: row E_c has d ≠ 0 at c, 0 at the other pivots' columns and, where those are,
 * how it arose, E_c = Σ_l M_cl·x_(pivot l). It is made without divisions: a residual x gives
 *
 *   y = d·x − Σ_c x_c·E_c,   zero at the pivots' columns, −Σ x_c·M_cl is kept there
 *
 * and, if it has an entry δ at a new column c', E_c ← δ·E_c − E_c[c']·y, E_c' ← d·y, d ← δ·d. After the last pivot the rows
 * are divided by d; then −x·E are the factors of the pivot rows that cancel a residual x. They are unique, so that it does
 * not matter that rows were met before the last pivot.
 *
 * Numbers are taken for factors as `combine` wants them, Montgomery residues for one: only ratios matter.
 */
import { digitWords, hasDigits, TILE, writeDigits } from './poly-digits';
import { blend, combine, F_ONE, invert, invertPlain, negate, product } from './poly-residues';

// A plan, in words: rank, coefficients of the longest pivot row, then lists and vectors (rowsOfP … echelonOf).
export const RANK: usize = 0;
export const LONGEST: usize = 4;
const LISTS: usize = 16;

/** Bytes of the class below, in whole vectors. */
const BASIS_BYTES: usize = 128;

/** The base case's sizes and places, in kernel memory: one a thread, all alike but for what is its own. */
@unmanaged
export class Basis {
  rows!: i32;
  active!: i32; // rows that are no passengers
  n!: i32;
  w!: i32; // vectors of a coefficient of G
  pGroups!: i32; // and of P
  field!: usize;
  byDigits!: bool; // whether sums go by digits, poly-digits.ts, and factors are plain residues
  order!: usize; // the rows by degree; with degrees and lengths, thread 0's
  degrees!: usize;
  lengths!: usize; // coefficients of a row of P
  // Own vectors: n + 1 factors, x without the pivots' columns and y, w each; pairs of rows; the rows' factors, w a row.
  factors!: usize;
  known!: usize;
  y!: usize;
  pairs!: usize;
  ofRows!: usize;
  // Own words: behind the rows' factors their digits, then n + 1 addresses, and the rows that are no pivots.
  addresses!: usize;
  others!: usize;
  rowFactors!: usize; // where factors of the rows and their digits are kept: these, or those of thread 0
  rowDigits!: usize;

  /** Places behind the object itself; kernels/poly-basis.ts counts the same. */
  place(): void {
    const w = <usize>this.w << 4;
    this.factors = changetype<usize>(this) + BASIS_BYTES;
    this.known = this.factors + w + 16;
    this.y = this.known + w;
    this.pairs = this.y + w;
    this.ofRows = this.pairs + (<usize>(((this.n + 1) >> 1) * TILE) << 4);
    this.addresses = this.ofRows + <usize>this.rows * (w + (<usize>digitWords(this.n) << 2));
    this.others = this.addresses + (<usize>(this.n + 1) << 2);
    this.keepFactors(changetype<usize>(this));
    this.byDigits = hasDigits(this.field, this.n);
  }

  /** Keeps the rows' factors with the thread whose object is at `owner`. */
  keepFactors(owner: usize): void {
    this.rowFactors = owner + (this.ofRows - changetype<usize>(this));
    this.rowDigits = this.rowFactors + (<usize>(this.rows * this.w) << 4);
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

// Lists of a plan.
// @ts-ignore: decorator
@inline
export function rowsOfP(plan: usize): usize {
  return plan + LISTS;
}
// @ts-ignore: decorator
@inline
export function rowsOfG(plan: usize, b: Basis): usize {
  return plan + LISTS + (<usize>b.rows << 2);
}
/** 1 for a pivot, else 0. */
// @ts-ignore: decorator
@inline
function marksOf(plan: usize, b: Basis): usize {
  return plan + LISTS + (<usize>b.rows << 3);
}
/** The pivots by their columns; −1 where there is none. */
// @ts-ignore: decorator
@inline
export function pivotsOf(plan: usize, b: Basis): usize {
  return plan + LISTS + <usize>b.rows * 12;
}
/** Vectors: −1 in the columns without pivots, w of them, then the rows E_c, w each; 0 where there is no pivot. */
// @ts-ignore: decorator
@inline
function freeOf(plan: usize, b: Basis): usize {
  return (pivotsOf(plan, b) + (<usize>b.n << 2) + 63) & ~63;
}
// @ts-ignore: decorator
@inline
function echelonOf(plan: usize, b: Basis): usize {
  return freeOf(plan, b) + (<usize>b.w << 4);
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
function negated(out: usize, x: usize, n: i32, field: usize): void {
  for (let c = 0; c < n; c++) put(out, c, negate(get(x, c), field));
}

/** Makes the plan of order k. */
export function makePlan(plan: usize, k: i32, b: Basis): void {
  const n = b.n;
  const w = b.w;
  const field = b.field;
  const marks = marksOf(plan, b);
  const pivots = pivotsOf(plan, b);
  const free = freeOf(plan, b);
  const echelon = echelonOf(plan, b);
  const rowBytes = <usize>w << 4;
  const y = b.y;
  for (let i = 0; i < b.rows; i++) put(marks, i, 0);
  for (let c = 0; c < 4 * w; c++) put(free, c, c < n ? -1 : 0);
  clear(echelon, n * w);
  put(b.addresses, 0, <i32>b.known);
  for (let c = 0; c < n; c++) {
    put(pivots, c, -1);
    put(b.addresses, c + 1, <i32>(echelon + <usize>c * rowBytes));
  }
  sortRows(b.order, b.degrees, b.active);
  let rank = 0;
  let longest = 0;
  let d = load<u32>(field, F_ONE);
  for (let a = 0; a < b.active && rank < n; a++) {
    const i = get(b.order, a);
    const x = <usize>get(rowsOfG(plan, b), i) + <usize>k * rowBytes;
    for (let g: usize = 0; g < rowBytes; g += 16) {
      v128.store(b.known + g, v128.and(v128.load(x + g), v128.load(free + g)));
    }
    put(b.factors, 0, d);
    negated(b.factors + 4, x, n, field);
    clear(y, w);
    combine(y, b.factors, b.addresses, n + 1, 0, w, field);
    let c = 0;
    while (c < n && (get(y, c) & get(free, c)) == 0) c++;
    if (c == n) continue;
    const delta = get(y, c);
    put(y, c, d);
    put(free, c, 0);
    put(pivots, c, i);
    put(marks, i, 1);
    longest = max(longest, get(b.lengths, i));
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
  store<i32>(plan, rank, RANK);
  store<i32>(plan, longest, LONGEST);
}

/** Lists the rows that are no pivots; returns how many there are. */
export function findOthers(plan: usize, b: Basis): i32 {
  const marks = marksOf(plan, b);
  let count = 0;
  for (let i = 0; i < b.rows; i++) if (get(marks, i) == 0) put(b.others, count++, i);
  return count;
}

/** The factors that cancel, at order k, the residuals of the rows number t, t + step, … of those found. */
export function findFactors(plan: usize, k: i32, t: i32, step: i32, found: i32, b: Basis): void {
  const n = b.n;
  const w = b.w;
  const echelon = echelonOf(plan, b);
  for (let c = 0; c < n; c++) put(b.addresses, c, <i32>(echelon + (<usize>(c * w) << 4)));
  for (; t < found; t += step) {
    const x = <usize>get(rowsOfG(plan, b), get(b.others, t)) + (<usize>(k * w) << 4);
    negated(b.factors, x, n, b.field);
    const factors = factorsOf(b, t);
    clear(factors, w);
    combine(factors, b.factors, b.addresses, n, 0, w, b.field);
    if (b.byDigits) writeDigits(digitsOf(b, t), factors, n);
  }
}

/** The factors of row number t of those found, and their digits. */
// @ts-ignore: decorator
@inline
export function factorsOf(b: Basis, t: i32): usize {
  return b.rowFactors + (<usize>(t * b.w) << 4);
}
// @ts-ignore: decorator
@inline
export function digitsOf(b: Basis, t: i32): usize {
  return b.rowDigits + (<usize>(t * digitWords(b.n)) << 2);
}
