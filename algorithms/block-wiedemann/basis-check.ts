/**
 * Whether P is an order basis of G = [S; −I] modulo z^σ, as the lower bound of generator.ts needs it, from P and S.
 *
 *   P = P2·P1 : R = m + n rows and columns, without T      s : (0^m, 1^n)      r, d : degrees of the rows of P1, of P
 *   M = { q : q·G ≡ 0 mod z^σ }, a module whose index is n·σ, since −I makes every value of q·G
 *   R1 = z^−base·P1·G, the residual that P2 was found from     y : n × w uniform, drawn before P     c_k : w uniform
 *
 *   1. P1·G·y ≡ z^base·(R1·y) and P2·(R1·y) ≡ 0, so P·G·y ≡ 0 mod z^σ: column b of each weighed by uniform c_k,b,
 *      Σ_k c_k·(P1·G·y)_k = Σ_i P1_i·(Σ_j c_(i+j)·(G·y)_j)
 *   2. deg P1_ij ≤ r_i − s_j and deg P2_ij ≤ d_i − r_j
 *   3. the matrices of the coefficients at these bounds, of P1 and of P2, are nonsingular
 *   4. Σ d_i = n·σ + n
 *
 * By 1 the rows of P are in M. By 2 and 3 P1 and P2 are reduced for their shifts, so that deg det P = Σ (d_i − s_i),
 * which is n·σ by 4, and the rows are independent: they span M, and are an order basis with d as its degrees.
 *
 * Error. A row outside M goes to 0 by column b of y with probability 1/q at most; where it does not, one of the two
 * identities of 1 is false in column b, and holds weighed by c with probability 1/q. The w columns are independent:
 * (2/q)^w. What is beyond the bounds of 2 is weighed by uniform words too, and looked at where these sums are not 0:
 * q^−w. Both are at most 2^−59.
 *
 * The work is a product and a sum for each coefficient of P1 and P2 and column of y, where the order basis takes
 * transforms of them at every level; R1·y is taken from the residuals while they are there.
 * Sources: Giorgi, Neiger, Certification of minimal approximant bases (2018), whose evaluation at a random point the
 * uniform weights replace, small q having too few points; Freivalds 1979; Kailath 1980 for reduced matrices.
 */
import type { Field } from '../../fields/field.js';
import { CounterRandom } from '../../fields/random.js';
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';
import type { Factored } from './relations.js';
import { determinantOf } from './small-matrix.js';
import { timesColumns } from './sum-products.js';
import type { WorkingField } from './working-field.js';

export interface CheckedBasis extends Factored {
  readonly m: number;
  readonly n: number;
  readonly order: number; // σ
  readonly base: number;
  readonly all: number; // rows of P, with those of T
  readonly inner: Int32Array | null; // r, where there is P2
  readonly degrees: Int32Array; // d
  readonly columns: Uint32Array; // y
  readonly images: readonly Uint32Array[]; // R1_k·y, each all × w
}

/** w */
function checkWidth({ log2q }: WorkingField): number {
  return Math.ceil(59 / (log2q - 1));
}

/** y */
export function checkColumns(working: WorkingField, n: number, seed: bigint): Uint32Array {
  return new CounterRandom(seed, 0).fillResidues(new Uint32Array(n * checkWidth(working)), working.q);
}

