/**
 * The matrix entries that do not fit 32 bits: integers of any size and fractions, beside the flat arrays.
 *
 *   entry number positions[w] of the matrix is numerator/denominator of entries[w]
 *
 * They are few in real files (a handful of big bounds, a rational basis), so they may be slow; what matters is that the
 * arrays everybody streams through stay 32 bits wide.
 */
import * as Z from '../fields/integer.js';

/** A matrix entry as a caller may write it: an integer, or a decimal string that may be a fraction 'a/b'. */
export type Entry = Z.IntegerLike;

/** A value that 32 bits do not hold, in lowest terms. */
export interface WideValue {
  readonly numerator: Z.Integer;
  readonly denominator: Z.Integer; // > 0
}

/** An entry that cannot be read, or that has no residue modulo the prime asked for. */
export class EntryError extends Error {
  override readonly name = 'EntryError';
}

/** A plain copy of the list, fit for structured cloning. */
export interface WideParts {
  readonly positions: readonly number[];
  readonly values: readonly string[]; // 'a' or 'a/b'
}

const ONE = Z.integer(1);
const INTEGER = /^[+-]?\d+$/;
const FRACTION = /^([+-]?\d+)\/([+-]?\d+)$/;

export class WideEntries {
  readonly positions: number[] = []; // strictly increasing
  readonly entries: WideValue[] = [];

  get size(): number {
    return this.positions.length;
  }

  /** Appends `value` as entry number `position`, which must exceed every earlier one. */
  push(position: number, value: WideValue): void {
    this.positions.push(position);
    this.entries.push(value);
  }

  /** The residues of all of them mod p, in [0, p). `where` names an entry should it have none. */
  residues(p: bigint, where: (position: number) => string): bigint[] {
    const modulus = Z.integer(p);
    return this.entries.map(({ numerator, denominator }, w) => {
      if (!isFraction(this.entries[w])) return Z.toBigInt(Z.mod(numerator, modulus));
      const inverse = Z.invMod(denominator, modulus);
      if (inverse === null) {
        const entry = formatWide(this.entries[w]);
        throw new EntryError(
          `entry ${where(this.positions[w])} = ${entry}: expected a denominator prime to ${p}, got a multiple of it`,
        );
      }
      return Z.toBigInt(Z.mod(Z.mul(numerator, inverse), modulus));
    });
  }

  toParts(): WideParts {
    return { positions: this.positions, values: this.entries.map(formatWide) };
  }

  static fromParts(parts: WideParts): WideEntries {
    const wide = new WideEntries();
    for (let w = 0; w < parts.positions.length; w++) {
      const value = parseEntry(parts.values[w]);
      wide.push(
        parts.positions[w],
        typeof value === 'number' ? { numerator: Z.integer(value), denominator: ONE } : value,
      );
    }
    return wide;
  }
}

export function isFraction(value: WideValue): boolean {
  return Z.compare(value.denominator, ONE) !== 0;
}

/** −value for sign −1, value for 1. */
export function withSign(value: WideValue, sign: 1 | -1): WideValue {
  return sign === 1 ? value : { numerator: Z.neg(value.numerator), denominator: value.denominator };
}

/** 'a' for an integer, 'a/b' for a fraction. */
export function formatWide(value: WideValue): string {
  const numerator = Z.toDecimal(value.numerator);
  return isFraction(value) ? `${numerator}/${Z.toDecimal(value.denominator)}` : numerator;
}

/** Reads an entry: a 32-bit number where it fits, else numerator and denominator. */
export function parseEntry(entry: Entry): number | WideValue {
  if (typeof entry === 'number') {
    if ((entry | 0) === entry) return entry;
    if (Number.isSafeInteger(entry)) return { numerator: Z.integer(entry), denominator: ONE };
    throw new EntryError(`entry: expected an integer (bigint or string beyond 2^53), got ${entry}`);
  }
  if (typeof entry !== 'string') return narrowed(Z.integer(entry), ONE);
  if (INTEGER.test(entry)) return narrowed(Z.integer(entry), ONE);
  const parts = FRACTION.exec(entry);
  if (parts === null) throw new EntryError(`entry: expected an integer or a fraction a/b, got '${entry}'`);
  const denominator = Z.integer(parts[2]);
  if (Z.isZero(denominator)) throw new EntryError(`entry: expected a nonzero denominator, got '${entry}'`);
  return narrowed(Z.integer(parts[1]), denominator);
}

function narrowed(numerator: Z.Integer, denominator: Z.Integer): number | WideValue {
  // In lowest terms 6/2 is 3 mod 2 as well: a prime divides the denominator only where the number has no residue.
  const value = Z.compare(denominator, ONE) === 0 ? { numerator, denominator } : lowestTerms(numerator, denominator);
  if (isFraction(value) || Z.compare(value.numerator, MAX_INT32) > 0 || Z.compare(value.numerator, MIN_INT32) < 0) {
    return value;
  }
  return Number(Z.toDecimal(value.numerator));
}

const MAX_INT32 = Z.integer(0x7fffffff);
const MIN_INT32 = Z.integer(-0x80000000);

function lowestTerms(a: Z.Integer, b: Z.Integer): WideValue {
  const sign = Z.isNegative(a) === Z.isNegative(b) ? 1 : -1;
  const [numerator, denominator] = [Z.isNegative(a) ? Z.neg(a) : a, Z.isNegative(b) ? Z.neg(b) : b];
  const divisor = Z.gcd(numerator, denominator);
  const divided = (x: Z.Integer) => Z.divmod(x, divisor).quotient;
  return withSign({ numerator: divided(numerator), denominator: divided(denominator) }, sign);
}
