/**
 * Integers of any size on the cold paths: matrix entries beyond 2^53, their residues, Chinese remaindering, rational
 * reconstruction, moduli wider than a word. The one module that knows jsbi; its values meet native bigints in
 * `integer`, `toBigInt`, and in the Euclidean algorithms of inverse.ts.
 *
 * Source: jsbi 4.3.2; rational reconstruction: Wang 1981, with the uniqueness bound of Wang, Guy and Davenport 1982.
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
  leftShift(a: Integer, b: Integer): Integer;
  signedRightShift(a: Integer, b: Integer): Integer;
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

/**
 * The fraction num/den ≡ a (mod m) with |num| ≤ bound, 0 < den ≤ bound and gcd(num, den) = 1, or null if there is none.
 * With 2·bound² < m it is unique: num1/den1 and num2/den2 would give m | num1·den2 − num2·den1, which is below m.
 */
export function rationalReconstruct(
  a: IntegerLike,
  m: IntegerLike,
  bound: Integer = sqrtFloor(divmod(sub(integer(m), ONE), integer(2)).quotient),
): { num: Integer; den: Integer } | null {
  const modulus = integer(m);
  if (compare(mul(integer(2), mul(bound, bound)), modulus) >= 0)
    throw new RangeError(
      `rationalReconstruct: expected 2·bound² < ${toDecimal(modulus)}, got bound ${toDecimal(bound)}`,
    );
  let [r0, r1] = [modulus, mod(integer(a), modulus)];
  let [t0, t1] = [ZERO, ONE];
  // r_i ≡ t_i·a (mod m); the first remainder ≤ bound is the only candidate.
  while (compare(r1, bound) > 0) {
    const { quotient, remainder } = divmod(r0, r1);
    [r0, r1] = [r1, remainder];
    [t0, t1] = [t1, sub(t0, mul(quotient, t1))];
  }
  const den = isNegative(t1) ? neg(t1) : t1;
  const num = isNegative(t1) ? neg(r1) : r1;
  if (compare(den, bound) > 0 || !isOne(gcd(r1, den))) return null;
  return { num, den };
}

/** The greatest common divisor of two nonnegative integers. */
export function gcd(a: Integer, b: Integer): Integer {
  return fromBigInt(euclid.gcd(toBigInt(a), toBigInt(b)));
}

function isOne(x: Integer): boolean {
  return JSBI.equal(x, ONE);
}

/** floor(sqrt(x)), x ≥ 0, by Newton's iteration from above. */
export function sqrtFloor(x: Integer): Integer {
  if (isZero(x)) return ZERO;
  const bits = x.toString(2).length;
  let root = JSBI.leftShift(ONE, JSBI.BigInt(Math.ceil(bits / 2)));
  for (;;) {
    const next = JSBI.signedRightShift(JSBI.add(root, JSBI.divide(x, root)), ONE);
    if (!JSBI.lessThan(next, root)) return root;
    root = next;
  }
}
