/**
 * The minimal generator of a scalar sequence: the monic f of least degree d with Σ_j f_j·s_(k+j) = 0 for all k that the
 * sequence shows. When it comes from a linear recurrence of order N, 2·N terms determine the recurrence.
 *
 *   c : connection polynomial, c_0 = 1, Σ_j c_j·s_(n−j) = 0; f is c reversed by the length `l`
 *
 * Sources: Berlekamp 1968; Massey, "Shift-register synthesis and BCH decoding", 1969 (the algorithm of its section II).
 */
import type { Field } from '../../fields/field.js';

/** Coefficients of f, constant term first. */
export function berlekampMassey<E>(F: Field<E>, s: readonly E[]): E[] {
  let c: E[] = [F.one];
  let b: E[] = [F.one]; // c before the last change of length
  let l = 0;
  let shift = 1; // n − (n of b)
  let discrepancyOfB = F.one;
  for (let n = 0; n < s.length; n++) {
    let d = F.zero;
    for (let j = 0; j < c.length && j <= n; j++) d = F.add(d, F.mul(c[j], s[n - j]));
    if (F.equals(d, F.zero)) {
      shift++;
      continue;
    }
    // c ← c − (d / d_b)·x^shift·b
    const before = c;
    const factor = F.mul(d, F.inv(discrepancyOfB));
    c = Array.from({ length: Math.max(c.length, b.length + shift) }, (_, j) => {
      const kept = j < before.length ? before[j] : F.zero;
      return j < shift || j - shift >= b.length ? kept : F.sub(kept, F.mul(factor, b[j - shift]));
    });
    if (2 * l <= n) {
      l = n + 1 - l;
      b = before;
      discrepancyOfB = d;
      shift = 1;
    } else shift++;
  }
  return Array.from({ length: l + 1 }, (_, j) => (l - j < c.length ? c[l - j] : F.zero));
}
