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
 * The pivots and the form that gives the combinations are the plan of the order, poly-basis-plan.ts: little work, but all
 * of it comes before the row operations. So thread 0 does these for coefficient k + 1 of G first and makes the plan of
 * order k + 1 while the others are at the rest of order k: one barrier an order. Every thread finds all rows' factors for
 * itself; those of wide blocks, and coefficient k + 1, are dealt out, for one barrier more. A thread works on a range of
 * coefficients of all rows, about the same from order to order, so that little of P and G passes from core to core; thread
 * 0's is shorter by what the plan is worth. P and G are kept with all columns of a coefficient side by side, so that a row
 * times z is the same row one coefficient earlier in memory: only its address changes.
 *
 * Source: Beckermann, Labahn 1994; Giorgi, Jeannerod, Villard 2003, algorithm M-Basis.
 */
import {
  Basis, digitsOf, factorsOf, findFactors, findOthers, get, LONGEST, makePlan, pivotsOf, put, RANK, rowsOfG, rowsOfP,
} from './poly-basis-plan';
import { addPairs, pairRows, TILE } from './poly-digits';
import { combine } from './poly-residues';
import { barrier } from './team';

/** Products of a vector, for all factors of an order, from which on they are dealt out: about 2 µs. */
const WORTH_A_BARRIER: f64 = 2500;

/** What thread 0 does before its range of an order that has another behind it, in products of a vector (measured, Zen 4). */
function costOfPlan(b: Basis): f64 {
  const products = <f64>b.n * (100 + 3 * <f64>b.n * <f64>b.w);
  return b.byDigits ? 2 * products : products;
}

/** The rows after the order of `plan`: pivot rows begin a coefficient earlier, their degrees and lengths are raised. */
function follow(next: usize, plan: usize, b: Basis): void {
  const longest = load<i32>(plan, LONGEST);
  memory.copy(rowsOfP(next), rowsOfP(plan), <usize>b.rows << 3); // with those of G
  for (let i = 0; i < b.rows; i++) put(b.lengths, i, max(get(b.lengths, i), longest));
  for (let c = 0; c < b.n; c++) {
    const i = get(pivotsOf(plan, b), c);
    if (i < 0) continue;
    put(b.degrees, i, get(b.degrees, i) + 1);
    put(b.lengths, i, get(b.lengths, i) + 1);
    put(rowsOfP(next), i, get(rowsOfP(next), i) - (b.pGroups << 4));
    put(rowsOfG(next, b), i, get(rowsOfG(next, b), i) - (b.w << 4));
  }
}

/**
 * row_i ← row_i + Σ_j c_ij·row_(pivot j) for the rows number t, t + step, … of those found, the vectors skip … end − 1 of
 * rows whose addresses are `rowsAt`.
 */
function addPivots(
  plan: usize, t: i32, step: i32, found: i32, rowsAt: usize, skip: i32, end: i32, b: Basis,
): void {
  if (end <= skip || t >= found) return;
  const n = b.n;
  // Where a column has no pivot any row will do: its factors are 0.
  for (let c = 0; c < n; c++) put(b.addresses, c, get(rowsAt, max(get(pivotsOf(plan, b), c), 0)));
  if (!b.byDigits) {
    const offset = <usize>skip << 4;
    for (; t < found; t += step) {
      const to = <usize>get(rowsAt, get(b.others, t)) + offset;
      combine(to, factorsOf(b, t), b.addresses, n, offset, end - skip, b.field);
    }
    return;
  }
  for (let first = skip; first < end; first += TILE) {
    const count = min(TILE, end - first);
    const offset = <usize>first << 4;
    pairRows(b.pairs, b.addresses, n, offset, count);
    for (let i = t; i < found; i += step) {
      addPairs(<usize>get(rowsAt, get(b.others, i)) + offset, digitsOf(b, i), b.pairs, n, count, b.field);
    }
  }
}

/**
 * Words: P, columns groups of P, stride of P, G, stride of G, work, rows, passengers, n, L, degrees, scratch, bytes of a
 * plan, bytes of a thread, field, length of P (out), spin of a barrier.
 * Work, in vectors: rows·(L·w + 4) for G, then rows·(2·L + 1)·groups for P, w = groups of G. Scratch: two plans, three lists of
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
  const gBytes = (<usize>(orders * w) << 4) + 64; // rows begin in different sets of the cache
  const work = G + <usize>rows * gBytes;
  const pBytes = <usize>((2 * orders + 1) * pGroups) << 4;
  const lists = plans + 2 * planBytes;
  const owns = (lists + <usize>rows * 12 + 63) & ~63;
  const own = owns + <usize>thread * <usize>load<u32>(args + 52);
  const b = changetype<Basis>(own);
  b.rows = rows;
  b.active = rows - load<i32>(args + 28);
  b.n = n;
  b.w = w;
  b.pGroups = pGroups;
  b.field = <usize>load<u32>(args + 56);
  b.order = lists;
  b.degrees = lists + (<usize>rows << 2);
  b.lengths = lists + (<usize>rows << 3);
  b.place();

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
    const found = rank == 0 ? 0 : findOthers(plan, b);
    const dealt = threads > 1 && <f64>found * <f64>(n * w) >= WORTH_A_BARRIER;
    b.keepFactors(dealt ? owns : own);
    const row = dealt ? thread : 0;
    const step = dealt ? threads : 1;
    findFactors(plan, k, row, step, found, b);
    if (!last && (dealt || thread == 0)) addPivots(plan, row, step, found, rowsOfG(plan, b), first - w, first, b);
    if (dealt) barrier(threads, spin);
    if (thread == 0) {
      follow(next, plan, b);
      if (!last) makePlan(next, k + 1, b);
    }

    // All threads' work is found·rank·(ofP + ofG) and what thread 0 does before; the rest is shared by ranges of coefficients.
    // As f64: from blocks of 400 columns on it is beyond 2^31, and from 1100 on so is the plan.
    const perVector = <f64>max(found, 1) * <f64>max(rank, 1);
    const ofPlan = last ? 0 : costOfPlan(b);
    const all = ofP + ofG;
    const mine = threads == 1 ? all : <i32>max<f64>(0, ((<f64>all * perVector + ofPlan) / threads - ofPlan) / perVector);
    const from = thread == 0 ? 0 : mine + ((all - mine) * (thread - 1)) / (threads - 1);
    const to = thread == 0 ? mine : mine + ((all - mine) * thread) / (threads - 1);
    addPivots(plan, 0, 1, found, rowsOfP(plan), min(from, ofP), min(to, ofP), b);
    addPivots(plan, 0, 1, found, rowsOfG(plan, b), first + max(from - ofP, 0), first + max(to - ofP, 0), b);
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
