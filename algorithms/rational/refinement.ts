/**
 * The binary digits of x = A^-1·b from a floating-point solver that converges, the residual kept exactly.
 *
 *   2^(s·k)·b = A·X_k + r_k     d = round(G·2^s·r_k)     X_(k+1) = 2^s·X_k + d     r_(k+1) = 2^s·r_k − A·d
 *
 * G is the approximate inverse of splitting.ts, so that a step costs one product by A, which is the solver's and the
 * exact residual's at once. Everything is an integer below 2^53 in a double: |2^s·r| + ρ·|d| < 2^53 is tested in each
 * step, ρ the largest sum of a row's magnitudes, and bounds every partial sum. With more bits a step than the solver
 * gains the residual grows until the test fails: then all begins again with fewer.
 *
 * With K = s·k and d·X = n·2^K + e, e small, 2^K·(A·n − d·b) = −(d·r + A·e): a right side below 2^K proves A·n = d·b.
 * Coordinates alone are proved by |x − X/2^K| ≤ ε/2^K: it is a fraction of denominator at most |det A|, and of those
 * n/d is the only one so near.
 * Source: Wan 2006, An algorithm to solve integer linear systems exactly using numerical methods.
 */
import type { Expansion, RationalContext } from './context.js';
import { type IntegerSystem, larger, magnitude } from './integer-system.js';
import { commonDenominator, findRelation, joinDigits, lowestTerms } from './reconstruction.js';
import { type Splitting, splitSystem } from './splitting.js';

const MOST_BITS = 24;
/** The double nearest to a sum below this is of a sum below 2^53. */
const EXACT = 2 ** 52;
/** Adding and subtracting it rounds a double below 2^51 to an integer. */
const ROUND = 1.5 * 2 ** 52;

/** A solver for the matrix of a square system; a sentence where the method does not serve. */
export function approximateInverse(system: IntegerSystem, check: () => void): Splitting | string {
  const { rows, cols, values } = system;
  if (rows !== cols) return 'the matrix is not square';
  if (values === null || system.rowSum > 2n ** 40n) return 'the integers of the matrix are too large for doubles';
  const splitting = splitSystem(system, values, check);
  if (splitting === null) return 'a zero on the diagonal, or a singular block of lines with a weak diagonal';
  // Nonsingular, or the solution would be one of many.
  if (splitting.contraction < 1) return splitting;
  return `no bound of the solver's error (‖I − A·G‖ ≤ ${splitting.contraction.toPrecision(3)})`;
}

/** The solution, or the given coordinates of it, in lowest terms; a sentence where the method does not serve. */
export function solveByRefinement(
  context: RationalContext,
  system: IntegerSystem,
  splitting: Splitting,
  coordinates: readonly number[] | null,
): Expansion | string {
  if (system.largestRight > 2n ** 31n) return 'the integers of the right side are too large for doubles';
  const place = new Uint32Array(system.rows);
  splitting.order.forEach((line, at) => {
    place[line] = at;
  });
  const wanted = Array.from(coordinates ?? place.keys(), (c) => place[c]);
  for (let bits = MOST_BITS; bits >= 1; bits--) {
    const found = expand(context, system, splitting, wanted, coordinates === null, bits);
    if (found !== null) return found;
  }
  return 'the floating-point solver does not converge';
}

/** The expansion by `bits` a step; null when the residual outgrows the doubles. */
function expand(
  context: RationalContext,
  system: IntegerSystem,
  splitting: Splitting,
  wanted: readonly number[],
  all: boolean,
  bits: number,
): Expansion | null {
  const { minorLog2: D, numeratorLog2: N } = system;
  const state = new Refinement(splitting, system, bits);
  const slack = 120;
  const whole = Math.ceil((2 * (all ? Math.max(N, D) : D) + slack) / bits);
  const digits: Float64Array[] = [];
  const powers = [2n ** BigInt(bits)];
  let attempt = all ? Math.min(whole, Math.ceil(96 / bits)) : whole;
  for (;;) {
    while (digits.length < attempt) {
      if (digits.length % 16 === 0) {
        context.check();
        context.onProgress(digits.length, whole);
      }
      if (!state.step()) return null;
      digits.push(Float64Array.from(wanted, (c) => state.d[c]));
    }
    const last = digits.length - 1;
    const xs = wanted.map((_, c) => joinDigits(digits.length, (j) => digits[last - j][c], powers));
    const fraction = nearestFraction(xs, BigInt(bits * digits.length));
    if (fraction !== null) {
      const { numerators, denominator, error } = fraction;
      const K = BigInt(bits * digits.length);
      const proved = all
        ? denominator * state.residualSize() + system.rowSum * error < 1n << K
        : (state.errorBound(wanted) * denominator + error) << BigInt(D) < 1n << K;
      if (proved)
        return { ...lowestTerms(numerators, denominator), proof: all ? 'product' : 'bound', steps: digits.length };
    }
    if (digits.length > whole) return null;
    attempt = Math.max(digits.length + 1, Math.min(whole, Math.ceil(attempt * 1.4)));
  }
}

