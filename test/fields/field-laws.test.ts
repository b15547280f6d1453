/**
 * One table of primes × one table of representations: a new field earns every law with one row.
 * The truth beside them is native BigInt.
 */
import { describe, expect, test } from 'vitest';
import { BigPrime } from '../../fields/big-prime.js';
import { ExtensionField } from '../../fields/extension.js';
import { type Field, FieldError } from '../../fields/field.js';
import { FloatPrime } from '../../fields/float-prime.js';
import type { Integer } from '../../fields/integer.js';
import { CounterRandom } from '../../fields/random.js';
import { additionsBeforeReduction, productsBeforeReduction } from '../../fields/reduction.js';
import { Uint16Prime, WordPrime } from '../../fields/word-prime.js';
import { FIELD_PRIMES } from './primes.js';

type AnyField = Field<number> | Field<Integer>;
interface Representation {
  readonly name: string;
  readonly holds: (p: bigint) => boolean;
  readonly make: (p: bigint) => AnyField;
}

const float = (precision: 'float32' | 'float64', residues: 'classical' | 'balanced'): Representation => ({
  name: `${precision} ${residues}`,
  holds: (p) => FloatPrime.holds(p, precision, residues),
  make: (p) => new FloatPrime(p, precision, residues),
});

const REPRESENTATIONS: Representation[] = [
  { name: 'uint32', holds: (p) => p < 2n ** 31n, make: (p) => new WordPrime(p) },
  { name: 'uint16', holds: (p) => p < 2n ** 16n, make: (p) => new Uint16Prime(p) },
  float('float32', 'classical'),
  float('float32', 'balanced'),
  float('float64', 'classical'),
  float('float64', 'balanced'),
  { name: 'integer', holds: () => true, make: (p) => new BigPrime(p) },
  { name: 'extension of degree 1', holds: (p) => p < 2n ** 31n, make: (p) => new ExtensionField(p, 1) },
];

const ROWS = FIELD_PRIMES.flatMap((p) =>
  REPRESENTATIONS.filter((r) => r.holds(p)).map((r): [string, bigint, AnyField] => [r.name, p, r.make(p)]),
);

const mod = (x: bigint, p: bigint) => ((x % p) + p) % p;

/** The ends, the middle (where balanced residues change sign), and ten random residues, without repetition. */
function samples(p: bigint): bigint[] {
  const random = new CounterRandom(2, 0);
  const drawn = Array.from({ length: 10 }, (_, i) => random.bigResidueAt(i, p));
  const ends = [0n, 1n, 2n, p / 2n - 1n, p / 2n, p / 2n + 1n, p - 2n, p - 1n].map((x) => mod(x, p));
  return [...new Set([...ends, ...drawn])];
}

function inverseByPower(a: bigint, p: bigint): bigint {
  let result = 1n;
  for (const bit of (p - 2n).toString(2)) {
    result = (result * result) % p;
    if (bit === '1') result = (result * a) % p;
  }
  return result;
}

function laws<E>(field: Field<E>, p: bigint): void {
  const values = samples(p);
  const elements = values.map((x) => field.from(x));
  const agree = (e: E, x: bigint, what: string) => {
    if (field.to(e) !== mod(x, p)) throw new Error(`${what}: got ${field.to(e)}, expected ${mod(x, p)} mod ${p}`);
    // A residue has one name: equal values are equal elements.
    if (!field.equals(e, field.from(x))) throw new Error(`${what}: ${e} is not the canonical ${field.from(x)}`);
  };
  agree(field.zero, 0n, 'zero');
  agree(field.one, 1n, 'one');
  values.forEach((x, i) => {
    const a = elements[i];
    agree(a, x, 'from');
    agree(field.neg(a), -x, `-${x}`);
    agree(field.pow(a, 0), 1n, `${x}^0`);
    agree(field.pow(a, 5), x ** 5n, `${x}^5`);
    agree(field.pow(a, p), x, `${x}^p`);
    if (x !== 0n) {
      agree(field.inv(a), inverseByPower(x, p), `1/${x}`);
      agree(field.pow(a, -2), inverseByPower(x * x, p), `${x}^-2`);
    }
    values.forEach((y, j) => {
      const b = elements[j];
      agree(field.add(a, b), x + y, `${x} + ${y}`);
      agree(field.sub(a, b), x - y, `${x} - ${y}`);
      agree(field.mul(a, b), x * y, `${x} * ${y}`);
      const c = elements[(i + 3 * j) % elements.length];
      const left = field.mul(a, field.add(b, c));
      if (!field.equals(left, field.add(field.mul(a, b), field.mul(a, c)))) throw new Error(`distributivity ${x} ${y}`);
      const associated = field.mul(field.mul(a, b), c);
      if (!field.equals(associated, field.mul(a, field.mul(b, c)))) throw new Error(`associativity ${x} ${y}`);
    });
  });
}

