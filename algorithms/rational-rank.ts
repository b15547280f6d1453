/**
 * The rank over the rationals from ranks modulo random primes.
 *
 *   rank(A mod p) ≤ rank A for every p, with equality unless p divides every maximal nonzero minor of A
 *
 * Take one such minor of A, its rows scaled to integers: by Hadamard it is at most the product of the rows' norms, so
 * fewer than B = log2(product) / 30 primes above 2^30 divide it. Of two primes drawn independently from the N primes
 * between 2^30 and 2^31 both are among them with probability at most (B/N)².
 */
import { isPrime } from '../fields/primality.js';
import { CounterRandom, deriveSeed } from '../fields/random.js';
import type { SparseMatrix } from '../kernels/sparse/sparse-matrix.js';

/** π(2^31) − π(2^30). */
export const PRIMES = 105_097_565 - 54_400_028;
const LEAST = 2 ** 30;

/** `count` primes between 2^30 and 2^31, each uniform and independent of the others. */
export function randomPrimes(seed: bigint, count: number): number[] {
  const primes = drawPrimes(seed);
  return Array.from({ length: count }, () => primes.next().value);
}

/** One after another, without end. */
export function* drawPrimes(seed: bigint): Generator<number, never> {
  const random = new CounterRandom(deriveSeed(seed, 'primes'), 0);
  for (let i = 0; ; i++) {
    const candidate = LEAST + random.residueAt(i, LEAST);
    if (isPrime(candidate)) yield candidate;
  }
}

/**
 * log2 of the probability that all of `count` random primes make the rank too small, at most 0; −Infinity for rank 0.
 */
export function unluckyPrimesLog2(matrix: SparseMatrix, count: number): number {
  const bad = Math.floor(minorLog2(matrix) / 30);
  return Math.min(0, count * Math.log2(bad / PRIMES));
}

/**
 * log2 of a bound of every minor of A with rows scaled to integers: the longest min(rows, cols) rows, ‖row‖ ≤
 * √entries·max.
 */
function minorLog2({ rows, cols, rowIdx, values, wide }: SparseMatrix): number {
  const entries = new Uint32Array(rows);
  const largest = new Float64Array(rows); // log2 of the largest magnitude
  const scale = new Float64Array(rows); // log2 of the product of the denominators
  for (let k = 0; k < values.length; k++) {
    entries[rowIdx[k]]++;
    largest[rowIdx[k]] = Math.max(largest[rowIdx[k]], Math.log2(Math.abs(values[k])));
  }
  wide.positions.forEach((position, w) => {
    const { numerator, denominator } = wide.entries[w];
    const i = rowIdx[position];
    largest[i] = Math.max(largest[i], bits(numerator));
    scale[i] += bits(denominator);
  });
  // Entries at one position add up: their sum is no longer than all of them side by side, times √entries.
  const lengths = Float64Array.from(entries, (n, i) => (n === 0 ? 0 : Math.log2(n) + largest[i] + scale[i])).sort();
  return lengths.subarray(rows - Math.min(rows, cols)).reduce((sum, length) => sum + length, 0);
}

/** log2 of |x| or more. */
function bits(x: { toString(radix: number): string }): number {
  return 4 * x.toString(16).length;
}
