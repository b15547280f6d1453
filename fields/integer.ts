/**
 * Integers of any size on the cold paths: matrix entries beyond 2^53, their residues, Chinese remaindering, moduli
 * wider than a word. The one module that knows jsbi; its values meet native bigints in `integer`, `toBigInt`, and in
 * the Euclidean algorithm of inverse.ts.
 *
 * Source: jsbi 4.3.2.
 */
import jsbi from 'jsbi/dist/jsbi.mjs';
import * as euclid from './inverse.js';

declare const OPAQUE: unique symbol;

/** An arbitrary-precision integer; opaque outside this module. */
export interface Integer {
  readonly [OPAQUE]: true;
  toString(radix?: number): string;
}

/** The part of jsbi in use; its own declarations are of a CommonJS module. */
interface Arithmetic {
  BigInt(x: number | string): Integer;
  toNumber(x: Integer): number;
  unaryMinus(x: Integer): Integer;
  add(a: Integer, b: Integer): Integer;
  subtract(a: Integer, b: Integer): Integer;
  multiply(a: Integer, b: Integer): Integer;
  divide(a: Integer, b: Integer): Integer;
  remainder(a: Integer, b: Integer): Integer;
  lessThan(a: Integer, b: Integer): boolean;
  equal(a: Integer, b: Integer): boolean;
}

const JSBI = jsbi as Arithmetic;

/** Readable as an integer: a whole number, a native bigint, a decimal string with optional sign, an Integer. */
export type IntegerLike = number | bigint | string | Integer;

const DECIMAL = /^[+-]?[0-9]+$/;

/** Reads an integer; a fraction, NaN, infinity or malformed string is a RangeError. */
export function integer(x: IntegerLike): Integer {
  if (typeof x === 'object') return x;
  if (typeof x === 'bigint') return fromBigInt(x);
  if (typeof x === 'number') {
    if (!Number.isInteger(x)) throw new RangeError(`integer: expected a whole number, got ${x}`);
    return JSBI.BigInt(x);
  }
  if (!DECIMAL.test(x)) throw new RangeError(`integer: expected decimal digits, got ${JSON.stringify(x.slice(0, 40))}`);
  return JSBI.BigInt(x.startsWith('+') ? x.slice(1) : x);
}

// Hexadecimal both ways is linear; decimal would be quadratic.
function fromBigInt(x: bigint): Integer {
  return x < 0n ? JSBI.unaryMinus(JSBI.BigInt(`0x${(-x).toString(16)}`)) : JSBI.BigInt(`0x${x.toString(16)}`);
}

export function toBigInt(x: Integer): bigint {
  const text = x.toString(16);
  return text.startsWith('-') ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`);
}

export function toDecimal(x: Integer): string {
  return x.toString(10);
}

export function add(a: Integer, b: Integer): Integer {
  return JSBI.add(a, b);
}

export function sub(a: Integer, b: Integer): Integer {
  return JSBI.subtract(a, b);
}

export function neg(a: Integer): Integer {
  return JSBI.unaryMinus(a);
}

export function mul(a: Integer, b: Integer): Integer {
  return JSBI.multiply(a, b);
}

/** −1, 0 or 1 as a is below, equal to or above b. */
export function compare(a: Integer, b: Integer): -1 | 0 | 1 {
  if (JSBI.lessThan(a, b)) return -1;
  return JSBI.equal(a, b) ? 0 : 1;
}

/** Floor division: a = quotient·b + remainder, the remainder 0 or of the sign of b and smaller than it. */
export function divmod(a: Integer, b: Integer): { quotient: Integer; remainder: Integer } {
  if (isZero(b)) throw new RangeError('divmod: expected a nonzero divisor, got 0');
  const quotient = JSBI.divide(a, b); // truncates
  const remainder = JSBI.subtract(a, JSBI.multiply(quotient, b));
  if (isZero(remainder) || isNegative(remainder) === isNegative(b)) return { quotient, remainder };
  return { quotient: JSBI.subtract(quotient, ONE), remainder: JSBI.add(remainder, b) };
}

/** The residue of a in [0, m), m > 0. */
export function mod(a: Integer, m: Integer): Integer {
  const remainder = JSBI.remainder(a, m);
  return isNegative(remainder) ? JSBI.add(remainder, m) : remainder;
}

/** The residue of x in [0, p) as a number, p < 2^53. */
export function modSmall(x: Integer, p: number): number {
  return JSBI.toNumber(mod(x, JSBI.BigInt(p)));
}

export function isZero(x: Integer): boolean {
  return JSBI.equal(x, ZERO);
}

export function isNegative(x: Integer): boolean {
  return JSBI.lessThan(x, ZERO);
}

const ZERO = JSBI.BigInt(0);
const ONE = JSBI.BigInt(1);

/** a^-1 mod m in [0, m), or null when gcd(a, m) ≠ 1. */
export function invMod(a: Integer, m: Integer): Integer | null {
  const inverse = euclid.invMod(toBigInt(a), toBigInt(m));
  return inverse === null ? null : fromBigInt(inverse);
}

/** The x in [0, product of the moduli) with x ≡ residues[i] mod moduli[i]; the moduli are pairwise coprime. */
export function crt(residues: readonly IntegerLike[], moduli: readonly IntegerLike[]): Integer {
  if (residues.length !== moduli.length)
    throw new RangeError(`crt: expected as many residues as moduli, got ${residues.length} and ${moduli.length}`);
  let x = ZERO;
  let product = ONE;
  for (let i = 0; i < moduli.length; i++) {
    const m = integer(moduli[i]);
    const inverse = invMod(product, m);
    if (inverse === null)
      throw new RangeError(`crt: expected coprime moduli, got ${toDecimal(m)} with the product ${toDecimal(product)}`);
    // x ← x + product·((residue − x)·product^-1 mod m)
    const digit = mod(mul(sub(integer(residues[i]), x), inverse), m);
    x = add(x, mul(product, digit));
    product = mul(product, m);
  }
  return x;
}
