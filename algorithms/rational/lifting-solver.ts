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
import type { Expansion, ModularFactors, RationalContext } from './context.js';
import { DenseFactors } from './dense-factors.js';
import { bitLength, entriesOf, type IntegerSystem, transposeSystem } from './integer-system.js';
import { lift } from './lifting.js';
import { lowestTerms } from './reconstruction.js';
import { ThreadedFactors } from './threaded-factors.js';

const PRIMES_TRIED = 20;
/** Entries of a matrix up to which dense factors answer sooner (test/bench/RESULTS.md#lifting-factors). */
const SMALL = 2 ** 17;
/** Bytes that dense factors may take. */
const MOST_BYTES = 2 ** 29;

/** u : uᵀ·A = 0, uᵀ·b ≠ 0. */
export interface Refutation {
  readonly certificate: bigint[];
}

/**
 * A solution of each system, or the given coordinates of one, up to the first refutation; a sentence where the method
 * does not serve. All systems have one matrix.
 */
export async function solveByLifting(
  context: RationalContext,
  systems: readonly IntegerSystem[],
  coordinates: readonly number[] | null,
): Promise<(Expansion | Refutation)[] | string> {
  const { rows, cols, rowSum } = systems[0];
  const isThreaded = context.team !== undefined && rows * cols > SMALL;
  if (!isThreaded && DenseFactors.bytes(rows, cols) > MOST_BYTES)
    return `${rows} x ${cols} is too large for dense factors`;
  // Residuals stay in doubles where the primes leave the rows' sums room.
  const bits = isThreaded ? Math.min(31, Math.max(24, 51 - bitLength(rowSum))) : 24;
  const found: (Expansion | Refutation)[] = [];
  for (const p of randomPrimes(context.seed, bits, PRIMES_TRIED)) {
    const factors = await factorize(context, systems[0], p, isThreaded);
    try {
      const isDone = await liftRest(context, factors, systems, coordinates, found);
      if (isDone) return found;
    } finally {
      factors.free();
    }
  }
  return 'the rank modulo each of many primes is below that over Q';
}

async function factorize(
  context: RationalContext,
  system: IntegerSystem,
  p: number,
  isThreaded: boolean,
): Promise<ModularFactors> {
  const check = (): void => context.check();
  if (!isThreaded) return new DenseFactors(system, p, check);
  return ThreadedFactors.of(system, p, await context.team!(), { ...context, check });
}

/** Adds what these factors find to `found`; whether no other ones are needed. */
async function liftRest(
  context: RationalContext,
  factors: ModularFactors,
  systems: readonly IntegerSystem[],
  coordinates: readonly number[] | null,
  found: (Expansion | Refutation)[],
): Promise<boolean> {
  const rest = systems.slice(found.length);
  // Rows without a pivot need all of x.
  const isWhole = coordinates === null || factors.rank < rest[0].rows;
  const parts = rest.map((system) => ({ system, coordinates: isWhole ? null : coordinates }));
  for (const [t, lifted] of (await lift(context, factors, parts)).entries()) {
    if (typeof lifted === 'number') {
      const certificate = await refute(context, factors, rest[t], lifted);
      if (certificate === null) return false;
      found.push({ certificate });
      return true;
    }
    found.push(isWhole && coordinates !== null ? choose(lifted, coordinates) : lifted);
  }
  return true;
}

/** u for a row where lifting stopped; null where the row of A does not follow from those of the pivots. */
async function refute(
  context: RationalContext,
  factors: ModularFactors,
  system: IntegerSystem,
  row: number,
): Promise<bigint[] | null> {
  const { rowPtr, colIdx, right, cols } = system;
  const entries = entriesOf(system);
  const line = new Array<bigint>(cols).fill(0n);
  for (let k = rowPtr[row]; k < rowPtr[row + 1]; k++) line[colIdx[k]] = entries[k];
  const transposed = { system: transposeSystem(system, line), coordinates: null };
  const [found] = await lift(context, factors, [transposed], true);
  if (typeof found === 'number') return null;
  const u = found.numerators.map((numerator) => -numerator);
  u[row] += found.denominator;
  if (u.reduce((sum, value, i) => sum + value * right[i], 0n) === 0n)
    throw new Error('lifting: expected a row to refute the system, got none: a bug');
  return u;
}

function choose({ numerators, denominator, ...rest }: Expansion, coordinates: readonly number[]): Expansion {
  const wanted = coordinates.map((c) => numerators[c]);
  return { ...rest, ...lowestTerms(wanted, denominator) };
}

/** Primes of so many bits, drawn by the seed. */
export function* randomPrimes(seed: bigint, bits: number, count: number): Generator<number, undefined> {
  const random = new CounterRandom(deriveSeed(seed, 'lifting'), 0);
  const least = 2 ** (bits - 1);
  for (let i = 0, drawn = 0; drawn < count; i++) {
    const p = least + random.residueAt(i, least);
    if (!isPrime(p)) continue;
    drawn++;
    yield p;
  }
}
