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
 * arose: E_j = Σ_l M_jl·D_(pivot l). All numbers of it are taken for Montgomery residues: only ratios matter, and the
 * coefficients come out in the form that `combine` wants.
 *
 * The echelon form is little work, but all of it comes before the row operations. So these are done for coefficient k + 1
 * first; then thread 0 makes the plan of order k + 1 (pivots, echelon form) while the others are at the rest of order k,
 * and takes fewer rows for it: two barriers an order. P and G are kept with all columns of a coefficient side by side, so
 * that a row times z is the same row one coefficient earlier in memory: only its address changes.
 *
 * Source: Beckermann, Labahn 1994; Giorgi, Jeannerod, Villard 2003, algorithm M-Basis.
 */
import { combine, F_ONE, invert, negate } from './poly-residues';
import { barrier } from './team';

const SPIN: i32 = 20000;

// A plan, in words: rank, coefficients of the longest pivot row, then lists and vectors (kinds … coefficientsOf).
const RANK: usize = 0;
const LONGEST: usize = 4;
const LISTS: usize = 16;

// What a row is at an order.
const LATER: i32 = 0; // not looked at: whoever changes it finds its coefficients
const PIVOT: i32 = 1;
const KNOWN: i32 = 2; // its coefficients were found on the way to the last pivot

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
  own!: usize; // vectors of this thread: factors w, work 2·w, then addresses of n rows
}

