/**
 * Whether P is an order basis of G = [S; −I] modulo z^σ, as the lower bound of generator.ts needs it, from P and S.
 *
 *   P = P2·P1 : m + n rows and columns, without T      s : (0^m, 1^n)      r, d : degrees of the rows of P1, of P
 *   M = { q : q·G ≡ 0 mod z^σ }, a module whose index is n·σ, since −I makes every value of q·G
 *
 *   1. the rows of P are in M: x·P·G·y ≡ 0 for w uniform rows x and w uniform columns y; wrong with probability 2·q^−w
 *   2. deg P1_ij ≤ r_i − s_j and deg P2_ij ≤ d_i − r_j, coefficient by coefficient
 *   3. det P1(1)·det P2(1) ≠ 0
 *   4. Σ d_i = n·σ + n
 *
 * By 3 the rows are independent, so that they span a submodule of M of index deg det P ≥ n·σ; by 2 and 4 deg det P
 * is n·σ at most. So they span M, and deg det P = Σ (d_i − s_i) says that they are shift-reduced: an order basis, with
 * d as its degrees. No determinant vanishes at 1 by accident: that of an order basis is a power of z times a constant.
 * Source: the last step of Giorgi, Neiger, Certification of minimal approximant bases (2018), without their assumption.
 */
import type { Field } from '../../fields/field.js';
import { CounterRandom } from '../../fields/random.js';
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';
import { type Factored, product } from './relations.js';
import { determinantOf } from './small-matrix.js';
import { sumProducts } from './sum-products.js';
import { verificationWidth } from './verification.js';
import type { WorkingField } from './working-field.js';

/** Words of a polynomial matrix that are read at a time. */
const READ = 2 ** 22;

export interface CheckedBasis extends Factored {
  readonly m: number;
  readonly n: number;
  readonly order: number; // σ
  readonly all: number; // rows of P, with those of T
  readonly inner: Int32Array | null; // r, where there is P2
  readonly degrees: Int32Array; // d
}

/** `blockAt` : S_i, each m × n codes. */
export async function basisHolds(
  engine: OrderBasisEngine,
  working: WorkingField,
  basis: CheckedBasis,
  blockAt: (i: number) => Uint32Array,
  seed: bigint,
): Promise<boolean> {
  const { m, n, order, p1, p2, inner, degrees } = basis;
  const rows = m + n;
  const shift = Int32Array.from({ length: rows }, (_, i) => (i < m ? 0 : 1));
  const sum = degrees.subarray(0, rows).reduce((total, degree) => total + degree, 0);
  if (sum !== n * order + n) return false;
  const F = working.elements;
  if (p2 !== null && !(await isBounded(engine, F, p2, degrees, inner!, rows))) return false;
  if (!(await isBounded(engine, F, p1, p2 === null ? degrees : inner!, shift, rows))) return false;
  return isOfOrder(engine, working, basis, blockAt, seed);
}

/** Conditions 2 and 3 of a factor with these degrees of rows and columns. */
async function isBounded(
  engine: OrderBasisEngine,
  F: Field<number>,
  p: PolyMatrix,
  ofRows: Int32Array,
  ofCols: Int32Array,
  rows: number,
): Promise<boolean> {
  const size = p.rows * p.cols;
  const atOne = new Uint32Array(rows * rows);
  const step = Math.max(1, Math.floor(READ / size));
  for (let first = 0; first < p.length; first += step) {
    const count = Math.min(step, p.length - first);
    const words = await engine.read(p, first, count);
    for (let k = 0; k < count; k++) {
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < rows; j++) {
          const x = words[k * size + i * p.cols + j];
          if (x === 0) continue;
          if (first + k > ofRows[i] - ofCols[j]) return false;
          atOne[i * rows + j] = F.add(atOne[i * rows + j], x);
        }
      }
    }
  }
  return determinantOf(F, atOne, rows) !== F.zero;
}

/** Condition 1. */
async function isOfOrder(
  engine: OrderBasisEngine,
  working: WorkingField,
  { m, n, order, all, p1, p2 }: CheckedBasis,
  blockAt: (i: number) => Uint32Array,
  seed: bigint,
): Promise<boolean> {
  const F = working.elements;
  const w = verificationWidth(working.log2q);
  const rows = m + n;
  const draw = (count: number, stream: number): Uint32Array =>
    new CounterRandom(seed, stream).fillResidues(new Uint32Array(count), working.q);
  const [x, y] = [draw(w * rows, 0), draw(n * w, 1)];
  // x·P, without the rows of T.
  const second = p2 === null ? x : await product(engine, widened(x, rows, all), w, p2);
  const xp = await product(engine, widened(second, rows, all), w, p1);
  // G·y, each block rows × w: S_i·y is the transpose of yᵀ·S_iᵀ.
  const gy = new Uint32Array(order * rows * w);
  const yt = transpose(y, n, w);
  for (let i = 0; i < order; i++) {
    const shape = { count: 1, rows: w, inner: n, cols: m };
    const block = sumProducts(working, yt, () => transpose(blockAt(i), m, n), shape);
    for (let r = 0; r < m; r++) for (let b = 0; b < w; b++) gy[(i * rows + r) * w + b] = block[b * m + r];
  }
  for (let r = 0; r < n; r++) for (let b = 0; b < w; b++) gy[(m + r) * w + b] = F.neg(y[r * w + b]);
  const series = engine.create(rows, w, order);
  try {
    engine.write(series, gy);
    const values = await product(engine, xp, w, series);
    return values.subarray(0, order * w * w).every((value) => value === 0);
  } finally {
    engine.release(series);
  }
}

/** Rows of `from` words as rows of `to`, with zeros behind. */
function widened(words: Uint32Array, from: number, to: number): Uint32Array {
  if (from === to) return words;
  const out = new Uint32Array((words.length / from) * to);
  for (let r = 0; r * from < words.length; r++) out.set(words.subarray(r * from, (r + 1) * from), r * to);
  return out;
}

/** rows × cols to cols × rows. */
function transpose(block: Uint32Array, rows: number, cols: number): Uint32Array {
  const out = new Uint32Array(block.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) out[j * rows + i] = block[i * cols + j];
  return out;
}
