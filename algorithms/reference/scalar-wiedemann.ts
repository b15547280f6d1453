/**
 * The rank by Wiedemann's algorithm with single vectors: the slow twin of block Wiedemann.
 *
 *   B = E·Aᵀ·D·A, E and D random nonzero diagonals     s_k = uᵀ·B^(k+1)·v, 0 ≤ k < 2·N
 *
 * The generator of the shifted sequence has degree at most rank(B) ≤ rank(A), with equality for all but a fraction of
 * about c·N²/q of the choices; so the maximum over some runs is a lower bound, and almost always the rank when q is
 * large.
 * Sources: Wiedemann 1986; Kaltofen and Saunders 1991; Eberly and Kaltofen 1997 for the diagonal scaling.
 */
import type { Field } from '../../fields/field.js';
import { berlekampMassey } from './berlekamp-massey.js';
import { applyRows, applyRowsTransposed, type SparseRow } from './rows.js';

/** `element(i)` is the i-th of a stream of random elements, almost never zero. */
export function scalarWiedemannRank<E>(
  F: Field<E>,
  rows: readonly SparseRow<E>[],
  cols: number,
  element: (i: number) => E,
  runs = 1,
): number {
  let next = 0;
  const vector = (length: number): E[] => Array.from({ length }, () => element(next++));
  const nonzero = (length: number): E[] => vector(length).map((x) => (F.equals(x, F.zero) ? F.one : x));
  let best = 0;
  for (let run = 0; run < runs; run++) {
    const [d, e, u] = [nonzero(rows.length), nonzero(cols), vector(cols)];
    let x = vector(cols);
    const s: E[] = [];
    for (let k = 0; k < 2 * Math.min(rows.length, cols); k++) {
      // x ← E·Aᵀ·D·A·x
      const y = applyRows(F, rows, x).map((value, i) => F.mul(d[i], value));
      x = applyRowsTransposed(F, rows, cols, y).map((value, j) => F.mul(e[j], value));
      s.push(x.reduce((sum, value, j) => F.add(sum, F.mul(u[j], value)), F.zero));
    }
    best = Math.max(best, berlekampMassey(F, s).length - 1);
  }
  return best;
}
