/**
 * An order basis P that grows with the order, kept as the product of two while the second is short.
 *
 *   P = last·p      p : the basis to order `base`      last : that of p's residual, for the orders from there on
 *
 * The residual of the next orders takes both, and their basis joins `last`: short products, where P would take a long
 * one each time. P itself is multiplied out when `last` is long, or when a caller needs it.
 */
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';
import { bytesOf, type Images, Look, type LookState, type Pause, writtenPoly } from './look.js';

/** The share of p's orders that `last` may have. */
const SHARE_OF_LAST = 0.75;

/** A basis in words, as an engine of any device takes it up. */
export interface BasisState {
  readonly fields: {
    readonly order: number;
    readonly base: number;
    readonly degrees: readonly number[]; // of the rows of P
    readonly inner: readonly number[] | null;
    readonly firsts: readonly number[]; // of the images
  };
  /** p, `last`, which is empty where there is none, and the images. */
  readonly words: readonly Uint32Array[];
}

export class FactoredBasis {
  p: PolyMatrix | null = null;
  last: PolyMatrix | null = null;
  /** The order reached. */
  order = 0;
  /** The order that p reaches. */
  base = 0;
  /** R_0·y, R_1·y, … as far as the order, each of all rows. */
  images: Images[] = [];
  /** Degrees of the rows of p, where there is `last`. */
  inner: Int32Array | null = null;
  /** What is under way beyond the order. */
  look: Look | null = null;
  private readonly engine: OrderBasisEngine;
  private readonly degrees: Int32Array;
  private readonly rhsRows: number;
  private readonly columns: PolyMatrix | null;

  /**
   * Of series of as many rows as there are `degrees`, which are kept up to date; the last `rhsRows` are no pivots.
   * `columns` : y, which stays the caller's.
   */
  constructor(engine: OrderBasisEngine, degrees: Int32Array, rhsRows: number, columns: PolyMatrix | null = null) {
    this.engine = engine;
    this.degrees = degrees;
    this.rhsRows = rhsRows;
    this.columns = columns;
  }

  /**
   * The basis of g to order `to`; g is the same series as before, with more coefficients. After `pause` has thrown the
   * next call with that order goes on.
   */
  async extend(g: PolyMatrix, to: number, pause: Pause = async () => {}): Promise<void> {
    if (this.look?.start.to !== to) {
      this.look?.free();
      this.look = null;
    }
    this.look ??= await this.begin(g, to, pause);
    const { images, degrees } = this.look;
    const found = await this.look.find(pause);
    this.look = null;
    if (images) this.images.push(images);
    const { engine, p, last } = this;
    if (!p) {
      this.p = found;
      this.base = to;
    } else if (!last) {
      this.inner = this.degrees.slice();
      this.last = found;
    } else {
      try {
        this.last = engine.compose(found, last);
      } finally {
        engine.release(found);
      }
      engine.release(last);
    }
    this.degrees.set(degrees);
    this.order = to;
  }

  /** What the orders from here to `to` take. */
  private async begin(g: PolyMatrix, to: number, pause: Pause): Promise<Look> {
    const { engine, order, rhsRows } = this;
    if (order - this.base > SHARE_OF_LAST * this.base) {
      await pause();
      this.multiply();
    }
    const { p, last } = this;
    // The coefficients of p·g that the wanted ones of last·p·g are made of; below z^base there are none.
    const from = last ? Math.max(this.base, order - last.length + 1) : order;
    const start = { to, first: order - from, leaf: engine.leaf, cols: g.cols };
    const begun = (series: PolyMatrix, images: PolyMatrix | null) =>
      new Look(engine, start, series, images, this.degrees, rhsRows);
    if (!p) return begun(await this.beginning(g, to), null);
    await pause();
    let seen: PolyMatrix | null = engine.residual(p, g, from, to - from);
    let images: PolyMatrix | null = null;
    try {
      images = this.columns && engine.mul(seen, this.columns);
      const residual = last ? engine.residual(last, seen, order - from, to - order) : seen;
      if (!last) seen = null;
      return begun(residual, images);
    } catch (error) {
      if (images) engine.release(images);
      throw error;
    } finally {
      if (seen) engine.release(seen);
    }
  }

  /** P, null before the first orders. */
  multiply(): PolyMatrix | null {
    const { last, p } = this;
    if (!last || !p) return p;
    this.p = this.engine.compose(last, p);
    this.last = null;
    this.inner = null;
    this.freeImages();
    this.base = this.order;
    for (const old of [last, p]) this.engine.release(old);
    return this.p;
  }

  /** Of the words of `state`. */
  get bytes(): number {
    return bytesOf([this.p, this.last, ...this.images.map(({ products }) => products)]);
  }

  /** null before the first orders. */
  async state(): Promise<BasisState | null> {
    const { p, last, order, base, inner, degrees, images } = this;
    if (!p) return null;
    const words = [];
    for (const a of [p, last, ...images.map(({ products }) => products)])
      words.push(a ? await this.engine.read(a, 0, a.length) : new Uint32Array(0));
    const firsts = images.map(({ first }) => first);
    return { fields: { order, base, degrees: [...degrees], inner: inner && [...inner], firsts }, words };
  }

  /** Goes on from there, before the first orders; false where those are not the words of such a basis. */
  goOnFrom({ fields, words: [p, last, ...images] }: BasisState): boolean {
    const { order, base, degrees, inner, firsts } = fields;
    const rows = this.degrees.length;
    const cols = rows - this.rhsRows;
    const width = this.columns?.cols ?? 0;
    const areWhole = [p, last].every(({ length }) => length % (rows * cols) === 0);
    const areImages = images.every(({ length }) => length > 0 && length % (rows * width) === 0);
    const isFactored = inner !== null && inner.length === rows && images.length > 0 === width > 0;
    const fits = last.length > 0 ? isFactored : base === order;
    if (this.p || degrees.length !== rows || !areWhole || !areImages || !fits) return false;
    try {
      this.p = this.written(p, cols);
      this.last = last.length > 0 ? this.written(last, cols) : null;
      for (const [i, each] of images.entries())
        this.images.push({ first: firsts[i], products: this.written(each, width) });
    } catch (error) {
      this.free();
      throw error;
    }
    this.degrees.set(degrees);
    [this.order, this.base, this.inner] = [order, base, inner && Int32Array.from(inner)];
    return true;
  }

  /** Goes on with a look behind this order; false where it is of other rows. */
  goOnWith(state: LookState): boolean {
    if (state.fields.degrees.length !== this.degrees.length) return false;
    this.look = Look.goOnFrom(this.engine, state, this.rhsRows, this.columns?.cols ?? 0);
    return true;
  }

  free(): void {
    this.look?.free();
    this.look = null;
    this.freeImages();
    for (const matrix of [this.p, this.last]) if (matrix) this.engine.release(matrix);
    this.p = null;
    this.last = null;
  }

  private freeImages(): void {
    for (const { products } of this.images.splice(0)) this.engine.release(products);
  }

  /** The first coefficients of g as a matrix of their own. */
  private async beginning(g: PolyMatrix, count: number): Promise<PolyMatrix> {
    return this.written(await this.engine.read(g, 0, count), g.cols);
  }

  private written(blocks: Uint32Array, cols: number): PolyMatrix {
    return writtenPoly(this.engine, blocks, this.degrees.length, cols);
  }
}
