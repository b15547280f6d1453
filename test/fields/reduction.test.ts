/** Every bound at exactly the bound, one below and one above, in the arithmetic of the accumulator itself. */
import { describe, expect, test } from 'vitest';
import { ExtensionField } from '../../fields/extension.js';
import {
  type Accumulator,
  additionsBeforeReduction,
  capacity,
  largestResidue,
  productsBeforeReduction,
  type Residues,
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
 * or, if that is even, less by `drop` = term − odd, the least odd change of a sum. For p = 3, 5, 7, 17, … it stays
 * below M and the accumulator happens to hold one term more.
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
