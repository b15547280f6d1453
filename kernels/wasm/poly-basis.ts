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
 * Threads own groups of columns of P and G, and every one computes the small echelon form for itself: a barrier an order.
 * Coefficient k of G is read only in order k and written only before it, so that suffices. Once there are n pivots the
 * form is complete, and threads share the rows that are left, most of them where R is well above n: a second barrier.
 *
 * Source: Beckermann, Labahn 1994; Giorgi, Jeannerod, Villard 2003, algorithm M-Basis.
 */
import { combine, F_ONE, invert, negate } from './poly-residues';
import { barrier } from './team';

const SPIN: i32 = 20000;

// What a row is in an order, where it is not 0.
const PIVOT: i32 = 1;
const SHARED: i32 = 2; // its coefficients stand where all threads see them

/**
 * Bytes of scratch per thread: 16·(rows + 4·cols) for the lists of rows and of pivots, in whole lines of 64, and in
 * vectors, w = groups of G: rows·w residuals, rows·w coefficients, n·2w echelon rows, 2w for the row in work. Then, for
 * all threads, rows·w coefficients more. The caller computes the same (kernels/poly-basis.ts).
 */

/** Negated entries of `row` at the pivot columns. */
function negatedAt(out: usize, row: usize, columns: usize, rank: i32, field: usize): void {
  for (let j = 0; j < rank; j++) {
    const x = load<u32>(row + (<usize>load<u32>(columns + (<usize>j << 2)) << 2));
    store<u32>(out + (<usize>j << 2), negate(x, field));
  }
}

/** Insertion sort of the row numbers by degree, ties by number; nearly sorted from one order to the next. */
function sortRows(order: usize, degrees: usize, rows: i32): void {
  for (let a = 1; a < rows; a++) {
    const row = load<i32>(order + (<usize>a << 2));
    const degree = load<i32>(degrees + (<usize>row << 2));
    let b = a - 1;
    for (; b >= 0; b--) {
      const other = load<i32>(order + (<usize>b << 2));
      const d = load<i32>(degrees + (<usize>other << 2));
      if (d < degree || (d == degree && other < row)) break;
      store<i32>(order + (<usize>(b + 1) << 2), other);
    }
    store<i32>(order + (<usize>(b + 1) << 2), row);
  }
}

/** dst[1 … count] ← src[0 … count − 1], overlapping. */
// @ts-ignore: decorator
@inline
function shiftUp(at: usize, count: i32): void {
  for (let i = count; i > 0; i--) {
    const to = at + (<usize>i << 4);
    v128.store(to, v128.load(to - 16));
  }
}

/**
 * Words: P, columns groups of P, stride of P, G (a working copy is made), stride of G, work (rows·w·L vectors), rows,
 * passengers, n, L, degrees, scratch, scratch bytes a thread, field, length of P (out).
 */
