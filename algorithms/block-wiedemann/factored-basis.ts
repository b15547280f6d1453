/**
 * An order basis P that grows with the order, kept as the product of two while the second is short.
 *
 *   P = last·p      p : the basis to order `base`      last : that of p's residual, for the orders from there on
 *
 * The residual of the next orders takes both, and their basis joins `last`: short products, where P would take a long
 * one each time. P itself is multiplied out when `last` is long, or when a caller needs it.
 */
import type { Awaitable } from '../../kernels/executor.js';
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';

/** The share of p's orders that `last` may have. */
const SHARE_OF_LAST = 0.75;

/** Coefficients of a residual times y, those from `first` on. */
export interface Images {
  readonly products: PolyMatrix;
  readonly first: number;
}

/** A basis in words, as an engine of any device takes it up. */
export interface BasisState {
  readonly order: number;
  readonly base: number;
  readonly degrees: Int32Array; // of the rows of P
  readonly inner: Int32Array | null;
  readonly p: Uint32Array;
  readonly last: Uint32Array | null;
  readonly images: readonly { readonly first: number; readonly words: Uint32Array }[];
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

  /** The basis of g to order `to`; g is the same series as before, with more coefficients. */
  async extend(g: PolyMatrix, to: number): Promise<void> {
    const { engine, order } = this;
    if (order - this.base > SHARE_OF_LAST * this.base) this.multiply();
    const { p, last } = this;
    if (!p) {
      this.p = await this.basisOf(await this.beginning(g, to));
      this.base = to;
    } else if (!last) {
      this.inner = this.degrees.slice();
      const residual = engine.residual(p, g, order, to - order);
      this.last = await this.basisOf(residual, () => this.keepImages(residual, 0));
    } else {
      // The coefficients of p·g that the wanted ones of last·p·g are made of; below z^base there are none.
      const from = Math.max(this.base, order - last.length + 1);
      const seen = engine.residual(p, g, from, to - from);
      let residual: PolyMatrix;
      try {
        this.keepImages(seen, order - from);
        residual = engine.residual(last, seen, order - from, to - order);
      } finally {
        engine.release(seen);
      }
      const next = await this.basisOf(residual);
      try {
        this.last = engine.compose(next, last);
      } finally {
        engine.release(next);
      }
      engine.release(last);
    }
    this.order = to;
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
    const words = [this.p, this.last, ...this.images.map(({ products }) => products)].map((a) =>
      a === null ? 0 : a.rows * a.cols * a.length,
    );
    return 4 * words.reduce((sum, each) => sum + each, 0);
  }

  /** null before the first orders. */
  async state(): Promise<BasisState | null> {
    const { p, last, order, base, inner, degrees } = this;
    if (!p) return null;
    const read = (a: PolyMatrix): Awaitable<Uint32Array> => this.engine.read(a, 0, a.length);
    const images = [];
    for (const { first, products } of this.images) images.push({ first, words: await read(products) });
    const factors = { p: await read(p), last: last && (await read(last)) };
    return { order, base, degrees: degrees.slice(), inner: inner?.slice() ?? null, ...factors, images };
  }

  /** Goes on from there, before the first orders; false where those are not the words of such a basis. */
  goOnFrom({ order, base, degrees, inner, p, last, images }: BasisState): boolean {
    const rows = this.degrees.length;
    const cols = rows - this.rhsRows;
    const width = this.columns?.cols ?? 0;
    const areWhole = [p, last ?? []].every(({ length }) => length % (rows * cols) === 0);
    const areImages = images.every(({ words }) => words.length > 0 && words.length % (rows * width) === 0);
    const isFactored = inner !== null && inner.length === rows && images.length > 0 === width > 0;
    if (this.p || degrees.length !== rows || !areWhole || !areImages || (last ? !isFactored : base !== order))
      return false;
    try {
      this.p = this.written(p, cols);
      this.last = last && this.written(last, cols);
      for (const { first, words } of images) this.images.push({ first, products: this.written(words, width) });
    } catch (error) {
      this.free();
      throw error;
    }
    this.degrees.set(degrees);
    [this.order, this.base, this.inner] = [order, base, inner];
    return true;
  }

  free(): void {
    this.freeImages();
    for (const matrix of [this.p, this.last]) if (matrix) this.engine.release(matrix);
    this.p = null;
    this.last = null;
  }

  /** R_k·y of the residuals from `first` on. */
  private keepImages(residuals: PolyMatrix, first: number): void {
    if (this.columns !== null) this.images.push({ products: this.engine.mul(residuals, this.columns), first });
  }

  private freeImages(): void {
    for (const { products } of this.images.splice(0)) this.engine.release(products);
  }

  /** The first coefficients of g as a matrix of their own. */
  private async beginning(g: PolyMatrix, count: number): Promise<PolyMatrix> {
    return this.written(await this.engine.read(g, 0, count), g.cols);
  }

  private written(blocks: Uint32Array, cols: number): PolyMatrix {
    const rows = this.degrees.length;
    const out = this.engine.create(rows, cols, blocks.length / (rows * cols));
    try {
      this.engine.write(out, blocks);
      return out;
    } catch (error) {
      this.engine.release(out);
      throw error;
    }
  }

  /** Of a residual, which is released; `first` is done before. */
  private async basisOf(residual: PolyMatrix, first: () => void = () => {}): Promise<PolyMatrix> {
    try {
      first();
      return await this.engine.sigmaBasis(residual, this.degrees, this.rhsRows);
    } finally {
      this.engine.release(residual);
    }
  }
}
