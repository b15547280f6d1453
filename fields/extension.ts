/**
 * GF(p^k), q = p^k < 2^31, for the random choices of small p (a run over F_p itself is low too often).
 *
 *   element : the code sum c_i p^i of its polynomial sum c_i x^i mod f, so 0 … q − 1 and F_p is 0 … p − 1
 *   f       : the first primitive polynomial (primitive-polynomial.ts); g = x generates the units
 *
 * Up to TABLE_LIMIT elements, products go through logarithms to base g and sums through Zech's, log(1 + g^n); above,
 * through the polynomials. Source: Lidl and Niederreiter, Finite Fields; Zech logarithms: Conway 1968.
 */
import { type Field, FieldError, power } from './field.js';
import type { IntegerLike } from './integer.js';
import { checkModulus } from './primality.js';
import { digits, mulModPolynomial, primitivePolynomial, timesX } from './primitive-polynomial.js';
import { type Accumulator, additionsBeforeReduction, termsBeforeReduction } from './reduction.js';
import { WordPrime } from './word-prime.js';

/** 16 bytes an element: 32 MB at the limit. Covers every p^k ≥ 2^14 with p ≤ 127 and least k. */
const TABLE_LIMIT = 2 ** 21;
/** Fields that are kept for who asks again: a prime's for blocks and its for columns, the latter of 32 MB at most. */
const KEPT = 2;
/** Zech's logarithm of −1: 1 + g^n = 0. */
const NONE = 0xffffffff;

interface Tables {
  readonly exp: Uint32Array; // exp[n] = g^n for 0 ≤ n < 2(q − 1): a sum of two logarithms needs no reduction
  readonly log: Uint32Array; // log[g^n] = n < q − 1; log[0] is never read
  readonly zech: Uint32Array; // zech[n] = log(1 + g^n) or NONE, for 0 ≤ n < q − 1; empty when p = 2
}

export class ExtensionField implements Field<number> {
  readonly p: number;
  readonly modulus: bigint;
  readonly order: bigint;
  readonly size: number; // q
  readonly degree: number;
  readonly bits: number;
  readonly representation: string;
  readonly zero: number = 0;
  readonly one: number = 1;
  readonly base: WordPrime;
  /** f, constant term first, k + 1 coefficients, monic. */
  readonly modulusPolynomial: readonly number[];
  readonly #tables: Tables | null;

  /** The fields that were asked for last, the latest first. */
  static readonly #kept: ExtensionField[] = [];

  /** The field, perhaps one that was made before: tables take longer than a question about a small matrix. */
  static of(p: number, degree: number): ExtensionField {
    const kept = ExtensionField.#kept;
    const at = kept.findIndex((field) => field.p === p && field.degree === degree);
    const field = at < 0 ? new ExtensionField(p, degree) : kept.splice(at, 1)[0];
    kept.unshift(field);
    kept.length = Math.min(kept.length, KEPT);
    return field;
  }

  constructor(p: number | bigint, degree: number) {
    this.base = WordPrime.of(p);
    this.p = this.base.p;
    if (!Number.isInteger(degree) || degree < 1 || this.p ** degree >= 2 ** 31)
      throw new FieldError(`ExtensionField: expected a degree ≥ 1 with ${p}^degree < 2^31, got ${degree}`);
    this.modulus = this.base.modulus;
    this.degree = degree;
    this.size = this.p ** degree;
    this.order = BigInt(this.size);
    this.bits = 32 - Math.clz32(this.size - 1);
    this.representation = `GF(${p}^${degree})`;
    this.modulusPolynomial = primitivePolynomial(this.base, degree);
    // A prime field's own arithmetic beats any table.
    this.#tables = degree > 1 && this.size <= TABLE_LIMIT ? buildTables(this.base, this.modulusPolynomial) : null;
  }

  /** The smallest extension of F_p with at least `elements` elements: degree 1 when p is that large already. */
  static covering(p: number, elements: number): ExtensionField {
    checkModulus(p);
    let degree = 1;
    for (let size = p; size < elements; size *= p) degree++;
    return ExtensionField.of(p, degree);
  }

