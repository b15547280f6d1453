/**
 * Polynomials over any field as arrays of coefficients, constant term first and no zero at the end; [] is 0. Schoolbook
 * throughout: faster code is compared with it, and moduli beyond a word use it.
 */
import type { Field } from '../../fields/field.js';

export type Polynomial<E> = readonly E[];

/** The coefficients without zeros at the high end. */
export function trim<E>(F: Field<E>, f: Polynomial<E>): E[] {
  let length = f.length;
  while (length > 0 && F.equals(f[length - 1], F.zero)) length--;
  return f.slice(0, length);
}

export function monic<E>(F: Field<E>, f: Polynomial<E>): E[] {
  const out = trim(F, f);
  if (out.length === 0) return out;
  const inverse = F.inv(out[out.length - 1]);
  return out.map((c) => F.mul(c, inverse));
}

export function multiply<E>(F: Field<E>, f: Polynomial<E>, g: Polynomial<E>): E[] {
  if (f.length === 0 || g.length === 0) return [];
  const out = new Array<E>(f.length + g.length - 1).fill(F.zero);
  for (let i = 0; i < f.length; i++) {
    for (let j = 0; j < g.length; j++) out[i + j] = F.add(out[i + j], F.mul(f[i], g[j]));
  }
  return trim(F, out);
}

/** f = quotient·g + remainder, deg remainder < deg g; g nonzero. */
export function divide<E>(
  F: Field<E>,
  f: Polynomial<E>,
  g: Polynomial<E>,
): { readonly quotient: E[]; readonly remainder: E[] } {
  const divisor = trim(F, g);
  if (divisor.length === 0) throw new RangeError('divide: expected a nonzero polynomial, got 0');
  const remainder = [...f];
  const quotient = new Array<E>(Math.max(0, f.length - divisor.length + 1)).fill(F.zero);
  const inverse = F.inv(divisor[divisor.length - 1]);
  for (let shift = quotient.length - 1; shift >= 0; shift--) {
    const factor = F.mul(remainder[shift + divisor.length - 1], inverse);
    quotient[shift] = factor;
    for (let j = 0; j < divisor.length; j++) {
      remainder[shift + j] = F.sub(remainder[shift + j], F.mul(factor, divisor[j]));
    }
  }
  return { quotient: trim(F, quotient), remainder: trim(F, remainder) };
}

/** The monic greatest common divisor; [] only when both are 0. */
export function gcd<E>(F: Field<E>, f: Polynomial<E>, g: Polynomial<E>): E[] {
  let [a, b] = [trim(F, f), trim(F, g)];
  while (b.length > 0) [a, b] = [b, divide(F, a, b).remainder];
  return monic(F, a);
}

/** The monic least common multiple of nonzero polynomials. */
export function lcm<E>(F: Field<E>, f: Polynomial<E>, g: Polynomial<E>): E[] {
  return monic(F, multiply(F, divide(F, f, gcd(F, f, g)).quotient, g));
}

/** f(x) by Horner's rule. */
export function evaluate<E>(F: Field<E>, f: Polynomial<E>, x: E): E {
  let value = F.zero;
  for (let i = f.length - 1; i >= 0; i--) value = F.add(F.mul(value, x), f[i]);
  return value;
}
