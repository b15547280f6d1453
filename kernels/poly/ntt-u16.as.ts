/**
 * Number-theoretic transforms of eight polynomials at once, one in each 16-bit lane, modulo a prime q ≤ 15361.
 *
 *   N = M or 3·M, M = 2^m ≤ 512     X : N vectors, X[k] the coefficients of z^k
 *   forward: values at the N-th roots of unity, in bit-reversed order; inverse: back, without the factor 1/N
 *
 * A product x·w mod q by a constant w with |w| ≤ q/2 takes its quotient from the rounding multiplication by halves:
 *
 *   k = round(x·round(2^15·w/q) / 2^15), r = x·w − k·q in 16-bit wrapping arithmetic
 *
 * The constant is off by 1/2 at most, so k by |x|·2^-16 + 1/2 from x·w/q, for any x of 16 bits:
 * |r| ≤ q·(1/2 + |x|·2^-16). Magnitudes in units of q, with e = q·2^-16 < 0.2344, must stay below 2^15/q = 2.133.
 * Forward passes multiply by roots before the butterfly. Of |x| ≤ A = 1.884 the four that come in are brought to
 * B = 1/2 + e·A < 0.942, their sums of two (1.884) to C = 1/2 + e·2B < 0.942, and 2C < 1.884 come out. The first pass,
 * of |x| ≤ 0.501, needs no reductions: sums 1.12, outcome 1.88. Inverse passes multiply after it: of |x| ≤ 0.945, sums
 * and differences are below 1.89 and come down to 0.943, twice.
 *
 * Source: Becker, Hwang, Kannwischer, Yang, Yang 2022 (Barrett multiplication by constants); as ntt-u32.as.ts beyond
 * that.
 */
import { Q, COARSE, FINE, CUBE_ROOT, ROOTS } from './ntt-u16-layout';

const HALVES: usize = 2; // from a constant to its quotient by q
const PAIR: usize = 2; // log2 of the bytes of a pair

/** x·w mod q, |r| ≤ q·(1/2 + |x|·2^-16). */
// @ts-ignore: decorator
@inline
export function mulRoot(x: v128, w: v128, wq: v128, q: v128): v128 {
  return i16x8.sub(i16x8.mul(x, w), i16x8.mul(i16x8.q15mulr_sat_s(x, wq), q));
}

/** x mod q, |r| ≤ q·(1/2 + |x|·2^-16): the same with w = 1. */
// @ts-ignore: decorator
@inline
function reduce(x: v128, coarse: v128, q: v128): v128 {
  return i16x8.sub(x, i16x8.mul(i16x8.q15mulr_sat_s(x, coarse), q));
}

/**
 * x mod q, |r| ≤ q·(1/2 + 2^-12): x·round(2^27/q)·2^-15, rounded, is off by one at most from 2^12·x/q, which is below
 * 2^27/7681 < 2^15 − 2^12 in magnitude.
 */
// @ts-ignore: decorator
@inline
export function balance(x: v128, fine: v128, q: v128): v128 {
  const k = i16x8.shr_s(i16x8.add(i16x8.q15mulr_sat_s(x, fine), i16x8.splat(2048)), 12);
  return i16x8.sub(x, i16x8.mul(k, q));
}

/** Two levels on every node: roots c of the node, then those of its two halves. `fresh`: |x| ≤ 0.501·q. */
function forwardPass(x: usize, nodes: i32, quarter: i32, prime: usize, even: usize, odd: usize, fresh: bool): void {
  const q = v128.load16_splat(prime, Q);
  const coarse = v128.load16_splat(prime, COARSE);
  const step = <usize>quarter << 4;
  for (let node = 0; node < nodes; node++) {
    const upper = even + (<usize>node << PAIR);
    const lower = odd + (<usize>node << (PAIR + 1));
    const w = v128.load16_splat(upper);
    const wq = v128.load16_splat(upper, HALVES);
    const v = v128.load16_splat(lower);
    const vq = v128.load16_splat(lower, HALVES);
    const u = v128.load16_splat(lower, 4);
    const uq = v128.load16_splat(lower, 4 + HALVES);
    const end = x + step;
    for (; x < end; x += 16) {
      let x0 = v128.load(x);
      let x1 = v128.load(x + step);
      if (!fresh) {
        x0 = reduce(x0, coarse, q);
        x1 = reduce(x1, coarse, q);
      }
      const x2 = mulRoot(v128.load(x + 2 * step), w, wq, q);
      const x3 = mulRoot(v128.load(x + 3 * step), w, wq, q);
      let t0 = i16x8.add(x0, x2);
      const t1 = mulRoot(i16x8.add(x1, x3), v, vq, q);
      let t2 = i16x8.sub(x0, x2);
      const t3 = mulRoot(i16x8.sub(x1, x3), u, uq, q);
      if (!fresh) {
        t0 = reduce(t0, coarse, q);
        t2 = reduce(t2, coarse, q);
      }
      v128.store(x, i16x8.add(t0, t1));
      v128.store(x + step, i16x8.sub(t0, t1));
      v128.store(x + 2 * step, i16x8.add(t2, t3));
      v128.store(x + 3 * step, i16x8.sub(t2, t3));
    }
    x += 3 * step;
  }
}