// Lists of a plan, by number of words before them.
// @ts-ignore: decorator
@inline
function kinds(plan: usize): usize {
  return plan + LISTS;
}
// @ts-ignore: decorator
@inline
function rowsOfP(plan: usize, b: Basis): usize {
  return plan + LISTS + (<usize>b.rows << 2);
}
// @ts-ignore: decorator
@inline
function rowsOfG(plan: usize, b: Basis): usize {
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
/** Addresses of the rows of the echelon form. */
// @ts-ignore: decorator
@inline
function echelonOf(plan: usize, b: Basis): usize {
  return pivotsOf(plan, b) + (<usize>b.n << 3);
}
/** Vectors: w coefficients of a row, then 2·w of each row of the echelon form. */
// @ts-ignore: decorator
@inline
function vectorsOf(plan: usize, b: Basis): usize {
  return (pivotsOf(plan, b) + <usize>b.n * 12 + 63) & ~63;
}
// @ts-ignore: decorator
@inline
function coefficientsOf(plan: usize, b: Basis, row: i32): usize {
  return vectorsOf(plan, b) + (<usize>(row * b.w) << 4);
}

/** The pivots of order k, and the coefficients of the other rows before the last of them. */
function makePlan(plan: usize, k: i32, b: Basis): void {
  const n = b.n;
  const w = b.w;
  const field = b.field;
  const kind = kinds(plan);
  const gAt = rowsOfG(plan, b);
  const pivots = pivotsOf(plan, b);
  const columns = columnsOf(plan, b);
  const echelonAt = echelonOf(plan, b);
  const echelon = coefficientsOf(plan, b, b.rows);
  const factors = b.own;
  const work = factors + (<usize>w << 4);
  const rowAt = work + (<usize>w << 5);
  const one = load<u32>(field, F_ONE);
  sortRows(b.order, b.degrees, b.active);
  for (let i = 0; i < b.rows; i++) put(kind, i, LATER);
  let rank = 0;
  for (let a = 0; a < b.active && rank < n; a++) {
    const i = get(b.order, a);
    const residual = <usize>get(gAt, i) + (<usize>(k * w) << 4);
    negatedAt(factors, residual, columns, rank, field);
    copy(work, residual, w);
    clear(work + (<usize>w << 4), w);
    if (rank > 0) combine(work, factors, echelonAt, rank, 0, 2 * w, field);
    let column = 0;
    while (column < n && get(work, column) == 0) column++;
    if (column == n) {
      copy(coefficientsOf(plan, b, i), work + (<usize>w << 4), w);
      put(kind, i, KNOWN);
      continue;
    }
    // E_rank ← work / its entry at `column`, with 1 for the row itself
    put(work, 4 * w + rank, one);
    const row = echelon + (<usize>(rank * 2 * w) << 4);
    clear(row, 2 * w);
    put(factors, 0, invert(get(work, column), field));
    put(rowAt, 0, <i32>work);
    combine(row, factors, rowAt, 1, 0, 2 * w, field);
    put(rowAt, 0, <i32>row);
    for (let j = 0; j < rank; j++) {
      const earlier = echelon + (<usize>(j * 2 * w) << 4);
      const x = get(earlier, column);
      if (x == 0) continue;
      put(factors, 0, negate(x, field));
      combine(earlier, factors, rowAt, 1, 0, 2 * w, field);
    }
    put(echelonAt, rank, <i32>row);
    put(columns, rank, column);
    put(pivots, rank, i);
    put(kind, i, PIVOT);
    rank++;
  }
  let longest = 0;
  for (let j = 0; j < rank; j++) longest = max(longest, get(b.lengths, get(pivots, j)));
  store<i32>(plan, rank, RANK);
  store<i32>(plan, longest, LONGEST);
}

/** The rows after the order of `plan`: pivot rows begin a coefficient earlier, their degrees and lengths are raised. */
function follow(next: usize, plan: usize, b: Basis): void {
  const rank = load<i32>(plan, RANK);
  const longest = load<i32>(plan, LONGEST);
  copy(rowsOfP(next, b), rowsOfP(plan, b), (b.rows * 2 + 3) >> 2);
  for (let i = 0; i < b.rows; i++) put(b.lengths, i, max(get(b.lengths, i), longest));
  for (let j = 0; j < rank; j++) {
    const i = get(pivotsOf(plan, b), j);
    put(b.degrees, i, get(b.degrees, i) + 1);
    put(b.lengths, i, get(b.lengths, i) + 1);
    put(rowsOfP(next, b), i, get(rowsOfP(next, b), i) - (b.pGroups << 4));
    put(rowsOfG(next, b), i, get(rowsOfG(next, b), i) - (b.w << 4));
  }
}

/** The coefficients of row i, where the plan has not found them: what cancels its residual at order k. */
function findCoefficients(plan: usize, i: i32, k: i32, rank: i32, b: Basis): void {
  const w = b.w;
  const c = coefficientsOf(plan, b, i);
  const factors = b.own;
  const residual = <usize>get(rowsOfG(plan, b), i) + (<usize>(k * w) << 4);
  negatedAt(factors, residual, columnsOf(plan, b), rank, b.field);
  clear(c, w);
  combine(c, factors, echelonOf(plan, b), rank, <usize>w << 4, w, b.field);
}

/** row_i ← row_i + Σ_j c_ij·row_(pivot j), the vectors skip … skip + count − 1 of rows whose addresses are `rowsAt`. */
function addPivots(plan: usize, i: i32, rank: i32, rowsAt: usize, skip: i32, count: i32, b: Basis): void {
  if (count <= 0) return;
  const c = coefficientsOf(plan, b, i);
  const pivots = pivotsOf(plan, b);
  const addresses = b.own + <usize>(3 * b.w << 4);
  let used = 0;
  for (let j = 0; j < rank; j++) {
    if (get(c, j) != 0) used = j + 1;
    put(addresses, j, get(rowsAt, get(pivots, j)));
  }
  if (used == 0) return;
  const offset = <usize>skip << 4;
  combine(<usize>get(rowsAt, i) + offset, c, addresses, used, offset, count, b.field);
}

/**
 * Words: P, columns groups of P, stride of P, G, stride of G, work, rows, passengers, n, L, degrees, scratch, bytes of a
 * plan, bytes of a thread, field, length of P (out).
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
  b.own = own + 64;

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
    put(rowsOfP(plans, b), i, <i32>first);
    put(b.order, i, i);
    put(b.degrees, i, get(degreesOut, i));
    put(b.lengths, i, i < b.active ? 1 : 0);
  }
  barrier(threads, SPIN);
  if (thread == 0 && orders > 0) makePlan(plans, 0, b);
  barrier(threads, SPIN);

  for (let k = 0; k < orders; k++) {
    const plan = plans + (k & 1 ? planBytes : 0);
    const next = plans + (k & 1 ? 0 : planBytes);
    const kind = kinds(plan);
    const rank = load<i32>(plan, RANK);
    const longest = load<i32>(plan, LONGEST);
    const last = k + 1 == orders;

    // Every other row's coefficients, and coefficient k + 1 of G
    let turn = 0;
    for (let i = 0; i < rows && rank > 0; i++) {
      const what = get(kind, i);
      if (what == PIVOT || turn++ % threads != thread) continue;
      if (what == LATER) findCoefficients(plan, i, k, rank, b);
      if (!last) addPivots(plan, i, rank, rowsOfG(plan, b), (k + 1) * w, w, b);
    }
    barrier(threads, SPIN);

    // The next plan by thread 0; the rest of G and P by all, thread 0 taking as many rows less as the plan is worth.
    if (thread == 0) {
      follow(next, plan, b);
      if (!last) makePlan(next, k + 1, b);
    }
    const others = rows - rank;
    const left = (orders - k - 2) * w;
    const ofRow = rank * (pGroups * longest + max(left, 0)) + 40;
    const ofPlan = last ? 0 : n * (OPERATIONS_OF_PIVOT + 4 * n * w);
    const mine = max(0, ((others * ofRow + ofPlan) / threads - ofPlan) / ofRow);
    const firsts = threads == 1 ? others : min(others, mine);
    const lowest = thread == 0 ? 0 : firsts + ((others - firsts) * (thread - 1)) / (threads - 1);
    const highest = thread == 0 ? firsts : firsts + ((others - firsts) * thread) / (threads - 1);
    turn = 0;
    for (let i = 0; i < rows && rank > 0; i++) {
      if (get(kind, i) == PIVOT) continue;
      const t = turn++;
      if (t < lowest || t >= highest) continue;
      addPivots(plan, i, rank, rowsOfP(plan, b), 0, pGroups * longest, b);
      addPivots(plan, i, rank, rowsOfG(plan, b), (k + 2) * w, left, b);
    }
    barrier(threads, SPIN);
  }

  const plan = plans + (orders & 1 ? planBytes : 0);
  for (let i = thread; i < rows; i += threads) {
    const from = <usize>get(rowsOfP(plan, b), i);
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