/** d with d·X_i near multiples n_i of 2^K, and how near all are. */
function nearestFraction(xs: readonly bigint[], K: bigint) {
  const m = 1n << K;
  const d = xs.length === 1 ? (findRelation(xs[0], m)?.t ?? null) : commonDenominator(xs, m);
  if (d === null) return null;
  const numerators = xs.map((x) => (2n * d * x + m) >> (K + 1n));
  const error = xs.reduce((largest, x, i) => larger(largest, d * x - (numerators[i] << K)), 0n);
  return { numerators, denominator: d, error };
}

/** r, d and one step of both. */
class Refinement {
  readonly d: Float64Array;
  private readonly r: Float64Array;
  private readonly splitting: Splitting;
  private readonly reciprocals: Float64Array;
  private readonly scale: number;
  private readonly rowSum: number;
  private largest: number; // |r|

  constructor(splitting: Splitting, system: IntegerSystem, bits: number) {
    this.splitting = splitting;
    this.d = new Float64Array(system.rows);
    this.r = Float64Array.from(splitting.order, (line) => Number(system.right[line]));
    this.reciprocals = splitting.diagonal.map((a) => 1 / a);
    this.scale = 2 ** bits;
    this.rowSum = Number(system.rowSum);
    this.largest = Number(system.largestRight);
  }

  /** The next digits; false when a number was too large to be exact. */
  step(): boolean {
    const { splitting, d, r, scale, reciprocals } = this;
    const { weak, rowPtr, middle, colIdx, values, inverse } = splitting;
    const n = r.length;
    const before = scale * this.largest;
    if (!(before < EXACT)) return false;
    // d_S = D^-1·2^s·r_S
    for (let i = weak; i < n; i++) d[i] = r[i] * scale * reciprocals[i] + ROUND - ROUND;
    subtractProduct(r, d, 0, n, middle, rowPtr, 1, colIdx, values, scale);
    multiplyRounded(d, inverse, r, weak);
    subtractProduct(r, d, 0, n, rowPtr, middle, 0, colIdx, values, 1);
    const digit = largestOf(d);
    this.largest = largestOf(r);
    return before + this.rowSum * digit < EXACT;
  }

  /** max |r|. */
  residualSize(): bigint {
    return BigInt(this.largest);
  }

  /** max |(A^-1·r)_c| over the coordinates wanted, rounded up. */
  errorBound(wanted: readonly number[]): bigint {
    const { norm, reach, contraction } = this.splitting;
    let size = 0;
    for (let i = 0; i < this.r.length; i++) size = Math.max(size, Math.abs(this.r[i]) / norm[i]);
    const bound = (wanted.reduce((most, c) => Math.max(most, reach[c]), 0) * size) / (1 - contraction);
    return magnitude(BigInt(Math.ceil(bound * (1 + 2 ** -20)))) + 1n;
  }
}

/** r ← scale·r − A'·d for the entries of row i from from[i] to to[i + shift]. */
function subtractProduct(
  r: Float64Array,
  d: Float64Array,
  begin: number,
  n: number,
  from: Uint32Array,
  to: Uint32Array,
  shift: number,
  colIdx: Uint32Array,
  values: Float64Array,
  scale: number,
): void {
  for (let i = begin; i < n; i++) {
    let sum = r[i] * scale;
    const end = to[i + shift];
    for (let e = from[i]; e < end; e++) sum -= values[e] * d[colIdx[e]];
    r[i] = sum;
  }
}

/** d_i ← round(Σ_j C_ij·r_j), i < k. */
function multiplyRounded(d: Float64Array, inverse: Float64Array, r: Float64Array, k: number): void {
  for (let i = 0; i < k; i++) {
    let [even, odd, at] = [0, 0, i * k];
    let j = 0;
    for (; j + 1 < k; j += 2, at += 2) {
      even += inverse[at] * r[j];
      odd += inverse[at + 1] * r[j + 1];
    }
    if (j < k) even += inverse[at] * r[j];
    d[i] = Math.round(even + odd);
  }
}

function largestOf(x: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < x.length; i++) {
    const size = x[i] < 0 ? -x[i] : x[i];
    if (Number.isNaN(size)) return Number.POSITIVE_INFINITY;
    if (size > largest) largest = size;
  }
  return largest;
}
