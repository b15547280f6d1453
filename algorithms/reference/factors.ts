/**
 * A matrix over any field with its factors, for systems and kernels: exact and deterministic, written to be believed.
 *
 *   A : rows × cols     B : rows × s     X : cols × s, A·X = B     E·A = U, U in echelon form up to the order of lines
 *
 * Elimination of A is E, a product of additions of pivot rows to later rows, kept as numbers L: row i of E·Y is
 * y_i + Σ_k L_ik·(row of pivot k of E·Y). The rows of U without a pivot are 0. So A·X = B where U·X = E·B: by the rows
 * of pivots, from the last back, for any choice of the rows of X in columns without a pivot; a row of E·B without a
 * pivot that is not 0 tells that there is none. Aᵀ·X = B where Uᵀ·W = B, X = Eᵀ·W. Kernels are what unit vectors at
 * free lines extend to.
 *
 * Whatever is given has been multiplied by A.
 */
import type { Field } from '../../fields/field.js';
import { applyRows, type SparseRow, transposeRows } from './rows.js';
import { eliminateSparse } from './sparse-elimination.js';

export interface ReferenceSystem<E> {
  /** Columns of B, where it has no rows to tell. */
  readonly s?: number | undefined;
  /** A uniform element for each free entry of X, which is 0 without it. */
  readonly random?: (() => E) | undefined;
}

export interface ReferenceSolution<E> {
  readonly solution: E[][] | null; // rows of s elements
  readonly inconsistent: { readonly column: number; readonly certificate: E[] } | null; // uᵀ·A = 0, uᵀ·b ≠ 0
}

export class ReferenceFactors<E> {
  readonly rank: number;
  /** 0 unless A is square and of full rank. */
  readonly determinant: E;
  readonly freeCols: readonly number[]; // increasing
  readonly freeRows: readonly number[];
  readonly #F: Field<E>;
  readonly #a: readonly SparseRow<E>[];
  readonly #at: readonly SparseRow<E>[];
  readonly #upper: readonly SparseRow<E>[]; // of pivot k, without the pivot
  readonly #inverses: readonly E[]; // of the pivots
  readonly #lower: readonly SparseRow<E>[]; // of row i: L_ik at pivot k
  readonly #pivotRows: readonly number[];
  readonly #pivotCols: readonly number[];
  readonly #check: (held?: number) => void;

