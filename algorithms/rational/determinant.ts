/**
 * The determinant of an integer matrix from determinants modulo random primes, and a divisor of it that is known.
 *
 *   det A = d·c     d : the common denominator of a solution of A·x = b over Q, a divisor by Cramer's rule
 *   |det A| ≤ H     the lesser of Π ‖row‖ and Π ‖column‖ (Hadamard)
 *
 * c is known modulo the product P of the primes so far. It is proved where P > 2·H/d. Before that it is believed once t
 * primes in a row change nothing: they are drawn after the candidate c', each uniform among N primes above 2^30, of
 * which fewer than B = log2(2·H·P)/30 divide c − c' ≠ 0. There are at most K candidates, K that many primes as prove c,
 * so that the answer is wrong with probability at most K·(B/N)^t.
 * Source: Abbott, Bronstein, Mulders 1999 (the largest invariant factor first).
 */
import { invMod } from '../../fields/inverse.js';
import type { Entry } from '../../kernels/sparse/big-entries.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { drawPrimes, PRIMES } from '../rational-rank.js';

const LEAST_BITS = 30; // of a prime
const WANTED_LOG2 = -62;
const MISSES = 8; // primes that may find nothing

export interface IntegerDeterminant {
  readonly determinant: bigint;
  readonly errorLog2: number; // −Infinity: proved
  readonly primes: number;
}

export interface DeterminantRun {
  readonly seed: bigint;
  /** Whether primes go on until the answer is proved. */
  readonly certain: boolean;
  readonly divisor: bigint; // d > 0
  readonly boundLog2: number; // log2 H or more
  /** det A mod p; null where the prime finds none. */
  modulo(p: number): Promise<bigint | null>;
  onProgress(primes: number, most: number): void;
}

export async function determinantByPrimes(run: DeterminantRun): Promise<IntegerDeterminant | null> {
  const { seed, certain, divisor, boundLog2 } = run;
  const needed = Math.max(0, boundLog2 - log2(divisor)) + 1.01; // log2(2·H/d)
  const most = Math.ceil(needed / LEAST_BITS) + 1;
  const bad = Math.ceil((boundLog2 + 1 + 31 * most) / LEAST_BITS);
  // Primes that divide d are drawn again; no more than `bad` do.
  const each = Math.log2(bad / (PRIMES - bad));
  const agreeing = Math.ceil((WANTED_LOG2 - Math.log2(most)) / each);
  const seen = new Set<number>();
  let [c, product, same, missed] = [0n, 1n, 0, 0];
  run.onProgress(0, most);
  for (const p of drawPrimes(seed)) {
    if (log2Floor(product) > needed) break;
    if (!certain && same >= agreeing && seen.size > 0) {
      return { determinant: c * divisor, errorLog2: Math.log2(most) + same * each, primes: seen.size };
    }
    const P = BigInt(p);
    if (divisor % P === 0n) continue;
    if (seen.has(p)) {
      same++;
      continue;
    }
    const residue = await run.modulo(p);
    if (residue === null) {
      if (++missed > MISSES) return null;
      same = 0; // what a prime shows may have to do with whether it answers
      continue;
    }
    // c + product·t ≡ residue / d mod p
    const wanted = mod(residue * invMod(divisor, P)!, P);
    const t = symmetric(mod((wanted - c) * invMod(product, P)!, P), P);
    same = t === 0n && seen.size > 0 ? same + 1 : 0;
    c += product * t;
    product *= P;
    c = symmetric(mod(c, product), product);
    seen.add(p);
    run.onProgress(seen.size, most);
  }
  return { determinant: c * divisor, errorLog2: Number.NEGATIVE_INFINITY, primes: seen.size };
}

/** log2 of H, or more; −Infinity where a line is empty. */
export function hadamardLog2(matrix: SparseMatrix): number {
  const { rows, cols, rowPtr, colIdx, values } = matrix.toCsr();
  const byRow = new Float64Array(rows).fill(Number.NEGATIVE_INFINITY); // log2 of the sum of squares
  const byCol = new Float64Array(cols).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < rows; i++) {
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
      const square = 2 * magnitudeLog2(values[k]);
      byRow[i] = addLog2(byRow[i], square);
      byCol[colIdx[k]] = addLog2(byCol[colIdx[k]], square);
    }
  }
  const sum = (logs: Float64Array): number => logs.reduce((total, x) => total + x / 2, 0);
  // A sum of k logarithms that are not negative is off by k·2^−52 of itself at most; k is below 2^21 here.
  return Math.min(sum(byRow), sum(byCol)) * (1 + 2 ** -30) + 2 ** -10;
}

/** log2(2^x + 2^y) */
function addLog2(x: number, y: number): number {
  const [high, low] = x > y ? [x, y] : [y, x];
  return low === Number.NEGATIVE_INFINITY ? high : high + Math.log2(1 + 2 ** (low - high));
}

function magnitudeLog2(entry: Entry): number {
  const x = typeof entry === 'number' ? entry : BigInt(entry.toString());
  if (typeof x === 'number') return Math.log2(Math.abs(x));
  return log2(x < 0n ? -x : x);
}

/** log2 of x > 0, or more by less than 2^−40. */
function log2(x: bigint): number {
  const bits = x.toString(2).length;
  const shift = BigInt(Math.max(0, bits - 53));
  return Math.log2(Number((x >> shift) + (shift > 0n ? 1n : 0n))) + Number(shift);
}

function log2Floor(x: bigint): number {
  return x.toString(16).length * 4 - 4;
}

function mod(x: bigint, m: bigint): bigint {
  const r = x % m;
  return r < 0n ? r + m : r;
}

/** The residue of least magnitude. */
function symmetric(x: bigint, m: bigint): bigint {
  return 2n * x > m ? x - m : x;
}
