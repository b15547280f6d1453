/**
 * The matrix entries that do not fit 32 bits: integers of any size and fractions, beside the flat arrays.
 *
 *   entry number position[w] of the matrix is numerator[w] / denominator[w], denominator > 0
 *
 * They are few in real files (a handful of big bounds, a rational basis), so they may be slow; what matters is that the
 * arrays everybody streams through stay 32 bits wide.
 */

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

/** A plain copy of the list, fit for structured cloning. */
export interface WideParts {
  readonly positions: readonly number[];
  readonly numerators: readonly bigint[];
  readonly denominators: readonly bigint[];
}

const INTEGER = /^[+-]?\d+$/;
const FRACTION = /^([+-]?\d+)\/([+-]?\d+)$/;

export class WideEntries {
  readonly positions: number[] = []; // strictly increasing
  readonly numerators: bigint[] = [];
  readonly denominators: bigint[] = []; // > 0; 1 for an integer

  get size(): number {
    return this.positions.length;
  }

  /** Appends numerator/denominator, in lowest terms, as entry number `position`, which must exceed every earlier one. */
  push(position: number, numerator: bigint, denominator = 1n): void {
    this.positions.push(position);
    this.numerators.push(numerator);
    this.denominators.push(denominator);
  }

  /** The residue of wide entry w mod p, in [0, p). `where` names the entry should it have none. */
  residue(w: number, p: bigint, where: (position: number) => string): bigint {
    const numerator = mod(this.numerators[w], p);
    if (this.denominators[w] === 1n) return numerator;
    const inverse = inverseMod(mod(this.denominators[w], p), p);
    if (inverse === 0n) {
      const entry = `${this.numerators[w]}/${this.denominators[w]}`;
      throw new EntryError(
        `entry ${where(this.positions[w])} = ${entry}: expected a denominator prime to ${p}, got a multiple`,
      );
    }
    return mod(numerator * inverse, p);
  }

  toParts(): WideParts {
    return { positions: this.positions, numerators: this.numerators, denominators: this.denominators };
  }

  static fromParts(parts: WideParts): WideEntries {
    const wide = new WideEntries();
    for (let w = 0; w < parts.positions.length; w++) {
      wide.push(parts.positions[w], parts.numerators[w], parts.denominators[w]);
    }
    return wide;
  }
}

/** Reads an entry: a 32-bit number where it fits, else numerator and denominator. */
export function parseEntry(entry: Entry): number | WideValue {
  if (typeof entry === 'number') {
    if (!Number.isSafeInteger(entry)) {
      throw new EntryError(`entry: expected an integer (bigint or string beyond 2^53), got ${entry}`);
    }
    return (entry | 0) === entry ? entry | 0 : { numerator: BigInt(entry), denominator: 1n };
  }
  if (typeof entry === 'bigint') return narrowed(entry, 1n);
  const text = entry.trim();
  if (INTEGER.test(text)) return narrowed(BigInt(text), 1n);
  const parts = FRACTION.exec(text);
  if (parts === null) throw new EntryError(`entry: expected an integer or a fraction a/b, got '${entry}'`);
  const denominator = BigInt(parts[2]);
  if (denominator === 0n) throw new EntryError(`entry: expected a nonzero denominator, got '${entry}'`);
  return narrowed(BigInt(parts[1]), denominator);
}

function narrowed(numerator: bigint, denominator: bigint): number | WideValue {
  // In lowest terms 6/2 is 3 mod 2 as well: a prime divides the denominator only where the number has no residue.
  const divisor = denominator === 1n ? 1n : gcd(numerator, denominator) * (denominator < 0n ? -1n : 1n);
  const [a, b] = [numerator / divisor, denominator / divisor];
  return b === 1n && BigInt.asIntN(32, a) === a ? Number(a) : { numerator: a, denominator: b };
}

function gcd(a: bigint, b: bigint): bigint {
  let [r0, r1] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (r1 !== 0n) [r0, r1] = [r1, r0 % r1];
  return r0;
}

function mod(a: bigint, p: bigint): bigint {
  const r = a % p;
  return r < 0n ? r + p : r;
}

/** a⁻¹ mod p by the extended Euclidean algorithm, 0 when a and p have a common factor. */
function inverseMod(a: bigint, p: bigint): bigint {
  let [r0, r1, s0, s1] = [p, a, 0n, 1n];
  while (r1 !== 0n) {
    const q = r0 / r1;
    [r0, r1, s0, s1] = [r1, r0 - q * r1, s1, s0 - q * s1];
  }
  return r0 === 1n ? mod(s0, p) : 0n;
}
