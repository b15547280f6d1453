/**
 * The prime field F_p for any prime p, on arbitrary-precision integers: the reference that every other field is
 * compared with, and the arithmetic of moduli beyond a word in the reference executor. Slow, and written to be
 * believed.
 */
import { type Field, FieldError, power } from './field.js';
import {
  add,
  compare,
  type Integer,
  type IntegerLike,
  integer,
  invMod,
  mod,
  mul,
  neg,
  sub,
  toBigInt,
} from './integer.js';
import { checkModulus } from './primality.js';
import { type Accumulator, additionsBeforeReduction, productsBeforeReduction } from './reduction.js';

export class BigPrime implements Field<Integer> {
  readonly modulus: bigint;
  readonly order: bigint;
  readonly degree: number = 1;
  readonly bits: number;
  readonly representation: string = 'integer';
  readonly zero: Integer = integer(0);
  readonly one: Integer = integer(1);
  readonly #p: Integer;

  constructor(p: number | bigint) {
    checkModulus(p);
    this.modulus = BigInt(p);
    this.order = this.modulus;
    this.bits = (this.modulus - 1n).toString(2).length;
    this.#p = integer(p);
  }

  add(a: Integer, b: Integer): Integer {
    return mod(add(a, b), this.#p);
  }

  sub(a: Integer, b: Integer): Integer {
    return mod(sub(a, b), this.#p);
  }

  neg(a: Integer): Integer {
    return mod(neg(a), this.#p);
  }

  mul(a: Integer, b: Integer): Integer {
    return mod(mul(a, b), this.#p);
  }

  inv(a: Integer): Integer {
    const inverse = invMod(a, this.#p);
    if (inverse === null) throw new FieldError(`inv: expected a nonzero residue mod ${this.modulus}, got 0`);
    return inverse;
  }

  pow(a: Integer, n: number | bigint): Integer {
    return power(this, a, n);
  }

  equals(a: Integer, b: Integer): boolean {
    return compare(a, b) === 0;
  }

  from(x: IntegerLike): Integer {
    if (typeof x === 'number' && !Number.isInteger(x)) throw new FieldError(`from: expected an integer, got ${x}`);
    return mod(integer(x), this.#p);
  }

  to(a: Integer): bigint {
    return toBigInt(a);
  }

  productsBeforeReduction(accumulator: Accumulator): number {
    return productsBeforeReduction(this.modulus, accumulator);
  }

  additionsBeforeReduction(accumulator: Accumulator): number {
    return additionsBeforeReduction(this.modulus, accumulator);
  }
}
