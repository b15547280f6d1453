import { isProbablyPrime } from 'bigint-crypto-utils';
import { describe, expect, test } from 'vitest';
import {
  checkModulus,
  isPrime,
  ModulusError,
  nextPrime,
  previousPrime,
  primeFactors,
  primesBelow,
  smallestFactor,
} from '../../fields/primality.js';

const slowFactor = (n: number) => {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return d;
  return n;
};

test('below 40000 everything agrees with division by all numbers', () => {
  const primes: number[] = [];
  for (let n = 2; n < 40000; n++) {
    const factor = slowFactor(n);
    if (factor === n) primes.push(n);
    if (isPrime(n) !== (factor === n)) throw new Error(`isPrime(${n})`);
    if (smallestFactor(n) !== BigInt(factor)) throw new Error(`smallestFactor(${n})`);
  }
  expect(primesBelow(40000)).toEqual(primes);
  expect([0, 1, 2, 3, 4].map((n) => primesBelow(n).length)).toEqual([0, 0, 0, 1, 2]);
  expect([-7, 0, 1].some((n) => isPrime(n))).toBe(false);
});

describe('isPrime', () => {
  const PRIMES = [
    65521n,
    65537n,
    2n ** 31n - 1n,
    2147483629n,
    4294967291n /* last below 2^32 */,
    2n ** 61n - 1n,
    18446744073709551557n /* last below 2^64 */,
    2n ** 89n - 1n /* beyond the proved bases */,
    2n ** 127n - 1n,
  ];
  test.each(PRIMES)('%s is prime', (n) => expect(isPrime(n)).toBe(true));

  const COMPOSITES = [
    3215031751n /* strong pseudoprime to 2, 3, 5, 7 */,
    341550071728321n /* to the primes up to 17 */,
    3825123056546413051n /* to the primes up to 23 */,
    318665857834031151167461n /* to the primes up to 37: the end of the proof by 12 bases */,
    3317044064679887385961981n /* to the primes up to 41 */,
    4294967291n ** 2n,
    (2n ** 61n - 1n) * (2n ** 31n - 1n),
    2n ** 128n + 1n,
  ];
  test.each(COMPOSITES)('%s is composite', (n) => expect(isPrime(n)).toBe(false));

  test('an independent implementation agrees around powers of two', async () => {
    for (const centre of [32n, 48n, 53n, 63n, 64n, 100n])
      for (let n = 2n ** centre - 41n; n < 2n ** centre + 41n; n += 2n)
        expect(isPrime(n)).toBe(await isProbablyPrime(n, 4, true));
  });
});

describe('smallestFactor', () => {
  const FACTORED: [bigint, bigint][] = [
    [65521n * 65537n, 65521n],
    [65537n * 65539n, 65537n],
    [4294967291n ** 2n, 4294967291n] /* a square at the top of 64 bits */,
    [4294967279n * 4294967291n, 4294967279n] /* the hardest 64-bit case */,
    [65537n ** 3n, 65537n],
    [65537n * 65539n * 4294967291n, 65537n] /* three factors for rho */,
    [2n * (2n ** 61n - 1n), 2n],
    [2n ** 64n + 1n, 274177n],
    [2n ** 61n - 1n, 2n ** 61n - 1n],
  ];
  test.each(FACTORED)('%s: %s', (n, factor) => expect(smallestFactor(n)).toBe(factor));

  test('beyond 64 bits the search may end without an answer', () => {
    expect(smallestFactor((2n ** 89n - 1n) * (2n ** 107n - 1n))).toBeNull();
  });

  test('primeFactors multiplies out', () => {
    expect(primeFactors(360)).toEqual([2n, 3n, 5n]);
    expect(primeFactors(2n ** 60n - 1n)).toEqual([3n, 5n, 7n, 11n, 13n, 31n, 41n, 61n, 151n, 331n, 1321n]);
    expect(primeFactors(1)).toEqual([]);
  });
});

describe('checkModulus', () => {
  test('primes pass', () => {
    for (const p of [2, 3, 65521, 2147483647, 2n ** 127n - 1n]) expect(checkModulus(p)).toBeUndefined();
  });

  const REFUSED: [bigint | number, string][] = [
    [65520, 'modulus 65520 is not prime (smallest factor 2); nearest primes: 65519 below, 65521 above'],
    [4, 'modulus 4 is not prime (smallest factor 2); nearest primes: 3 below, 5 above'],
    [
      4294967291n * 4294967279n,
      'modulus 18446743979220271189 is not prime (smallest factor 4294967279); nearest primes: 18446743979220271177 below, 18446743979220271361 above',
    ],
    [1, 'modulus 1 is not prime; the smallest prime is 2'],
    [0, 'modulus 0 is not prime; the smallest prime is 2'],
    [-7, 'modulus -7 is not prime; the smallest prime is 2'],
    [6.5, 'modulus 6.5: expected a prime (a bigint beyond 2^53)'],
    [Number.NaN, 'modulus NaN: expected a prime (a bigint beyond 2^53)'],
  ];
  test.each(REFUSED)('%s', (p, message) => {
    expect(() => checkModulus(p)).toThrow(new ModulusError(message));
  });

  test('neighbours', () => {
    expect(previousPrime(2)).toBeNull();
    expect(previousPrime(3)).toBe(2n);
    expect(nextPrime(-5)).toBe(2n);
    expect(nextPrime(2n ** 31n - 1n)).toBe(2147483659n);
    expect(previousPrime(65521)).toBe(65519n);
  });
});

test('a composite made to pass all bases that are primes below 307 does not pass', () => {
  // Arnault, "Constructing Carmichael numbers which are strong pseudoprimes to several bases", 1995.
  const p = BigInt(
    '2967449566868551055015417464290533273077199179985304335099507553127683875317177019959423859642812118803366475421834556249316878' +
      '2883',
  );
  const n = p * (313n * (p - 1n) + 1n) * (353n * (p - 1n) + 1n);
  expect(n.toString()).toHaveLength(397);
  expect(isPrime(p)).toBe(true);
  expect(isPrime(n)).toBe(false);
});
