/**
 * Systems and kernels over any field by sparse elimination: exact and deterministic, written to be believed.
 *
 *   A : rows × cols     B : rows × s     X : cols × s, A·X = B
 *
 * Elimination of (A | B) with pivots in A's columns leaves pivot rows in echelon form, from the last of which back X
 * follows for any choice of its free rows, those of the columns without a pivot. A row that is left with right sides
 * alone tells that there is no X. A kernel vector is a solution for B = 0: 1 in one free column, 0 in the others.
 */
import type { Field } from '../../fields/field.js';
import { applyRows, type SparseRow } from './rows.js';
import { eliminateSparse } from './sparse-elimination.js';

export interface SolveReferenceOptions<E> {
  /** A uniform element for each free entry of X, which is 0 without it. */
  readonly random?: (() => E) | undefined;
  /** Columns of B, where it has no rows to tell. */
  readonly s?: number | undefined;
  /** Called often; may throw to stop the work. */
  readonly check?: (() => void) | undefined;
}

export type ReferenceSolution<E> =
  | { readonly solution: E[][]; readonly inconsistent: null; readonly rank: number } // cols rows of s elements
  | { readonly solution: null; readonly inconsistent: Inconsistency<E>; readonly rank: number };

/** uᵀ·A = 0 and uᵀ·b ≠ 0 for a column b of B. */
export interface Inconsistency<E> {
  readonly column: number;
  readonly certificate: E[];
}

/** X with A·X = B, or u for the first column of B that has no solution. `B` has a row of s elements for each of A's. */
export function solveReference<E>(
  F: Field<E>,
  a: readonly SparseRow<E>[],
  cols: number,
  B: readonly (readonly E[])[],
  { random, s = B[0]?.length ?? 0, check }: SolveReferenceOptions<E> = {},
): ReferenceSolution<E> {
  const isZero = (x: E): boolean => F.equals(x, F.zero);
  const joined = a.map((row, i) => {
    const right = B[i]!.flatMap((value, t) => (isZero(value) ? [] : [[cols + t, value] as const]));
    return new Map([...row, ...right]);
  });
  const { rank, pivotRows, pivotCols, rows } = eliminateSparse(F, joined, 0, check, cols);
  const pivoted = new Set(pivotRows);
  const column = rows.reduce(
    (least, row, i) => (pivoted.has(i) ? least : Math.min(least, ...row.keys())),
    Number.POSITIVE_INFINITY,
  );
  if (column !== Number.POSITIVE_INFINITY)
    return { solution: null, inconsistent: refute(F, a, cols, B, column - cols, check), rank };
  const isPivot = new Set(pivotCols);
  const x = Array.from({ length: cols }, (_, j) =>
    Array.from({ length: s }, () => (random !== undefined && !isPivot.has(j) ? random() : F.zero)),
  );
  for (let k = rank - 1; k >= 0; k--) {
    check?.();
    // x_j ← (b − Σ_(c ≠ j) a_c·x_c) / a_j
    const [row, j] = [rows[pivotRows[k]!]!, pivotCols[k]!];
    const inverse = F.inv(row.get(j)!);
    for (let t = 0; t < s; t++) {
      let sum = row.get(cols + t) ?? F.zero;
      for (const [c, value] of row) if (c < cols && c !== j) sum = F.sub(sum, F.mul(value, x[c]![t]!));
      x[j]![t] = F.mul(sum, inverse);
    }
  }
  for (let t = 0; t < s; t++) {
    const product = applyRows(F, a, columnOf(x, t));
    checkThat(product.every((value, i) => F.equals(value, B[i]![t]!)));
  }
  return { solution: x, inconsistent: null, rank };
}

/** u as the solution of Aᵀ·u = 0, bᵀ·u = 1, which has one where A·x = b has none. */
function refute<E>(
  F: Field<E>,
  a: readonly SparseRow<E>[],
  cols: number,
  B: readonly (readonly E[])[],
  column: number,
  check?: () => void,
): Inconsistency<E> {
  const b = columnOf(B, column);
  const transposed = transposeRows(a, cols);
  transposed.push(new Map(b.flatMap((value, i) => (F.equals(value, F.zero) ? [] : [[i, value] as const]))));
  const right = transposed.map((_, j) => [j === cols ? F.one : F.zero]);
  // solveReference compares the product with the right side.
  const { solution } = solveReference(F, transposed, a.length, right, { check });
  checkThat(solution !== null);
  return { column, certificate: columnOf(solution!, 0) };
}

export interface ReferenceNullspace<E> {
  readonly rank: number;
  readonly freeCols: readonly number[]; // increasing; vector k has 1 in column freeCols[k] and 0 in the others
  vectors(): Generator<SparseRow<E>>;
}

/** A basis of { x : A·x = 0 }, a vector for each column without a pivot. */
export function nullspaceReference<E>(
  F: Field<E>,
  a: readonly SparseRow<E>[],
  cols: number,
  check?: () => void,
): ReferenceNullspace<E> {
  const { rank, pivotRows, pivotCols, rows } = eliminateSparse(F, a, 0, check);
  const isPivot = new Set(pivotCols);
  const freeCols = Array.from({ length: cols }, (_, j) => j).filter((j) => !isPivot.has(j));
  const inverses = pivotRows.map((r, k) => F.inv(rows[r]!.get(pivotCols[k]!)!));
  const columns = transposeRows(a, cols);
  const echelon = transposeRows(
    pivotRows.map((r) => rows[r]!),
    cols,
  );
  function* vectors(): Generator<SparseRow<E>> {
    for (const free of freeCols) {
      check?.();
      const x: SparseRow<E> = new Map([[free, F.one]]);
      const sums: SparseRow<E> = new Map(echelon[free]!); // of pivot row k: Σ_c a_c·x_c so far
      for (let k = rank - 1; k >= 0; k--) {
        const sum = sums.get(k);
        if (sum === undefined || F.equals(sum, F.zero)) continue;
        // x_j ← −Σ_(c ≠ j) a_c·x_c / a_j, j the column of pivot k
        const j = pivotCols[k]!;
        x.set(j, F.neg(F.mul(sum, inverses[k]!)));
        addMultiple(F, sums, x.get(j)!, echelon[j]!);
      }
      const image: SparseRow<E> = new Map();
      for (const [j, value] of x) addMultiple(F, image, value, columns[j]!);
      checkThat([...image.values()].every((value) => F.equals(value, F.zero)));
      yield new Map([...x].sort(([i], [j]) => i - j));
    }
  }
  return { rank, freeCols, vectors };
}

/** The rows of Aᵀ. */
export function transposeRows<E>(a: readonly SparseRow<E>[], cols: number): SparseRow<E>[] {
  const out: SparseRow<E>[] = Array.from({ length: cols }, () => new Map());
  a.forEach((row, i) => {
    for (const [j, value] of row) out[j]!.set(i, value);
  });
  return out;
}

/** y ← y + factor·x */
function addMultiple<E>(F: Field<E>, y: SparseRow<E>, factor: E, x: SparseRow<E>): void {
  for (const [i, value] of x) y.set(i, F.add(y.get(i) ?? F.zero, F.mul(factor, value)));
}

const columnOf = <E>(rows: readonly (readonly E[])[], t: number): E[] => rows.map((row) => row[t]!);

function checkThat(holds: boolean): void {
  if (!holds) throw new Error('solveReference: an answer does not satisfy its equations: a bug');
}
