/**
 * How many primes a product by transforms needs, and how far sums at a point run, at the edge and in exact integers.
 */
import { describe, expect, test } from 'vitest';
import {
  coefficientBound,
  digitSlack,
  eightsBeforeReduction,
  gpuPointProductsBeforeFolding,
  pointProductsBeforeReduction,
  primesForBound,
} from '../../fields/transform-bounds.js';
import { TRANSFORM_PRIMES } from '../../kernels/poly/gpu-ntt-primes.js';
import { PRIMES as PRIMES_14BIT } from '../../kernels/poly/ntt-primes-14bit.js';
import { PRIMES as PRIMES_21BIT } from '../../kernels/poly/ntt-primes-21bit.js';

const SETS: [string, readonly number[], number][] = [
  ['14 bits', PRIMES_14BIT, 0.943],
  ['21 bits', PRIMES_21BIT.map(({ q }) => q), 0.82],
];
const productOf = (primes: readonly number[]): bigint => primes.reduce((product, q) => product * BigInt(q), 1n);

test('the coefficient bound is that many squares of the largest residue', () => {
  for (const p of [2n, 3n, 65521n, 65537n, 2147483629n, 2147483647n]) {
    for (const [residues, m] of [
      ['classical', p - 1n],
      ['balanced', p / 2n],
    ] as const) {
      const exact = 12345n * m * m;
      const bound = BigInt(coefficientBound(p, 12345, residues));
      expect(Math.abs(Number(bound - exact))).toBeLessThanOrEqual(Number(exact) * 2 ** -51);
    }
  }
});

describe.each(SETS)('primes of %s', (_name, primes, digit) => {
  const slack = digitSlack(digit);
  const prefixes = primes.map((_, l) => primes.slice(0, l + 1));

  test('the largest digits are not another coefficient', () => {
    for (const taken of prefixes) {
      // Σ ceil(digit·q_l)·q_0·…·q_(l−1), and Π / slack beside it, stay below Π.
      const sum = taken.reduce((s, q, l) => s + BigInt(Math.ceil(digit * q)) * productOf(taken.slice(0, l)), 0n);
      const product = productOf(taken);
      expect(sum + product / BigInt(slack) < product).toBe(true);
      expect(sum + (2n * product) / BigInt(slack) < product).toBe(false); // the next power of two is too much
    }
  });

  test('as many primes as a coefficient needs, and no more', () => {
    prefixes.forEach((taken, l) => {
      const most = Number(productOf(taken) / BigInt(slack));
      expect(primesForBound(most * (1 - 2 ** -39), primes, slack)).toBe(l + 1);
      expect(primesForBound(most * (1 + 2 ** -39) + 1, primes, slack)).toBe(l + 2 > primes.length ? Infinity : l + 2);
    });
  });
});

test('without slack the bound is less than the product', () => {
  const [q0, q1] = TRANSFORM_PRIMES;
  expect(primesForBound(q0 - 1, TRANSFORM_PRIMES, 1)).toBe(1);
  expect(primesForBound(q0, TRANSFORM_PRIMES, 1)).toBe(2);
  expect(primesForBound(q0 * q1, TRANSFORM_PRIMES, 1)).toBe(3);
});

test.each(PRIMES_14BIT)('sums of values mod %i in i32', (q) => {
  const eights = eightsBeforeReduction(q);
  // |x| ≤ q·(1/2 + 2^-12) = q·2049/4096, kept over a common denominator.
  const fits = (t: number): boolean =>
    8n * BigInt(t) * (2049n * BigInt(q)) ** 2n <= (2n ** 31n - 1n - BigInt(q)) * 4096n ** 2n;
  expect(fits(eights)).toBe(true);
  expect(fits(eights + 1)).toBe(false);
  expect(2 ** 31 / q).toBeLessThan(2 ** 19);
});

test.each(PRIMES_21BIT.map(({ q }) => q))('sums of values mod %i in f64', (q) => {
  const [terms, square] = [BigInt(pointProductsBeforeReduction(q)), (3n * BigInt(q)) ** 2n];
  expect(terms * square + 2n * BigInt(q) < 2n ** 53n).toBe(true);
  expect((terms + 1n) * square + 2n * BigInt(q) < 2n ** 53n).toBe(false);
});

test.each([...TRANSFORM_PRIMES])('sums of values mod %i in two words', (q) => {
  const n = BigInt(q);
  const added = (t: number): bigint => ((BigInt(t) * n * n) >> 32n) + 1n; // to hi, with a carry
  const terms = gpuPointProductsBeforeFolding(q);
  expect(added(terms) <= 2n * n).toBe(true);
  expect(added(terms + 1) <= 2n * n).toBe(false);
  expect(4n * n < 2n ** 32n).toBe(true);
});
