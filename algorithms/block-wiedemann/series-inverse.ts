/**
 * The inverse of a generator as a power series in z = 1/x, which its expansions are made with (expansion.ts).
 *
 *   F(x), n × n, row-reduced, row i of degree δ_i      R(z) = diag(z^δ)·F(1/z)      W = R⁻¹ mod z^h, h > max δ_i
 *
 * R(0), the leading matrix of F, is nonsingular (generator.ts). Newton's iteration doubles the orders of W by two
 * products, behind each of which it may end and go on:
 *   E = (R·W) div z^t mod z^t      W ← W − z^t·(W·E mod z^t)
 */
import type { Awaitable } from '../../kernels/executor.js';
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';
import type { Generator } from './generator.js';
import { writtenPoly } from './look.js';
import { invertMatrix } from './small-matrix.js';
import type { WorkingField } from './working-field.js';

export class SeriesInverse {
  readonly length: number; // h
  readonly most: number; // products
  /** R. */
  readonly reversed: PolyMatrix;
  private readonly engine: OrderBasisEngine;
  private readonly working: WorkingField;
  private readonly n: number;
  private done = 0; // products
  private w: PolyMatrix; // to the orders that are known
  private rest: PolyMatrix | null = null; // E

  /** One order of W is known. */
  constructor(engine: OrderBasisEngine, working: WorkingField, { coefficients, degrees }: Generator) {
    const n = degrees.length;
    [this.engine, this.working, this.n] = [engine, working, n];
    this.length = Math.max(0, ...degrees) + 1;
    this.most = 2 * Math.ceil(Math.log2(this.length));
    const blocks = new Uint32Array(this.length * n * n);
    for (let i = 0; i < n; i++) {
      for (let t = 0; t <= degrees[i]; t++) {
        const from = (degrees[i] - t) * n * n + i * n;
        blocks.set(coefficients.subarray(from, from + n), t * n * n + i * n);
      }
    }
    const constant = invertMatrix(working.elements, blocks.subarray(0, n * n), n);
    if (constant === null) throw new RangeError('series inverse: expected a reduced generator');
    this.reversed = writtenPoly(engine, blocks, n, n);
    try {
      this.w = writtenPoly(engine, constant, n, n);
    } catch (error) {
      engine.release(this.reversed);
      throw error;
    }
  }

  /** Products that are done. */
  get steps(): number {
    return this.done;
  }

  /** Words of its state. */
  get stateWords(): number {
    return this.length * this.n * this.n;
  }

  /** W, and E where it is made; zeros behind them. */
  async state(): Promise<Uint32Array> {
    const words = new Uint32Array(this.stateWords);
    words.set(await this.engine.read(this.w, 0, this.w.length));
    if (this.rest) words.set(await this.engine.read(this.rest, 0, this.rest.length), this.w.length * this.n ** 2);
    return words;
  }

  /** So many products are done, with these words of a state. */
  goOn(products: number, words: Uint32Array): void {
    const { engine, n, length } = this;
    const size = n * n;
    const known = Math.min(2 ** Math.floor(products / 2), length);
    const next = products % 2 === 0 ? known : known + Math.min(known, length - known);
    const w = writtenPoly(engine, words.subarray(0, known * size), n, n);
    engine.release(this.w);
    this.w = w;
    if (next > known) this.rest = writtenPoly(engine, words.subarray(known * size, next * size), n, n);
    this.done = products;
  }

  /** W to its h orders; `check` may throw between two products. */
  async find(check: () => Awaitable<void>): Promise<PolyMatrix> {
    const { engine, n, length } = this;
    while (this.w.length < length) {
      await check();
      const { w, rest } = this;
      const known = w.length;
      const count = Math.min(known, length - known);
      if (rest === null) this.rest = engine.residual(this.reversed, w, known, count);
      else {
        const correction = engine.residual(w, rest, 0, count);
        const doubled = new Uint32Array((known + count) * n * n);
        try {
          doubled.set(await engine.read(w, 0, known));
          doubled.set((await engine.read(correction, 0, count)).map(this.minus), known * n * n);
        } finally {
          engine.release(correction);
        }
        this.w = writtenPoly(engine, doubled, n, n);
        this.rest = null;
        for (const old of [w, rest]) engine.release(old);
      }
      this.done++;
    }
    return this.w;
  }

  free(): void {
    for (const matrix of [this.reversed, this.w, this.rest]) if (matrix) this.engine.release(matrix);
    this.rest = null;
  }

  private readonly minus = (code: number): number => this.working.elements.neg(code);
}
