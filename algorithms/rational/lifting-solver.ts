/**
 * Systems with one matrix by lifting, the factors modulo one prime kept: a solution each, or a proof that none exists.
 *
 *   R, C : rows and columns of the pivots mod p, M = A[R, C]     w : Mᵀ·w = the entries of row i at C, over Q
 *
 * A row i where lifting stops is not in R. If row i of A is Σ w_t·(row t of A), t in R, then u = e_i − w refutes the
 * system: uᵀ·A = 0, and uᵀ·b = p^k·(uᵀ·r) for a residual r with uᵀ·r ≢ 0 (mod p), as p divides no denominator of u.
 * The system for w is lifted on all columns by the same factors, and its solution is exact. Where that stops row i of A
 * does not follow from the others: the rank mod p is not that over Q, and another prime takes the place of p.
 */
import { isPrime } from '../../fields/primality.js';
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { Expansion, RationalContext } from './context.js';
import { DenseFactors } from './dense-factors.js';
import { entriesOf, type IntegerSystem, transposeSystem } from './integer-system.js';
import { lift } from './lifting.js';
import { lowestTerms } from './reconstruction.js';

const LEAST_PRIME = 2 ** 23;
const PRIMES_TRIED = 20;

/** u : uᵀ·A = 0, uᵀ·b ≠ 0. */
export interface Refutation {
  readonly certificate: bigint[];
}

export class LiftingSolver {
  readonly #context: RationalContext;
  readonly #primes: Iterator<number, undefined>;
  #factors: DenseFactors | null = null;

  constructor(context: RationalContext) {
    this.#context = context;
    this.#primes = randomPrimes(context.seed, PRIMES_TRIED);
  }

  /** A solution, or the given coordinates of one; null where no prime served. All systems have one matrix. */
  solve(system: IntegerSystem, coordinates: readonly number[] | null): Expansion | Refutation | null {
    for (;;) {
      this.#factors ??= this.#nextFactors(system);
      const factors = this.#factors;
      if (factors === null) return null;
      // Rows without a pivot need all of x.
      const isWhole = coordinates === null || factors.rank < system.rows;
      const found = lift(this.#context, system, factors, isWhole ? null : coordinates);
      if (typeof found !== 'number') return isWhole && coordinates !== null ? choose(found, coordinates) : found;
      const certificate = this.#refute(system, factors, found);
      if (certificate !== null) return { certificate };
      this.#factors = null;
    }
  }

  #nextFactors(system: IntegerSystem): DenseFactors | null {
    const { done, value: p } = this.#primes.next();
    return done ? null : new DenseFactors(system, p, () => this.#context.check());
  }

  /** u for a row where lifting stopped; null where the row of A does not follow from those of the pivots. */
  #refute(system: IntegerSystem, factors: DenseFactors, row: number): bigint[] | null {
    const { rowPtr, colIdx, right, cols } = system;
    const entries = entriesOf(system);
    const line = new Array<bigint>(cols).fill(0n);
    for (let k = rowPtr[row]; k < rowPtr[row + 1]; k++) line[colIdx[k]] = entries[k];
    const transposed = { p: factors.p, apply: (b: Float64Array) => factors.applyTransposed(b) };
    const found = lift(this.#context, transposeSystem(system, line), transposed, null);
    if (typeof found === 'number') return null;
    const u = found.numerators.map((numerator) => -numerator);
    u[row] += found.denominator;
    if (u.reduce((sum, value, i) => sum + value * right[i], 0n) === 0n)
      throw new Error('lifting: expected a row to refute the system, got none: a bug');
    return u;
  }
}

function choose({ numerators, denominator, ...rest }: Expansion, coordinates: readonly number[]): Expansion {
  const wanted = coordinates.map((c) => numerators[c]);
  return { ...rest, ...lowestTerms(wanted, denominator) };
}

/** Primes between 2^23 and 2^24, drawn by the seed. */
export function* randomPrimes(seed: bigint, count: number): Generator<number, undefined> {
  const random = new CounterRandom(deriveSeed(seed, 'lifting'), 0);
  for (let i = 0, drawn = 0; drawn < count; i++) {
    const p = LEAST_PRIME + random.residueAt(i, LEAST_PRIME);
    if (!isPrime(p)) continue;
    drawn++;
    yield p;
  }
}