describe.each(ROWS)('%s mod %s', (name, p, field) => {
  test('laws', () => {
    laws(field as Field<unknown>, p);
    expect(field.modulus).toBe(p);
    expect(field.order).toBe(p);
    expect(field.degree).toBe(1);
    expect(field.bits).toBe((p - 1n).toString(2).length);
    if (!name.startsWith('extension')) expect(name.startsWith(field.representation)).toBe(true);
  });

  test('it promises the bounds of its own residues', () => {
    const residues = name.endsWith('balanced') ? 'balanced' : 'classical';
    for (const accumulator of ['i32', 'i64', 'f32', 'f64'] as const) {
      const products = productsBeforeReduction(p, accumulator, residues);
      expect(field.productsBeforeReduction(accumulator)).toBe(products);
      expect(field.additionsBeforeReduction(accumulator)).toBe(additionsBeforeReduction(p, accumulator, residues));
    }
  });

  test('integers of any size, sign and spelling', () => {
    const check = <E>(f: Field<E>) => {
      for (const x of [-1n, p, -p, 2n ** 53n - 1n, -(2n ** 53n - 1n), 10n ** 60n + 7n, -(3n ** 200n)]) {
        expect(f.to(f.from(x))).toBe(mod(x, p));
        expect(f.to(f.from(x.toString()))).toBe(mod(x, p));
        const double = Number(x); // a whole number, exactly the double it is
        expect(f.to(f.from(double))).toBe(mod(BigInt(double), p));
        expect(f.to(f.from(new BigPrime(2n ** 127n - 1n).from(x)))).toBe(mod(mod(x, 2n ** 127n - 1n), p));
      }
      expect(f.from(-0)).toEqual(f.zero); // not −0
    };
    check(field as Field<unknown>);
  });

  test('zero has no inverse, a fraction is no integer', () => {
    const check = <E>(f: Field<E>) => {
      expect(() => f.inv(f.zero)).toThrow(FieldError);
      expect(() => f.pow(f.zero, -1)).toThrow(FieldError);
      expect(() => f.pow(f.one, 0.5)).toThrow('expected an integer exponent');
      expect(() => f.from(0.5)).toThrow('expected an integer, got 0.5');
      expect(() => f.from(Number.NaN)).toThrow('got NaN');
      expect(() => f.from('12a')).toThrow('expected decimal digits, got "12a"');
    };
    check(field as Field<unknown>);
  });
});

test('every representation refuses a composite and what it cannot hold', () => {
  for (const { make } of REPRESENTATIONS)
    expect(() => make(91n)).toThrow('modulus 91 is not prime (smallest factor 7)');
  expect(() => new WordPrime(2147483659n)).toThrow('WordPrime: expected a prime below 2^31, got 2147483659');
  expect(() => new Uint16Prime(65537)).toThrow('Uint16Prime: expected a prime below 2^16, got 65537');
  expect(() => new FloatPrime(4099, 'float32')).toThrow(
    'one product of float32 residues to fit 16777215, got p = 4099',
  );
});
