/**
 * The prime field F_p with p < 2^31 (2 included) on plain numbers: canonical residues 0 … p − 1, no BigInt anywhere.
 *
 *   u32  p < 2^31  products by a double reciprocal and 32-bit integer arithmetic
 *   u16  p < 2^16  products fit 32 bits
 *
 * Source of the reciprocal product: Barrett 1986 in the floating form of Shoup's NTL (MulMod); the proof is at `mul`.
 */
import { type Field, FieldError, power } from './field.js';
import { type IntegerLike, integer, modSmall } from './integer.js';
import { checkModulus, ModulusError } from './primality.js';
import {
  type Accumulator,
  additionsBeforeReduction,
  productsBeforeReduction,
  termsBeforeReduction,
} from './reduction.js';

export class WordPrime implements Field<number> {
  readonly p: number;
  readonly modulus: bigint;
  readonly order: bigint;
  readonly degree: number = 1;
  readonly bits: number;
  readonly representation: string = 'uint32';
  readonly zero: number = 0;
  readonly one: number = 1;
  /** p < 2^16: block vectors may be stored in 16 bits and products fit 32. */
  readonly isU16: boolean;
  protected readonly reciprocal: number; // fl((1 − 2^-50)/p)
  /** Products of a residue and 16 bits that a double adds exactly to a residue. */
  readonly halfProducts: number;

  constructor(p: number | bigint) {
    const value = Number(p);
    if (!Number.isInteger(value) || value >= 2 ** 31)
      throw new ModulusError(`WordPrime: expected a prime below 2^31, got ${p}`);
    checkModulus(value);
    this.p = value;
    this.modulus = BigInt(value);
    this.order = this.modulus;
    this.bits = 32 - Math.clz32(value - 1);
    this.isU16 = value < 65536;
    this.reciprocal = (1 - 2 ** -50) / value;
    this.halfProducts = termsBeforeReduction('f64', (this.modulus - 1n) * 65535n, this.modulus - 1n);
  }

  /** The faster class where p allows it. */
  static of(p: number | bigint): WordPrime {
    return Number(p) < 65536 ? new Uint16Prime(p) : new WordPrime(p);
  }

  add(a: number, b: number): number {
    const s = a - this.p + b; // −p ≤ s < p: no 32-bit overflow on the way
    return s < 0 ? s + this.p : s;
  }

  sub(a: number, b: number): number {
    const d = a - b;
    return d < 0 ? d + this.p : d;
  }

  neg(a: number): number {
    return a === 0 ? 0 : this.p - a;
  }

  /**
   * a·b mod p. Let x = a·b < 2^62 and c = fl((1 − 2^-50)/p). fl(fl(x)·c) = (x/p)(1 − 2^-50)(1 + e), |e| < 3.1·2^-53, is
   * at most x/p and at least x/p − (x/p)·2^-49.4 > x/p − 2^-18 since x/p < 2^31. Its floor q is therefore
   * floor(x/p) or one less, and x − q·p lies in [0, p + p·2^-18) — below 2^32, so it is what the low 32 bits say — and
   * one subtraction makes it canonical.
   */
  mul(a: number, b: number): number {
    const r = (Math.imul(a, b) - Math.imul(a * b * this.reciprocal, this.p)) >>> 0;
    return r >= this.p ? r - this.p : r;
  }

  /** a·b + c */
  mulAdd(a: number, b: number, c: number): number {
    return this.add(this.mul(a, b), c);
  }

  /** The inverse by the extended Euclidean algorithm; cofactors stay below p in magnitude. */
  inv(a: number): number {
    if (a === 0) throw new FieldError(`inv: expected a nonzero residue mod ${this.p}, got 0`);
    let [r0, r1, t0, t1] = [this.p, a, 0, 1];
    while (r1 !== 0) {
      const q = Math.floor(r0 / r1);
      [r0, r1] = [r1, r0 - q * r1];
      [t0, t1] = [t1, t0 - q * t1];
    }
    return t0 < 0 ? t0 + this.p : t0;
  }

