/**
 * The primitive polynomial that defines GF(p^k): found by a fixed search, so that every run and machine has the same.
 *
 *   f = x^k + c_{k−1} x^{k−1} + … + c_0 over F_p, x of order q − 1 in F_p[x]/f, q = p^k < 2^31
 *
 * The order settles irreducibility too: if f were reducible, F_p[x]/f would have fewer than q − 1 units.
 * Source: Lidl and Niederreiter, Finite Fields, theorems 3.16 and 3.18.
 */
import { primeFactors } from './primality.js';
import type { WordPrime } from './word-prime.js';

/** The coefficients c_0 … c_{k−1}, 1 of the first primitive polynomial in the order of the code sum c_i p^i. */
export function primitivePolynomial(base: WordPrime, degree: number): number[] {
  const { p } = base;
  const size = p ** degree;
  const cofactors = primeFactors(size - 1).map((r) => (BigInt(size) - 1n) / r);
  const baseCofactors = primeFactors(p - 1).map((r) => (base.modulus - 1n) / r);
  // From k = 2 on the binomials x^k + c_0 are left out: x^k is in F_p, so x has order at most k(p − 1), which is q − 1
  // only for k = 1 (and for q = 4, where x² + 1 = (x + 1)²).
  for (let code = degree === 1 ? 1 : p; code < size; code++) {
    const f = digits(code, p, degree);
    f.push(1);
    // The norm of x, (−1)^k c_0, must generate the units of F_p: cheap, and refuses most.
    const norm = degree % 2 === 0 ? f[0] : base.neg(f[0]);
    if (norm === 0 || baseCofactors.some((n) => base.pow(norm, n) === 1)) continue;
    if (isOne(powerOfX(base, f, BigInt(size) - 1n)) && !cofactors.some((n) => isOne(powerOfX(base, f, n)))) return f;
  }
  throw new RangeError(`primitivePolynomial: expected p prime and p^k < 2^31, got ${p}^${degree}`);
}

/** The k digits of the code in base p, least first. */
export function digits(code: number, p: number, degree: number): number[] {
  const out = new Array<number>(degree);
  for (let i = 0; i < degree; i++) {
    const rest = Math.floor(code / p);
    out[i] = code - rest * p;
    code = rest;
  }
  return out;
}

/** a·b mod f, schoolbook; a and b have k coefficients, f is monic of degree k. */
export function mulModPolynomial(
  base: WordPrime,
  f: readonly number[],
  a: readonly number[],
  b: readonly number[],
): number[] {
  const degree = f.length - 1;
  const product = new Array<number>(2 * degree - 1).fill(0);
  for (let i = 0; i < degree; i++)
    for (let j = 0; j < degree; j++) product[i + j] = base.mulAdd(a[i], b[j], product[i + j]);
  // x^top = −(f − x^k)·x^(top − k), from the top down
  for (let top = 2 * degree - 2; top >= degree; top--) {
    const lead = base.neg(product[top]);
    for (let j = 0; j < degree; j++) product[top - degree + j] = base.mulAdd(lead, f[j], product[top - degree + j]);
  }
  product.length = degree;
  return product;
}

/** x·a mod f */
export function timesX(base: WordPrime, f: readonly number[], a: readonly number[]): number[] {
  const degree = f.length - 1;
  const lead = base.neg(a[degree - 1]);
  return a.map((_, i) => base.mulAdd(lead, f[i], i === 0 ? 0 : a[i - 1]));
}

/** x^n mod f: squarings, and a shift for each one bit. */
function powerOfX(base: WordPrime, f: readonly number[], n: bigint): number[] {
  let result = digits(1, base.p, f.length - 1);
  for (const bit of n.toString(2)) {
    result = mulModPolynomial(base, f, result, result);
    if (bit === '1') result = timesX(base, f, result);
  }
  return result;
}

function isOne(a: readonly number[]): boolean {
  return a.every((c, i) => c === (i === 0 ? 1 : 0));
}
