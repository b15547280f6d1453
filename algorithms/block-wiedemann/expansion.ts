/**
 * Scalar sequences whose recurrences multiply out to the largest invariant factor of a generator.
 *
 *   F(x), n × n, row-reduced, row i of degree δ_i      s(F) : its largest invariant factor, monic
 *   r : uniform over GF(q), entry i a polynomial of degree below δ_i      w : uniform constants
 *   w·F(x)⁻¹·r = Σ_k e_k·x^−k, k ≥ 1, for `count` pairs (w, r)
 *
 * The e_k follow the denominator of w·F⁻¹·r, which divides s(F). The r are the classes modulo the columns of F, one
 * each: so F⁻¹·r lacks the full power of an irreducible factor π of s(F) with probability at most q^−deg π, and where
 * it has it, w·F⁻¹·r lacks it with probability 1/q at most. A given f that s(F) does not divide lacks some π's full
 * power; it serves all of `count` pairs drawn without regard to it with probability (2/q)^count at most.
 *
 * With z = 1/x, R(z) = diag(z^δ)·F(1/z) and W = R⁻¹ mod z^h (series-inverse.ts), F(1/z)⁻¹ = R⁻¹·diag(z^δ). A chunk
 * of h > max δ_i orders is X = W·B mod z^h of a right side B, which R·X leaves as −(R·X div z^h): 2 products a chunk.
 * Source: Dixon 1982 for numbers; Kaltofen, Villard 2005 for s(F).
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { Awaitable } from '../../kernels/executor.js';
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';
import type { Generator } from './generator.js';
import { GrowingBlocks } from './growing-blocks.js';
import { writtenPoly } from './look.js';
import type { SeriesInverse } from './series-inverse.js';
import type { WorkingField } from './working-field.js';

export class Expansion {
  readonly count: number;
  readonly most: number; // chunks that its state has room for, as many as twice the degree takes
  /** E_1, E_2, … : entry i of block k − 1 is e_k of pair i. */
  readonly terms: GrowingBlocks;
  private readonly engine: OrderBasisEngine;
  private readonly working: WorkingField;
  private readonly n: number;
  private readonly inverse: SeriesInverse;
  private readonly length: number; // h
  private readonly rows: Uint32Array; // w, one a pair
  private done = 0; // chunks
  private rest: Uint32Array; // of B, what its matrix was made of
  private right: PolyMatrix | null; // B

  /** `inverse` is that of the generator, and stays the caller's. */
  constructor(
    engine: OrderBasisEngine,
    working: WorkingField,
    generator: Generator,
    inverse: SeriesInverse,
    count: number,
    seed: bigint,
  ) {
    const { degrees } = generator;
    this.engine = engine;
    this.working = working;
    this.count = count;
    this.n = degrees.length;
    this.inverse = inverse;
    this.length = inverse.length;
    this.terms = new GrowingBlocks(count);
    const uniform = (label: string, numbers: number): Uint32Array =>
      new CounterRandom(deriveSeed(seed, label), 0).fillResidues(new Uint32Array(numbers), working.q);
    this.rows = uniform('w', count * this.n);
    // diag(z^δ)·r(1/z), a column a pair: from z to z^δ.
    const blocks = uniform('r', this.length * this.n * count);
    for (let t = 0; t < this.length; t++) {
      for (let i = 0; i < this.n; i++) {
        const at = (t * this.n + i) * count;
        if (t === 0 || t > degrees[i]) blocks.fill(0, at, at + count);
      }
    }
    this.rest = blocks;
    this.right = this.matrix(count, blocks);
    this.most = Math.ceil((2 * generator.degree + 1) / this.length);
  }

  /** Chunks that are done. */
  get steps(): number {
    return this.done;
  }

  /** Words of its state. */
  get stateWords(): number {
    return (this.most * this.length + this.length * this.n) * this.count;
  }

  /** The terms of the chunks that are done, zeros behind them, and the next right side; null beyond its words. */
  state(): Uint32Array | null {
    if (this.done > this.most) return null;
    const words = new Uint32Array(this.stateWords);
    words.set(this.terms.copy(0));
    words.set(this.rest, words.length - this.rest.length);
    return words;
  }

  /** So many chunks are those of another expansion's state. */
  goOn(chunks: number, state: Uint32Array): void {
    this.terms.append(state.subarray(0, (chunks * this.length - 1) * this.count));
    this.done = chunks;
    this.rest = state.slice(state.length - this.rest.length);
    this.engine.write(this.right!, this.rest);
  }

  /** Goes on to `count` terms or more. */
  async extend(count: number, check: () => Awaitable<void>): Promise<void> {
    const { engine, length } = this;
    const { reversed } = this.inverse;
    const w = await this.inverse.find(check);
    while (this.terms.count < count) {
      await check();
      const x = engine.residual(w, this.right!, 0, length);
      const next = engine.residual(reversed, x, length, length);
      engine.release(this.right!);
      this.right = null;
      const orders = await engine.read(x, 0, length);
      const left = await engine.read(next, 0, length);
      for (const used of [x, next]) engine.release(used);
      this.rest = left.map(this.minus);
      this.right = this.matrix(this.count, this.rest);
      this.take(orders);
      this.done++;
    }
  }

  free(): void {
    if (this.right) this.engine.release(this.right);
    this.right = null;
  }

  /** w·X, order by order; that of z^0 is 0. */
  private take(orders: Uint32Array): void {
    const { count, n, rows } = this;
    const F = this.working.elements;
    const block = new Uint32Array(count);
    for (let t = 0; t < this.length; t++) {
      block.fill(0);
      for (let j = 0; j < n; j++) {
        const at = (t * n + j) * count;
        for (let i = 0; i < count; i++) block[i] = F.add(block[i], F.mul(rows[i * n + j], orders[at + i]));
      }
      if (this.done > 0 || t > 0) this.terms.push(block);
    }
  }

  private readonly minus = (code: number): number => this.working.elements.neg(code);

  private matrix(cols: number, blocks: Uint32Array): PolyMatrix {
    return writtenPoly(this.engine, blocks, this.n, cols);
  }
}
