/**
 * Polynomials at the points 1, g, g², …, g^(n−1) and back, in a few products of series.
 *
 *   t_k = g^C(k,2), C(k,2) = k(k − 1)/2         u_k = Π_{1 ≤ j ≤ k} (g^j − 1)        h_k = (−1)^k·t_k / u_k
 *   evaluation     f(g^k) = t_k^-1·Σ_j (f_j / t_j)·t_(j+k), since j·k = C(j + k, 2) − C(j, 2) − C(k, 2)
 *   interpolation  f = Σ_i c_i·Π_{j<i} (z − g^j), and Π_{j<i} (g^k − g^j) = t_i·u_k / u_(k−i), so that
 *                  f(g^k) / u_k = Σ_i c_i·t_i / u_(k−i): with Σ z^k/u_k · Σ h_k·z^k = 1, c_i·t_i = Σ_k f(g^k) / u_k ·
 *                    h_(i−k)
 *                  f_j = 1/u_j·Σ_{i ≥ j} c_i·u_i·h_(i−j), by Gauss's q-binomial theorem for Π_{j<i} (z − g^j)
 *
 * Distinct points need g^j ≠ 1 for 0 < j < n, so a field of more than n elements.
 * Sources: Bluestein 1970; Rabiner, Schafer, Rader 1969; Bostan and Schost 2005, section 5.
 */
import { type Field, FieldError } from '../../fields/field.js';
import type { BlockingOrderBasisEngine } from '../sigma-basis/order-basis.js';

// Values kept at one time by evaluate: 16 MB of them.
const CHUNK_WORDS = 2 ** 22;

export class GeometricPoints {
  readonly field: Field<number>;
  readonly count: number;
  private readonly t: Uint32Array; // t_0 … t_(count − 1)
  private readonly tInverse: Uint32Array;
  private readonly u: Uint32Array;
  private readonly uInverse: Uint32Array;
  private readonly g: number;

  /** Throws FieldError when the field has too few nonzero elements: `fits` tells. */
  constructor(field: Field<number>, count: number) {
    if (!GeometricPoints.fits(field, count))
      throw new FieldError(`geometric points: expected at most ${field.order - 1n} of them, got ${count}`);
    this.field = field;
    this.count = count;
    this.g = elementOfOrder(field, count);
    this.t = triangularPowers(field, this.g, count);
    this.tInverse = triangularPowers(field, field.inv(this.g), count);
    this.u = new Uint32Array(count);
    let power = field.one;
    for (let k = 0; k < count; k++) {
      this.u[k] = k === 0 ? field.one : field.mul(this.u[k - 1], field.sub(power, field.one));
      power = field.mul(power, this.g);
    }
    this.uInverse = inverses(field, this.u, this.g);
  }

  /** Whether the field has `count` distinct powers of one element. */
  static fits(field: Field<number>, count: number): boolean {
    return BigInt(count) < field.order;
  }

  /**
   * Values of polynomial vectors: `blocks` holds coefficient j of all `width` polynomials at j·width. Calls `take` with
   * the first point of a run of points and its values times t_k, one row of `width` a point; `unscale(k)` is 1/t_k.
   */
  evaluate(
    engine: BlockingOrderBasisEngine,
    blocks: Uint32Array,
    width: number,
    take: (firstPoint: number, scaled: Uint32Array) => void,
  ): void {
    const F = this.field;
    const length = blocks.length / width;
    const t = triangularPowers(F, this.g, this.count + length - 1);
    const down = triangularPowers(F, F.inv(this.g), length);
    // reversed_(d − j) = f_j / t_j, d = length − 1: coefficient d + k of its product with t is t_k·f(g^k)
    const reversed = new Uint32Array(blocks.length);
    for (let j = 0; j < length; j++) {
      const to = (length - 1 - j) * width;
      for (let i = 0; i < width; i++) reversed[to + i] = F.mul(blocks[j * width + i], down[j]);
    }
    const chunk = Math.max(length, Math.floor(CHUNK_WORDS / width));
    for (let first = 0; first < this.count; first += chunk) {
      const points = Math.min(chunk, this.count - first);
      const window = t.subarray(first, first + points + length - 1);
      take(first, productRange(engine, window, reversed, width, length - 1, points));
    }
  }

