/**
 * The matrix entries that do not fit 32 bits: integers of any size and fractions, beside the flat arrays.
 *
 *   entry number positions[w] of the matrix is numerator/denominator of entries[w]
 *
 * Such entries are few in real files (a handful of big bounds, a rational basis), so they may be slow, and the arrays
 * of the others stay 32 bits wide. The list is plain data: structured cloning loses nothing.
 */

import { gcd, invMod } from '../../fields/inverse.js';
import { describe } from '../errors/describe.js';
import { beginning, excerpt } from '../errors/excerpt.js';

/** A matrix entry as a caller may write it: an integer, or a decimal string that may be a fraction 'a/b'. */
export type Entry = number | bigint | string;

/** A value that 32 bits do not hold, in lowest terms. */
export interface WideValue {
  readonly numerator: bigint;
  readonly denominator: bigint; // > 0
}

/** An entry that cannot be read, or that has no residue modulo the prime asked for. */
export class EntryError extends Error {
  override readonly name = 'EntryError';
}

/** The list as plain data, which is also what structured cloning makes of a WideEntries. */
export interface WideParts {
  readonly positions: readonly number[];
  readonly entries: readonly WideValue[];
}

/** An object, its place, and room in two lists that double. */
const WIDE_BYTES = 80;
const INTEGER = /^[+-]?\d+$/;
const FRACTION = /^([+-]?\d+)\/([+-]?\d+)$/;

export class WideEntries implements WideParts {
  readonly positions: number[]; // strictly increasing
  readonly entries: WideValue[];

  /** Empty, or the entries of a checked list. */
  constructor({ positions, entries }: WideParts = { positions: [], entries: [] }) {
    [this.positions, this.entries] = [[...positions], [...entries]];
  }

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
    return this.entries.map((value, w) => {
      const { numerator, denominator } = value;
      const residue = ((numerator % p) + p) % p;
      if (denominator === 1n) return residue;
      const inverse = invMod(denominator, p);
      if (inverse === null) {
        throw new EntryError(
          `entry ${where(this.positions[w])} = ${beginning(formatWide(value))}: expected a denominator prime to ${p}, got a multiple of it`,
        );
      }
      return (residue * inverse) % p;
    });
  }

  /** Bytes of all of them on the heap. */
  get bytes(): number {
    return this.entries.reduce((sum, value) => sum + bytesOfWide(value), 0);
  }
}

export function isFraction({ denominator }: WideValue): boolean {
  return denominator !== 1n;
}

/** Bytes of a value on the heap, with its place. */
export function bytesOfWide({ numerator, denominator }: WideValue): number {
  return WIDE_BYTES + bytesOf(numerator) + (denominator === 1n ? 0 : bytesOf(denominator));
}

/** A header of 16 bytes and words of 64 bits; a hexadecimal digit is half a byte. */
function bytesOf(x: bigint): number {
  return 24 + x.toString(16).length / 2;
}

/** −value for sign −1, value for 1. */
export function withSign(value: WideValue, sign: 1 | -1): WideValue {
  return sign === 1 ? value : { numerator: -value.numerator, denominator: value.denominator };
}

/** 'a' for an integer, 'a/b' for a fraction. */
export function formatWide({ numerator, denominator }: WideValue): string {
  return denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`;
}

/** Reads an entry: a 32-bit number where it fits, else numerator and denominator. EntryError for what is neither. */
export function parseEntry(entry: Entry): number | WideValue {
  if (typeof entry === 'number') {
    if ((entry | 0) === entry) return entry;
    if (Number.isSafeInteger(entry)) return { numerator: BigInt(entry), denominator: 1n };
    throw new EntryError(`entry: expected an integer (bigint or string beyond 2^53), got ${entry}`);
  }
  if (typeof entry === 'bigint') return quotient(entry, 1n);
  if (typeof entry !== 'string')
    throw new EntryError(`entry: expected a number, a bigint or a string, got ${describe(entry)}`);
  if (INTEGER.test(entry)) return quotient(toBigInt(entry), 1n);
  const parts = FRACTION.exec(entry);
  if (parts === null) throw new EntryError(`entry: expected an integer or a fraction a/b, got ${excerpt(entry)}`);
  const denominator = toBigInt(parts[2]);
  if (denominator === 0n) throw new EntryError(`entry: expected a nonzero denominator, got ${excerpt(entry)}`);
  return quotient(toBigInt(parts[1]), denominator);
}

/** An entry as a caller reads it: a number where a number is exact, else a bigint, or 'a/b'. */
export function entryOf(value: number | WideValue): Entry {
  if (typeof value === 'number') return value;
  if (value.denominator !== 1n) return formatWide(value);
  const { numerator } = value;
  const near = Number(numerator);
  return Number.isSafeInteger(near) ? near : numerator;
}

/** The sum of two entries. */
export function addEntries(a: number | WideValue, b: number | WideValue): number | WideValue {
  if (typeof a === 'number' && typeof b === 'number') return parseEntry(a + b);
  const [x, y] = [asFraction(a), asFraction(b)];
  return quotient(x.numerator * y.denominator + y.numerator * x.denominator, x.denominator * y.denominator);
}

/** An entry as numerator and denominator. */
export function asFraction(value: number | WideValue): WideValue {
  return typeof value === 'number' ? { numerator: BigInt(value), denominator: 1n } : value;
}

/** BigInt reads no sign +. */
function toBigInt(digits: string): bigint {
  return BigInt(digits.startsWith('+') ? digits.slice(1) : digits);
}

/**
 * a/b, b ≠ 0. In lowest terms 6/2 is 3 mod 2 as well: a prime divides the denominator only where there is no residue.
 */
function quotient(a: bigint, b: bigint): number | WideValue {
  const divisor = b === 1n ? 1n : gcd(a < 0n ? -a : a, b < 0n ? -b : b) * (b < 0n ? -1n : 1n);
  const value = { numerator: a / divisor, denominator: b / divisor };
  const fits = value.denominator === 1n && value.numerator >= -0x80000000n && value.numerator <= 0x7fffffffn;
  return fits ? Number(value.numerator) : value;
}