/** `blockAt` : S_i, each m × n codes. */
export async function basisHolds(
  engine: OrderBasisEngine,
  working: WorkingField,
  basis: CheckedBasis,
  blockAt: (i: number) => Uint32Array,
  seed: bigint,
): Promise<boolean> {
  const { m, n, order, base, p1, p2, inner, degrees, images, all } = basis;
  const sum = degrees.subarray(0, m + n).reduce((total, degree) => total + degree, 0);
  if (sum !== n * order + n) return false;
  const shift = Int32Array.from({ length: m + n }, (_, i) => (i < m ? 0 : 1));
  const check = new WeighedSums(engine, working, { active: m + n, all }, seed);
  if (p2 && !(await check.isReduced(p2, degrees, inner!))) return false;
  if (!(await check.isReduced(p1, p2 ? inner! : degrees, shift))) return false;
  const F = working.elements;
  const w = checkWidth(working);
  const weights = check.draw(order * w);
  // Σ_k c_k·R1_k·y
  const expected = new Uint32Array((m + n) * w);
  images.forEach((image, k) => {
    addWeighed(F, expected, image, weights.subarray((base + k) * w, (base + k + 1) * w));
  });
  const series = imagesOfSeries(working, basis, blockAt);
  if (series === null) return false;
  const sums = await check.weigh(p1, series, weights);
  if (!sums.every((value, i) => value === expected[i])) return false;
  if (!p2) return true;
  const joined = new Uint32Array(images.length * (m + n) * w);
  images.forEach((image, k) => {
    joined.set(image.subarray(0, (m + n) * w), k * (m + n) * w);
  });
  return (await check.weigh(p2, joined, weights.subarray(base * w))).every((value) => value === 0);
}

/** (G·y)_i, each R × w; null where a word of the sequence is no code. */
function imagesOfSeries(
  working: WorkingField,
  { m, n, order, columns }: CheckedBasis,
  blockAt: (i: number) => Uint32Array,
): Uint32Array | null {
  const w = columns.length / n;
  const out = new Uint32Array(order * (m + n) * w);
  const shape = { count: order, rows: m, inner: n, cols: w };
  const isMade = timesColumns(working, blockAt, columns, shape, (i, product) => {
    for (let b = 0; b < w; b++) for (let r = 0; r < m; r++) out[(i * (m + n) + r) * w + b] = product[b * m + r];
  });
  if (!isMade) return null;
  columns.forEach((value, i) => {
    out[m * w + i] = working.elements.neg(value);
  });
  return out;
}

/** out += image·diag(weights) */
function addWeighed(F: Field<number>, out: Uint32Array, image: Uint32Array, weights: Uint32Array): void {
  const w = weights.length;
  for (let i = 0; i < out.length; i++) out[i] = F.add(out[i], F.mul(weights[i % w], image[i]));
}

/** Sums of the coefficients of polynomial matrices, each times a block: one coefficient of a product. */
class WeighedSums {
  private readonly engine: OrderBasisEngine;
  private readonly working: WorkingField;
  private readonly active: number; // R
  private readonly all: number;
  private readonly seed: bigint;
  private streams = 1;

  /** The matrices have `all` rows, of which the first `active` count, and `active` columns. */
  constructor(
    engine: OrderBasisEngine,
    working: WorkingField,
    { active, all }: { readonly active: number; readonly all: number },
    seed: bigint,
  ) {
    [this.engine, this.working, this.active, this.all, this.seed] = [engine, working, active, all, seed];
  }

  draw(count: number): Uint32Array {
    return new CounterRandom(this.seed, this.streams++).fillResidues(new Uint32Array(count), this.working.q);
  }

  /** Σ_k c_k·(p·g)_k over the coefficients of g, column by column; g and c in blocks of R × w and w. */
  async weigh(p: PolyMatrix, g: Uint32Array, weights: Uint32Array): Promise<Uint32Array> {
    const { engine, active } = this;
    const w = checkWidth(this.working);
    const length = weights.length / w;
    const count = Math.min(p.length, length);
    // h_i = Σ_j c_(i+j)·g_j is coefficient length − 1 − i of c reversed times g.
    const h = new Uint32Array(count * active * w); // h_(count − 1), …, h_0
    const reversed = engine.create(1, 1, length);
    const series = engine.create(1, active, length);
    try {
      for (let b = 0; b < w; b++) {
        engine.write(reversed, takeEvery(weights, w, b).reverse());
        engine.write(series, takeEvery(g, w, b));
        const product = engine.residual(reversed, series, length - count, count);
        try {
          const words = await engine.read(product, 0, count);
          for (let i = 0; i < words.length; i++) h[i * w + b] = words[i];
        } finally {
          engine.release(product);
        }
      }
    } finally {
      engine.release(reversed);
      engine.release(series);
    }
    return this.coefficient(p, h, count - 1);
  }

