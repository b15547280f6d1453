/**
 * The row operations of the M-basis (mbasis.ts), by runs: parts of G and of P. A free thread takes a run and applies
 * the records to it, order by order.
 *
 *   of G   the coefficients first … end − 1 of all rows. A row times z takes each coefficient to the next one, so a run
 *          follows the one below: order k asks for orders 0 … k − 1 to be done there, and nothing of those above.
 *   of P   the groups first … end − 1 of columns of all rows: no run needs another.
 *
 * A run has all columns of a coefficient side by side, so a row times z is the same row at an address one coefficient
 * earlier. Every run has its own list of the rows' addresses, as of the orders it has done.
 */
import { Basis, factorsIn, countOthers, get, longestIn, othersIn, pivotsIn, put, recordOf } from './mbasis-pivots.as';
import { addPairs, pairRows } from './dot-u16.as';
import { RUN_HEAD, TILE } from './mbasis-layout';
import { combine } from '../residues/dot-u32.as';
import { announce, awaitEvent, event, isPoisoned } from '../threads/fork-join.as';

/** Orders of a run of P before the thread looks for more urgent runs. */
const SOME_ORDERS: i32 = 8;

@unmanaged
export class Run {
  taken!: i32; // by a thread; for good where no other thread has work on it
  done!: i32; // orders
  ofP!: bool;
  first!: i32;
  end!: i32;
  below!: usize; // the run that this one follows, or 0
  at!: usize; // of P: where its rows are

  get rows(): usize {
    return changetype<usize>(this) + RUN_HEAD;
  }
}

/** The common part of a base case's runs, for all threads. */
@unmanaged
export class Runs {
  ready!: i32; // orders that have a record
  ofG!: i32;
  ofP!: i32; // runs, which follow those of G
  first!: usize;
  bytes!: usize; // of a run with its list
  // The layout of P: kernels/poly/poly-matrix.ts
  to!: usize;
  groups!: i32;
  stride!: i32;

  at(i: i32): Run {
    return changetype<Run>(this.first + <usize>i * this.bytes);
  }
}

/**
 * row_i ← row_i + Σ_j c_ij·row_(pivot j) for the rows that are no pivots, vectors first … end − 1 of rows whose
 * addresses are `rows`.
 */
function addPivots(record: usize, rows: usize, first: i32, end: i32, b: Basis): void {
  const found = countOthers(record);
  if (end <= first || found == 0) return;
  const n = b.n;
  const pivots = pivotsIn(record);
  const others = othersIn(record, b);
  // Where a column has no pivot any row will do: its factors are 0.
  for (let c = 0; c < n; c++) put(b.addresses, c, get(rows, max(get(pivots, c), 0)));
  if (!b.byDigits) {
    const offset = <usize>first << 4;
    for (let t = 0; t < found; t++) {
      const to = <usize>get(rows, get(others, t)) + offset;
      combine(to, factorsIn(record, t, b), b.addresses, n, offset, end - first, b.field);
    }
    return;
  }
  for (; first < end; first += TILE) {
    const count = min(TILE, end - first);
    const offset = <usize>first << 4;
    pairRows(b.pairs, b.addresses, n, offset, count);
    for (let t = 0; t < found; t++) {
      addPairs(<usize>get(rows, get(others, t)) + offset, factorsIn(record, t, b), b.pairs, n, count, b.field);
    }
  }
}

/** Orders up to `end` of a run that this thread has taken. */
export function apply(run: Run, end: i32, b: Basis): void {
  const rows = run.rows;
  const width = run.ofP ? run.end - run.first : b.w;
  for (let k = run.done; k < end; k++) {
    const record = recordOf(k, b);
    if (run.ofP) addPivots(record, rows, 0, width * longestIn(record), b);
    else addPivots(record, rows, width * max(run.first, k + 1), width * run.end, b);
    for (let c = 0; c < b.n; c++) {
      const i = get(pivotsIn(record), c);
      if (i >= 0) put(rows, i, get(rows, i) - (width << 4));
    }
    atomic.store<i32>(changetype<usize>(run) + offsetof<Run>('done'), k + 1);
  }
}

