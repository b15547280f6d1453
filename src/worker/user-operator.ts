/**
 * An operator of the caller's own as algorithms see it: y ← alpha·A·x + beta·y, where A·x is computed in the caller's
 * thread from a copy of x. Each result's length and residues are checked, which the kernels trust, and the map's
 * linearity, which the algorithms trust.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import type { Caller } from './caller.js';

export class RemoteOperator implements Operator {
  readonly rows: number;
  readonly cols: number;
  readonly #transposes: boolean;
  readonly #executor: Executor;
  readonly #caller: Caller;

  constructor(size: { rows: number; cols: number; transposes: boolean }, executor: Executor, caller: Caller) {
    this.rows = size.rows;
    this.cols = size.cols;
    this.#transposes = size.transposes;
    this.#executor = executor;
    this.#caller = caller;
  }

  apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    return this.#applyEither(false, y, x, alpha, beta);
  }

  applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    if (!this.#transposes)
      throw new StructureError('operator: this question needs applyTransposed, which is not there');
    return this.#applyEither(true, y, x, alpha, beta);
  }

  async #applyEither(transposed: boolean, y: BlockVector, x: BlockVector, alpha: number, beta: number): Promise<void> {
    // A copy in ordinary memory: the executor's own is shared, and goes on changing.
    const input = new Uint32Array(await this.#executor.read(x));
    const { width } = x;
    const product = await this.#product(transposed, input, y.length, width);
    const field = this.#executor.field;
    if (alpha !== 1 || beta !== 0) {
      const old = beta === 0 ? null : await this.#executor.read(y);
      for (let i = 0; i < product.length; i++) {
        const scaled = field.mul(alpha, product[i]!);
        product[i] = old === null ? scaled : field.add(scaled, field.mul(beta, old[i]!));
      }
    }
    this.#executor.write(y, product);
  }

  /** A·x or Aᵀ·x by the caller: residues of the right number, in memory of their own. */
  async #product(transposed: boolean, x: Uint32Array, length: number, width: number): Promise<Uint32Array> {
    const product = await this.#caller.call({ what: 'apply', transposed, x, width });
    const name = transposed ? 'applyTransposed' : 'apply';
    const expected = length * width;
    if (!(product instanceof Uint32Array) || product.length !== expected) {
      const got = product instanceof Uint32Array ? `${product.length}` : 'something else';
      throw new StructureError(`operator.${name}: expected a Uint32Array of ${expected} residues, got ${got}`);
    }
    const p = Number(this.#executor.field.modulus);
    for (let i = 0; i < expected; i++) {
      if (product[i]! >= p)
        throw new StructureError(`operator.${name}: expected residues below ${p}, got ${product[i]}`);
    }
    return product;
  }

  /**
   * Throws StructureError where the caller's functions are no linear map and its transpose: what is proved is proved of
   * one. `look` numbers the call, for other vectors each time.
   *
   *   A·(a·x + b·y) = a·A·x + b·A·y     (Aᵀ·u)ᵀ·x = uᵀ·(A·x)
   *   for w uniform vectors, y the one behind x, and numbers a, b but 0
   *
   * This is a test, not a proof: it misses maps that are not linear at few vectors or at few calls.
   */
  async check(seed: bigint, look: number): Promise<void> {
    const { field } = this.#executor;
    const p = Number(field.modulus);
    const w = Math.ceil(64 / Math.log2(p));
    const random = (length: number, number: number): Uint32Array =>
      new CounterRandom(deriveSeed(seed, 'operator'), 4 * look + number).fillResidues(new Uint32Array(length), p);
    const x = random(this.cols * w, 0);
    const factors = random(2 * w, 1).map((factor) => (p === 2 ? 1 : 1 + (factor % (p - 1)))); // not 0
    const ax = await this.#product(false, x, this.rows, w);
    const combined = await this.#product(false, combine(field, x, factors), this.rows, w);
    if (!areSame(combined, combine(field, ax, factors)))
      throw notLinear('apply(a·x + b·y) is not a·apply(x) + b·apply(y)');
    if (!this.#transposes) return;
    const u = random(this.rows * w, 2);
    const au = await this.#product(true, u, this.cols, w);
    if (!areSame(products(field, au, x, w), products(field, u, ax, w)))
      throw notLinear('applyTransposed is not the transpose of apply');
  }
}

function notLinear(what: string): StructureError {
  return new StructureError(`operator: expected a linear map mod p, the same at every call, got one where ${what}`);
}

/** Of each row x of w numbers, factors[2j]·x_j + factors[2j + 1]·x_(j + 1), the last followed by the first. */
function combine(field: WordPrime, x: Uint32Array, factors: Uint32Array): Uint32Array {
  const w = factors.length / 2;
  return x.map((value, at) => {
    const j = at % w;
    const next = x[at - j + ((j + 1) % w)]!;
    return field.add(field.mul(factors[2 * j]!, value), field.mul(factors[2 * j + 1]!, next));
  });
}

/** The products of corresponding columns of u and x. */
function products(field: WordPrime, u: Uint32Array, x: Uint32Array, w: number): Uint32Array {
  const sums = new Uint32Array(w);
  for (let at = 0; at < u.length; at++) sums[at % w] = field.add(sums[at % w]!, field.mul(u[at]!, x[at]!));
  return sums;
}

function areSame(a: Uint32Array, b: Uint32Array): boolean {
  return a.every((value, i) => value === b[i]);
}
