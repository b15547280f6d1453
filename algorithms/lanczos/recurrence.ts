/**
 * The coefficients of block Lanczos' recurrence, n × n matrices over GF(q):
 *
 *   V_(i+1) = B·V_i·S_i·S_iᵀ + V_i·D + V_(i−1)·E + V_(i−2)·F     W_i = V_i·S_i     N_i = S_i·(W_iᵀ·B·W_i)⁻¹·S_iᵀ
 *   G_i = V_iᵀ·B·V_i     H_i = (B·V_i)ᵀ·(B·V_i)     M_i = H_i·S_i·S_iᵀ + G_i
 *
 *   D = 1 − N_i·M_i     E = −N_(i−1)·G_i·S_i·S_iᵀ     F = −N_(i−2)·(1 − G_(i−1)·N_(i−1))·M_(i−1)·S_i·S_iᵀ
 *
 * They make V_(i+1) orthogonal under B to W_i, W_(i−1) and W_(i−2). To earlier ones it is because B·W_j lies in the
 * span of W_0 … W_(j+2), if no column is left out twice. Where S_(i−1) takes all columns, G_(i−1)·N_(i−1) = 1, F = 0.
 * Source: Montgomery 1995.
 */
import type { BlockAlgebra } from './block-algebra.js';
import type { Selection } from './selection.js';

/** A step as later ones need it. */
export interface PastStep {
  readonly g: Uint32Array; // G
  readonly m: Uint32Array; // M
  readonly selection: Selection;
}

export interface Coefficients {
  readonly m: Uint32Array;
  readonly d: Uint32Array;
  readonly e: Uint32Array | null; // null where it is 0
  readonly f: Uint32Array | null;
}

/** Of step i; `last` is step i − 1, `beforeLast` step i − 2, null where there is none. */
export function recurrenceCoefficients(
  algebra: BlockAlgebra,
  g: Uint32Array,
  h: Uint32Array,
  { isSelected, inverse }: Selection,
  last: PastStep | null,
  beforeLast: PastStep | null,
): Coefficients {
  /** X·S·Sᵀ */
  const select = (x: Uint32Array): Uint32Array => algebra.select(x, isSelected);
  const m = algebra.add(select(h), g);
  const d = algebra.complement(algebra.multiply(inverse, m));
  const e = last && algebra.negate(algebra.multiply(last.selection.inverse, select(g)));
  if (last === null || beforeLast === null || last.selection.count === algebra.n) return { m, d, e, f: null };
  const rest = algebra.multiply(algebra.complement(algebra.multiply(last.g, last.selection.inverse)), select(last.m));
  return { m, d, e, f: algebra.negate(algebra.multiply(beforeLast.selection.inverse, rest)) };
}
