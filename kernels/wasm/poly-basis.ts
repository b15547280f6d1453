/**
 * The iterative M-basis: the base case of sigma-basis, all orders of a short series in one kernel.
 *
 *   G : R × n, L coefficients     P : R × (R − s) with P·G ≡ 0 mod z^L     degrees : one a row, raised as the pivots are
 *
 * At order k the rows, taken by degree (equal ones by number), have the residuals D_i = [z^k] G_i. A row whose residual
 * is no combination of those of earlier rows is a pivot, unless it is one of the last s (passengers); every other row
 * gets the combination of pivot rows that cancels its residual; then the pivot rows are multiplied by z. Both P and G
 * undergo the row operations, so the next residuals can be read off G.
 *
 * The combination is found from a reduced echelon form of the pivots' residuals that carries, beside each row, how it
 * arose, without divisions until the end: E_j = Σ_l M_jl·D_(pivot l), with one d ≠ 0 at its own pivot column and 0 at the
 * others'. A residual x with pivot δ after its reduction w = d·x − Σ x_j·E_j makes E_j ← δ·E_j − E_j[c]·w, E_new ← d·w and
 * d ← δ·d. The combination is unique, so it does not matter that it is read off the last E rather than that of its row's
 * turn. All numbers of it are taken for Montgomery residues: only ratios matter, and the coefficients come out in the form
 * that `combine` wants.
 *
 * The echelon form is little work, but all of it comes before the row operations. So thread 0 does these for coefficient
 * k + 1 of G first and makes the plan of order k + 1 (pivots, echelon form) while the others are at the rest of order k: one
 * barrier an order. Every thread finds all rows' coefficients for itself, and works on a range of coefficients of all rows,
 * about the same from order to order, so that little of P and G passes from core to core; thread 0's is shorter by what
 * the plan is worth. P and G are kept with all columns of a coefficient side by side, so that a row times z is the same
 * row one coefficient earlier in memory: only its address changes.
 *
 * Source: Beckermann, Labahn 1994; Giorgi, Jeannerod, Villard 2003, algorithm M-Basis.
 */
import { combine, F_ONE, invert, negate } from './poly-residues';
import { barrier } from './team';

// A plan, in words: rank, coefficients of the longest pivot row, then lists and vectors (rowsOfP … vectorsOf).
const RANK: usize = 0;
const LONGEST: usize = 4;
const LISTS: usize = 16;

/** Operations on vectors that a pivot costs beside combinations. */
const OPERATIONS_OF_PIVOT: i32 = 100;

/** to ← count vectors from `from`; for the few of a residual, where memory.copy costs a call. */
// @ts-ignore: decorator
@inline
function copy(to: usize, from: usize, count: i32): void {
  for (let g: usize = 0, end = <usize>count << 4; g < end; g += 16) v128.store(to + g, v128.load(from + g));
}

// @ts-ignore: decorator
@inline
function clear(to: usize, count: i32): void {
  for (let g: usize = 0, end = <usize>count << 4; g < end; g += 16) v128.store(to + g, i32x4.splat(0));
}

// @ts-ignore: decorator
@inline
function get(list: usize, index: i32): i32 {
  return load<i32>(list + (<usize>index << 2));
}

// @ts-ignore: decorator
@inline
function put(list: usize, index: i32, value: i32): void {
  store<i32>(list + (<usize>index << 2), value);
}

