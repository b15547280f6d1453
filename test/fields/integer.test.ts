import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  crt,
  divmod,
  gcd,
  integer,
  invMod,
  isNegative,
  isZero,
  mod,
  modSmall,
  mul,
  neg,
  rationalReconstruct,
  sqrtFloor,
  sub,
  toBigInt,
  toDecimal,
} from '../../fields/integer.js';

const SEED = { seed: 20, numRuns: 300 };
const big = fc.oneof(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), fc.bigInt({ min: -40n, max: 40n }));
const floorMod = (a: bigint, b: bigint) => ((a % b) + b) % b;

describe('native BigInt agrees on', () => {
  test('conversions', () => {
    fc.assert(
      fc.property(big, (x) => {
        expect(toBigInt(integer(x))).toBe(x);
        expect(toDecimal(integer(x))).toBe(x.toString());
        expect(toBigInt(integer(x.toString()))).toBe(x);
        expect(toBigInt(integer(Number(x)))).toBe(BigInt(Number(x)));
        expect(integer(integer(x))).toEqual(integer(x));
      }),
      SEED,
    );
    expect(toBigInt(integer('+0012'))).toBe(12n);
    expect(toBigInt(integer(-0))).toBe(0n);
  });

  test('sums, products, order, signs', () => {
    fc.assert(
      fc.property(big, big, (x, y) => {
        const [a, b] = [integer(x), integer(y)];
        expect(toBigInt(add(a, b))).toBe(x + y);
        expect(toBigInt(sub(a, b))).toBe(x - y);
        expect(toBigInt(mul(a, b))).toBe(x * y);
        expect(toBigInt(neg(a))).toBe(-x);
        expect(compare(a, b)).toBe(x < y ? -1 : x > y ? 1 : 0);
        expect(compare(a, integer(x))).toBe(0);
        expect([isZero(a), isNegative(a)]).toEqual([x === 0n, x < 0n]);
      }),
      SEED,
    );
  });

  test('floor division and residues', () => {
    fc.assert(
      fc.property(big, big, (x, y) => {
        fc.pre(y !== 0n);
        const { quotient, remainder } = divmod(integer(x), integer(y));
        expect(toBigInt(quotient) * y + toBigInt(remainder)).toBe(x);
        const r = toBigInt(remainder);
        expect(y > 0n ? r >= 0n && r < y : r <= 0n && r > y).toBe(true);
        const m = y < 0n ? -y : y;
        expect(toBigInt(mod(integer(x), integer(m)))).toBe(floorMod(x, m));
      }),
      SEED,
    );
    for (const p of [2, 65521, 2 ** 31 - 1, 2 ** 53 - 111])
      for (const x of [0n, -1n, 10n ** 40n, -(10n ** 40n), BigInt(p)])
        expect(modSmall(integer(x), p)).toBe(Number(floorMod(x, BigInt(p))));
  });

  test('square roots, greatest common divisors, inverses', () => {
    fc.assert(
      fc.property(big, big, (x, y) => {
        const [a, b] = [x < 0n ? -x : x, y < 0n ? -y : y];
        const root = toBigInt(sqrtFloor(integer(a)));
        expect(root * root <= a && (root + 1n) * (root + 1n) > a).toBe(true);
        expect(toBigInt(sqrtFloor(integer(a * a)))).toBe(a);
        const g = toBigInt(gcd(integer(a), integer(b)));
        if (g !== 0n) expect([a % g, b % g]).toEqual([0n, 0n]);
        if (b < 2n) return;
        const inverse = invMod(integer(x), integer(b));
        expect(inverse === null).toBe(g !== 1n);
        if (inverse !== null) expect(floorMod(toBigInt(inverse) * x, b)).toBe(1n);
      }),
      SEED,
    );
    expect(toBigInt(gcd(integer(12), integer(18)))).toBe(6n);
  });
});

test('crt finds the one residue of all', () => {
  const moduli = [2147483647, 2147483629, 65521, 2305843009213693951n, 9];
  const product = moduli.reduce((q: bigint, m) => q * BigInt(m), 1n);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: product - 1n }), (x) => {
      const residues = moduli.map((m) => x % BigInt(m));
      expect(toBigInt(crt(residues, moduli))).toBe(x);
      expect(
        toBigInt(
          crt(
            residues.map((r, i) => r - 5n * BigInt(moduli[i])),
            moduli,
          ),
        ),
      ).toBe(x);
    }),
    SEED,
  );
  expect(toBigInt(crt([], []))).toBe(0n);
  expect(() => crt([1, 2], [6, 9])).toThrow('expected coprime moduli, got 9 with the product 6');
  expect(() => crt([1], [2, 3])).toThrow('got 1 and 2');
});

describe('rationalReconstruct', () => {
  const m = 2n ** 127n - 1n;
  const bound = toBigInt(sqrtFloor(integer((m - 1n) / 2n)));

  test('every fraction within the bound comes back in lowest terms', () => {
    const side = fc.oneof(fc.bigInt({ min: 1n, max: bound }), fc.bigInt({ min: 1n, max: 30n }), fc.constant(bound));
    fc.assert(
      fc.property(side, side, fc.boolean(), (n, d, negative) => {
        const g = toBigInt(gcd(integer(n), integer(d)));
        const [num, den] = [((negative ? -1n : 1n) * n) / g, d / g];
        const inverse = toBigInt(invMod(integer(den), integer(m)) ?? integer(0));
        const found = rationalReconstruct(floorMod(num * inverse, m), m);
        expect(found && [toBigInt(found.num), toBigInt(found.den)]).toEqual([num, den]);
      }),
      SEED,
    );
    expect(rationalReconstruct(0, m)).toEqual({ num: integer(0), den: integer(1) });
  });

  // 360 and 1001 have factors to share with numerator and denominator.
  test.each([101, 360, 1001])('it finds exactly the fractions that a search finds, modulo %i', (m) => {
    const bound = Math.floor(Math.sqrt((m - 1) / 2));
    for (let a = 0; a < m; a++) {
      const fractions: [number, number][] = [];
      for (let den = 1; den <= bound; den++)
        for (let num = -bound; num <= bound; num++)
          if ((num - a * den) % m === 0 && toBigInt(gcd(integer(Math.abs(num)), integer(den))) === 1n)
            fractions.push([num, den]);
      expect(fractions.length).toBeLessThanOrEqual(1);
      const found = rationalReconstruct(a, m);
      expect(found ? [[Number(toBigInt(found.num)), Number(toBigInt(found.den))]] : []).toEqual(fractions);
    }
  });

  test('a bound without uniqueness is refused', () => {
    expect(() => rationalReconstruct(5, 101, integer(8))).toThrow('expected 2·bound² < 101, got bound 8');
  });
});

test('what is no integer is refused', () => {
  expect(() => integer(1.5)).toThrow('expected a whole number, got 1.5');
  expect(() => integer(Number.POSITIVE_INFINITY)).toThrow('got Infinity');
  for (const text of ['', '-', '0x10', '1e3', ' 1', '--2']) expect(() => integer(text)).toThrow('decimal digits');
  expect(() => divmod(integer(1), integer(0))).toThrow('expected a nonzero divisor, got 0');
});
