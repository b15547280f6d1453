/**
 * Rank and determinant by sparse Gaussian elimination over any field: the row with the fewest entries gives the pivot,
 * in its column with the fewest rows (Markowitz 1957, row first), to keep the fill down. Exact and deterministic.
 *
 *   A = product of elementary row operations that do not change the determinant; det A = sign·product of the pivots
 */
import type { Field } from '../../fields/field.js';
import type { SparseRow } from './rows.js';

export interface Elimination<E> {
  readonly rank: number;
  /** 0 unless the matrix is square and of full rank; 1 for 0 × 0. */
  readonly determinant: E;
  /** Where the pivots stood, in order of elimination: A restricted to them is nonsingular. */
  readonly pivotRows: readonly number[];
  readonly pivotCols: readonly number[];
  /** The rows behind the elimination: that of a pivot has no entry in the columns of the pivots before it. */
  readonly rows: readonly SparseRow<E>[];
}

export function sparseRankReference<E>(
  F: Field<E>,
  rows: readonly SparseRow<E>[],
  check?: (held: number) => void,
): number {
  return eliminateSparse(F, rows, 0, check).rank;
}

/**
 * `check` is called once a pivot, with the number of entries that are held, and may throw to stop the work. `lower`,
 * an empty row for each of the matrix, gets in row i at pivot k the factor with which the row of that pivot was added
 * to row i.
 */
export function eliminateSparse<E>(
  F: Field<E>,
  matrix: readonly SparseRow<E>[],
  cols: number,
  check?: (held: number) => void,
  lower?: readonly SparseRow<E>[],
): Elimination<E> {
  const rows = matrix.map((row) => new Map(row));
  const columns = columnSets(rows);
  const queue = new ShortestRow(rows);
  const pivotCol = new Array<number>(rows.length).fill(-1);
  const pivotRows: number[] = [];
  let product = F.one;
  let rank = 0;
  let held = rows.reduce((sum, row) => sum + row.size, 0);
  for (let r = queue.take(); r >= 0; r = queue.take()) {
    check?.(held);
    let j = -1;
    for (const c of rows[r].keys()) if (j < 0 || columns.get(c)!.size < columns.get(j)!.size) j = c;
    const pivot = rows[r].get(j)!;
    pivotCol[r] = j;
    pivotRows.push(r);
    product = F.mul(product, pivot);
    rank++;
    for (const c of rows[r].keys()) columns.get(c)!.delete(r);
    const inverse = F.inv(pivot);
    for (const i of columns.get(j)!) {
      // row i ← row i − (a_ij / pivot)·row r
      const target = rows[i];
      const factor = F.neg(F.mul(target.get(j)!, inverse));
      lower?.[i].set(rank - 1, factor);
      if (lower) held++;
      held -= target.size;
      for (const [c, value] of rows[r]) {
        const have = target.get(c);
        const sum = have === undefined ? F.mul(factor, value) : F.add(have, F.mul(factor, value));
        if (!F.equals(sum, F.zero)) {
          target.set(c, sum);
          if (have === undefined) columns.get(c)!.add(i);
        } else {
          target.delete(c);
          if (c !== j) columns.get(c)!.delete(i);
        }
      }
      held += target.size;
      queue.enter(i);
    }
    columns.delete(j);
  }
  const full = rank === rows.length && rank === cols;
  const determinant = !full ? F.zero : isOdd(pivotCol) ? F.neg(product) : product;
  return { rank, determinant, pivotRows, pivotCols: pivotRows.map((r) => pivotCol[r]), rows };
}

function columnSets<E>(rows: readonly SparseRow<E>[]): Map<number, Set<number>> {
  const columns = new Map<number, Set<number>>();
  rows.forEach((row, i) => {
    for (const j of row.keys()) {
      const set = columns.get(j);
      if (set) set.add(i);
      else columns.set(j, new Set([i]));
    }
  });
  return columns;
}

/** Whether a permutation is odd: by the number of its cycles of even length. */
function isOdd(permutation: readonly number[]): boolean {
  const seen = new Uint8Array(permutation.length);
  let odd = false;
  for (let start = 0; start < permutation.length; start++) {
    let length = 0;
    for (let i = start; seen[i] === 0; i = permutation[i], length++) seen[i] = 1;
    if (length > 0 && length % 2 === 0) odd = !odd;
  }
  return odd;
}

/** Rows by number of entries; a row is listed again when its number changes and stale listings are skipped. */
class ShortestRow<E> {
  private readonly rows: readonly SparseRow<E>[];
  private readonly buckets: number[][] = [];
  private readonly done: Uint8Array;
  private least = 1; // no bucket below it has a live row

  constructor(rows: readonly SparseRow<E>[]) {
    this.rows = rows;
    this.done = new Uint8Array(rows.length);
    for (let i = rows.length - 1; i >= 0; i--) this.enter(i);
  }

  enter(i: number): void {
    const size = this.rows[i].size;
    if (size === 0) return;
    this.buckets[size] ??= [];
    this.buckets[size].push(i);
    this.least = Math.min(this.least, size);
  }

  /** The next shortest nonempty row, never to be given again; −1 when there is none. */
  take(): number {
    for (; this.least < this.buckets.length; this.least++) {
      const bucket = this.buckets[this.least];
      while (bucket !== undefined && bucket.length > 0) {
        const i = bucket.pop()!;
        if (this.done[i] === 1 || this.rows[i].size !== this.least) continue;
        this.done[i] = 1;
        return i;
      }
    }
    return -1;
  }
}
