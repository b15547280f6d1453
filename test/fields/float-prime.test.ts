import { describe, expect, test } from 'vitest';
import { convert, FloatPrime, storage, type WordField } from '../../fields/float-prime.js';
import { nextPrime } from '../../fields/primality.js';
import { CounterRandom } from '../../fields/random.js';
import { capacity } from '../../fields/reduction.js';
import { WordPrime } from '../../fields/word-prime.js';

const PRECISIONS = ['float32', 'float64'] as const;
const RESIDUES = ['classical', 'balanced'] as const;

/** The largest prime of each representation, where one product just fits. */
const LARGEST = [
  ['float32', 'classical', 4093],
  ['float32', 'balanced', 8191],
  ['float64', 'classical', 94906249],
  ['float64', 'balanced', 189812507],
] as const;

const FIELDS = [2, 3, 5, 7, 11, 101, 2039]
  .flatMap((p) => PRECISIONS.flatMap((precision) => RESIDUES.map((r) => new FloatPrime(p, precision, r))))
  .concat(LARGEST.map(([precision, residues, p]) => new FloatPrime(p, precision, residues)));

describe.each(FIELDS.map((f) => [f.representation, f.p, f] as const))('%s mod %i', (_, p, field) => {
  const limit = Number(capacity(field.precision === 'float32' ? 'f32' : 'f64'));
  const word = WordPrime.of(p);

  test('reduce is right up to M on both sides, hardest next to multiples of p', () => {
    const random = new CounterRandom(7, p);
    const quotients = [0, 1, 2, Math.floor(limit / p) - 1, Math.floor(limit / p)];
    for (let i = 0; i < 200; i++) quotients.push(Math.floor(random.u32At(i) * 2 ** -32 * (limit / p)));
    for (const q of quotients)
      for (let d = -3; d <= 3; d++) {
        const x = Math.min(limit, q * p + d);
        for (const signed of [x, -x]) {
          const r = field.reduce(signed);
          if (!Object.is(r, field.from(signed))) throw new Error(`reduce(${signed}) = ${r}, not ${field.from(signed)}`);
        }
      }
  });

  test('dot of many runs of largest products', () => {
    const run = field.productsBeforeReduction(field.precision === 'float32' ? 'f32' : 'f64');
    const length = Math.min(3 * run + 1, 5000);
    const largest = field.from(field.residues === 'balanced' ? Math.floor(p / 2) : p - 1);
    const a = storage(field, length).fill(largest);
    const expected = word.mul(word.from(length), word.mul(word.from(largest), word.from(largest)));
    expect(Number(field.to(field.dot(a, a)))).toBe(expected);
  });

  test('elements of a float32 field are float32', () => {
    for (const x of [0, 1, p - 1, Math.floor(p / 2), Math.floor(p / 2) + 1]) {
      const e = field.from(x);
      if (field.precision === 'float32') expect(Math.fround(e)).toBe(e);
      expect(Math.abs(e)).toBeLessThanOrEqual(field.residues === 'balanced' ? p / 2 : p - 1);
    }
  });
});

test.each(LARGEST)('%s %s: %i is the last prime', (precision, residues, p) => {
  expect(FloatPrime.holds(p, precision, residues)).toBe(true);
  expect(() => new FloatPrime(nextPrime(p), precision, residues)).toThrow(`got p = ${nextPrime(p)}`);
});

describe('convert', () => {
  const fields = (p: number): WordField[] => [
    WordPrime.of(p),
    new WordPrime(p),
    ...PRECISIONS.flatMap((precision) => RESIDUES.map((r) => new FloatPrime(p, precision, r))),
  ];
  test.each([2, 3, 101, 4093])('between all representations mod %i', (p) => {
    const residues = [...new Set([0, 1, p >> 1, Math.min((p >> 1) + 1, p - 1), p - 1])];
    for (const from of fields(p))
      for (const to of fields(p)) {
        const converted = convert(
          from,
          to,
          residues.map((x) => from.from(x)),
        );
        expect([...converted]).toEqual(residues.map((x) => to.from(x)));
        expect(converted.constructor).toBe(storage(to, 0).constructor);
      }
  });

  test('storage is the word of the representation', () => {
    expect(storage(WordPrime.of(65521), 3)).toEqual(new Uint16Array(3));
    expect(storage(WordPrime.of(65537), 3)).toEqual(new Uint32Array(3));
    expect(storage(new FloatPrime(101, 'float32'), 3)).toEqual(new Float32Array(3));
    expect(storage(new FloatPrime(101, 'float64'), 3)).toEqual(new Float64Array(3));
  });

  test('two moduli are refused', () => {
    expect(() => convert(WordPrime.of(5), WordPrime.of(7), [1])).toThrow('expected one modulus, got 5 and 7');
  });
});
