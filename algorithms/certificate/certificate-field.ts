/**
 * The field of a certificate's random choices: E = GF(q), q = p for p ≥ 2^10, else p^k with the smallest k that makes
 * q ≥ 2^14. Ranks do not change over E, and over F_2 itself few compressions are nonsingular: Π (1 − 2^-i)² = 0.08 of
 * them.
 *
 * Elements are codes Σ c_i·p^i < q of polynomials modulo the first primitive one (fields/primitive-polynomial.ts), so
 * that F_p is 0 … p − 1. The format fixes it, whatever field block Wiedemann draws from.
 */
import { ExtensionField } from '../../fields/extension.js';
import type { Field } from '../../fields/field.js';
import { WordPrime } from '../../fields/word-prime.js';

const PRIME_FIELD_FROM = 2 ** 10;
const LEAST_ORDER = 2 ** 14;

export interface CertificateField {
  readonly field: Field<number>;
  readonly q: number;
  /** Coefficients of the polynomial, constant term first, monic; null where E is F_p. */
  readonly polynomial: readonly number[] | null;
}

const KEPT = new Map<number, CertificateField>(); // tables of an extension take a while

export function certificateField(p: number): CertificateField {
  const known = KEPT.get(p);
  if (known) return known;
  const made = p >= PRIME_FIELD_FROM ? null : ExtensionField.covering(p, LEAST_ORDER);
  const field = made ?? WordPrime.of(p);
  const found = { field, q: Number(field.order), polynomial: made?.modulusPolynomial ?? null };
  if (made) KEPT.set(p, found);
  return found;
}
