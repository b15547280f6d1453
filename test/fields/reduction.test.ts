/** Every bound at exactly the bound, one below and one above, in the arithmetic of the accumulator itself. */
import { describe, expect, test } from 'vitest';
import { ExtensionField } from '../../fields/extension.js';
import {
  type Accumulator,
  additionsBeforeReduction,
  byteSplitTermsBeforeReduction,
  capacity,
  i16SumTerms,
  largestByteSum,
  largestResidue,
  productsBeforeReduction,
  type Residues,
  reducedMagnitude,
  reduceQuotientBound,
  singleCorrectionQuotientBound,
  termsBeforeReduction,
} from '../../fields/reduction.js';
import { FIELD_PRIMES } from './primes.js';

/** What the accumulator holds after adding x: the hardware's own rounding or wrapping. */
const STORE: Record<Accumulator, (x: bigint) => bigint> = {
  i32: (x) => BigInt.asIntN(32, x),
  u32: (x) => BigInt.asUintN(32, x),
  i64: (x) => BigInt.asIntN(64, x),
  u64: (x) => BigInt.asUintN(64, x),
  f32: (x) => finite(Math.fround(Number(x))),
  f64: (x) => finite(Number(x)),
};
/** Infinity is no integer: any wrong one stands for it. */
const finite = (x: number) => (Number.isFinite(x) ? BigInt(x) : -1n);
const ACCUMULATORS = Object.keys(STORE) as Accumulator[];
const KINDS: Residues[] = ['classical', 'balanced'];
const ROWS = FIELD_PRIMES.flatMap((p) =>
  ACCUMULATORS.flatMap((acc) =>
    KINDS.filter((kind) => kind === 'classical' || !acc.startsWith('u')).map((kind) => [p, acc, kind] as const),
  ),
);

/**
 * `count` terms, all the largest but the last: the sum of the first count − 1 is held (the caller knows), so the
 * accumulator after it is that sum, and one more addition is simulated. True when the result is exact.
 */
function holds(acc: Accumulator, count: number, term: bigint, last: bigint): boolean {
  const before = BigInt(count - 1) * term;
  return STORE[acc](STORE[acc](before) + STORE[acc](last)) === before + last;
}

/**
 * Every sum of `bound` terms fits, one more leaves the capacity. In an integer accumulator that is an overflow. A float
 * still holds the even numbers just beyond M + 1, so there an odd sum must show it: the largest one is (bound + 1)·term
 * or, if that is even, less by `drop` = term − odd, the least odd change of a sum. For p = 3, 5, 7, 17, … it stays below M and
 * the accumulator happens to hold one term more.
 */
function attained(acc: Accumulator, bound: number, term: bigint, drop: bigint): void {
  for (const count of [bound - 1, bound].filter((n) => n > 0)) {
    expect(holds(acc, count, term, term)).toBe(true);
    if (!acc.startsWith('u')) expect(holds(acc, count, -term, -term)).toBe(true);
  }
  if (bound === Number.MAX_SAFE_INTEGER) return; // beyond counting
  const above = BigInt(bound + 1) * term;
  const last = acc.startsWith('f') && above % 2n === 0n ? term - drop : term;
  expect(above > capacity(acc)).toBe(true);
  expect(holds(acc, bound + 1, term, last)).toBe(BigInt(bound) * term + last <= capacity(acc));
}

describe.each(ROWS)('p = %s in %s, %s', (p, acc, kind) => {
  const m = largestResidue(p, kind);

  test('products', () => {
    // m² − m(m − 1) = m is odd for odd m; for even m an odd product has two odd factors: m² − (m − 1)² = 2m − 1.
    const drop = m % 2n === 1n ? m : 2n * m - 1n;
    attained(acc, productsBeforeReduction(p, acc, kind), m * m, drop);
  });

  test('additions', () => {
    attained(acc, additionsBeforeReduction(p, acc, kind), m, 1n);
  });
});

