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
 * Every thread computes the small echelon form for itself, and the threads share the other rows, a row to one thread, equal
 * in number whatever the columns are. Two barriers an order: pivot rows are read by all before they are multiplied by z,
 * and coefficient k of G, read only in order k, is written only before it.
 *
 * Source: Beckermann, Labahn 1994; Giorgi, Jeannerod, Villard 2003, algorithm M-Basis.
 */
import { combine, F_ONE, invert, negate } from './poly-residues';
import { barrier } from './team';

const SPIN: i32 = 20000;

/**
 * Bytes of scratch per thread: 16·(rows + 4·cols) for the lists of rows and of pivots, in whole lines of 64, and in
 * vectors, w = groups of G: w for a residual, rows·w coefficients, n·2w echelon rows, 2w for the row in work. Then, for all
 * threads, the rows' lengths, 4·rows. The caller computes the same (kernels/poly-basis.ts).
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

/** to ← `count` vectors, `stride` apart. */
// @ts-ignore: decorator
@inline
function gather(to: usize, source: usize, count: i32, stride: i32): void {
  for (let g = 0; g < count; g++) v128.store(to + (<usize>g << 4), v128.load(source + (<usize>(g * stride) << 4)));
}

/** row_i ← row_i + Σ_j c_j·row_(pivot j), j < used, the coefficients skip … skip + count − 1 of a matrix at `base`. */
function addPivots(
  base: usize, i: i32, groups: i32, stride: i32, skip: i32, count: i32,
  c: usize, used: i32, pivots: usize, rowAt: usize, field: usize,
): void {
  const rowBytes = <usize>(groups * stride) << 4;
  for (let j = 0; j < used; j++) {
    store<u32>(rowAt + (<usize>j << 2), <u32>(base + <usize>load<i32>(pivots + (<usize>j << 2)) * rowBytes));
  }
  for (let g = 0; g < groups; g++) {
    const offset = <usize>(g * stride + skip) << 4;
    combine(base + <usize>i * rowBytes + offset, c, rowAt, used, offset, count, field);
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
  const kind = degrees + (<usize>rows << 2);
  const pivots = kind + (<usize>rows << 2);
  const columns = pivots + (<usize>n << 2);
  const echelonAt = columns + (<usize>n << 2);
  const rowAt = echelonAt + (<usize>n << 2);
  const factors = rowAt + (<usize>n << 2);
  const residual = scratch + ((((<usize>(rows * 4 + n * 5)) << 2) + 63) & ~63);
  const coefficients = residual + (<usize>w << 4);
  const echelon = coefficients + (<usize>(rows * w) << 4);
  const work = echelon + (<usize>(n * 2 * w) << 4);
  const lengths = scratchOfAll + <usize>threads * perThread;

  // P ← identity, G ← the series.
  for (let i = 0; i < rows; i++) {
    store<i32>(order + (<usize>i << 2), i);
    store<i32>(degrees + (<usize>i << 2), load<i32>(degreesOut + (<usize>i << 2)));
    if (thread == 0) store<i32>(lengths + (<usize>i << 2), i < active ? 1 : 0);
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
    sortRows(order, degrees, active);
    memory.fill(coefficients, 0, <usize>(rows * w) << 4);
    memory.fill(kind, 0, <usize>rows << 2);

    // Pivots, and the coefficients of the other rows before the last of them.
    let rank = 0;
    let reached = 0;
    for (; reached < active && rank < n; reached++) {
      const i = load<i32>(order + (<usize>reached << 2));
      const coefficient = coefficients + (<usize>(i * w) << 4);
      gather(residual, G + (<usize>(i * w * orders + k) << 4), w, orders);
      negatedAt(factors, residual, columns, rank, field);
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
      store<i32>(kind + (<usize>i << 2), 1);
      rank++;
    }
    if (rank == 0) continue;

    // The other rows, by turns: row_i ← row_i + Σ_j c_ij·row_(pivot j)
    let longest = 0;
    for (let j = 0; j < rank; j++) {
      longest = max(longest, load<i32>(lengths + (<usize>load<i32>(pivots + (<usize>j << 2)) << 2)));
    }
    let turn = 0;
    for (let a = 0; a < rows; a++) {
      const i = a < active ? load<i32>(order + (<usize>a << 2)) : a;
      if (load<i32>(kind + (<usize>i << 2))) continue;
      if (turn++ % threads != thread) continue;
      const c = coefficients + (<usize>(i * w) << 4);
      if (a >= reached) {
        gather(residual, G + (<usize>(i * w * orders + k) << 4), w, orders);
        negatedAt(factors, residual, columns, rank, field);
        combine(c, factors, echelonAt, rank, <usize>w << 4, w, field);
      }
      let used = 0;
      for (let j = 0; j < rank; j++) if (load<u32>(c + (<usize>j << 2)) != 0) used = j + 1;
      if (used == 0) continue;
      addPivots(P, i, pGroups, pStride, 0, longest, c, used, pivots, rowAt, field);
      addPivots(G, i, w, orders, k + 1, orders - k - 1, c, used, pivots, rowAt, field);
      const at = lengths + (<usize>i << 2);
      store<i32>(at, max(load<i32>(at), longest));
    }
    barrier(threads, SPIN);

    // row_(pivot j) ← z·row_(pivot j)
    for (let j = 0; j < rank; j++) {
      const i = load<i32>(pivots + (<usize>j << 2));
      const degreeAt = degrees + (<usize>i << 2);
      store<i32>(degreeAt, load<i32>(degreeAt) + 1);
      if (j % threads != thread) continue;
      const lengthAt = lengths + (<usize>i << 2);
      const length = load<i32>(lengthAt);
      for (let g = 0; g < pGroups; g++) {
        const at = P + (<usize>((i * pGroups + g) * pStride) << 4);
        shiftUp(at, length);
        v128.store(at, i32x4.splat(0));
      }
      for (let g = 0; g < w; g++) shiftUp(G + (<usize>((i * w + g) * orders + k) << 4), orders - k - 1);
      store<i32>(lengthAt, length + 1);
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
