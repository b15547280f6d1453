/**
 * Rank, determinant and minimal polynomial of dense matrices over any field by Gaussian elimination: exact,
 * deterministic, O(n³) field operations (the minimal polynomial O(n³) a Krylov space). The truth for small cases.
 */
import type { Field } from '../../fields/field.js';
import { multiply, type Polynomial } from './polynomial.js';

export function denseRank<E>(F: Field<E>, matrix: readonly (readonly E[])[]): number {
  return eliminate(F, matrix).rank;
}

/** The determinant of a square matrix; 1 for 0 × 0. */
export function denseDeterminant<E>(F: Field<E>, matrix: readonly (readonly E[])[]): E {
  const { rank, pivots } = eliminate(F, matrix);
  return rank < matrix.length ? F.zero : pivots;
}

/** Row echelon form on a copy: its rank, and the product of the pivots with the sign of the row exchanges. */
function eliminate<E>(F: Field<E>, matrix: readonly (readonly E[])[]): { rank: number; pivots: E } {
  const a = matrix.map((row) => [...row]);
  const cols = a[0]?.length ?? 0;
  let pivots = F.one;
  let rank = 0;
  for (let j = 0; j < cols && rank < a.length; j++) {
    const at = a.findIndex((row, i) => i >= rank && !F.equals(row[j], F.zero));
    if (at < 0) continue;
    if (at !== rank) {
      [a[at], a[rank]] = [a[rank], a[at]];
      pivots = F.neg(pivots);
    }
    pivots = F.mul(pivots, a[rank][j]);
    const inverse = F.inv(a[rank][j]);
    for (let i = rank + 1; i < a.length; i++) {
      if (F.equals(a[i][j], F.zero)) continue;
      const factor = F.mul(a[i][j], inverse);
      for (let t = j; t < cols; t++) a[i][t] = F.sub(a[i][t], F.mul(factor, a[rank][t]));
    }
    rank++;
  }
  return { rank, pivots };
}

/** The monic minimal polynomial of a square matrix. */
export function denseMinpoly<E>(F: Field<E>, matrix: readonly (readonly E[])[]): E[] {
  const apply = (x: readonly E[]): E[] =>
    matrix.map((row) => row.reduce((sum, value, j) => F.add(sum, F.mul(value, x[j])), F.zero));
  return krylovMinpoly(F, matrix.length, apply);
}

/**
 * The minimal polynomial of x ↦ A·x on E^n, proved: f ← f·g, g the minimal polynomial of f(A)·e_i, for every unit
 * vector e_i. f·g is lcm(f, minimal polynomial of e_i): h(A)·e_i = 0 for a multiple h of f means that g divides h/f.
 * `check` is called with the number of elements that are held, and may throw to stop the work.
 */
export function krylovMinpoly<E>(
  F: Field<E>,
  n: number,
  apply: (x: readonly E[]) => E[],
  check?: (held: number) => void,
): E[] {
  let f: E[] = [F.one];
  for (let i = 0; i < n && f.length <= n; i++) {
    // deg f = n stops: f divides the characteristic polynomial, so it is that.
    const unit = Array.from({ length: n }, (_, j) => (j === i ? F.one : F.zero));
    f = multiply(F, f, vectorMinpoly(F, applyPolynomial(F, f, apply, unit), apply, check));
  }
  return f;
}

/** f(A)·x by Horner's rule. */
function applyPolynomial<E>(F: Field<E>, f: Polynomial<E>, apply: (x: readonly E[]) => E[], x: readonly E[]): E[] {
  let y = x.map(() => F.zero);
  for (let i = f.length - 1; i >= 0; i--) {
    // y ← A·y + f_i·x; nothing to apply while y is still 0
    if (i < f.length - 1) y = apply(y);
    y = y.map((value, j) => F.add(value, F.mul(f[i], x[j])));
  }
  return y;
}

/** The monic polynomial of least degree with g(A)·x = 0: the first linear dependency among x, A·x, A²·x, … */
function vectorMinpoly<E>(
  F: Field<E>,
  x: readonly E[],
  apply: (x: readonly E[]) => E[],
  check?: (held: number) => void,
): E[] {
  // Each basis vector is combination(A)·x, reduced by those before it, with a 1 at `pivot`.
  const basis: { vector: E[]; combination: E[]; pivot: number }[] = [];
  let power = [...x];
  for (let held = 2 * x.length; ; held += x.length + basis.length) {
    check?.(held);
    const vector = [...power];
    const combination = Array.from({ length: basis.length + 1 }, (_, j) => (j === basis.length ? F.one : F.zero));
    for (const b of basis) {
      const factor = vector[b.pivot];
      if (F.equals(factor, F.zero)) continue;
      for (let j = 0; j < vector.length; j++) vector[j] = F.sub(vector[j], F.mul(factor, b.vector[j]));
      b.combination.forEach((c, j) => {
        combination[j] = F.sub(combination[j], F.mul(factor, c));
      });
    }
    const pivot = vector.findIndex((value) => !F.equals(value, F.zero));
    if (pivot < 0) return combination; // its last coefficient is 1
    const inverse = F.inv(vector[pivot]);
    basis.push({
      vector: vector.map((v) => F.mul(v, inverse)),
      combination: combination.map((c) => F.mul(c, inverse)),
      pivot,
    });
    power = apply(power);
  }
}
