/**
 * Rational reconstruction: from X mod m to the fraction of small numerator and denominator.
 *
 *   r ≡ t·X (mod m), |r| ≤ B, the first such remainder of Euclid's algorithm on (m, X), B = √(m/2)
 *
 * If some n/d ≡ X has |n|, d ≤ B, then n/d = r/t. Euclid's quotients come from the leading bits, a chunk of
 * them at a time (Lehmer), as long as Jebelean's condition says that they are those of the whole numbers
 * (test/bench/RESULTS.md#reconstruction-chunks).
 * Source: Wang 1981; Lehmer 1938; Jebelean 1995; Collins, Encarnación 1995.
 */
import { heapObstacle } from '../../kernels/platform/host-memory.js';
import { MethodError } from '../method-error.js';
import { bitLength, magnitude } from './integer-system.js';

/** r = t·X mod m, t > 0. */
export interface Relation {
  readonly r: bigint;
  readonly t: bigint;
}

/** Numerators over one denominator. */
export interface CommonFraction {
  readonly numerators: bigint[];
  readonly denominator: bigint; // > 0, prime to the numerators' common divisor
}

const CHUNK = 2048;

/** Integers of the length of m for a coordinate: its residue, its numerator and that in lowest terms, half as long. */
const HELD = 2;

/** MethodError where the fractions of so many coordinates, from residues of so many bits, have no room. */
export function checkHeap(coordinates: number, bits: number): void {
  const obstacle = heapObstacle((HELD * coordinates * bits) / 8);
  if (obstacle !== null) throw new MethodError(`${coordinates} coordinates of ${bits} bits take about ${obstacle}`);
}

/** Σ_j digits(j)·base^j for j < count, by halves; `powers[i]` = base^(2^i) is filled as it is needed. */
export function joinDigits(count: number, digits: (j: number) => number, powers: bigint[]): bigint {
  const join = (from: number, level: number): bigint => {
    if (from >= count) return 0n;
    if (level === 0) return BigInt(digits(from));
    const half = 2 ** (level - 1);
    const high = join(from + half, level - 1);
    return join(from, level - 1) + (high === 0n ? 0n : high * powers[level - 1]);
  };
  let level = 0;
  for (; 2 ** level < count; level++) powers[level] ??= powers[level - 1] ** 2n;
  return join(0, level);
}

/** The residue of x mod m between −m/2 and m/2. */
export function symmetricResidue(x: bigint, m: bigint): bigint {
  const r = x % m;
  if (2n * r > m) return r - m;
  return 2n * r < -m ? r + m : r;
}

/** The first remainder of (m, X) with at most half of the bits of m/2, and its cofactor; null if that is too large. */
export function findRelation(x: bigint, m: bigint): Relation | null {
  const limit = Math.floor((bitLength(m) - 2) / 2);
  let [a, b] = [m, ((x % m) + m) % m];
  let [s, t] = [0n, 1n]; // a ≡ s·X, b ≡ t·X (mod m)
  let bits = bitLength(b);
  while (bits > limit) {
    const [[u0, v0], [u1, v1]] = (bits - limit > CHUNK ? chunkOfSteps(a, b) : null) ?? oneStep(a, b);
    [a, b] = [u0 * a + v0 * b, u1 * a + v1 * b];
    [s, t] = [u0 * s + v0 * t, u1 * s + v1 * t];
    bits = bitLength(b);
  }
  if (bitLength(t) > limit + 1) return null;
  return t < 0n ? { r: -b, t: -t } : { r: b, t };
}

/** The greatest common divisor of two nonnegative integers. */
export function greatestDivisor(a: bigint, b: bigint): bigint {
  [a, b] = a < b ? [b, a] : [a, b];
  while (b !== 0n) {
    const [[u0, v0], [u1, v1]] = (bitLength(b) > CHUNK ? chunkOfSteps(a, b) : null) ?? oneStep(a, b);
    [a, b] = [u0 * a + v0 * b, u1 * a + v1 * b];
  }
  return a;
}

type Row = readonly [bigint, bigint];

function oneStep(a: bigint, b: bigint): readonly [Row, Row] {
  return [
    [0n, 1n],
    [1n, -(a / b)],
  ];
}

/** The product of the steps that the leading bits of a ≥ b determine; null when they determine none. */
function chunkOfSteps(a: bigint, b: bigint): readonly [Row, Row] | null {
  const shift = BigInt(Math.max(0, bitLength(a) - CHUNK));
  let [x0, x1] = [a >> shift, b >> shift];
  let [u0, v0, u1, v1] = [1n, 0n, 0n, 1n];
  let steps = 0;
  while (x1 !== 0n) {
    const q = x0 / x1;
    const [x2, u2, v2] = [x0 - q * x1, u0 - q * u1, v0 - q * v1];
    // Jebelean: all a, b of these leading bits have this quotient.
    const [u, v] = [magnitude(u1 - u2), magnitude(v1 - v2)];
    if (x2 < magnitude(u2) || x2 < magnitude(v2) || x1 - x2 < u || x1 - x2 < v) break;
    [x0, x1, u0, v0, u1, v1] = [x1, x2, u1, v1, u2, v2];
    steps++;
  }
  return steps === 0
    ? null
    : [
        [u0, v0],
        [u1, v1],
      ];
}

/** A denominator d with d·X_i mod m small for all i: the product of those that single entries still need. */
export function commonDenominator(xs: readonly bigint[], m: bigint): bigint | null {
  const limit = Math.floor((bitLength(m) - 2) / 2);
  let d = 1n;
  for (const x of xs) {
    const value = symmetricResidue(d * x, m);
    if (bitLength(value) <= limit) continue;
    const relation = findRelation(value, m);
    if (relation === null) return null;
    d *= relation.t;
    if (bitLength(d) > limit) return null;
  }
  return d;
}

/** The fraction without the divisor that the denominator shares with all numerators. */
export function lowestTerms(numerators: readonly bigint[], denominator: bigint): CommonFraction {
  let common = denominator;
  for (const numerator of numerators) {
    if (common === 1n) break;
    common = greatestDivisor(common, magnitude(numerator) % common);
  }
  return { numerators: numerators.map((n) => n / common), denominator: denominator / common };
}
