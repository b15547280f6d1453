/**
 * Number-theoretic transforms of four polynomials at once, one in each 32-bit lane, modulo a prime q < 2^21.
 *
 *   N = M or 3·M, M = 2^m     X : N vectors, X[k] the coefficients of z^k
 *   forward: values at the N-th roots of unity, in bit-reversed order; inverse: back, without the factor 1/N
 *
 * A product x·w mod q by a constant w with |w| ≤ q/2 takes its quotient from single precision:
 *
 *   k = round(fl(x)·fl(w/q)), r = x·w − k·q in 32-bit wrapping arithmetic
 *
 * For |x| ≤ 2^23: fl(x) = x; the product errs by at most (1/2)·|x|·2·2^-24 from x·w/q, whose magnitude is at most 2^22,
 * where adding 1.5·2^23 rounds to an integer and leaves it in the low bits. So |r| ≤ q·(1/2 + |x|·2^-24) < q: no
 * shuffles, no 64-bit products, no corrections. The constant 1.5·2^23 = 0x4B400000 in those bits meets q as
 * 0x4B400000·q ≡ 0x4B400000 mod 2^32, since q ≡ 1 mod 2^10, and is added back.
 *
 * Forward passes multiply by roots before the butterfly (Cooley–Tukey): a node (a block of X with modulus z^L − c²) has
 * the one root c, so that roots are loaded once a block. With magnitudes in units of q and e = q·2^-24 < 0.106
 * (q ≤ 1769473), a pass of two levels takes |x| ≤ A to at most 3/2 + 3·e·A once x_0 has been reduced: A ≤ 2.2 is kept,
 * and its largest factor A + 1/2 + e·A < 3 is below 2^23 / q = 4.74. The first pass, of |x| ≤ 1.6 (after a pass of
 * three), need not reduce: it leaves A ≤ 3.2, and the second then has factors below 4.
 * Inverse passes multiply after the butterfly (Gentleman–Sande); x_0 and x_1 are reduced, A ≤ 1 is kept and the
 * largest factor is 4·A < 4.74; a pass of three leaves A ≤ 3.
 *
 * Source: Harvey 2014 for delayed reductions, Shoup's NTL for quotients from floating point.
 */
import { Q, Q_RECIPROCAL, MAGIC, CUBE_ROOT, ROOTS } from './ntt-u32-layout';

/** x·w mod q, |r| ≤ q·(1/2 + |x|·2^-24). */
// @ts-ignore: decorator
@inline
export function mulRoot(x: v128, w: v128, wq: v128, q: v128, magic: v128): v128 {
  const k = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(x), wq), magic);
  return i32x4.add(i32x4.sub(i32x4.mul(x, w), i32x4.mul(k, q)), magic);
}

/** x mod q, |r| ≤ q·(1/2 + |x|·2^-23/q): the same with w = 1. */
// @ts-ignore: decorator
@inline
export function reduce(x: v128, qr: v128, q: v128, magic: v128): v128 {
  const k = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(x), qr), magic);
  return i32x4.add(i32x4.sub(x, i32x4.mul(k, q)), magic);
}

/** Two levels on every node: roots c of the node, then those of its two halves. */
function forwardPass(x: usize, nodes: i32, quarter: i32, prime: usize, even: usize, odd: usize, first: bool): void {
  const q = v128.load32_splat(prime, Q);
  const qr = v128.load32_splat(prime, Q_RECIPROCAL);
  const magic = v128.load32_splat(prime, MAGIC);
  const step = <usize>quarter << 4;
  for (let node = 0; node < nodes; node++) {
    const upper = even + (<usize>node << 3);
    const lower = odd + (<usize>node << 4);
    const w = v128.load32_splat(upper);
    const wq = v128.load32_splat(upper, 4);
    const v = v128.load32_splat(lower);
    const vq = v128.load32_splat(lower, 4);
    const u = v128.load32_splat(lower, 8);
    const uq = v128.load32_splat(lower, 12);
    const end = x + step;
    for (; x < end; x += 16) {
      let x0 = v128.load(x);
      if (!first) x0 = reduce(x0, qr, q, magic);
      const x1 = v128.load(x + step);
      const x2 = mulRoot(v128.load(x + 2 * step), w, wq, q, magic);
      const x3 = mulRoot(v128.load(x + 3 * step), w, wq, q, magic);
      const t0 = i32x4.add(x0, x2);
      const t1 = mulRoot(i32x4.add(x1, x3), v, vq, q, magic);
      const t2 = i32x4.sub(x0, x2);
      const t3 = mulRoot(i32x4.sub(x1, x3), u, uq, q, magic);
      v128.store(x, i32x4.add(t0, t1));
      v128.store(x + step, i32x4.sub(t0, t1));
      v128.store(x + 2 * step, i32x4.add(t2, t3));
      v128.store(x + 3 * step, i32x4.sub(t2, t3));
    }
    x += 3 * step;
  }
}

/** One level on nodes of two vectors. */
function forwardPairs(x: usize, nodes: i32, prime: usize, table: usize): void {
  const q = v128.load32_splat(prime, Q);
  const qr = v128.load32_splat(prime, Q_RECIPROCAL);
  const magic = v128.load32_splat(prime, MAGIC);
  for (let node = 0; node < nodes; node++, x += 32) {
    const at = table + (<usize>node << 3);
    const x0 = reduce(v128.load(x), qr, q, magic);
    const x1 = mulRoot(v128.load(x, 16), v128.load32_splat(at), v128.load32_splat(at, 4), q, magic);
    v128.store(x, i32x4.add(x0, x1));
    v128.store(x, i32x4.sub(x0, x1), 16);
  }
}

