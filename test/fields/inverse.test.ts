/** Greatest common divisors and inverses by their definitions, over all small pairs and at the word's edge. */
import { describe, expect, test } from 'vitest';
import { gcd, inverseModWord, invMod, negativeInverseModWord } from '../../fields/inverse.js';

describe('all pairs below 60', () => {
  const PAIRS = Array.from({ length: 60 }, (_, a) => Array.from({ length: 59 }, (_, m) => [a, m + 1] as const)).flat();
  const largestDivisor = (a: number, b: number): number => {
    for (let d = Math.max(a, b); d > 1; d--) if (a % d === 0 && b % d === 0) return d;
    return 1;
  };

  test('gcd is the largest common divisor', () => {
    for (const [a, m] of PAIRS) expect([a, m, gcd(BigInt(a), BigInt(m))]).toEqual([a, m, BigInt(largestDivisor(a, m))]);
    expect(gcd(0n, 0n)).toBe(0n);
  });

  test('invMod is the one x in [0, m) with a·x ≡ 1, or null where no x is', () => {
    for (const [a, m] of PAIRS) {
      const inverses = Array.from({ length: m }, (_, x) => x).filter((x) => (a * x - 1) % m === 0);
      const expected = inverses.length === 0 ? null : BigInt(inverses[0]!);
      expect([a, m, invMod(BigInt(a), BigInt(m))]).toEqual([a, m, expected]);
      expect(invMod(BigInt(a - 7 * m), BigInt(m))).toBe(expected);
    }
  });
});

test.each([1, 3, 5, 255, 65521, 65537, 2147483629, 2147483647, 4294967295])('1/%i mod 2^32, and its negative', (a) => {
  expect(BigInt.asUintN(32, BigInt(a) * BigInt(inverseModWord(a)))).toBe(1n);
  expect(BigInt.asUintN(32, BigInt(a) * BigInt(negativeInverseModWord(a)) + 1n)).toBe(0n);
});
