/**
 * The p-adic digits of x = A^-1·b: b = A·(d_0 + d_1·p + … + d_(k−1)·p^(k−1)) + p^k·r_k.
 *
 *   d_j = A^-1·r_j mod p, between −p/2 and p/2     r_(j+1) = (r_j − A·d_j) / p, exact
 *
 * |r_j| ≤ max(|b|, ρ) with ρ = the largest sum of a row's magnitudes: where ρ·p + |b| < 2^52 residues are doubles, else
 * bigints. A fraction with A·n ≡ d·b (mod p^k) and ρ·|n| + |b|·d < p^k solves the system: the difference is a multiple
 * of p^k, and smaller. Fewer coordinates than all are proved by their bounds: n/d ≡ X is unique for 2·|n|·d < p^k.
 * Source: Dixon 1982; Cabay 1971 for the test.
 */
import { isPrime } from '../../fields/primality.js';
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { Expansion, RationalContext } from './context.js';
import { DenseFactors } from './dense-factors.js';
import { type IntegerSystem, larger } from './integer-system.js';
import {
  type CommonFraction,
  commonDenominator,
  findRelation,
  joinDigits,
  lowestTerms,
  symmetricResidue,
} from './reconstruction.js';

const LEAST_PRIME = 2 ** 23;
const PRIMES_TRIED = 3;

/** Factors of A modulo a random prime: null where A is singular modulo several. */
export function factorModuloPrime(
  context: RationalContext,
  system: IntegerSystem,
): { readonly p: number; readonly factors: DenseFactors } | null {
  const random = new CounterRandom(deriveSeed(context.seed, 'lifting'), 0);
  let tried = 0;
  for (let i = 0; tried < PRIMES_TRIED; i++) {
    const p = LEAST_PRIME + random.residueAt(i, LEAST_PRIME);
    if (!isPrime(p)) continue;
    const factors = DenseFactors.of(system, p, context.check);
    if (factors !== null) return { p, factors };
    tried++;
  }
  return null;
}

/** The solution, or the given coordinates of it, in lowest terms. */
export function solveByLifting(
  context: RationalContext,
  system: IntegerSystem,
  p: number,
  factors: DenseFactors,
  coordinates: readonly number[] | null,
): Expansion {
  const { determinantLog2: D, numeratorLog2: N } = system;
  // Balanced fractions: m > 2·4^max(N, D), and the test of the whole.
  const whole = Math.ceil((2 * Math.max(N, D) + 8 + system.rowSum.toString(2).length) / Math.log2(p)) + 1;
  const wanted = coordinates ?? Array.from({ length: system.n }, (_, i) => i);
  const digits: Float64Array[] = [];
  const residual = residualOf(system, p);
  const powers = [BigInt(p)];
  let attempt = coordinates === null ? Math.min(4, whole) : whole;
  for (;;) {
    while (digits.length < attempt) {
      context.check();
      digits.push(nextDigit(system.n, p, factors, residual, wanted));
      context.onProgress(digits.length, whole);
    }
    const m = BigInt(p) ** BigInt(digits.length);
    const xs = wanted.map((_, c) => joinDigits(digits.length, (j) => digits[j][c], powers));
    const fraction = fractionOf(xs, m);
    if (fraction !== null && (coordinates === null ? isProduct : isWithinBounds)(system, fraction, m))
      return { ...fraction, proof: coordinates === null ? 'product' : 'bound', steps: digits.length };
    if (digits.length >= whole) throw new Error('lifting: expected a fraction within the bounds of Hadamard, got none');
    attempt = Math.min(whole, Math.ceil(attempt * 1.4));
  }
}

/** The numerators over the common denominator that the residues xs mod m have. */
function fractionOf(xs: readonly bigint[], m: bigint): CommonFraction | null {
  const d = xs.length === 1 ? (findRelation(xs[0], m)?.t ?? null) : commonDenominator(xs, m);
  if (d === null) return null;
  const numerators = xs.map((x) => symmetricResidue(d * x, m));
  return lowestTerms(numerators, d);
}

/** A·n = d·b: both sides agree modulo m and differ by less. */
function isProduct(system: IntegerSystem, { numerators, denominator }: CommonFraction, m: bigint): boolean {
  return system.rowSum * numerators.reduce(larger, 0n) + system.largestRight * denominator < m;
}

/** n/d = a/det A for a = det A · x by Cramer: n·det A ≡ a·d (mod m), and the difference is smaller than m. */
function isWithinBounds(system: IntegerSystem, { numerators, denominator }: CommonFraction, m: bigint): boolean {
  const largest = numerators.reduce(larger, 0n);
  return (largest << BigInt(system.determinantLog2)) + (denominator << BigInt(system.numeratorLog2)) < m;
}

interface Residual {
  modulo(out: Float64Array): void; // r mod p, canonical
  update(d: Float64Array): void; // r ← (r − A·d) / p
}

function nextDigit(
  n: number,
  p: number,
  factors: DenseFactors,
  residual: Residual,
  wanted: readonly number[],
): Float64Array {
  const [r, d] = [new Float64Array(n), new Float64Array(n)];
  residual.modulo(r);
  factors.solveInto(d, r);
  for (let i = 0; i < n; i++) if (2 * d[i] > p) d[i] -= p;
  residual.update(d);
  return Float64Array.from(wanted, (c) => d[c]);
}

function residualOf(system: IntegerSystem, p: number): Residual {
  const { n, values, rowSum, largestRight } = system;
  if (values !== null && rowSum * BigInt(p) + largestRight < 2n ** 52n) return wordResidual(system, values, p);
  const { rowPtr, colIdx } = system;
  const entries = values === null ? system.big : Array.from(values, BigInt);
  const [r, modulus] = [[...system.right], BigInt(p)];
  return {
    modulo(out) {
      for (let i = 0; i < n; i++) {
        const residue = Number(r[i] % modulus);
        out[i] = residue < 0 ? residue + p : residue;
      }
    },
    update(d) {
      const digits = Array.from(d, BigInt);
      for (let i = 0; i < n; i++) {
        let sum = r[i];
        for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) sum -= entries[k] * digits[colIdx[k]];
        r[i] = sum / modulus;
      }
    },
  };
}

/** Doubles hold r and every partial sum: |r| + ρ·p/2 < 2^53. */
function wordResidual({ n, rowPtr, colIdx, right }: IntegerSystem, values: Float64Array, p: number): Residual {
  const r = Float64Array.from(right, Number);
  return {
    modulo(out) {
      for (let i = 0; i < n; i++) {
        const residue = r[i] % p;
        out[i] = residue < 0 ? residue + p : residue;
      }
    },
    update(d) {
      for (let i = 0; i < n; i++) {
        let sum = r[i];
        for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) sum -= values[k] * d[colIdx[k]];
        r[i] = sum / p;
      }
    },
  };
}