  /** `check` is called often, in the elimination with the entries that it holds, and may throw to stop the work. */
  constructor(F: Field<E>, a: readonly SparseRow<E>[], cols: number, check: (held?: number) => void = () => {}) {
    const lower: SparseRow<E>[] = a.map(() => new Map());
    const { rank, determinant, pivotRows, pivotCols, rows } = eliminateSparse(F, a, cols, check, lower);
    [this.rank, this.determinant, this.#pivotRows, this.#pivotCols] = [rank, determinant, pivotRows, pivotCols];
    [this.#F, this.#a, this.#at, this.#lower, this.#check] = [F, a, transposeRows(a, cols), lower, check];
    this.#inverses = pivotRows.map((r, k) => F.inv(rows[r]!.get(pivotCols[k]!)!));
    this.#upper = pivotRows.map((r, k) => new Map([...rows[r]!].filter(([c]) => c !== pivotCols[k])));
    this.freeRows = without(a.length, pivotRows);
    this.freeCols = without(cols, pivotCols);
  }

  /** X with A·X = B, or u for the first column of B that has no solution. */
  solve(
    B: readonly (readonly E[])[],
    { s = B[0]?.length ?? 0, random }: ReferenceSystem<E> = {},
  ): ReferenceSolution<E> {
    const y = B.map((row) => [...row]);
    // Y ← E·B: the rows of earlier pivots are final
    for (const r of [...this.#pivotRows, ...this.freeRows])
      for (const [k, value] of this.#lower[r]!) this.#add(y[r]!, value, y[this.#pivotRows[k]!]!);
    const refuted = this.#firstNonzero(y, this.freeRows);
    if (refuted !== null) return this.#refute(B, refuted.column, this.#leftVector(refuted.line), this.#at);
    const x = this.#begin(this.#at.length, s, this.freeCols, random);
    for (let k = this.rank - 1; k >= 0; k--) {
      this.#check();
      // x_j ← (y − Σ_(c ≠ j) u_c·x_c) / u_j, j the column of pivot k
      const sum = y[this.#pivotRows[k]!]!;
      for (const [c, value] of this.#upper[k]!) this.#add(sum, this.#F.neg(value), x[c]!);
      x[this.#pivotCols[k]!] = sum.map((value) => this.#F.mul(value, this.#inverses[k]!));
    }
    return this.#accept(this.#a, x, B, s);
  }

  /** X with Aᵀ·X = B, or v with A·v = 0 and vᵀ·b ≠ 0. */
  solveTransposed(
    B: readonly (readonly E[])[],
    { s = B[0]?.length ?? 0, random }: ReferenceSystem<E> = {},
  ): ReferenceSolution<E> {
    const rest = B.map((row) => [...row]); // B − Uᵀ·W so far
    const x = this.#begin(this.#a.length, s, this.freeRows, random);
    for (let k = 0; k < this.rank; k++) {
      this.#check();
      const w = rest[this.#pivotCols[k]!]!.map((value) => this.#F.mul(value, this.#inverses[k]!));
      for (const [c, value] of this.#upper[k]!) this.#add(rest[c]!, this.#F.neg(value), w);
      x[this.#pivotRows[k]!] = w;
    }
    const refuted = this.#firstNonzero(rest, this.freeCols);
    if (refuted !== null) return this.#refute(B, refuted.column, this.#rightVector(refuted.line), this.#a);
    // X ← Eᵀ·W: the rows of later pivots are final
    for (const r of [...this.#pivotRows, ...this.freeRows].reverse())
      for (const [k, value] of this.#lower[r]!) this.#add(x[this.#pivotRows[k]!]!, value, x[r]!);
    return this.#accept(this.#at, x, B, s);
  }

  /** A basis of { x : A·x = 0 }, or of { y : yᵀ·A = 0 }: vector l has 1 at free line l and 0 at the others. */
  *vectors(left: boolean): Generator<SparseRow<E>> {
    for (const line of left ? this.freeRows : this.freeCols) {
      this.#check();
      const x = left ? this.#leftVector(line) : this.#rightVector(line);
      checkThat(this.#isKernelVector(left ? this.#a : this.#at, x));
      yield new Map([...x].sort(([i], [j]) => i - j));
    }
  }

  /** The vector of the right kernel at a free column: U·x = 0. */
  #rightVector(free: number): SparseRow<E> {
    this.#columns ??= transposeRows(this.#upper, this.#at.length);
    const columns = this.#columns;
    return this.#extend(free, columns[free]!, (k) => {
      const value = (sum: E): E => this.#F.neg(this.#F.mul(sum, this.#inverses[k]!));
      return { at: this.#pivotCols[k]!, value, next: columns[this.#pivotCols[k]!]! };
    });
  }
  #columns: SparseRow<E>[] | undefined; // of the upper rows

  /** The vector of the left kernel at a free row: Eᵀ times a unit vector. */
  #leftVector(free: number): SparseRow<E> {
    return this.#extend(free, this.#lower[free]!, (k) => {
      const at = this.#pivotRows[k]!;
      return { at, value: (sum) => sum, next: this.#lower[at]! };
    });
  }

  /**
   * A unit vector extended through pivots, from the last back: pivot k has the value of its sum, to which `first` and
   * the rows of later pivots, times their values, have contributed.
   */
  #extend(
    free: number,
    first: SparseRow<E>,
    pivot: (k: number) => { at: number; value: (sum: E) => E; next: SparseRow<E> },
  ): SparseRow<E> {
    const x: SparseRow<E> = new Map([[free, this.#F.one]]);
    const sums = new Map(first);
    for (let k = this.rank - 1; k >= 0; k--) {
      const sum = sums.get(k);
      if (sum === undefined || this.#F.equals(sum, this.#F.zero)) continue;
      const { at, value, next } = pivot(k);
      x.set(at, value(sum));
      addMultiple(this.#F, sums, x.get(at)!, next);
    }
    return x;
  }

  /** Zeros, and random elements at free lines. */
  #begin(lines: number, s: number, free: readonly number[], random?: () => E): E[][] {
    const x = Array.from({ length: lines }, () => new Array<E>(s).fill(this.#F.zero));
    if (random !== undefined) for (const line of free) x[line] = x[line]!.map(random);
    return x;
  }

  /** y ← y + factor·x */
  #add(y: E[], factor: E, x: readonly E[]): void {
    for (let t = 0; t < y.length; t++) y[t] = this.#F.add(y[t]!, this.#F.mul(factor, x[t]!));
  }

  #firstNonzero(y: readonly E[][], lines: readonly number[]): { line: number; column: number } | null {
    let first: { line: number; column: number } | null = null;
    for (const line of lines) {
      const column = y[line]!.findIndex((value) => !this.#F.equals(value, this.#F.zero));
      if (column >= 0 && (first === null || column < first.column)) first = { line, column };
    }
    return first;
  }

  #accept(a: readonly SparseRow<E>[], x: E[][], B: readonly (readonly E[])[], s: number): ReferenceSolution<E> {
    for (let t = 0; t < s; t++) {
      const product = applyRows(this.#F, a, columnOf(x, t));
      checkThat(product.every((value, i) => this.#F.equals(value, B[i]![t]!)));
    }
    return { solution: x, inconsistent: null };
  }

  /** `columns` are those of the matrix of the system. */
  #refute(
    B: readonly (readonly E[])[],
    column: number,
    u: SparseRow<E>,
    columns: readonly SparseRow<E>[],
  ): ReferenceSolution<E> {
    const certificate = B.map((_, i) => u.get(i) ?? this.#F.zero);
    const products = applyRows(this.#F, columns, certificate);
    checkThat(products.every((value) => this.#F.equals(value, this.#F.zero)));
    const [product] = applyRows(this.#F, [u], columnOf(B, column));
    checkThat(!this.#F.equals(product!, this.#F.zero));
    return { solution: null, inconsistent: { column, certificate } };
  }

  /** Whether Σ_i x_i·(row i of `rows`) = 0. */
  #isKernelVector(rows: readonly SparseRow<E>[], x: SparseRow<E>): boolean {
    const image: SparseRow<E> = new Map();
    for (const [i, value] of x) addMultiple(this.#F, image, value, rows[i]!);
    return [...image.values()].every((value) => this.#F.equals(value, this.#F.zero));
  }
}

/** y ← y + factor·x */
function addMultiple<E>(F: Field<E>, y: SparseRow<E>, factor: E, x: SparseRow<E>): void {
  for (const [i, value] of x) y.set(i, F.add(y.get(i) ?? F.zero, F.mul(factor, value)));
}

/** The numbers below `size` that are not in `taken`. */
function without(size: number, taken: readonly number[]): number[] {
  const set = new Set(taken);
  return Array.from({ length: size }, (_, i) => i).filter((i) => !set.has(i));
}

const columnOf = <E>(rows: readonly (readonly E[])[], t: number): E[] => rows.map((row) => row[t]!);

function checkThat(holds: boolean): void {
  if (!holds) throw new Error('ReferenceFactors: an answer does not satisfy its equations: a bug');
}