describe('known bounds', () => {
  const KNOWN: [bigint, Accumulator, Residues, number][] = [
    [2010n, 'f32', 'classical', 4] /* the published example, floor((2^24 − 1) / m²) */,
    [65521n, 'u32', 'classical', 1],
    [65521n, 'u64', 'classical', 4297065216],
    [65521n, 'f64', 'classical', 2098176],
    [65537n, 'u32', 'classical', 0] /* 2^32 itself */,
    [2147483647n, 'u64', 'classical', 4],
    [2147483647n, 'i64', 'classical', 2],
    [2147483647n, 'i64', 'balanced', 8],
    [2039n, 'f32', 'balanced', 16],
  ];
  test.each(KNOWN)('p = %s in %s, %s: %i products', (p, acc, kind, count) => {
    expect(productsBeforeReduction(p, acc, kind)).toBe(count);
  });

  test('a carried value takes its share', () => {
    expect(termsBeforeReduction('u32', 10n, 0n)).toBe(429496729);
    expect(termsBeforeReduction('u32', 10n, 6n)).toBe(429496728);
    expect(termsBeforeReduction('i32', 2n ** 31n - 1n, 0n)).toBe(1);
    expect(termsBeforeReduction('i32', 2n ** 31n - 1n, 1n)).toBe(0);
    expect(termsBeforeReduction('i32', 5n, 2n ** 40n)).toBe(0);
  });

  test('balanced residues in an unsigned accumulator are refused', () => {
    expect(() => productsBeforeReduction(7n, 'u32', 'balanced')).toThrow('expected a signed accumulator, got u32');
  });

  test('products in an extension are sums of degree products a coefficient', () => {
    const field = new ExtensionField(3, 9);
    expect(field.productsBeforeReduction('u32')).toBe(Math.floor((2 ** 32 - 1) / (9 * 4)));
    expect(field.additionsBeforeReduction('u32')).toBe(Math.floor((2 ** 32 - 1) / 2));
  });
});

/** round(x) to nearest, ties to even, as SIMD rounds. */
const nearest = (x: number) => {
  const r = Math.round(x);
  return r - x === 0.5 && r % 2 !== 0 ? r - 1 : r;
};
/** The f32 reduction of an i32: conversion, product and rounding as the hardware makes them. */
function reduceInFloat(a: number, p: number): number {
  const quotient = nearest(Math.fround(Math.fround(a) * Math.fround(1 / p)));
  return (a - Math.imul(quotient, p)) | 0;
}
/** Accumulators near a half-integer quotient, where rounding is hardest, up to |a| ≤ limit. */
function* hardAccumulators(p: number, limit: number): Generator<number> {
  const last = Math.floor(limit / p) - 1;
  for (let i = 0; i <= 2000; i++) {
    const k = i <= 1000 ? last - i : Math.floor((last * (i - 1000)) / 1000);
    for (let d = -2; d <= 2; d++) {
      const a = Math.floor((k + 0.5) * p) + d;
      if (a >= 0 && a <= limit) yield* [a, -a];
    }
  }
}
const INT_MAX = 2 ** 31 - 1;

