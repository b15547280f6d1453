/**
 * sigma-basis of a matrix series by divide and conquer (PM-basis), on the polynomial kernels.
 *
 *   G : R × n over F_p[z], sigma coefficients     s : right-hand rows, the last rows of G
 *   P : R × (R − s). Its first R − s rows p satisfy p·G' ≡ 0, its last rows q satisfy q·G' + G_rhs ≡ 0 mod
 *       z^sigma, where G' is G without the right-hand rows.
 *
 * Rows have degrees (a shift to begin with); order by order the rows whose residuals are independent, taken by degree,
 * are multiplied by z and their degrees raised, the others are cleared by them (kernels/poly/mbasis.as.ts). So P is
 * reduced with respect to the shift, and deg P_ij ≤ final degree of i − initial degree of j.
 *
 * For orders [0, a) then [a, b): P = P2·P1 with P2 for the residual z^-a·P1·G mod z^(b−a) and the degrees left by P1.
 * Every operation depends on the residual and the degrees alone, so recursion and iteration give the same P.
 *
 * Source: Beckermann, Labahn 1994; Giorgi, Jeannerod, Villard 2003, algorithms M-Basis and PM-Basis.
 */
import type { ExtensionField } from '../../fields/extension.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { baseCase } from '../../kernels/poly/mbasis.js';
import { type PolyArithmetic, PolyProduct } from '../../kernels/poly/mul.js';
import { ExtensionProduct } from '../../kernels/poly/mul-extension.js';
import { CodeProduct, hasCodeProducts } from '../../kernels/poly/mul-gf256.js';
import {
  allocZeroPoly,
  coefficientsView,
  type PolyMatrix,
  PolyShapeError,
  readPoly,
  rowsView,
  writePoly,
} from '../../kernels/poly/poly-matrix.js';
import type { Team } from '../../kernels/threads/team.js';

export interface PolyEngineOptions {
  /** Orders up to which the iterative base case runs. */
  readonly leaf?: number;
}

// Shorter base cases cost transforms of few points, longer ones cost more than the products they save. Over GF(p^k) a
// base case looks up products in tables, so that shorter ones pay (test/bench/RESULTS.md#leaf-orders).
const LEAF = 64;
const EXTENSION_LEAF = 32;

class Engine<F extends { readonly order: bigint }> {
  readonly team: Team;
  readonly field: F;
  readonly leaf: number;
  private readonly product: PolyArithmetic;

  protected constructor(team: Team, field: F, product: PolyArithmetic, leaf: number) {
    this.team = team;
    this.field = field;
    this.product = product;
    this.leaf = leaf;
  }

  /** A matrix of zeros. */
  create(rows: number, cols: number, length: number): PolyMatrix {
    return allocZeroPoly(this.team.memory, rows, cols, length);
  }

  release(a: PolyMatrix): void {
    this.team.memory.release(a.at);
  }

  /** The first `count` coefficients, in the memory of a. */
  beginning(a: PolyMatrix, count: number): PolyMatrix {
    return coefficientsView(a, 0, count);
  }

  /** Coefficients first … of a ← blocks, each row-major and canonical. */
  write(a: PolyMatrix, blocks: Uint32Array, first = 0): void {
    writePoly(this.team.memory, a, blocks, first);
  }

  read(a: PolyMatrix, first = 0, count = a.length - first): Uint32Array {
    return readPoly(this.team.memory, a, first, count);
  }

  /** a·b */
  mul(a: PolyMatrix, b: PolyMatrix): PolyMatrix {
    return this.product.range(a, b, 0, Math.max(0, a.length + b.length - 1));
  }

  /** Coefficients from … from + count − 1 of a·g. */
  middle(a: PolyMatrix, g: PolyMatrix, from: number, count: number): PolyMatrix {
    return this.product.range(a, g, from, count);
  }

  /** Coefficients from … from + count − 1 of P·G' with G's right-hand rows added to the last rows. */
  residual(basis: PolyMatrix, g: PolyMatrix, from: number, count: number): PolyMatrix {
    const rhsRows = g.rows - basis.cols;
    if (basis.rows !== g.rows || rhsRows < 0) {
      throw new PolyShapeError(`residual: expected ${g.rows} rows in P, got ${basis.rows} × ${basis.cols}`);
    }
    const out = this.product.range(basis, rowsView(g, 0, basis.cols), from, count);
    if (rhsRows > 0) {
      const kept = Math.max(0, Math.min(count, g.length - from));
      const own = coefficientsView(rowsView(g, basis.cols, rhsRows), Math.min(from, g.length - kept), kept);
      this.product.addInto(rowsView(out, basis.cols, rhsRows), own);
    }
    return out;
  }

