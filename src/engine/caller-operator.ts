/**
 * An operator of the caller's own as algorithms see it: y ← alpha·A·x + beta·y, where A·x is computed in the caller's
 * thread from a copy of x. Every result is checked once for its length and its residues: the kernels trust both.
 */
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import { StructureError } from '../../kernels/sparse-matrix.js';
import type { Caller } from './engine-worker.js';

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
    const product = await this.#caller.call({ what: 'apply', transposed, x: input, width });
    const field = this.#executor.field;
    const name = transposed ? 'applyTransposed' : 'apply';
    const expected = y.length * width;
    if (!(product instanceof Uint32Array) || product.length !== expected) {
      const got = product instanceof Uint32Array ? `${product.length}` : 'something else';
      throw new StructureError(`operator.${name}: expected a Uint32Array of ${expected} residues, got ${got}`);
    }
    const p = Number(field.modulus);
    for (let i = 0; i < expected; i++) {
      if (product[i]! >= p)
        throw new StructureError(`operator.${name}: expected residues below ${p}, got ${product[i]}`);
    }
    if (alpha !== 1 || beta !== 0) {
      const old = beta === 0 ? null : await this.#executor.read(y);
      for (let i = 0; i < expected; i++) {
        const scaled = field.mul(alpha, product[i]!);
        product[i] = old === null ? scaled : field.add(scaled, field.mul(beta, old[i]!));
      }
    }
    this.#executor.write(y, product);
  }
}