/** One level on nodes of two vectors. */
function forwardPairs(x: usize, nodes: i32, prime: usize, table: usize): void {
  const q = v128.load16_splat(prime, Q);
  const coarse = v128.load16_splat(prime, COARSE);
  for (let node = 0; node < nodes; node++, x += 32) {
    const at = table + (<usize>node << PAIR);
    const x0 = reduce(v128.load(x), coarse, q);
    const x1 = mulRoot(v128.load(x, 16), v128.load16_splat(at), v128.load16_splat(at, HALVES), q);
    v128.store(x, i16x8.add(x0, x1));
    v128.store(x, i16x8.sub(x0, x1), 16);
  }
}

/** Values of X mod z^length − c² at its roots; the tables hold the roots of even and of odd levels. */
function forwardTree(x: usize, length: i32, prime: usize, even: usize, odd: usize, fresh: bool): void {
  let nodes = 1;
  let left = length;
  for (; left >= 4; left >>= 2, nodes <<= 2) forwardPass(x, nodes, left >> 2, prime, even, odd, fresh && nodes == 1);
  if (left == 2) forwardPairs(x, nodes, prime, even);
}

/** X ← its values; |X| ≤ 0.501·q before, q·(1/2 + 2^-12) after. */
export function forward(x: usize, length: i32, prime: usize): void {
  const c = <usize>load<u32>(prime, ROOTS);
  const q = v128.load16_splat(prime, Q);
  if (length % 3 != 0) forwardTree(x, length, prime, c, c, true);
  else {
    // z^3M − 1 = (z^M − 1)(z^M − ω)(z^M − ω²), ω² = −1 − ω; what comes out is below 1.75
    const third = length / 3;
    const step = <usize>third << 4;
    const w = v128.load16_splat(prime, CUBE_ROOT);
    const wq = v128.load16_splat(prime, CUBE_ROOT + HALVES);
    for (let at = x; at < x + step; at += 16) {
      const x0 = v128.load(at);
      const x1 = v128.load(at + step);
      const x2 = v128.load(at + 2 * step);
      const m = mulRoot(i16x8.sub(x1, x2), w, wq, q);
      v128.store(at, i16x8.add(x0, i16x8.add(x1, x2)));
      v128.store(at + step, i16x8.add(i16x8.sub(x0, x2), m));
      v128.store(at + 2 * step, i16x8.sub(i16x8.sub(x0, x1), m));
    }
    // sqrt(ω) = ω² and sqrt(ω²) = ω (up to sign): the levels of these trees use the two tables in turn.
    const c1 = <usize>load<u32>(prime, ROOTS + 4);
    const c2 = <usize>load<u32>(prime, ROOTS + 8);
    forwardTree(x, third, prime, c, c, false);
    forwardTree(x + step, third, prime, c2, c1, false);
    forwardTree(x + 2 * step, third, prime, c1, c2, false);
  }
  const fine = v128.load16_splat(prime, FINE);
  for (let at = x, end = x + (<usize>length << 4); at < end; at += 16) v128.store(at, balance(v128.load(at), fine, q));
}

