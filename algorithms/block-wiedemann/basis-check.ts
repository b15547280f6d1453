/**
 * Whether P is an order basis of G = [S; −I] modulo z^σ, as the lower bound of generator.ts needs it, from P and S.
 *
 *   P = P2·P1 : R = m + n rows and columns, without T      s : (0^m, 1^n)      r, d : degrees of the rows of P1, of P
 *   M = { q : q·G ≡ 0 mod z^σ }, a module whose index is n·σ, since −I makes every value of q·G
 *   R1 = z^−base·P1·G, the residual that P2 was found from     y : n × w uniform, drawn before P
 *
 *   1. u·P1·G·y ≡ z^base·u·(R1·y) and u·P2·(R1·y) ≡ 0, u : w × R uniform, drawn when all of this is known
 *   2. deg P1_ij ≤ r_i − s_j and deg P2_ij ≤ d_i − r_j
 *   3. the matrices of the coefficients at these bounds, of P1 and of P2, are nonsingular
 *   4. Σ d_i = n·σ + n
 *
 * If P1·G·y ≡ z^base·(R1·y) and P2·(R1·y) ≡ 0, then P·G·y ≡ 0 mod z^σ; if P·G ≡ 0, the rows of P are in M. By 2 and 3
 * P1 and P2 are reduced for their shifts, so that deg det P = Σ (d_i − s_i), which is n·σ by 4, and the rows are
 * independent: they span M, and are an order basis with d as its degrees.
 *
 * Error. Let P not be an order basis. Where 3 or 4 is false that is seen. Where 2 is false, a sum of the coefficients
 * beyond the bounds with uniform factors is looked at, w of them, and is 0 with probability q^−w at most. Else P·G has
 * a coefficient that is not 0; y, drawn before P and independent of it, makes its w columns 0 with probability q^−w at
 * most. Where it does not, one of the two congruences before the product with u is false, in a coefficient Δ : R × w
 * that is not 0, and u·Δ = 0 with probability q^−w at most. Together 2·q^−w ≤ 2^−60.
 *
 * That a matrix of 3 is nonsingular is said by an order basis, that products agree by the engine's own: what goes wrong
 * by chance is met by this, a kernel that always errs by the tests of kernels.
 *
 * The work is O(R²) for each coefficient of P1 and P2, where the order basis takes O(R³), and products of w·R and R·w
 * polynomials; R1·y is taken from the residuals while they are there.
 * Sources: Giorgi, Neiger, Certification of minimal approximant bases (2018), whose evaluation at a random point the
 * products of w × R by R × w replace, small q having too few points; Freivalds 1979; Kailath 1980 for reduced matrices.
 */
import { CounterRandom } from '../../fields/random.js';
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';
import type { Images } from './look.js';
import { checkWidth, RandomProducts, type RandomSource, resized } from './random-products.js';
import type { Factored } from './relations.js';
import { areBelow } from './sum-products.js';
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
  readonly images: readonly Images[]; // R1·y
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
  random: RandomSource,
): Promise<boolean> {
  const { m, n, order, base, p1, p2, inner, degrees, images, all } = basis;
  const sum = degrees.subarray(0, m + n).reduce((total, degree) => total + degree, 0);
  if (sum !== n * order + n) return false;
  const shift = Int32Array.from({ length: m + n }, (_, i) => (i < m ? 0 : 1));
  const check = new RandomProducts(engine, working, { active: m + n, all }, random);
  if (p2 && !(await check.isReduced(p2, degrees, inner!))) return false;
  if (!(await check.isReduced(p1, p2 ? inner! : degrees, shift))) return false;
  const made: PolyMatrix[] = [];
  try {
    const series = await timesSeries(engine, working, basis, blockAt);
    if (series === null) return false;
    made.push(series);
    const w = checkWidth(working);
    const u = check.draw(w * (m + n));
    const values = await check.between(u, p1, series, order);
    if (!isZero(values.subarray(0, base * w * w))) return false;
    if (!p2) return true;
    const rest = await joinImages(engine, images, m + n, order - base);
    made.push(rest);
    const expected = await check.between(u, null, rest, order - base);
    if (!expected.every((value, i) => value === values[base * w * w + i])) return false;
    return isZero(await check.between(u, p2, rest, order - base));
  } finally {
    for (const each of made) engine.release(each);
  }
}

function isZero(words: Uint32Array): boolean {
  return words.every((word) => word === 0);
}

/** Coefficients that are written at once, from the same words of the host. */
const PIECE = 128;

/** Those that are multiplied or read at once: a device is waited for once in so many. */
const AT_ONCE = 16 * PIECE;

/** G·y, R × w; null where a word of the sequence is no code. */
async function timesSeries(
  engine: OrderBasisEngine,
  working: WorkingField,
  { m, n, order, columns }: CheckedBasis,
  blockAt: (i: number) => Uint32Array,
): Promise<PolyMatrix | null> {
  const w = columns.length / n;
  const size = (m + n) * w;
  const blocks = new Uint32Array(Math.min(PIECE, order) * m * n);
  const negated = columns.map((value) => working.elements.neg(value));
  const made: PolyMatrix[] = [];
  try {
    const create = (...shape: [number, number, number]): PolyMatrix => {
      const matrix = engine.create(...shape);
      made.push(matrix);
      return matrix;
    };
    const [y, s] = [create(n, w, 1), create(m, n, Math.min(AT_ONCE, order))];
    const out = create(m + n, w, order);
    engine.write(y, columns);
    for (let first = 0; first < order; first += AT_ONCE) {
      const count = Math.min(AT_ONCE, order - first);
      for (let at = 0; at < count; at += PIECE) {
        const some = blocks.subarray(0, Math.min(PIECE, count - at) * m * n);
        for (let i = 0; i * m * n < some.length; i++) some.set(blockAt(first + at + i), i * m * n);
        if (!areBelow(some, working.q)) return null;
        engine.write(s, some, at);
      }
      const products = engine.mul(s, y);
      made.push(products); // behind `out`
      const words = resized(await engine.read(products, 0, count), m * w, size);
      engine.release(made.pop()!);
      if (first === 0) words.set(negated, m * w);
      engine.write(out, words, first);
    }
    return made.pop()!;
  } finally {
    for (const each of made) engine.release(each);
  }
}

/** R1·y, its rows that are no right-hand ones. */
async function joinImages(
  engine: OrderBasisEngine,
  images: readonly Images[],
  rows: number,
  length: number,
): Promise<PolyMatrix> {
  const [w, all] = [images[0].products.cols, images[0].products.rows];
  const out = engine.create(rows, w, length);
  let done = 0;
  try {
    for (const { products, first } of images) {
      for (let from = first; from < products.length; from += AT_ONCE) {
        const words = await engine.read(products, from, Math.min(AT_ONCE, products.length - from));
        engine.write(out, resized(words, all * w, rows * w), done);
        done += words.length / (all * w);
      }
    }
    return out;
  } catch (error) {
    engine.release(out);
    throw error;
  }
}
