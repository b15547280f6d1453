/**
 * The p-adic digits of x = G·b: b = A·(d_0 + d_1·p + … + d_(k−1)·p^(k−1)) + p^k·r_k, A of any shape and rank.
 *
 *   d_j = G·r_j mod p, between −p/2 and p/2     r_(j+1) = (r_j − A·d_j) / p, exact     G : of context.ts
 *
 * Where the division leaves a rest in row i, row i of A or of b does not follow from the rows of the pivots.
 * |r_j| ≤ max(|b|, ρ) with ρ = the largest sum of a row's magnitudes: where ρ·p + |b| < 2^52 residues are doubles, else
 * bigints. A fraction with A·n ≡ d·b (mod p^k) and ρ·|n| + |b|·d < p^k solves the system: the difference is a multiple
 * of p^k, and smaller. Where all rows have pivots M·x = b has a solution, with zeros elsewhere; coordinates of it are
 * proved by their bounds: n/d ≡ X is unique for 2·|n|·d < p^k.
 * Source: Dixon 1982; Cabay 1971 for the test.
 */
import type { Expansion, ModularFactors, RationalContext } from './context.js';
import { entriesOf, type IntegerSystem, larger } from './integer-system.js';
import {
  type CommonFraction,
  checkHeap,
  commonDenominator,
  findRelation,
  joinDigits,
  lowestTerms,
  symmetricResidue,
} from './reconstruction.js';

/** Columns that are lifted together: a product by G costs little more for them than for one. */
const TOGETHER = 32;

export interface Lifting {
  readonly system: IntegerSystem;
  readonly coordinates: readonly number[] | null; // those that are wanted, or all
}

/** Each solution in lowest terms, or the number of a row where the division fails. */
export async function lift(
  context: RationalContext,
  factors: ModularFactors,
  liftings: readonly Lifting[],
  transposed = false,
): Promise<(Expansion | number)[]> {
  const expansions = liftings.map((lifting) => new PadicExpansion(lifting, factors.p));
  for (let first = 0; first < expansions.length; first += TOGETHER) {
    let open = expansions.slice(first, first + TOGETHER);
    while (open.length > 0) {
      context.check();
      const digits = await factors.apply(
        open.map((expansion) => expansion.residue()),
        transposed,
      );
      digits.forEach((d, t) => {
        open[t].take(d);
      });
      context.onProgress(open[0].steps, open[0].whole);
      open = open.filter(({ found }) => found === null);
    }
  }
  return expansions.map(({ found }) => found!);
}

/** The digits of a solution as they come, until they give it. */
class PadicExpansion {
  found: Expansion | number | null = null;
  readonly whole: number; // as many digits as are needed at most
  private readonly p: number;
  private readonly lifting: Lifting;
  private readonly wanted: readonly number[];
  private readonly residual: Residual;
  private readonly digits: Float64Array[] = [];
  private readonly powers: bigint[];
  private attempt: number;

  constructor(lifting: Lifting, p: number) {
    const { system, coordinates } = lifting;
    const { minorLog2: D, numeratorLog2: N } = system;
    [this.p, this.lifting, this.powers] = [p, lifting, [BigInt(p)]];
    // Balanced fractions: m > 2·4^max(N, D), and the test of the whole.
    const largest = larger(system.rowSum, system.largestRight);
    this.whole = Math.ceil((2 * Math.max(N, D) + 8 + largest.toString(2).length) / Math.log2(p)) + 1;
    this.wanted = coordinates ?? Array.from({ length: system.cols }, (_, i) => i);
    this.residual = residualOf(system, p);
    this.attempt = coordinates === null ? Math.min(4, this.whole) : this.whole;
  }

  get steps(): number {
    return this.digits.length;
  }

  /** What the next digit is a solution for. */
  residue(): Float64Array {
    return this.residual.modulo();
  }

  take(d: Float64Array): void {
    const { p, whole, digits, wanted } = this;
    for (let i = 0; i < d.length; i++) if (2 * d[i] > p) d[i] -= p;
    const obstacle = this.residual.update(d);
    if (obstacle >= 0) {
      this.found = obstacle;
      return;
    }
    digits.push(Float64Array.from(wanted, (c) => d[c]));
    if (digits.length < this.attempt) return;
    this.found = this.reconstruct();
    if (this.found === null && digits.length >= whole)
      throw new Error('lifting: expected a fraction within the bounds of Hadamard, got none');
    this.attempt = Math.min(whole, Math.ceil(this.attempt * 1.4));
  }

  private reconstruct(): Expansion | null {
    const { p, lifting, digits, wanted, powers } = this;
    const { system, coordinates } = lifting;
    checkHeap(wanted.length, Math.ceil(digits.length * Math.log2(p)));
    const m = BigInt(p) ** BigInt(digits.length);
    const xs = wanted.map((_, c) => joinDigits(digits.length, (j) => digits[j][c], powers));
    const fraction = fractionOf(xs, m);
    if (fraction === null || !(coordinates === null ? isProduct : isWithinBounds)(system, fraction, m)) return null;
    return { ...fraction, proof: coordinates === null ? 'product' : 'bound', steps: digits.length };
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

/** n/d = a/det M for a = det M · x by Cramer: n·det M ≡ a·d (mod m), and the difference is smaller than m. */
function isWithinBounds(system: IntegerSystem, { numerators, denominator }: CommonFraction, m: bigint): boolean {
  const largest = numerators.reduce(larger, 0n);
  return (largest << BigInt(system.minorLog2)) + (denominator << BigInt(system.numeratorLog2)) < m;
}

interface Residual {
  modulo(): Float64Array; // r mod p, canonical
  update(d: Float64Array): number; // r ← (r − A·d) / p; the first row that p does not divide, or −1
}

function residualOf(system: IntegerSystem, p: number): Residual {
  const { rows, values, rowSum, largestRight, rowPtr, colIdx } = system;
  if (values !== null && rowSum * BigInt(p) + largestRight < 2n ** 52n) return wordResidual(system, values, p);
  const entries = entriesOf(system);
  const [r, modulus] = [[...system.right], BigInt(p)];
  return {
    modulo: () => Float64Array.from(r, (value) => Number(((value % modulus) + modulus) % modulus)),
    update(d) {
      const digits = Array.from(d, BigInt);
      for (let i = 0; i < rows; i++) {
        let sum = r[i];
        for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) sum -= entries[k] * digits[colIdx[k]];
        if (sum % modulus !== 0n) return i;
        r[i] = sum / modulus;
      }
      return -1;
    },
  };
}

/** Doubles hold r and every partial sum: |r| + ρ·p/2 < 2^53. */
function wordResidual({ rows, rowPtr, colIdx, right }: IntegerSystem, values: Float64Array, p: number): Residual {
  const r = Float64Array.from(right, Number);
  return {
    modulo: () =>
      r.map((value) => {
        const residue = value % p;
        return residue < 0 ? residue + p : residue;
      }),
    update(d) {
      for (let i = 0; i < rows; i++) {
        let sum = r[i];
        for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) sum -= values[k] * d[colIdx[k]];
        r[i] = Math.round(sum / p);
        if (r[i] * p !== sum) return i;
      }
      return -1;
    },
  };
}