  /**
   * Conditions 2 and 3: deg p_ij ≤ ofRows_i − ofCols_j, and the coefficients there are a nonsingular matrix.
   *
   * A row of degree v has nothing at k + ofCols_j > v. The degrees of rows cut these places into intervals; each is
   * looked at by a sum of its own, in the rows that are to be 0 there.
   */
  async isReduced(p: PolyMatrix, ofRows: Int32Array, ofCols: Int32Array): Promise<boolean> {
    if (!(await this.isLeadingRegular(p, ofRows, ofCols))) return false;
    const { active } = this;
    const w = checkWidth(this.working);
    const ends = ofCols.subarray(0, active);
    const degrees = [...new Set(ofRows.subarray(0, active))].sort((a, b) => a - b);
    for (const [t, v] of degrees.entries()) {
      const next = degrees[t + 1] ?? Number.POSITIVE_INFINITY;
      const first = Math.max(0, v - Math.max(...ends) + 1);
      const end = Math.min(p.length, next - Math.min(...ends) + 1);
      if (first >= end) continue;
      const h = this.draw((end - first) * active * w);
      for (let at = 0; at < h.length; at++) {
        const k = end - 1 - Math.floor(at / (active * w));
        const place = k + ends[Math.floor(at / w) % active];
        if (place <= v || place > next) h[at] = 0;
      }
      const sums = await this.coefficient(p, h, end - 1);
      if (sums.some((value, i) => value !== 0 && ofRows[Math.floor(i / w)] <= v)) return false;
    }
    return true;
  }

  private async isLeadingRegular(p: PolyMatrix, ofRows: Int32Array, ofCols: Int32Array): Promise<boolean> {
    const { active } = this;
    const leading = new Uint32Array(active * active);
    const places = new Map<number, number[]>(); // by coefficient
    for (let at = 0; at < leading.length; at++) {
      const k = ofRows[Math.floor(at / active)] - ofCols[at % active];
      if (k < 0 || k >= p.length) continue;
      const same = places.get(k);
      if (same) same.push(at);
      else places.set(k, [at]);
    }
    for (const [k, some] of places) {
      const words = await this.engine.read(p, k, 1);
      for (const at of some) leading[at] = words[at];
    }
    const F = this.working.elements;
    return determinantOf(F, leading, active) !== F.zero;
  }

  /** The first rows of coefficient k of p·h; h in blocks of R × w. */
  private async coefficient(p: PolyMatrix, h: Uint32Array, k: number): Promise<Uint32Array> {
    const { engine, active, all } = this;
    const w = checkWidth(this.working);
    const factor = engine.create(all, w, h.length / (active * w));
    try {
      engine.write(factor, widened(h, active * w, all * w));
      const sum = engine.residual(p, factor, k, 1);
      try {
        return (await engine.read(sum, 0, 1)).subarray(0, active * w);
      } finally {
        engine.release(sum);
      }
    } finally {
      engine.release(factor);
    }
  }
}

/** Words first, first + step, … */
function takeEvery(words: Uint32Array, step: number, first: number): Uint32Array {
  const out = new Uint32Array(words.length / step);
  for (let i = 0; i < out.length; i++) out[i] = words[i * step + first];
  return out;
}

/** Blocks of `from` words as blocks of `to`, with zeros behind. */
function widened(words: Uint32Array, from: number, to: number): Uint32Array {
  if (from === to) return words;
  const out = new Uint32Array((words.length / from) * to);
  for (let r = 0; r * from < words.length; r++) out.set(words.subarray(r * from, (r + 1) * from), r * to);
  return out;
}
