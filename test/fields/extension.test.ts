import { describe, expect, test } from 'vitest';
import { ExtensionField } from '../../fields/extension.js';
import { primeFactors } from '../../fields/primality.js';
import { CounterRandom } from '../../fields/random.js';

/** p, k, and why: with tables and without, characteristic 2, binomials in the way, degree 1. */
const FIELDS: [number, number][] = [
  [2, 1],
  [2, 2] /* the smallest proper one */,
  [2, 14],
  [2, 30] /* no tables */,
  [3, 2],
  [3, 9],
  [5, 7],
  [7, 5],
  [101, 3] /* tables of a million elements */,
  [127, 3] /* the largest tables that covering builds */,
  [131, 3] /* just over it */,
  [2039, 2],
  [46337, 2] /* the largest p with k = 2 */,
  [65521, 1],
  [2147483647, 1],
];

/** a·b by the definition: polynomial product over the integers, long division by f, residues by bigint. */
function mulByDefinition(field: ExtensionField, a: number, b: number): number {
  const k = field.degree;
  const p = field.modulus;
  const product = new Array<bigint>(2 * k).fill(0n);
  field.coefficients(a).forEach((x, i) => {
    field.coefficients(b).forEach((y, j) => {
      product[i + j] += BigInt(x) * BigInt(y);
    });
  });
  for (let top = 2 * k - 1; top >= k; top--)
    for (let j = k; j >= 0; j--) product[top - j] -= product[top] * BigInt(field.modulusPolynomial[k - j]);
  return product.slice(0, k).reduceRight((code, c) => code * field.p + Number(((c % p) + p) % p), 0);
}

describe.each(FIELDS)('GF(%i^%i)', (p, k) => {
  const field = new ExtensionField(p, k);
  const random = new CounterRandom(p, k);
  const samples = [0, 1, Math.min(p, field.size - 1), field.size - 1, p - 1];
  for (let i = 0; i < 12; i++) samples.push(random.residueAt(i, field.size));

  test('multiplication is that of polynomials mod f, addition that of coefficients', () => {
    for (const a of samples)
      for (const b of samples) {
        expect(field.mul(a, b)).toBe(mulByDefinition(field, a, b));
        const [x, y] = [field.coefficients(a), field.coefficients(b)];
        expect(field.coefficients(field.add(a, b))).toEqual(x.map((c, i) => (c + y[i]) % p));
        expect(field.coefficients(field.sub(a, b))).toEqual(x.map((c, i) => (c - y[i] + p) % p));
      }
  });

  test('inverses, negatives and powers', () => {
    for (const a of samples) {
      expect(field.add(a, field.neg(a))).toBe(0);
      expect(field.pow(a, field.order)).toBe(a);
      if (a === 0) continue;
      expect(field.mul(a, field.inv(a))).toBe(1);
      expect(field.pow(a, -3)).toBe(field.inv(field.mul(a, field.mul(a, a))));
    }
    expect(() => field.inv(0)).toThrow(`inv: expected a nonzero`);
  });

  test('the generator x has order q − 1, so f is irreducible and primitive', () => {
    expect(field.modulusPolynomial.length).toBe(k + 1);
    expect(field.modulusPolynomial[k]).toBe(1);
    const x = k === 1 ? field.neg(field.modulusPolynomial[0]) : p;
    const units = field.order - 1n;
    let power = 1;
    for (const bit of units.toString(2)) {
      power = mulByDefinition(field, power, power);
      if (bit === '1') power = mulByDefinition(field, power, x);
    }
    expect(power).toBe(1);
    for (const r of primeFactors(units)) expect(field.pow(x, units / r)).not.toBe(1);
  });

  test('mulMatrix is multiplication on coordinates', () => {
    for (const a of samples) {
      const m = field.mulMatrix(a);
      for (const b of samples.slice(0, 8)) {
        const v = field.coefficients(b);
        const product = v.map((_, i) => v.reduce((s, c, j) => field.base.add(s, field.base.mul(m[i * k + j], c)), 0));
        expect(field.fromCoefficients(product)).toBe(field.mul(a, b));
      }
    }
  });

  test('F_p is the codes below p', () => {
    for (const x of [-1, p, p + 1, -(10n ** 30n), '170141183460469231731687303715884105727']) {
      const residue = ((BigInt(x) % field.modulus) + field.modulus) % field.modulus;
      expect(field.to(field.from(x))).toBe(residue);
    }
    expect(field.add(field.from(p - 1), field.one)).toBe(0);
  });
});

test.each([
  [2, 14],
  [3, 9],
  [5, 7],
  [7, 5],
  [11, 5],
  [101, 3],
  [127, 3],
  [131, 2],
  [2039, 2],
  [16381, 2] /* largest prime below 2^14 */,
  [16411, 1] /* smallest above */,
  [2147483647, 1],
])('covering(%i, 2^14) has degree %i', (p, degree) => {
  const field = ExtensionField.covering(p, 2 ** 14);
  expect(field.degree).toBe(degree);
  expect(field.size).toBe(p ** degree);
  expect(field.size).toBeGreaterThanOrEqual(2 ** 14);
});

test('known primitive polynomials of smallest code', () => {
  expect(new ExtensionField(2, 8).modulusPolynomial).toEqual([1, 0, 1, 1, 1, 0, 0, 0, 1]); // x^8+x^4+x^3+x^2+1, 0x11d
  expect(new ExtensionField(2, 3).modulusPolynomial).toEqual([1, 1, 0, 1]);
  expect(new ExtensionField(3, 2).modulusPolynomial).toEqual([2, 1, 1]); // x² + x + 2
});

test('what does not fit is refused', () => {
  expect(() => new ExtensionField(2, 31)).toThrow('expected a degree ≥ 1 with 2^degree < 2^31, got 31');
  expect(() => new ExtensionField(3, 0)).toThrow('got 0');
  expect(() => new ExtensionField(4, 2)).toThrow('modulus 4 is not prime (smallest factor 2)');
  expect(() => ExtensionField.covering(1, 100)).toThrow('modulus 1 is not prime');
  const field = new ExtensionField(3, 2);
  expect(() => field.fromCoefficients([1])).toThrow('expected 2 coefficients, got 1');
  expect(() => field.fromCoefficients([1, 3])).toThrow('expected residues 0 … 2, got 3 at 1');
});

test('the fields asked for last are kept', () => {
  const [small, large] = [ExtensionField.of(5, 2), ExtensionField.of(5, 3)];
  expect(ExtensionField.of(5, 2)).toBe(small);
  expect(ExtensionField.covering(5, 26)).toBe(large);
  expect(ExtensionField.of(7, 2)).toMatchObject({ p: 7, degree: 2 });
  expect(ExtensionField.of(5, 3)).toBe(large);
  expect(ExtensionField.of(5, 2)).not.toBe(small);
});
