/**
 * The prime field F_p on floating-point words: float32 or float64, residues classical (0 … p − 1) or balanced
 * (−(p − 1)/2 … (p − 1)/2, and 0, 1 for p = 2). Every operation uses only sums, products and truncations whose results
 * are integers the word holds exactly, so hardware of that precision does the same.
 *
 *   M = 2^24 − 1 or 2^53 − 1     u = 2^-24 or 2^-53, the unit roundoff     m : the largest residue, m² ≤ M
 *
 * Largest primes: float32 4093 classical, 8191 balanced; float64 94906249 and 189812507.
 * Source: Boyer, Dumas, Giorgi 2010, section 3.
 */
import { type Field, FieldError, power } from './field.js';
import { type IntegerLike, integer, modSmall } from './integer.js';
import { checkModulus, ModulusError } from './primality.js';
import {
  type Accumulator,
  additionsBeforeReduction,
  capacity,
  largestResidue,
  productsBeforeReduction,
  type Residues,
} from './reduction.js';
import { WordPrime } from './word-prime.js';

export type Precision = 'float32' | 'float64';

export class FloatPrime implements Field<number> {
  readonly p: number;
  readonly modulus: bigint;
  readonly order: bigint;
  readonly degree: number = 1;
  readonly bits: number;
  readonly precision: Precision;
  readonly residues: Residues;
  readonly representation: string;
  readonly zero: number = 0;
  readonly one: number = 1;
  readonly #accumulator: 'f32' | 'f64';
  readonly #low: number; // the residues are #low … #high
  readonly #high: number;
  readonly #reciprocal: number;

  constructor(p: number | bigint, precision: Precision, residues: Residues = 'classical') {
    checkModulus(p);
    this.modulus = BigInt(p);
    this.order = this.modulus;
    this.p = Number(p);
    this.bits = (this.modulus - 1n).toString(2).length;
    this.precision = precision;
    this.residues = residues;
    this.representation = residues === 'balanced' ? `${precision} balanced` : precision;
    this.#accumulator = precision === 'float32' ? 'f32' : 'f64';
    if (!FloatPrime.holds(p, precision, residues))
      throw new ModulusError(
        `FloatPrime: expected one product of ${this.representation} residues to fit ${capacity(this.#accumulator)}, got p = ${p}`,
      );
    this.#high = Number(largestResidue(this.modulus, residues));
    this.#low = residues === 'balanced' ? this.#high - this.p + 1 : 0;
    const u = precision === 'float32' ? 2 ** -24 : 2 ** -53;
    this.#reciprocal = this.#round((1 - 4 * u) / this.p);
  }

  /** Whether the representation holds F_p: a product of two residues must fit the word. */
  static holds(p: number | bigint, precision: Precision, residues: Residues): boolean {
    return productsBeforeReduction(BigInt(p), precision === 'float32' ? 'f32' : 'f64', residues) >= 1;
  }

  /**
   * The residue of an integer x, |x| ≤ M. c = fl((1 − 4u)/p), y = fl(|x|·c) = (|x|/p)(1 − 4u)(1 + e1)(1 + e2),
   * |e| ≤ 1.001u (in f32 the quotient is rounded twice), so |x|/p·(1 − 6.1u) ≤ y < |x|/p. Hence q = trunc(y) ≤ |x|/p,
   * so that q·p ≤ |x| ≤ M is exact, and |x| − q·p < p + 6.1·u·|x| < p + 7 since u·M < 1: the loops run once for p ≥ 7,
   * a few times for less.
   */
  reduce(x: number): number {
    let r = x - Math.trunc(this.#round(x * this.#reciprocal)) * this.p;
    while (r > this.#high) r -= this.p;
    while (r < this.#low) r += this.p;
    return r; // never −0: x − q·p is +0 when they are equal, and when x = −0
  }

  add(a: number, b: number): number {
    const s = a + b;
    return s > this.#high ? s - this.p : s < this.#low ? s + this.p : s;
  }

  sub(a: number, b: number): number {
    return this.add(a, -b);
  }

  neg(a: number): number {
    return this.add(0, -a);
  }

  mul(a: number, b: number): number {
    return this.reduce(a * b); // |a·b| ≤ m² ≤ M
  }

  inv(a: number): number {
    if (a === 0) throw new FieldError(`inv: expected a nonzero residue mod ${this.p}, got 0`);
    return power(this, a, this.p - 2); // a^(p − 1) = 1
  }

  pow(a: number, n: number | bigint): number {
    return power(this, a, n);
  }

  equals(a: number, b: number): boolean {
    return a === b;
  }

  from(x: IntegerLike): number {
    if (typeof x === 'number' && !Number.isInteger(x)) throw new FieldError(`from: expected an integer, got ${x}`);
    return this.fromCanonical(modSmall(integer(x), this.p));
  }

  /** This representation's name of the residue r, 0 ≤ r < p. */
  fromCanonical(r: number): number {
    return r > this.#high ? r - this.p : r;
  }

  to(a: number): bigint {
    return BigInt(a < 0 ? a + this.p : a);
  }

  /** sum a[i]·b[i], reduced only when the next product might leave M: S1's floor(M / m²) terms at a time. */
  dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
    if (a.length !== b.length) throw new FieldError(`dot: expected equal lengths, got ${a.length} and ${b.length}`);
    const run = this.productsBeforeReduction(this.#accumulator);
    let total = 0;
    for (let start = 0; start < a.length; start += run) {
      const end = Math.min(a.length, start + run);
      let sum = 0;
      for (let i = start; i < end; i++) sum += a[i] * b[i];
      total = this.add(total, this.reduce(sum));
    }
    return total;
  }

  productsBeforeReduction(accumulator: Accumulator): number {
    return productsBeforeReduction(this.modulus, accumulator, this.residues);
  }

  additionsBeforeReduction(accumulator: Accumulator): number {
    return additionsBeforeReduction(this.modulus, accumulator, this.residues);
  }

  #round(x: number): number {
    return this.precision === 'float32' ? Math.fround(x) : x;
  }
}

/** A field whose elements are stored in one machine word. */
export type WordField = WordPrime | FloatPrime;

/** The array that holds elements of a word field. */
export function storage(field: WordField, length: number): Uint16Array | Uint32Array | Float32Array | Float64Array {
  if (field instanceof WordPrime) return field.isU16 ? new Uint16Array(length) : new Uint32Array(length);
  return field.precision === 'float32' ? new Float32Array(length) : new Float64Array(length);
}

/** The same residues in another representation of the same field. */
export function convert(from: WordField, to: WordField, values: ArrayLike<number>): ReturnType<typeof storage> {
  if (from.modulus !== to.modulus)
    throw new FieldError(`convert: expected one modulus, got ${from.modulus} and ${to.modulus}`);
  const out = storage(to, values.length);
  for (let i = 0; i < out.length; i++) {
    const canonical = values[i] < 0 ? values[i] + from.p : values[i];
    out[i] = to instanceof FloatPrime ? to.fromCanonical(canonical) : canonical;
  }
  return out;
}