  /** 1/t_k: what `evaluate` leaves to be multiplied in. */
  unscale(k: number): number {
    return this.tInverse[k];
  }

  /** The coefficients f_0 … f_(count − 1) of the polynomial of degree below `count` with these values. */
  interpolate(engine: BlockingOrderBasisEngine, values: Uint32Array): Uint32Array {
    const F = this.field;
    const n = this.count;
    const h = new Uint32Array(n);
    for (let k = 0; k < n; k++) {
      const value = F.mul(this.t[k], this.uInverse[k]);
      h[k] = k % 2 === 0 ? value : F.neg(value);
    }
    const divided = values.map((value, k) => F.mul(value, this.uInverse[k]));
    const ct = productRange(engine, h, divided, 1, 0, n); // c_i·t_i
    // reversed_(n − 1 − i) = c_i·u_i: coefficient n − 1 − j of its product with h is f_j·u_j
    const reversed = new Uint32Array(n);
    for (let i = 0; i < n; i++) reversed[n - 1 - i] = F.mul(F.mul(ct[i], this.tInverse[i]), this.u[i]);
    const product = productRange(engine, h, reversed, 1, 0, n);
    return Uint32Array.from({ length: n }, (_, j) => F.mul(product[n - 1 - j], this.uInverse[j]));
  }
}

/** Coefficients from … from + count − 1 of a·(b_0, …, b_(width − 1)), a one series, b a row of them. */
function productRange(
  engine: BlockingOrderBasisEngine,
  a: Uint32Array,
  b: Uint32Array,
  width: number,
  from: number,
  count: number,
): Uint32Array {
  const left = engine.create(1, 1, a.length);
  const right = engine.create(1, width, b.length / width);
  engine.write(left, a);
  engine.write(right, b);
  // A 1 × 1 "basis" without right-hand rows: the residual is the product.
  const product = engine.residual(left, right, from, count);
  const out = engine.read(product, 0, count);
  for (const matrix of [left, right, product]) engine.release(matrix);
  return out;
}

/** An element whose first `count` powers are distinct. */
function elementOfOrder(F: Field<number>, count: number): number {
  const q = Number(F.order);
  // In GF(p^k) the code p is x, a generator of the units; among residues a generator is soon met.
  for (let g = F.degree > 1 ? Number(F.modulus) : Math.min(2, q - 1); g < q; g++) {
    let power = g;
    let j = 1;
    for (; j < count && power !== F.one; j++) power = F.mul(power, g);
    if (j >= count) return g;
  }
  throw new FieldError(`geometric points: no element of order ${count} in ${F.representation}`);
}

/** g^C(k,2) for 0 ≤ k < count. */
function triangularPowers(F: Field<number>, g: number, count: number): Uint32Array {
  const out = new Uint32Array(count);
  let power = F.one; // g^k
  for (let k = 0, value = F.one; k < count; k++) {
    out[k] = value;
    value = F.mul(value, power);
    power = F.mul(power, g);
  }
  return out;
}

/** 1/u_k, from the last one downwards: 1/u_(k−1) = (g^k − 1)/u_k. */
function inverses(F: Field<number>, u: Uint32Array, g: number): Uint32Array {
  const out = new Uint32Array(u.length);
  if (u.length === 0) return out;
  const down = F.inv(g);
  let power = F.pow(g, u.length - 1);
  out[u.length - 1] = F.inv(u[u.length - 1]);
  for (let k = u.length - 1; k > 0; k--) {
    out[k - 1] = F.mul(out[k], F.sub(power, F.one));
    power = F.mul(power, down);
  }
  return out;
}
