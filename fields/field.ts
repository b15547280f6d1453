/**
 * The laws of every field: arithmetic on canonical elements, conversion from and to integers of any size, and how far a
 * reduction may be delayed. Kernels ask these facts of the field; the proofs are in reduction.ts.
 *
 *   p : the characteristic     q = p^k : the number of elements     E : one element in the field's own representation
 */
import type { IntegerLike } from './integer.js';
import type { Accumulator } from './reduction.js';

/** An element or an argument that the field cannot take: the inverse of zero, a fraction, a foreign element. */
export class FieldError extends Error {
  override readonly name: string = 'FieldError';
}

export interface Field<E> {
  readonly modulus: bigint; // p, prime
  readonly order: bigint; // q = p^degree
  readonly degree: number; // 1 for prime fields
  readonly bits: number; // of the largest canonical code, q − 1
  readonly representation: string; // e.g. `uint32`, `float64 balanced`
  readonly zero: E;
  readonly one: E;
  add(a: E, b: E): E;
  sub(a: E, b: E): E;
  neg(a: E): E;
  mul(a: E, b: E): E;
  inv(a: E): E; // throws FieldError for zero
  pow(a: E, n: number | bigint): E; // pow(a, 0) = 1 for every a; n < 0 inverts
  equals(a: E, b: E): boolean;
  /** The image of an integer of any size and sign; a string is decimal. */
  from(x: IntegerLike): E;
  /** The canonical code, 0 ≤ code < q: the residue in a prime field, sum c_i p^i in an extension. */
  to(a: E): bigint;
  /** How many products of two canonical elements an accumulator of that kind holds exactly, whatever they are. */
  productsBeforeReduction(accumulator: Accumulator): number;
  /** How many canonical elements an accumulator of that kind holds the sum of, exactly, whatever they are. */
  additionsBeforeReduction(accumulator: Accumulator): number;
}

/** a^n by squaring: left to right over the bits of |n|, for any field. */
export function power<E>(field: Field<E>, a: E, n: number | bigint): E {
  if (typeof n === 'number' && !Number.isSafeInteger(n))
    throw new FieldError(`pow: expected an integer exponent (a bigint beyond 2^53), got ${n}`);
  let exponent = BigInt(n);
  let base = a;
  if (exponent < 0n) {
    base = field.inv(a);
    exponent = -exponent;
  }
  let result = field.one;
  for (const bit of exponent.toString(2)) {
    result = field.mul(result, result);
    if (bit === '1') result = field.mul(result, base);
  }
  return result;
}