export function polyBasis(thread: i32, threads: i32, args: usize): void {
  const P = <usize>load<u32>(args);
  const pGroups = load<i32>(args + 4);
  const pStride = load<i32>(args + 8);
  const source = <usize>load<u32>(args + 12);
  const sourceStride = load<i32>(args + 16);
  const G = <usize>load<u32>(args + 20);
  const rows = load<i32>(args + 24);
  const passengers = load<i32>(args + 28);
  const n = load<i32>(args + 32);
  const orders = load<i32>(args + 36);
  const degreesOut = <usize>load<u32>(args + 40);
  const scratchOfAll = <usize>load<u32>(args + 44);
  const perThread = <usize>load<u32>(args + 48);
  const scratch = scratchOfAll + <usize>thread * perThread;
  const field = <usize>load<u32>(args + 52);
  const lengthOut = <usize>load<u32>(args + 56);
  const one = load<u32>(field, F_ONE);
  const w = (n + 3) >> 2;
  const active = rows - passengers;

  const order = scratch;
  const degrees = order + (<usize>rows << 2);
  const lengths = degrees + (<usize>rows << 2);
  const kind = lengths + (<usize>rows << 2);
  const pivots = kind + (<usize>rows << 2);
  const columns = pivots + (<usize>n << 2);
  const echelonAt = columns + (<usize>n << 2);
  const rowAt = echelonAt + (<usize>n << 2);
  const factors = rowAt + (<usize>n << 2);
  const residuals = scratch + ((((<usize>(rows * 4 + n * 5)) << 2) + 63) & ~63);
  const coefficients = residuals + (<usize>(rows * w) << 4);
  const echelon = coefficients + (<usize>(rows * w) << 4);
  const work = echelon + (<usize>(n * 2 * w) << 4);
  const shared = scratchOfAll + <usize>threads * perThread;

  // P ← identity, G ← the series.
  for (let i = 0; i < rows; i++) {
    store<i32>(order + (<usize>i << 2), i);
    store<i32>(degrees + (<usize>i << 2), load<i32>(degreesOut + (<usize>i << 2)));
    store<i32>(lengths + (<usize>i << 2), i < active ? 1 : 0);
    for (let g = thread; g < pGroups; g += threads) {
      const at = P + (<usize>((i * pGroups + g) * pStride) << 4);
      memory.fill(at, 0, <usize>pStride << 4);
      if (i < active && i >> 2 == g) store<u32>(at + (<usize>(i & 3) << 2), 1);
    }
    for (let g = (thread + threads - (pGroups % threads)) % threads; g < w; g += threads) {
      memory.copy(
        G + (<usize>((i * w + g) * orders) << 4),
        source + (<usize>((i * w + g) * sourceStride) << 4),
        <usize>orders << 4,
      );
    }
  }

  for (let k = 0; k < orders; k++) {
    barrier(threads, SPIN);
    let some = false;
    for (let v = 0; v < rows * w; v++) {
      const x = v128.load(G + (<usize>(v * orders + k) << 4));
      v128.store(residuals + (<usize>v << 4), x);
      some = some || v128.any_true(x);
    }
    if (!some) continue;
    sortRows(order, degrees, active);
    memory.fill(coefficients, 0, <usize>(rows * w) << 4);
    memory.fill(kind, 0, <usize>rows << 2);

    // Pivots and coefficients, by rows in order; passengers come last.
    let rank = 0;
    let a = 0;
    for (; a < rows && rank < n; a++) {
      const i = a < active ? load<i32>(order + (<usize>a << 2)) : a;
      const residual = residuals + (<usize>(i * w) << 4);
      const coefficient = coefficients + (<usize>(i * w) << 4);
      negatedAt(factors, residual, columns, rank, field);
      if (a >= active) {
        if (rank > 0) combine(coefficient, factors, echelonAt, rank, <usize>w << 4, w, field);
        continue;
      }
      memory.copy(work, residual, <usize>w << 4);
      memory.fill(work + (<usize>w << 4), 0, <usize>w << 4);
      if (rank > 0) combine(work, factors, echelonAt, rank, 0, 2 * w, field);
      let column = 0;
      while (column < n && load<u32>(work + (<usize>column << 2)) == 0) column++;
      if (column == n) {
        memory.copy(coefficient, work + (<usize>w << 4), <usize>w << 4);
        continue;
      }
      // E_rank ← work / its entry at `column`, with 1 for the row itself
      store<u32>(work + (<usize>(4 * w + rank) << 2), one);
      const row = echelon + (<usize>(rank * 2 * w) << 4);
      memory.fill(row, 0, <usize>(2 * w) << 4);
      store<u32>(factors, invert(load<u32>(work + (<usize>column << 2)), field));
      store<u32>(rowAt, <u32>work);
      combine(row, factors, rowAt, 1, 0, 2 * w, field);
      store<u32>(rowAt, <u32>row);
      for (let j = 0; j < rank; j++) {
        const earlier = echelon + (<usize>(j * 2 * w) << 4);
        const x = load<u32>(earlier + (<usize>column << 2));
        if (x == 0) continue;
        store<u32>(factors, negate(x, field));
        combine(earlier, factors, rowAt, 1, 0, 2 * w, field);
      }
      store<u32>(echelonAt + (<usize>rank << 2), <u32>row);
      store<i32>(columns + (<usize>rank << 2), column);
      store<i32>(pivots + (<usize>rank << 2), i);
      store<i32>(kind + (<usize>i << 2), PIVOT);
      rank++;
    }
    if (a < rows) {
      for (let b = a; b < rows; b++) {
        const i = b < active ? load<i32>(order + (<usize>b << 2)) : b;
        store<i32>(kind + (<usize>i << 2), SHARED);
        if (b % threads != thread) continue;
        const coefficient = shared + (<usize>(i * w) << 4);
        memory.fill(coefficient, 0, <usize>w << 4);
        negatedAt(factors, residuals + (<usize>(i * w) << 4), columns, rank, field);
        combine(coefficient, factors, echelonAt, rank, <usize>w << 4, w, field);
      }
      barrier(threads, SPIN);
    }

    // The other rows, in the groups of this thread: row_i ← row_i + Σ_j c_ij·row_(pivot j)
    let longest = 0;
    for (let j = 0; j < rank; j++) {
      longest = max(longest, load<i32>(lengths + (<usize>load<i32>(pivots + (<usize>j << 2)) << 2)));
    }
    for (let part = 0; part < 2; part++) {
      const base = part == 0 ? P : G;
      const groups = part == 0 ? pGroups : w;
      const stride = part == 0 ? pStride : orders;
      const skip = part == 0 ? 0 : k + 1;
      const count = part == 0 ? longest : orders - k - 1;
      const rowVectors = groups * stride;
      for (let j = 0; j < rank; j++) {
        const i = load<i32>(pivots + (<usize>j << 2));
        store<u32>(rowAt + (<usize>j << 2), <u32>(base + (<usize>(i * rowVectors) << 4)));
      }
      const first = part == 0 ? thread : (thread + threads - (pGroups % threads)) % threads;
      for (let i = 0; i < rows; i++) {
        const what = load<i32>(kind + (<usize>i << 2));
        if (what == PIVOT) continue;
        const c = (what == SHARED ? shared : coefficients) + (<usize>(i * w) << 4);
        let used = 0;
        for (let j = 0; j < rank; j++) if (load<u32>(c + (<usize>j << 2)) != 0) used = j + 1;
        if (used == 0) continue;
        for (let g = first; g < groups; g += threads) {
          const offset = <usize>(g * stride + skip) << 4;
          combine(base + (<usize>(i * rowVectors) << 4) + offset, c, rowAt, used, offset, count, field);
        }
        if (part == 1) {
          const at = lengths + (<usize>i << 2);
          store<i32>(at, max(load<i32>(at), longest));
        }
      }
      // row_(pivot j) ← z·row_(pivot j)
      for (let j = 0; j < rank; j++) {
        const row = <usize>load<u32>(rowAt + (<usize>j << 2));
        for (let g = first; g < groups; g += threads) {
          const at = row + (<usize>(g * stride) << 4);
          if (part == 0) {
            const i = load<i32>(pivots + (<usize>j << 2));
            shiftUp(at, load<i32>(lengths + (<usize>i << 2)));
            v128.store(at, i32x4.splat(0));
          } else {
            shiftUp(at + (<usize>k << 4), orders - k - 1);
          }
        }
      }
    }
    for (let j = 0; j < rank; j++) {
      const i = <usize>load<i32>(pivots + (<usize>j << 2)) << 2;
      store<i32>(degrees + i, load<i32>(degrees + i) + 1);
      store<i32>(lengths + i, load<i32>(lengths + i) + 1);
    }
  }

  barrier(threads, SPIN);
  if (thread == 0) {
    memory.copy(degreesOut, degrees, <usize>rows << 2);
    let longest = 1;
    for (let i = 0; i < rows; i++) longest = max(longest, load<i32>(lengths + (<usize>i << 2)));
    store<i32>(lengthOut, longest);
  }
}
