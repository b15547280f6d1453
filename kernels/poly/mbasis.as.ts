/**
 * The iterative M-basis: the base case of sigma-basis, all orders of a short series in one kernel.
 *
 *   G : R × n, L coefficients     P : R × (R − s) with P·G ≡ 0 mod z^L
 *   degrees : one a row, raised as the pivots are
 *
 * At order k the rows, taken by degree (equal ones by number), have the residuals D_i = [z^k] G_i. A row whose residual
 * is no combination of those of earlier rows is a pivot, unless it is one of the last s (right-hand rows); every other
 * row gets the combination of pivot rows that cancels its residual; then the pivot rows are multiplied by z. Both P and
 * G undergo the row operations, so the next residuals can be read off G.
 *
 * Thread 0 goes ahead through all orders: it makes an order's record (mbasis-pivots.as.ts) and applies it to the few
 * coefficients of G that the next residuals need. Free threads apply the records to P and to the later coefficients of
 * G at any time before these are read (mbasis-updates.as.ts), so no order ends with a barrier.
 *
 * Source: Beckermann, Labahn 1994; Giorgi, Jeannerod, Villard 2003, algorithm M-Basis.
 */
import * as L from './mbasis-layout';
import { Basis, get, makeRecord, put } from './mbasis-pivots.as';
import { apply, begin, finish, obtain, publish, Runs, workOn } from './mbasis-updates.as';
import { barrier } from '../threads/fork-join.as';

export function mbasis(thread: i32, threads: i32, args: usize): void {
  const sourceStride = load<i32>(args, L.G_STRIDE);
  const source = <usize>load<u32>(args, L.G);
  const rows = load<i32>(args, L.ROWS);
  const orders = load<i32>(args, L.ORDERS);
  const degreesOut = <usize>load<u32>(args, L.DEGREES);
  const spin = load<i32>(args, L.SPIN);
  const work = <usize>load<u32>(args, L.WORK);
  const lists = <usize>load<u32>(args, L.LISTS);
  const plan = <usize>load<u32>(args, L.PLAN);
  const b = changetype<Basis>(<usize>load<u32>(args, L.OWN) + <usize>thread * <usize>load<u32>(args, L.OWN_BYTES));
  b.rows = rows;
  b.active = rows - load<i32>(args, L.RHS_ROWS);
  b.n = load<i32>(args, L.N);
  b.w = (b.n + 3) >> 2;
  b.orders = orders;
  b.field = <usize>load<u32>(args, L.FIELD);
  b.order = lists;
  b.degrees = lists + (<usize>rows << 2);
  b.lengths = lists + (<usize>rows << 3);
  b.records = <usize>load<u32>(args, L.RECORDS);
  b.recordBytes = <usize>load<u32>(args, L.RECORD_BYTES);
  b.place();

  const runs = changetype<Runs>(<usize>load<u32>(args, L.RUNS));
  const gBytes = (<usize>(orders * b.w) << 4) + 64; // rows begin in different sets of the cache
  if (thread == 0) {
    describe(runs, args, work + <usize>rows * gBytes, b);
    for (let i = 0; i < rows; i++) {
      put(b.order, i, i);
      put(b.degrees, i, get(degreesOut, i));
      put(b.lengths, i, i < b.active ? 1 : 0);
      for (let r = 0; r < runs.ofG; r++) put(runs.at(r).rows, i, <i32>(work + <usize>i * gBytes));
    }
  }
  for (let i = thread; i < rows; i += threads) {
    for (let v = 0; v < b.w; v++) {
      const from = source + (<usize>((i * b.w + v) * sourceStride) << 4);
      const to = work + <usize>i * gBytes + (<usize>v << 4);
      for (let k = 0; k < orders; k++) v128.store(to + (<usize>(k * b.w) << 4), v128.load(from + (<usize>k << 4)));
    }
  }
  barrier(threads, spin);
  if (thread == 0) {
    if (!goAhead(runs, plan, b, spin)) return;
    memory.copy(degreesOut, b.degrees, <usize>rows << 2);
    let longest = 1;
    for (let i = 0; i < rows; i++) longest = max(longest, get(b.lengths, i));
    store<i32>(<usize>load<u32>(args, L.LENGTH), longest);
  }
  workOn(runs, thread, b, spin);
}

/** The runs as they are before order 0: of G equally many coefficients, of P equally many groups of columns. */
function describe(runs: Runs, args: usize, at: usize, b: Basis): void {
  runs.ready = 0;
  runs.ofG = load<i32>(args, L.RUNS_OF_G);
  runs.ofP = load<i32>(args, L.RUNS_OF_P);
  runs.first = changetype<usize>(runs) + L.RUN_HEAD;
  runs.bytes = <usize>load<u32>(args, L.RUN_BYTES);
  runs.to = <usize>load<u32>(args, L.P);
  runs.groups = load<i32>(args, L.P_GROUPS);
  runs.stride = load<i32>(args, L.P_STRIDE);
  for (let i = 0; i < runs.ofG + runs.ofP; i++) {
    const run = runs.at(i);
    const ofP = i >= runs.ofG;
    const number = ofP ? i - runs.ofG : i;
    const size = ofP ? runs.groups : b.orders;
    const count = ofP ? runs.ofP : runs.ofG;
    run.taken = 0;
    run.done = 0;
    run.ofP = ofP;
    run.first = (number * size) / count;
    run.end = ((number + 1) * size) / count;
    run.below = ofP || i == 0 ? 0 : changetype<usize>(runs.at(i - 1));
    run.at = ofP ? at + (<usize>(run.first * b.rows * (2 * b.orders + 1)) << 4) : 0;
    if (b.orders > 0 || !ofP) continue;
    begin(run, b);
    finish(run, runs, b);
  }
}

/** Thread 0's way through the orders; false if the team is lost. */
function goAhead(runs: Runs, plan: usize, b: Basis, spin: i32): bool {
  let next = 0;
  let near = runs.at(0);
  for (let k = 0; k < b.orders; k++) {
    if (k == runs.at(next).first) {
      near = runs.at(next);
      if (!obtain(near, k, runs, b, spin)) return false;
      next = min(next + 1, runs.ofG - 1);
    }
    makeRecord(plan, k, near.rows, b);
    publish(runs, k);
    apply(near, k + 1, b);
  }
  return true;
}