  /** Inverses of all values with one inversion: prefix products, then back (Montgomery 1987). */
  batchInv(values: Uint32Array): Uint32Array {
    const out = new Uint32Array(values.length);
    let product = 1;
    for (let i = 0; i < values.length; i++) {
      if (values[i] === 0) throw new FieldError(`batchInv: expected nonzero residues mod ${this.p}, got 0 at ${i}`);
      out[i] = product;
      product = this.mul(product, values[i]);
    }
    let inverse = this.inv(product);
    for (let i = values.length - 1; i >= 0; i--) {
      out[i] = this.mul(out[i], inverse);
      inverse = this.mul(inverse, values[i]);
    }
    return out;
  }

  pow(a: number, n: number | bigint): number {
    return power(this, a, n);
  }

  equals(a: number, b: number): boolean {
    return a === b;
  }

  from(x: IntegerLike): number {
    if (typeof x === 'number') {
      if (!Number.isInteger(x)) throw new FieldError(`from: expected an integer, got ${x}`);
      const r = x % this.p; // exact for doubles of any size
      return r < 0 ? r + this.p : r + 0; // −0 + 0 = 0
    }
    if (typeof x === 'bigint') {
      const r = Number(x % this.modulus);
      return r < 0 ? r + this.p : r;
    }
    return modSmall(integer(x), this.p);
  }

  to(a: number): bigint {
    return BigInt(a);
  }

  /** The residue of least magnitude: −(p − 1)/2 … (p − 1)/2 for odd p, 0 or 1 for p = 2. */
  balance(a: number): number {
    return a > this.p / 2 ? a - this.p : a;
  }

  /** sum a[i]·b[i] mod p, reduced as rarely as an f64 accumulator allows. */
  dot(a: Uint32Array, b: Uint32Array): number {
    if (a.length !== b.length) throw new FieldError(`dot: expected equal lengths, got ${a.length} and ${b.length}`);
    return this.dotUnchecked(a, b);
  }

  protected dotUnchecked(a: Uint32Array, b: Uint32Array): number {
    // b = 2^16·high + low: two sums of products below p·2^16, each exact for `run` terms beside a residue.
    const run = this.halfProducts;
    let high = 0;
    let low = 0;
    for (let start = 0; start < a.length; start += run) {
      const end = Math.min(a.length, start + run);
      for (let i = start; i < end; i++) {
        high += a[i] * (b[i] >>> 16);
        low += a[i] * (b[i] & 65535);
      }
      high %= this.p;
      low %= this.p;
    }
    return this.add(this.mul(high, 65536 % this.p), low);
  }

  productsBeforeReduction(accumulator: Accumulator): number {
    return productsBeforeReduction(this.modulus, accumulator);
  }

  additionsBeforeReduction(accumulator: Accumulator): number {
    return additionsBeforeReduction(this.modulus, accumulator);
  }
}

/** F_p with p < 2^16: products are below 2^32, so the quotient is exact at once. */
export class Uint16Prime extends WordPrime {
  override readonly representation: string = 'uint16';

  constructor(p: number | bigint) {
    if (Number(p) >= 65536) throw new ModulusError(`Uint16Prime: expected a prime below 2^16, got ${p}`);
    super(p);
  }

  /**
   * a·b mod p. With x = a·b < 2^32 the quotient of WordPrime.mul is less than (x/p)·2^-49.4 < 1/p below x/p. An integer
   * between them can only be x/p itself, and p divides x only when x = 0: the floor is floor(x/p), with nothing to
   * correct. The gain over the product of WordPrime and over an integer %: test/bench/RESULTS.md#other.
   */
  override mul(a: number, b: number): number {
    return (Math.imul(a, b) - Math.imul(a * b * this.reciprocal, this.p)) | 0;
  }

  protected override dotUnchecked(a: Uint32Array, b: Uint32Array): number {
    // p = 65521: 2^53 / 2^32 = 2 million products before the sum leaves the exact doubles.
    const run = termsBeforeReduction('f64', (this.modulus - 1n) ** 2n, this.modulus - 1n);
    let sum = 0;
    for (let start = 0; start < a.length; start += run) {
      const end = Math.min(a.length, start + run);
      for (let i = start; i < end; i++) sum += a[i] * b[i];
      sum %= this.p;
    }
    return sum;
  }
}