  /**
   * [P2'·P1'; q2·P1' + q1]: first the operations of p1, then those of p2; at most `length` coefficients, all if absent.
   */
  compose(p2: PolyMatrix, p1: PolyMatrix, length = p2.length + p1.length - 1): PolyMatrix {
    if (p1.rows !== p2.rows || p1.cols !== p2.cols) {
      throw new PolyShapeError(`compose: expected ${p2.rows} × ${p2.cols}, got ${p1.rows} × ${p1.cols}`);
    }
    const active = p1.cols;
    const full = Math.max(p1.length, p2.length + p1.length - 1);
    const count = Math.max(p1.length, Math.min(length, full));
    const out = this.product.range(p2, rowsView(p1, 0, active), 0, count, count);
    if (p1.rows > active) {
      this.product.addInto(rowsView(out, active, p1.rows - active), rowsView(p1, active, p1.rows - active));
    }
    return out;
  }

  /**
   * The sigma-basis of g, sigma its length; degrees (one a row that is no right-hand row, or one a row) are raised in
   * place.
   */
  sigmaBasis(g: PolyMatrix, degrees: Int32Array, rhsRows = 0): PolyMatrix {
    const active = g.rows - rhsRows;
    if (active < 0 || (degrees.length !== active && degrees.length !== g.rows)) {
      throw new PolyShapeError(`sigmaBasis: expected ${active} degrees, got ${degrees.length}`);
    }
    const all = new Int32Array(g.rows);
    all.set(degrees);
    const basis = this.recurse(g, all, rhsRows);
    degrees.set(all.subarray(0, degrees.length));
    return basis;
  }

  private recurse(g: PolyMatrix, degrees: Int32Array, rhsRows: number): PolyMatrix {
    const bound = degreeBound(degrees.subarray(0, g.rows - rhsRows));
    if (g.length <= this.leaf) {
      const leaf = baseCase(this.team, this.product.field, g, degrees, rhsRows);
      return { ...leaf, length: Math.min(leaf.length, bound()) };
    }
    const half = this.half(g.length);
    const p1 = this.recurse(coefficientsView(g, 0, half), degrees, rhsRows);
    try {
      const p2 = this.rest(p1, g, half, degrees, rhsRows);
      try {
        return this.compose(p2, p1, bound());
      } finally {
        this.release(p2);
      }
    } finally {
      this.release(p1);
    }
  }

  /** The order basis of the residual that p1, the basis of the first `half` orders, leaves. */
  private rest(p1: PolyMatrix, g: PolyMatrix, half: number, degrees: Int32Array, rhsRows: number): PolyMatrix {
    const residual = this.residual(p1, g, half, g.length - half);
    try {
      return this.recurse(residual, degrees, rhsRows);
    } finally {
      this.release(residual);
    }
  }

  /** Half of the orders, in whole base cases. */
  private half(orders: number): number {
    return Math.ceil(orders / 2 / this.leaf) * this.leaf;
  }

  dispose(): void {
    this.product.dispose();
  }
}

/**
 * How many coefficients P has at most: a function made of the degrees before, called with those after, right-hand rows
 * left out. deg P_ij ≤ final degree of i − initial degree of j; right-hand rows are combinations of rows before their
 * last raise.
 */
export function degreeBound(degrees: Int32Array): () => number {
  const initial = degrees.reduce((low, d) => Math.min(low, d), Infinity);
  return () => Math.max(1, degrees.reduce((high, d) => Math.max(high, d), -Infinity) - initial + 1);
}

/** Over F_p, p < 2^31. */
export class PolyEngine extends Engine<WordPrime> {
  constructor(team: Team, field: WordPrime, options: PolyEngineOptions = {}) {
    super(team, field, new PolyProduct(team, field), options.leaf ?? LEAF);
  }
}

/** Over GF(p^k), 2 ≤ k and p^k ≤ 2^21; elements are the field's codes. */
export class ExtensionPolyEngine extends Engine<ExtensionField> {
  constructor(team: Team, field: ExtensionField, options: PolyEngineOptions = {}) {
    const product = hasCodeProducts(field) ? CodeProduct : ExtensionProduct;
    super(team, field, new product(team, field), options.leaf ?? EXTENSION_LEAF);
  }
}