function ordersDone(run: Run): i32 {
  return atomic.load<i32>(changetype<usize>(run) + offsetof<Run>('done'));
}

function isTaken(run: Run): bool {
  return atomic.load<i32>(changetype<usize>(run)) != 0;
}

/** Whether it was free. */
function take(run: Run): bool {
  return atomic.cmpxchg<i32>(changetype<usize>(run), 0, 1) == 0;
}

/** Orders that have a record. */
function readyOf(runs: Runs): i32 {
  return atomic.load<i32>(changetype<usize>(runs));
}

/** Publishes the record of order k. */
export function publish(runs: Runs, k: i32): void {
  atomic.store<i32>(changetype<usize>(runs), k + 1);
  announce();
}

/** The order up to which a run can go. */
function reach(run: Run, ready: i32): i32 {
  return run.below == 0 ? ready : min(ready, ordersDone(changetype<Run>(run.below)) + 1);
}

/** The identity, with room for L factors z before it. */
export function begin(run: Run, b: Basis): void {
  const width = run.end - run.first;
  const bytes = <usize>((2 * b.orders + 1) * width) << 4;
  memory.fill(run.at, 0, <usize>b.rows * bytes);
  for (let i = 0; i < b.rows; i++) {
    const row = run.at + <usize>i * bytes + (<usize>(b.orders * width) << 4);
    const column = i - 4 * run.first;
    if (i < b.active && column >= 0 && column < 4 * width) store<u32>(row + (<usize>column << 2), 1);
    put(run.rows, i, <i32>row);
  }
}

/** Copies a run of P to its place in P. */
export function finish(run: Run, runs: Runs, b: Basis): void {
  const width = run.end - run.first;
  for (let i = 0; i < b.rows; i++) {
    const from = <usize>get(run.rows, i);
    for (let g = 0; g < width; g++) {
      const to = runs.to + (<usize>((i * runs.groups + run.first + g) * runs.stride) << 4);
      for (let k = 0; k < runs.stride; k++) {
        v128.store(to + (<usize>k << 4), v128.load(from + (<usize>(k * width + g) << 4)));
      }
    }
  }
}

/** Takes one run that lacks orders, of G first, and applies some; false if there is none. */
function workOnce(runs: Runs, thread: i32, ready: i32, b: Basis): bool {
  for (let i = 0; i < runs.ofG + runs.ofP; i++) {
    // Threads look at runs of P from different ones on.
    const run = runs.at(i < runs.ofG ? i : runs.ofG + ((i - runs.ofG + thread) % runs.ofP));
    if (isTaken(run) || reach(run, ready) <= ordersDone(run) || !take(run)) continue;
    const done = run.done;
    const ofP = run.ofP;
    if (ofP && done == 0) begin(run, b);
    const end = reach(run, ready);
    apply(run, ofP && ready < b.orders ? min(end, done + SOME_ORDERS) : end, b);
    if (ofP && run.done == b.orders) finish(run, runs, b);
    else {
      atomic.store<i32>(changetype<usize>(run), 0);
      announce();
    }
    return true;
  }
  return false;
}

/**
 * Works until other threads have taken the last run. A thread that gives a run back looks again: more of it may be
 * ready.
 */
export function workOn(runs: Runs, thread: i32, b: Basis, spin: i32): void {
  for (;;) {
    const seen = event();
    if (isPoisoned()) return;
    const ready = readyOf(runs);
    if (workOnce(runs, thread, ready, b)) continue;
    if (ready == b.orders) return;
    awaitEvent(seen, spin);
  }
}

/** Thread 0 takes a run of G for good and brings it to order k; false if the team is lost. */
export function obtain(run: Run, k: i32, runs: Runs, b: Basis, spin: i32): bool {
  for (;;) {
    const seen = event();
    if (take(run)) break;
    if (isPoisoned()) return false;
    if (!workOnce(runs, 0, k, b)) awaitEvent(seen, spin);
  }
  apply(run, k, b);
  return true;
}
