/**
 * An order basis P that grows with the order, kept as the product of two while the second is short.
 *
 *   P = last·p      p : the basis to order `base`      last : that of p's residual, for the orders from there on
 *
 * The residual of the next orders takes both, and their basis joins `last`: short products, where P would take a long
 * one each time. P itself is multiplied out when `last` is long, or when a caller needs it.
 */
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';

/** The share of p's orders that `last` may have. */
const SHARE_OF_LAST = 0.75;

/** Coefficients of a residual times y, those from `first` on. */
export interface Images {
  readonly products: PolyMatrix;
  readonly first: number;
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
    const blocks = await this.engine.read(g, 0, count);
    const out = this.engine.create(g.rows, g.cols, count);
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