function inversePass(x: usize, nodes: i32, quarter: i32, prime: usize, even: usize, odd: usize): void {
  const q = v128.load16_splat(prime, Q);
  const coarse = v128.load16_splat(prime, COARSE);
  const step = <usize>quarter << 4;
  for (let node = 0; node < nodes; node++) {
    const upper = even + (<usize>node << PAIR);
    const lower = odd + (<usize>node << (PAIR + 1));
    const w = v128.load16_splat(upper);
    const wq = v128.load16_splat(upper, HALVES);
    const v = v128.load16_splat(lower);
    const vq = v128.load16_splat(lower, HALVES);
    const u = v128.load16_splat(lower, 4);
    const uq = v128.load16_splat(lower, 4 + HALVES);
    const end = x + step;
    for (; x < end; x += 16) {
      const y0 = v128.load(x);
      const y1 = v128.load(x + step);
      const y2 = v128.load(x + 2 * step);
      const y3 = v128.load(x + 3 * step);
      const t0 = reduce(i16x8.add(y0, y1), coarse, q);
      const t1 = mulRoot(i16x8.sub(y0, y1), v, vq, q);
      const t2 = reduce(i16x8.add(y2, y3), coarse, q);
      const t3 = mulRoot(i16x8.sub(y2, y3), u, uq, q);
      v128.store(x, reduce(i16x8.add(t0, t2), coarse, q));
      v128.store(x + step, reduce(i16x8.add(t1, t3), coarse, q));
      v128.store(x + 2 * step, mulRoot(i16x8.sub(t0, t2), w, wq, q));
      v128.store(x + 3 * step, mulRoot(i16x8.sub(t1, t3), w, wq, q));
    }
    x += 3 * step;
  }
}

function inversePairs(x: usize, nodes: i32, prime: usize, table: usize): void {
  const q = v128.load16_splat(prime, Q);
  const coarse = v128.load16_splat(prime, COARSE);
  for (let node = 0; node < nodes; node++, x += 32) {
    const at = table + (<usize>node << PAIR);
    const y0 = v128.load(x);
    const y1 = v128.load(x, 16);
    v128.store(x, reduce(i16x8.add(y0, y1), coarse, q));
    v128.store(x, mulRoot(i16x8.sub(y0, y1), v128.load16_splat(at), v128.load16_splat(at, HALVES), q), 16);
  }
}

function inverseTree(x: usize, length: i32, prime: usize, even: usize, odd: usize): void {
  let nodes = length;
  let quarter = 1;
  // An odd number of levels: the forward transform ended with nodes of two.
  if (ctz(length) & 1) {
    nodes >>= 1;
    inversePairs(x, nodes, prime, even);
    quarter = 2;
  }
  for (nodes >>= 2; nodes > 0; nodes >>= 2, quarter <<= 2) inversePass(x, nodes, quarter, prime, even, odd);
}

/** X ← N times its coefficients from its values; |X| ≤ 0.945·q before, 1.89·q after. */
export function inverse(x: usize, length: i32, prime: usize): void {
  const c = <usize>load<u32>(prime, ROOTS + 12);
  if (length % 3 != 0) {
    inverseTree(x, length, prime, c, c);
    return;
  }
  const third = length / 3;
  const step = <usize>third << 4;
  const c1 = <usize>load<u32>(prime, ROOTS + 16);
  const c2 = <usize>load<u32>(prime, ROOTS + 20);
  inverseTree(x, third, prime, c, c);
  inverseTree(x + step, third, prime, c2, c1);
  inverseTree(x + 2 * step, third, prime, c1, c2);
  const q = v128.load16_splat(prime, Q);
  const coarse = v128.load16_splat(prime, COARSE);
  const w = v128.load16_splat(prime, CUBE_ROOT);
  const wq = v128.load16_splat(prime, CUBE_ROOT + HALVES);
  for (let at = x; at < x + step; at += 16) {
    const y0 = v128.load(at);
    const y1 = v128.load(at + step);
    const y2 = v128.load(at + 2 * step);
    const m = mulRoot(i16x8.sub(y1, y2), w, wq, q);
    v128.store(at, i16x8.add(y0, reduce(i16x8.add(y1, y2), coarse, q)));
    v128.store(at + step, i16x8.sub(reduce(i16x8.sub(y0, y1), coarse, q), m));
    v128.store(at + 2 * step, i16x8.add(reduce(i16x8.sub(y0, y2), coarse, q), m));
  }
}
