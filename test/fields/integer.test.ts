import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  crt,
  divmod,
  integer,
  invMod,
  isNegative,
  isZero,
  mod,
  modSmall,
  mul,
  neg,
  sub,
  toBigInt,
  toDecimal,
} from '../../fields/integer.js';
import { gcd } from '../../fields/inverse.js';

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

  test('inverses', () => {
    fc.assert(
      fc.property(big, big, (x, y) => {
        const b = y < 0n ? -y : y;
        if (b < 2n) return;
        const inverse = invMod(integer(x), integer(b));
        expect(inverse === null).toBe(gcd(floorMod(x, b), b) !== 1n);
        if (inverse !== null) expect(floorMod(toBigInt(inverse) * x, b)).toBe(1n);
      }),
      SEED,
    );
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

test('what is no integer is refused', () => {
  expect(() => integer(1.5)).toThrow('expected a whole number, got 1.5');
  expect(() => integer(Number.POSITIVE_INFINITY)).toThrow('got Infinity');
  for (const text of ['', '-', '0x10', '1e3', ' 1', '--2']) expect(() => integer(text)).toThrow('decimal digits');
  expect(() => divmod(integer(1), integer(0))).toThrow('expected a nonzero divisor, got 0');
});