  add(a: number, b: number): number {
    if (this.p === 2) return a ^ b;
    if (this.degree === 1) return this.base.add(a, b);
    if (this.#tables === null) return this.#combine(a, b, (x, y) => this.base.add(x, y));
    if (a === 0) return b;
    if (b === 0) return a;
    // a + b = a·(1 + g^(log b − log a))
    const { exp, log, zech } = this.#tables;
    const logA = log[a];
    const ratio = log[b] - logA;
    const z = zech[ratio < 0 ? ratio + zech.length : ratio];
    return z === NONE ? 0 : exp[logA + z];
  }

  sub(a: number, b: number): number {
    return this.add(a, this.neg(b));
  }

  neg(a: number): number {
    if (this.p === 2 || a === 0) return a;
    if (this.degree === 1) return this.base.neg(a);
    // −1 = g^((q − 1)/2) for odd q
    if (this.#tables !== null) return this.#tables.exp[this.#tables.log[a] + (this.size - 1) / 2];
    return this.#combine(0, a, (x, y) => this.base.sub(x, y));
  }

  mul(a: number, b: number): number {
    if (this.degree === 1) return this.base.mul(a, b);
    if (a === 0 || b === 0) return 0;
    if (this.#tables !== null) return this.#tables.exp[this.#tables.log[a] + this.#tables.log[b]];
    return this.#encode(
      mulModPolynomial(this.base, this.modulusPolynomial, this.coefficients(a), this.coefficients(b)),
    );
  }

  inv(a: number): number {
    if (a === 0) throw new FieldError(`inv: expected a nonzero element of ${this.representation}, got 0`);
    if (this.degree === 1) return this.base.inv(a);
    if (this.#tables !== null) return this.#tables.exp[this.size - 1 - this.#tables.log[a]];
    return power(this, a, this.size - 2); // a^(q − 1) = 1
  }

  pow(a: number, n: number | bigint): number {
    return power(this, a, n);
  }

  equals(a: number, b: number): boolean {
    return a === b;
  }

  /** The integer's residue mod p, in the prime field; elements outside it come from fromCoefficients or their code. */
  from(x: IntegerLike): number {
    return this.base.from(x);
  }

  to(a: number): bigint {
    return BigInt(a);
  }

  /** c_0 … c_{k−1} */
  coefficients(a: number): number[] {
    return digits(a, this.p, this.degree);
  }

  /** The element sum c_i x^i of k canonical coefficients. */
  fromCoefficients(c: ArrayLike<number>): number {
    if (c.length !== this.degree)
      throw new FieldError(`fromCoefficients: expected ${this.degree} coefficients, got ${c.length}`);
    for (let i = 0; i < c.length; i++)
      if (!(Number.isInteger(c[i]) && c[i] >= 0 && c[i] < this.p))
        throw new FieldError(`fromCoefficients: expected residues 0 … ${this.p - 1}, got ${c[i]} at ${i}`);
    return this.#encode(c);
  }

  /** M with coefficients(a·b) = M·coefficients(b): k × k over F_p, row-major; column j is a·x^j. */
  mulMatrix(a: number): Uint32Array {
    const k = this.degree;
    const matrix = new Uint32Array(k * k);
    let column = this.coefficients(a);
    for (let j = 0; j < k; j++) {
      for (let i = 0; i < k; i++) matrix[i * k + j] = column[i];
      column = timesX(this.base, this.modulusPolynomial, column);
    }
    return matrix;
  }

  /**
   * Products of polynomials, kept as 2k − 1 unreduced coefficients: each is a sum of at most k products of residues, so
   * t products of elements stay within t·k·(p − 1)².
   */
  productsBeforeReduction(accumulator: Accumulator): number {
    return termsBeforeReduction(accumulator, BigInt(this.degree) * (this.modulus - 1n) ** 2n);
  }

  /** Coefficient by coefficient. */
  additionsBeforeReduction(accumulator: Accumulator): number {
    return additionsBeforeReduction(this.modulus, accumulator);
  }

  #encode(c: ArrayLike<number>): number {
    let code = 0;
    for (let i = c.length - 1; i >= 0; i--) code = code * this.p + c[i];
    return code;
  }

  #combine(a: number, b: number, each: (x: number, y: number) => number): number {
    const other = this.coefficients(b);
    return this.#encode(this.coefficients(a).map((c, i) => each(c, other[i])));
  }
}

function buildTables(base: WordPrime, f: readonly number[]): Tables {
  const { p } = base;
  const degree = f.length - 1;
  const units = p ** degree - 1;
  const exp = new Uint32Array(2 * units);
  const log = new Uint32Array(units + 1);
  const c = digits(1, p, degree);
  for (let n = 0; n < units; n++) {
    let code = 0;
    for (let i = degree - 1; i >= 0; i--) code = code * p + c[i];
    exp[n] = code;
    exp[n + units] = code;
    log[code] = n;
    // c ← x·c mod f, in place: this loop runs q times
    const lead = base.neg(c[degree - 1]);
    for (let i = degree - 1; i > 0; i--) c[i] = base.mulAdd(lead, f[i], c[i - 1]);
    c[0] = base.mul(lead, f[0]);
  }
  const zech = new Uint32Array(p === 2 ? 0 : units);
  for (let n = 0; n < zech.length; n++) {
    // 1 + g^n: one more in the last digit
    const sum = exp[n] % p === p - 1 ? exp[n] - (p - 1) : exp[n] + 1;
    zech[n] = sum === 0 ? NONE : log[sum];
  }
  return { exp, log, zech };
}
