import { describe, expect, test } from 'vitest';
import { CounterRandom } from '../../fields/random.js';
import { Uint16Prime, WordPrime } from '../../fields/word-prime.js';
import { FIELD_PRIMES } from './primes.js';

const WORD_PRIMES = FIELD_PRIMES.filter((p) => p < 2n ** 31n).map(Number);
const FIELDS = WORD_PRIMES.flatMap((p) => (p < 65536 ? [new Uint16Prime(p), new WordPrime(p)] : [new WordPrime(p)]));

/** Random residues, the first half of them the largest: that is where delayed reduction would break. */
function vector(p: number, length: number, stream: number): Uint32Array {
  return new CounterRandom(1, stream).fillResidues(new Uint32Array(length), p).fill(p - 1, 0, length >> 1);
}

describe.each(FIELDS.map((f) => [f.representation, f.p, f] as const))('%s mod %i', (_, p, field) => {
  test('products next to multiples of p, where the quotient is hardest', () => {
    const random = new CounterRandom(3, 0);
    for (let i = 0; i < 3000; i++) {
      const a = random.nonzeroAt(i, p);
      // a·b ≡ 0, 1, −1: b = 0 and the inverses of ±1 up to sign; and a·b about k·p for random k.
      const near = Math.round((random.residueAt(i + 5000, p) * p) / a) % p;
      for (const b of [field.inv(a), field.neg(field.inv(a)), near, p - a, p - 1])
        if (BigInt(field.mul(a, b)) !== (BigInt(a) * BigInt(b)) % field.modulus) throw new Error(`${a}·${b} mod ${p}`);
    }
  });

  test.each([0, 1, 63, 64, 65, 1000])('dot of length %i', (length) => {
    const [a, b] = [vector(p, length, 0), vector(p, length, 1)];
    const sum = a.reduce((s, x, i) => s + BigInt(x) * BigInt(b[i]), 0n);
    expect(BigInt(field.dot(a, b))).toBe(sum % field.modulus);
  });

  test('dot of the largest products at one run, one less and one more', () => {
    // WordPrime splits off 16 low bits: b with all of them set is its worst case.
    const lowest = p > 65536 ? (Math.floor(p / 65536) - 1) * 65536 + 65535 : p - 1;
    const run = field.isU16 ? 64 : Math.floor((2 ** 53 - p) / ((p - 1) * 65535));
    for (const length of [run - 1, run, run + 1, 2 * run + 1]) {
      if (length > 1e6) continue;
      const a = new Uint32Array(length).fill(p - 1);
      const b = new Uint32Array(length).fill(lowest);
      expect(field.dot(a, b)).toBe(field.mul(field.from(length), field.mul(p - 1, lowest)));
    }
  });

  test('batchInv, balanced, mulAdd', () => {
    const random = new CounterRandom(5, 0);
    const a = Uint32Array.from({ length: 30 }, (_, i) => random.nonzeroAt(i, p));
    expect([...field.batchInv(a)]).toEqual([...a].map((x) => field.inv(x)));
    for (const x of [0, ...a]) {
      const r = field.balance(x);
      expect(field.from(r)).toBe(x);
      expect(Math.abs(r)).toBeLessThanOrEqual(p / 2);
      const expected = (BigInt(a[0]) * BigInt(x) + BigInt(p - 1)) % field.modulus;
      expect(BigInt(field.mulAdd(a[0], x, p - 1))).toBe(expected);
    }
    expect(field.batchInv(new Uint32Array(0)).length).toBe(0);
  });
});

test('every product mod the small primes', () => {
  for (const p of [2, 3, 5, 7, 101, 251])
    for (const field of [new WordPrime(p), new Uint16Prime(p)])
      for (let a = 0; a < p; a++)
        for (let b = 0; b < p; b++) if (field.mul(a, b) !== (a * b) % p) throw new Error(`${a}·${b} mod ${p}`);
});

test('dot over more terms than one run of Uint16Prime', () => {
  // 2^53 / 65519² = 2098239: beyond it a double rounds the odd sums of 65519².
  const p = 65521;
  const length = 2 * 2098239 + 3;
  const a = new Uint32Array(length).fill(p - 2);
  expect(WordPrime.of(p).dot(a, a)).toBe((4 * length) % p); // (−2)·(−2) each
});

test('of() chooses by size; zero and unequal lengths are refused', () => {
  expect(WordPrime.of(65521)).toBeInstanceOf(Uint16Prime);
  expect(WordPrime.of(65521).isU16).toBe(true);
  expect(WordPrime.of(65537n)).not.toBeInstanceOf(Uint16Prime);
  expect(WordPrime.of(65537n).isU16).toBe(false);
  const field = WordPrime.of(7);
  expect(() => field.batchInv(Uint32Array.of(3, 0))).toThrow('expected nonzero residues mod 7, got 0 at 1');
  expect(() => field.dot(new Uint32Array(2), new Uint32Array(3))).toThrow('expected equal lengths, got 2 and 3');
});
