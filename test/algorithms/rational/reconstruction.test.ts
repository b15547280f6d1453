/** Relations r ≡ t·X mod m by chunks of quotients against Euclid's algorithm step by step. */
import { describe, expect, test } from 'vitest';
import { MethodError } from '../../../algorithms/method-error.js';
import { bitLength } from '../../../algorithms/rational/integer-system.js';
import {
  checkHeap,
  findRelation,
  greatestDivisor,
  joinDigits,
  symmetricResidue,
} from '../../../algorithms/rational/reconstruction.js';
import { gcd } from '../../../fields/inverse.js';
import { CounterRandom } from '../../../fields/random.js';

function randomBits(bits: number, seed: bigint): bigint {
  const words = new CounterRandom(seed, 0).fillWords(new Uint32Array(Math.ceil(bits / 32)));
  return words.reduce((x, word) => (x << 32n) | BigInt(word), 0n) >> BigInt((32 - (bits % 32)) % 32);
}

function relationByEuclid(x: bigint, m: bigint): { r: bigint; t: bigint } {
  const limit = Math.floor((bitLength(m) - 2) / 2);
  let [a, b, s, t] = [m, ((x % m) + m) % m, 0n, 1n];
  while (bitLength(b) > limit) {
    const q = a / b;
    [a, b, s, t] = [b, a - q * b, t, s - q * t];
  }
  return t < 0n ? { r: -b, t: -t } : { r: b, t };
}

describe('rational reconstruction', () => {
  test('coordinates that V8 has no room for are refused before they are made', () => {
    expect(() => checkHeap(1000, 1e6)).not.toThrow();
    expect(() => checkHeap(1e6, 1e7)).toThrow(MethodError);
    expect(() => checkHeap(1e6, 1e7)).toThrow(
      /^1000000 coordinates of 10000000 bits take about 2384186 MB of V8's heap, which has \d+; --max-old/,
    );
  });

  test('is that of Euclid at every size, below and beyond a chunk', () => {
    for (const bits of [8, 63, 500, 4000, 4200, 12000, 30000]) {
      for (const seed of [1n, 2n, 3n]) {
        const m = 1n << BigInt(bits);
        const x = randomBits(bits, seed);
        // Half of the bits of a random X: a relation, even where no fraction was meant.
        const found = findRelation(x, m);
        if (found !== null) expect(found).toEqual(relationByEuclid(x, m));
        else expect(bitLength(relationByEuclid(x, m).t)).toBeGreaterThan(bits / 2 - 1);
      }
    }
  });

  test('finds fractions, with long quotients too', () => {
    const m = 3n ** 9000n;
    for (const [n, d] of [
      [randomBits(6000, 4n), randomBits(6001, 5n) | 1n],
      [-randomBits(6000, 6n), 2n ** 6000n],
      [2n ** 6500n + 1n, 2n ** 6400n],
      [0n, 1n],
      [-1n, 2n],
    ]) {
      // d^-1 mod 3^9000 by Newton's iteration.
      let inverse = d % 3n;
      if (inverse === 0n) continue;
      for (let i = 0; i < 14; i++) inverse = (inverse * (2n - d * inverse)) % m;
      const relation = findRelation(n * inverse, m);
      expect(relation).not.toBeNull();
      if (relation !== null) expect(relation.r * d).toBe(relation.t * n);
    }
  });

  // 360 and 1001 have factors to share with numerator and denominator.
  test.each([101n, 360n, 1001n, 2048n])('finds each fraction that a search finds, modulo %i', (m) => {
    const bound = 2n ** BigInt(Math.floor((bitLength(m) - 2) / 2)) - 1n;
    for (let den = 1n; den <= bound; den++) {
      for (let num = -bound; num <= bound; num++) {
        const residues = Array.from({ length: Number(m) }, (_, x) => BigInt(x)).filter(
          (x) => (num - x * den) % m === 0n,
        );
        for (const x of residues) {
          const relation = findRelation(x, m);
          expect(relation).not.toBeNull();
          expect(relation!.r * den).toBe(num * relation!.t);
          expect((relation!.r - relation!.t * x) % m).toBe(0n);
        }
      }
    }
  });

  test('greatest divisors are those of Euclid, below and beyond a chunk', () => {
    for (const bits of [0, 5, 2000, 2100, 9000, 20000]) {
      for (const shared of [1n, 6n, randomBits(3000, 7n)]) {
        const [a, b] = [randomBits(bits + 1, 8n) * shared, randomBits(bits + 40, 9n) * shared];
        for (const [x, y] of [
          [a, b],
          [b, a],
          [a, 0n],
          [0n, a],
          [a, a],
          [a, a * b],
        ])
          expect(greatestDivisor(x, y)).toBe(gcd(x, y));
      }
    }
    expect(greatestDivisor(2n ** 9000n, 2n ** 8000n * 3n)).toBe(2n ** 8000n);
  });

  test('joins digits of any sign, and takes residues next to 0', () => {
    const digits = Array.from({ length: 101 }, (_, j) => ((j * 37) % 21) - 10);
    const sum = digits.reduceRight((x, digit) => x * 97n + BigInt(digit), 0n);
    expect(joinDigits(digits.length, (j) => digits[j], [97n])).toBe(sum);
    expect(joinDigits(0, () => 1, [97n])).toBe(0n);
    expect([-7n, -4n, -3n, 3n, 4n, 7n].map((x) => symmetricResidue(x, 7n))).toEqual([0n, 3n, -3n, 3n, -3n, 0n]);
  });
});