/** Values of X mod z^length − c² at its roots; the tables hold the roots of even and of odd levels. */
function forwardTree(x: usize, length: i32, prime: usize, even: usize, odd: usize): void {
  let nodes = 1;
  let left = length;
  for (; left >= 4; left >>= 2, nodes <<= 2) forwardPass(x, nodes, left >> 2, prime, even, odd, nodes == 1);
  if (left == 2) forwardPairs(x, nodes, prime, even);
}

/** X ← its values; |X| ≤ q/2·(1 + 2^-10) before, below 2.2·q after. */
export function forward(x: usize, length: i32, prime: usize): void {
  const c = <usize>load<u32>(prime, ROOTS);
  if (length % 3 != 0) {
    forwardTree(x, length, prime, c, c);
    return;
  }
  // z^3M − 1 = (z^M − 1)(z^M − ω)(z^M − ω²), ω² = −1 − ω
  const third = length / 3;
  const step = <usize>third << 4;
  const q = v128.load32_splat(prime, Q);
  const magic = v128.load32_splat(prime, MAGIC);
  const w = v128.load32_splat(prime, CUBE_ROOT);
  const wq = v128.load32_splat(prime, CUBE_ROOT + 4);
  for (let at = x; at < x + step; at += 16) {
    const x0 = v128.load(at);
    const x1 = v128.load(at + step);
    const x2 = v128.load(at + 2 * step);
    const m = mulRoot(i32x4.sub(x1, x2), w, wq, q, magic);
    v128.store(at, i32x4.add(x0, i32x4.add(x1, x2)));
    v128.store(at + step, i32x4.add(i32x4.sub(x0, x2), m));
    v128.store(at + 2 * step, i32x4.sub(i32x4.sub(x0, x1), m));
  }
  // sqrt(ω) = ω² and sqrt(ω²) = ω (up to sign): the levels of these trees use the two tables in turn.
  const c1 = <usize>load<u32>(prime, ROOTS + 4);
  const c2 = <usize>load<u32>(prime, ROOTS + 8);
  forwardTree(x, third, prime, c, c);
  forwardTree(x + step, third, prime, c2, c1);
  forwardTree(x + 2 * step, third, prime, c1, c2);
}

function inversePass(x: usize, nodes: i32, quarter: i32, prime: usize, even: usize, odd: usize): void {
  const q = v128.load32_splat(prime, Q);
  const qr = v128.load32_splat(prime, Q_RECIPROCAL);
  const magic = v128.load32_splat(prime, MAGIC);
  const step = <usize>quarter << 4;
  for (let node = 0; node < nodes; node++) {
    const upper = even + (<usize>node << 3);
    const lower = odd + (<usize>node << 4);
    const w = v128.load32_splat(upper);
    const wq = v128.load32_splat(upper, 4);
    const v = v128.load32_splat(lower);
    const vq = v128.load32_splat(lower, 4);
    const u = v128.load32_splat(lower, 8);
    const uq = v128.load32_splat(lower, 12);
    const end = x + step;
    for (; x < end; x += 16) {
      const y0 = v128.load(x);
      const y1 = v128.load(x + step);
      const y2 = v128.load(x + 2 * step);
      const y3 = v128.load(x + 3 * step);
      const t0 = i32x4.add(y0, y1);
      const t1 = mulRoot(i32x4.sub(y0, y1), v, vq, q, magic);
      const t2 = i32x4.add(y2, y3);
      const t3 = mulRoot(i32x4.sub(y2, y3), u, uq, q, magic);
      v128.store(x, reduce(i32x4.add(t0, t2), qr, q, magic));
      v128.store(x + step, reduce(i32x4.add(t1, t3), qr, q, magic));
      v128.store(x + 2 * step, mulRoot(i32x4.sub(t0, t2), w, wq, q, magic));
      v128.store(x + 3 * step, mulRoot(i32x4.sub(t1, t3), w, wq, q, magic));
    }
    x += 3 * step;
  }
}

function inversePairs(x: usize, nodes: i32, prime: usize, table: usize): void {
  const q = v128.load32_splat(prime, Q);
  const magic = v128.load32_splat(prime, MAGIC);
  for (let node = 0; node < nodes; node++, x += 32) {
    const at = table + (<usize>node << 3);
    const y0 = v128.load(x);
    const y1 = v128.load(x, 16);
    v128.store(x, i32x4.add(y0, y1));
    v128.store(x, mulRoot(i32x4.sub(y0, y1), v128.load32_splat(at), v128.load32_splat(at, 4), q, magic), 16);
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

/** X ← N times its coefficients from its values; |X| ≤ q/2·(1 + 2^-10) before, at most 3·q after. */
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
  const q = v128.load32_splat(prime, Q);
  const magic = v128.load32_splat(prime, MAGIC);
  const w = v128.load32_splat(prime, CUBE_ROOT);
  const wq = v128.load32_splat(prime, CUBE_ROOT + 4);
  for (let at = x; at < x + step; at += 16) {
    const y0 = v128.load(at);
    const y1 = v128.load(at + step);
    const y2 = v128.load(at + 2 * step);
    const m = mulRoot(i32x4.sub(y1, y2), w, wq, q, magic);
    v128.store(at, i32x4.add(y0, i32x4.add(y1, y2)));
    v128.store(at + step, i32x4.sub(i32x4.sub(y0, y1), m));
    v128.store(at + 2 * step, i32x4.add(i32x4.sub(y0, y2), m));
  }
}
