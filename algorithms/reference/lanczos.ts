/**
 * Systems A·x = b by Lanczos' algorithm with single vectors, the exact conjugate gradients: the slow twin of lanczos/.
 *
 *   B = Eᵀ·Aᵀ·D·A·E, D a diagonal, both nonsingular     c = Eᵀ·Aᵀ·D·b     w_iᵀ·B·w_j = 0 for i ≠ j
 *
 *   w_0 = B·start     w_(i+1) = B·w_i − Σ_(j ≤ i) w_j·(w_jᵀ·B·B·w_i)/(w_jᵀ·B·w_j)     z = Σ_j w_j·(w_jᵀ·c)/(w_jᵀ·B·w_j)
 *
 * The sum goes over all j: that those before i − 1 vanish is a theorem that this twin does not use. When w becomes 0
 * the w_j span the Krylov space of w_0, and z is its member with w_jᵀ·(B·z − c) = 0 for all j; where that space is the
 * whole column space of B, z is the only member of it with B·z = c. Then x = E·z has Aᵀ·D·(A·x − b) = 0. The walk ends
 * early where w ≠ 0 but wᵀ·B·w = 0: over a finite field a vector can be orthogonal to itself.
 * Source: Lanczos 1952; Lambert 1996 and Eberly, Kaltofen 1997 for finite fields, D and E.
 */
import type { Field } from '../../fields/field.js';
import { applyRows, applyRowsTransposed, type SparseRow } from './rows.js';

export interface Scaling<E> {
  readonly d: readonly E[]; // one a row of A, none zero
  readonly e: readonly SparseRow<E>[]; // as many rows and columns as A has columns, nonsingular
}

export interface ScalarLanczos<E> {
  readonly x: E[];
  readonly dimension: number; // of the span of the w_j
  readonly isComplete: boolean; // whether the walk ended with w = 0
}

/** x with Aᵀ·D·(A·x − b) = 0 if the walk is complete and saw everything: to be checked by who asks. */
export function scalarLanczos<E>(
  F: Field<E>,
  rows: readonly SparseRow<E>[],
  cols: number,
  { d, e }: Scaling<E>,
  start: readonly E[],
  b: readonly E[],
): ScalarLanczos<E> {
  const scale = (x: readonly E[], by: readonly E[]): E[] => x.map((value, i) => F.mul(value, by[i]));
  const dot = (x: readonly E[], y: readonly E[]): E => x.reduce((sum, v, i) => F.add(sum, F.mul(v, y[i])), F.zero);
  /** x − f·y */
  const reduce = (x: readonly E[], f: E, y: readonly E[]): E[] => x.map((v, i) => F.sub(v, F.mul(f, y[i])));
  /** Eᵀ·Aᵀ·D·y */
  const adjoint = (y: readonly E[]): E[] =>
    applyRowsTransposed(F, e, cols, applyRowsTransposed(F, rows, cols, scale(y, d)));
  const apply = (x: readonly E[]): E[] => adjoint(applyRows(F, rows, applyRows(F, e, x)));
  const c = adjoint(b);
  const basis: { w: E[]; image: E[]; inverse: E }[] = [];
  let z: E[] = new Array<E>(cols).fill(F.zero);
  let w = apply(start);
  for (;;) {
    const image = apply(w);
    const norm = dot(w, image);
    if (F.equals(norm, F.zero)) break;
    const inverse = F.inv(norm);
    basis.push({ w, image, inverse });
    // z ← z + w·(wᵀ·c)/(wᵀ·B·w)
    z = reduce(z, F.neg(F.mul(dot(w, c), inverse)), w);
    // w ← B·w − Σ_j w_j·(w_jᵀ·B·(B·w))/(w_jᵀ·B·w_j)
    let next = image;
    for (const earlier of basis) next = reduce(next, F.mul(dot(earlier.image, image), earlier.inverse), earlier.w);
    w = next;
  }
  return { x: applyRows(F, e, z), dimension: basis.length, isComplete: w.every((value) => F.equals(value, F.zero)) };
}