describe('f32 reduction of an i32 accumulator', () => {
  test.each([2, 3, 7, 101, 509, 521, 2039, 32749, 65521])('right below 2^22·%i', (p) => {
    const limit = Math.min(INT_MAX, reduceQuotientBound * p - 1);
    const allowed = reducedMagnitude(p, limit);
    let largest = 0;
    for (const a of hardAccumulators(p, limit)) {
      const r = reduceInFloat(a, p);
      if ((a - r) % p !== 0) throw new Error(`${a} reduced to ${r} mod ${p}`);
      largest = Math.max(largest, Math.abs(r));
    }
    expect(largest).toBeLessThanOrEqual(allowed);
    expect(allowed).toBeLessThanOrEqual(1.2501 * p);
    expect(largest).toBeGreaterThanOrEqual(Math.floor(p / 2)); // the accumulators above are hard indeed
  });

  test.each([2, 3, 101, 1021])('one correction is enough below 2^21·%i', (p) => {
    for (const a of hardAccumulators(p, Math.min(INT_MAX, singleCorrectionQuotientBound * p - 1)))
      if (Math.abs(reduceInFloat(a, p)) >= p) throw new Error(`${a} mod ${p} leaves ${reduceInFloat(a, p)}`);
  });

  test('far above the bound it is wrong, and refused', () => {
    const p = 3;
    expect([...hardAccumulators(p, INT_MAX)].some((a) => Math.abs(reduceInFloat(a, p)) > 1.2501 * p)).toBe(true);
    expect(() => reducedMagnitude(p, INT_MAX)).toThrow('expected |a| < 2^22·3, got 2147483647');
    expect(() => reducedMagnitude(p, reduceQuotientBound * p)).toThrow('got 12582912');
  });
});

describe('products of 16-bit residues by bytes', () => {
  const PRIMES = [2, 3, 7, 101, 257, 2039, 32749, 65521];
  const balanced = (x: number, p: number) => {
    const r = x % p;
    return r > p / 2 ? r - p : r;
  };

  test.each(PRIMES)('largestByteSum(%i) is attained and not exceeded', (p) => {
    let largest = 0;
    for (let x = 0; x < p; x++) largest = Math.max(largest, (x & 255) + (x >> 8));
    expect(largestByteSum(p)).toBe(largest);
  });

  test.each(PRIMES)(
    'p = %i: the term is the product, within its bound, and the bound within i32 and the reduction',
    (p) => {
      const h = Math.floor(p / 2);
      const terms = byteSplitTermsBeforeReduction(p);
      for (let v = -h; v <= h; v += Math.max(1, p >> 9)) {
        const shifted = balanced((((256 * v) % p) + p) % p, p);
        for (let x = 0; x < p; x += Math.max(1, p >> 9)) {
          const term = (x & 255) * v + (x >> 8) * shifted;
          if ((term - x * v) % p !== 0) throw new Error(`${x}·${v}`);
          if (Math.abs(term) > largestByteSum(p) * h) throw new Error(`${x}·${v}: ${term} beyond the bound`);
        }
      }
      const term = largestByteSum(p) * h;
      const limit = Math.min(INT_MAX, reduceQuotientBound * p - 1);
      expect(terms * term).toBeLessThanOrEqual(limit);
      expect((terms + 1) * term).toBeGreaterThan(limit);
      expect(byteSplitTermsBeforeReduction(p, p)).toBe(Math.floor((limit - p) / term));
    },
  );

  test('p = 65521 holds 128 terms', () => {
    expect(byteSplitTermsBeforeReduction(65521)).toBe(128);
    expect(byteSplitTermsBeforeReduction(65521, INT_MAX)).toBe(0);
  });
});

test('sums of 16 bits reduce by one rounded product, at every sum that is allowed', () => {
  // What kernels/residues/i16-sums.as.ts does with a lane: q15mulr rounds s·c/2^15, half upwards.
  const reduced = (s: number, p: number): number => {
    const q = Math.floor((s * Math.round(2 ** 15 / p) + 2 ** 14) / 2 ** 15);
    const r = s - q * p;
    return Math.abs(r) < p ? (r + p) % p : Number.NaN;
  };
  for (const p of [2, 3, 5, 7, 101, 181, 2039, 16381, 32749]) {
    const largest = i16SumTerms(p, 1) * (p - 1);
    expect(largest).toBeLessThan(2 ** 15);
    expect(largest + p - 1).toBeGreaterThanOrEqual(2 ** 15);
    const bad = [];
    for (let s = -largest; s <= largest; s++) if (reduced(s, p) !== ((s % p) + p) % p) bad.push(s);
    expect(bad).toEqual([]);
  }
});
