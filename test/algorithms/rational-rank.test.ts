import { describe, expect, test } from 'vitest';
import { randomPrimes, unluckyPrimesLog2 } from '../../algorithms/rational-rank.js';
import { isPrime } from '../../fields/primality.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';

describe('primes for the rank over Q', () => {
  test('are primes between 2^30 and 2^31, the same for the same seed', () => {
    const primes = randomPrimes(1n, 50);
    for (const p of primes) expect(isPrime(p) && p > 2 ** 30 && p < 2 ** 31).toBe(true);
    expect(randomPrimes(1n, 50)).toEqual(primes);
    expect(new Set([...primes, ...randomPrimes(2n, 50)]).size).toBe(100);
  });

  test('miss a rank no more often than the bound of the minors says', () => {
    const N = 50_697_537;
    const one = (value: bigint | string): SparseMatrix => SparseMatrix.fromTriplets(1, 1, [[0, 0, value]]);
    // A minor below 2^30 has no prime factor there; one of 2^64 two at most.
    expect(unluckyPrimesLog2(one(2n ** 20n), 2)).toBe(Number.NEGATIVE_INFINITY);
    expect(unluckyPrimesLog2(one(2n ** 63n), 2)).toBeCloseTo(2 * Math.log2(2 / N), 9);
    expect(unluckyPrimesLog2(one(`1/${2n ** 63n}`), 1)).toBeCloseTo(Math.log2(2 / N), 9);
    expect(unluckyPrimesLog2(one(2n ** 20n * 3n ** 1000n), 1)).toBeLessThan(-19);
    const large = SparseMatrix.fromTriplets(0, 0, []);
    expect(unluckyPrimesLog2(large, 2)).toBe(Number.NEGATIVE_INFINITY);
  });
});