/** Negated entries of `row` at the pivot columns. */
function negatedAt(out: usize, row: usize, columns: usize, rank: i32, field: usize): void {
  for (let j = 0; j < rank; j++) put(out, j, negate(get(row, get(columns, j)), field));
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

/** The base case's sizes and places, in kernel memory: one a thread, all alike but for `own`. */
@unmanaged
class Basis {
  rows!: i32;
  active!: i32; // rows that are no passengers
  n!: i32;
  w!: i32; // vectors of a coefficient of G
  pGroups!: i32; // and of P
  orders!: i32;
  field!: usize;
  order!: usize; // the rows by degree; with degrees and lengths, thread 0's
  degrees!: usize;
  lengths!: usize; // coefficients of a row of P
  // This thread's own: vectors factors and scaled, w + 1 each, unit and work, 2·w each, coefficients w a row; then lists of n + 1
  // addresses and of `rows` numbers, the rows that are no pivots.
  factors!: usize;
  scaled!: usize;
  unit!: usize;
  work!: usize;
  coefficients!: usize;
  addresses!: usize;
  others!: usize;
}

// Lists of a plan, by number of words before them.
// @ts-ignore: decorator
@inline
function rowsOfP(plan: usize): usize {
  return plan + LISTS;
}
// @ts-ignore: decorator
@inline
function rowsOfG(plan: usize, b: Basis): usize {
  return plan + LISTS + (<usize>b.rows << 2);
}
/** 1 for a pivot, else 0. */
// @ts-ignore: decorator
@inline
function marksOf(plan: usize, b: Basis): usize {
  return plan + LISTS + (<usize>b.rows << 3);
}
// @ts-ignore: decorator
@inline
function pivotsOf(plan: usize, b: Basis): usize {
  return plan + LISTS + <usize>b.rows * 12;
}
// @ts-ignore: decorator
@inline
function columnsOf(plan: usize, b: Basis): usize {
  return pivotsOf(plan, b) + (<usize>b.n << 2);
}
/** Addresses of the rows of the echelon form, then of a spare one. */
// @ts-ignore: decorator
@inline
function echelonOf(plan: usize, b: Basis): usize {
  return pivotsOf(plan, b) + (<usize>b.n << 3);
}
/** Vectors: 1/d, then 2·w of each row of the echelon form and of the spare one. */
// @ts-ignore: decorator
@inline
function vectorsOf(plan: usize, b: Basis): usize {
  return (pivotsOf(plan, b) + <usize>b.n * 12 + 67) & ~63;
}

/** out ← factor·row, vectors of a residual; the factor and the row's address stand in memory. */
// @ts-ignore: decorator
@inline
function scale(out: usize, factor: usize, rowAt: usize, count: i32, field: usize): void {
  clear(out, count);
  combine(out, factor, rowAt, 1, 0, count, field);
}

/** The pivots of order k, and the echelon form of their residuals. */
function makePlan(plan: usize, k: i32, b: Basis): void {
  const n = b.n;
  const w = b.w;
  const field = b.field;
  const gAt = rowsOfG(plan, b);
  const marks = marksOf(plan, b);
  const pivots = pivotsOf(plan, b);
  const columns = columnsOf(plan, b);
  const echelonAt = echelonOf(plan, b);
  const inverse = vectorsOf(plan, b);
  const factors = b.factors;
  const unit = b.unit;
  const work = b.work;
  const rowsAt = b.addresses;
  for (let j = 0; j <= n; j++) put(echelonAt, j, <i32>(inverse + 16 + (<usize>(j * 2 * w) << 4)));
  for (let i = 0; i < b.rows; i++) put(marks, i, 0);
  sortRows(b.order, b.degrees, b.active);
  let rank = 0;
  let d = load<i32>(field, F_ONE);
  const one = d;
  for (let a = 0; a < b.active && rank < n; a++) {
    // work ← d·(residual, unit vector) − Σ_j x_j·E_j
    const i = get(b.order, a);
    const residual = <usize>get(gAt, i) + (<usize>(k * w) << 4);
    copy(unit, residual, w);
    clear(unit + (<usize>w << 4), w);
    put(unit, 4 * w + rank, one);
    put(factors, 0, d);
    negatedAt(factors + 4, residual, columns, rank, field);
    put(rowsAt, 0, <i32>unit);
    for (let j = 0; j < rank; j++) put(rowsAt, j + 1, get(echelonAt, j));
    clear(work, 2 * w);
    combine(work, factors, rowsAt, rank + 1, 0, 2 * w, field);
    let column = 0;
    while (column < n && get(work, column) == 0) column++;
    if (column == n) continue;
    put(rowsAt, 0, <i32>work);
    const last = get(echelonAt, rank);
    scale(<usize>last, factors, rowsAt, 2 * w, field);
    d = get(<usize>last, column);
    put(factors, 0, get(work, column));
    for (let j = 0; j < rank; j++) {
      const earlier = get(echelonAt, j);
      const spare = <usize>get(echelonAt, rank + 1);
      put(factors, 1, negate(get(<usize>earlier, column), field));
      put(rowsAt, 0, earlier);
      put(rowsAt, 1, <i32>work);
      clear(spare, 2 * w);
      combine(spare, factors, rowsAt, 2, 0, 2 * w, field);
      put(echelonAt, j, <i32>spare);
      put(echelonAt, rank + 1, earlier);
    }
    put(columns, rank, column);
    put(pivots, rank, i);
    put(marks, i, 1);
    rank++;
  }
  put(inverse, 0, invert(d, field));
  let longest = 0;
  for (let j = 0; j < rank; j++) longest = max(longest, get(b.lengths, get(pivots, j)));
  store<i32>(plan, rank, RANK);
  store<i32>(plan, longest, LONGEST);
}

/** The rows after the order of `plan`: pivot rows begin a coefficient earlier, their degrees and lengths are raised. */
function follow(next: usize, plan: usize, b: Basis): void {
  const rank = load<i32>(plan, RANK);
  const longest = load<i32>(plan, LONGEST);
  copy(rowsOfP(next), rowsOfP(plan), (b.rows * 2 + 3) >> 2);
  for (let i = 0; i < b.rows; i++) put(b.lengths, i, max(get(b.lengths, i), longest));
  for (let j = 0; j < rank; j++) {
    const i = get(pivotsOf(plan, b), j);
    put(b.degrees, i, get(b.degrees, i) + 1);
    put(b.lengths, i, get(b.lengths, i) + 1);
    put(rowsOfP(next), i, get(rowsOfP(next), i) - (b.pGroups << 4));
    put(rowsOfG(next, b), i, get(rowsOfG(next, b), i) - (b.w << 4));
  }
}

/** The rows that are no pivots, and what cancels their residuals at order k; returns how many there are. */
function findCoefficients(plan: usize, k: i32, b: Basis): i32 {
  const w = b.w;
  const rank = load<i32>(plan, RANK);
  const marks = marksOf(plan, b);
  clear(b.factors, w);
  put(b.addresses, 0, <i32>b.factors);
  let count = 0;
  for (let i = 0; i < b.rows; i++) {
    if (get(marks, i) != 0) continue;
    const residual = <usize>get(rowsOfG(plan, b), i) + (<usize>(k * w) << 4);
    negatedAt(b.factors, residual, columnsOf(plan, b), rank, b.field);
    scale(b.scaled, vectorsOf(plan, b), b.addresses, w, b.field);
    const c = b.coefficients + (<usize>(count * w) << 4);
    clear(c, w);
    combine(c, b.scaled, echelonOf(plan, b), rank, <usize>w << 4, w, b.field);
    put(b.others, count, i);
    count++;
  }
  return count;
}

/** row_i ← row_i + Σ_j c_ij·row_(pivot j) for the rows found, the vectors skip … end − 1 of rows whose addresses are `rowsAt`. */
function addPivots(plan: usize, found: i32, rowsAt: usize, skip: i32, end: i32, b: Basis): void {
  if (end <= skip) return;
  const rank = load<i32>(plan, RANK);
  const pivots = pivotsOf(plan, b);
  for (let j = 0; j < rank; j++) put(b.addresses, j, get(rowsAt, get(pivots, j)));
  const offset = <usize>skip << 4;
  for (let t = 0; t < found; t++) {
    const c = b.coefficients + (<usize>(t * b.w) << 4);
    let used = rank;
    while (used > 0 && get(c, used - 1) == 0) used--;
    if (used > 0) {
      combine(<usize>get(rowsAt, get(b.others, t)) + offset, c, b.addresses, used, offset, end - skip, b.field);
    }
  }
}

/**
 * Words: P, columns groups of P, stride of P, G, stride of G, work, rows, passengers, n, L, degrees, scratch, bytes of a
 * plan, bytes of a thread, field, length of P (out), spin of a barrier.
 * Work, in vectors: rows·L·w for G, then rows·(2·L + 1)·groups for P, w = groups of G. Scratch: two plans, three lists of
 * rows words in whole lines of 64, then what the threads own (kernels/poly-basis.ts).
 */
export function polyBasis(thread: i32, threads: i32, args: usize): void {
  const P = <usize>load<u32>(args);
  const pGroups = load<i32>(args + 4);
  const pStride = load<i32>(args + 8);
  const source = <usize>load<u32>(args + 12);
  const sourceStride = load<i32>(args + 16);
  const rows = load<i32>(args + 24);
  const n = load<i32>(args + 32);
  const orders = load<i32>(args + 36);
  const degreesOut = <usize>load<u32>(args + 40);
  const plans = <usize>load<u32>(args + 44);
  const planBytes = <usize>load<u32>(args + 48);
  const w = (n + 3) >> 2;
  const G = <usize>load<u32>(args + 20);
  const gBytes = <usize>(orders * w) << 4;
  const work = G + <usize>rows * gBytes;
  const pBytes = <usize>((2 * orders + 1) * pGroups) << 4;
  const lists = plans + 2 * planBytes;
  const own = ((lists + <usize>rows * 12 + 63) & ~63) + <usize>thread * <usize>load<u32>(args + 52);
  const b = changetype<Basis>(own);
  b.rows = rows;
  b.active = rows - load<i32>(args + 28);
  b.n = n;
  b.w = w;
  b.pGroups = pGroups;
  b.orders = orders;
  b.field = <usize>load<u32>(args + 56);
  b.order = lists;
  b.degrees = lists + (<usize>rows << 2);
  b.lengths = lists + (<usize>rows << 3);
  b.factors = own + 128;
  b.scaled = b.factors + (<usize>(w + 1) << 4);
  b.unit = b.scaled + (<usize>(w + 1) << 4);
  b.work = b.unit + (<usize>w << 5);
  b.coefficients = b.work + (<usize>w << 5);
  b.addresses = b.coefficients + (<usize>(rows * w) << 4);
  b.others = b.addresses + (<usize>(n + 1) << 2);

  // P ← identity, with room for L factors z before it; G ← the series.
  for (let i = thread; i < rows; i += threads) {
    const g = G + <usize>i * gBytes;
    const p = work + <usize>i * pBytes;
    const first = p + (<usize>(orders * pGroups) << 4);
    memory.fill(p, 0, pBytes);
    if (i < b.active) store<u32>(first + (<usize>i << 2), 1);
    for (let v = 0; v < w; v++) {
      const from = source + (<usize>((i * w + v) * sourceStride) << 4);
      for (let k = 0; k < orders; k++) {
        v128.store(g + (<usize>(k * w + v) << 4), v128.load(from + (<usize>k << 4)));
      }
    }
    put(rowsOfG(plans, b), i, <i32>g);
    put(rowsOfP(plans), i, <i32>first);
    put(b.order, i, i);
    put(b.degrees, i, get(degreesOut, i));
    put(b.lengths, i, i < b.active ? 1 : 0);
  }
  const spin = load<i32>(args + 64);
  barrier(threads, spin);
  if (thread == 0 && orders > 0) makePlan(plans, 0, b);
  barrier(threads, spin);

  for (let k = 0; k < orders; k++) {
    const plan = plans + (k & 1 ? planBytes : 0);
    const next = plans + (k & 1 ? 0 : planBytes);
    const rank = load<i32>(plan, RANK);
    const ofP = pGroups * load<i32>(plan, LONGEST);
    const first = (k + 2) * w; // of G's rest
    const ofG = max(orders * w - first, 0);
    const last = k + 1 == orders;
    const found = rank == 0 ? 0 : findCoefficients(plan, k, b);
    if (thread == 0) {
      if (!last) addPivots(plan, found, rowsOfG(plan, b), first - w, first, b);
      follow(next, plan, b);
      if (!last) makePlan(next, k + 1, b);
    }

    // All threads' work is found·rank·(ofP + ofG) and what thread 0 does before; the rest is shared by ranges of coefficients.
    const perVector = max(found * rank, 1);
    const ofPlan = last ? 0 : n * (OPERATIONS_OF_PIVOT + 4 * n * w);
    const all = ofP + ofG;
    const mine = threads == 1 ? all : max(0, ((all * perVector + ofPlan) / threads - ofPlan) / perVector);
    const from = thread == 0 ? 0 : mine + ((all - mine) * (thread - 1)) / (threads - 1);
    const to = thread == 0 ? mine : mine + ((all - mine) * thread) / (threads - 1);
    addPivots(plan, found, rowsOfP(plan), min(from, ofP), min(to, ofP), b);
    addPivots(plan, found, rowsOfG(plan, b), first + max(from - ofP, 0), first + max(to - ofP, 0), b);
    barrier(threads, spin);
  }

  const plan = plans + (orders & 1 ? planBytes : 0);
  for (let i = thread; i < rows; i += threads) {
    const from = <usize>get(rowsOfP(plan), i);
    for (let g = 0; g < pGroups; g++) {
      const to = P + (<usize>((i * pGroups + g) * pStride) << 4);
      for (let k = 0; k < pStride; k++) {
        v128.store(to + (<usize>k << 4), v128.load(from + (<usize>(k * pGroups + g) << 4)));
      }
    }
  }
  if (thread == 0) {
    memory.copy(degreesOut, b.degrees, <usize>rows << 2);
    let longest = 1;
    for (let i = 0; i < rows; i++) longest = max(longest, get(b.lengths, i));
    store<i32>(<usize>load<u32>(args + 60), longest);
  }
}
