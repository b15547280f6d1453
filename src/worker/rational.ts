/** The rank over Q as the larger of the ranks modulo two random primes, with its bounds. */
import { randomPrimes, unluckyPrimesLog2 } from '../../algorithms/rational-rank.js';
import { EntryError, type SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { Found } from './found.js';

const COUNT = 2;
const SPARE = 8;

export async function overTheRationals<T extends Found>(
  matrix: SparseMatrix,
  settings: Settings,
  findModulo: (settings: Settings) => Promise<T>,
): Promise<T> {
  const drawn = randomPrimes(settings.seed, COUNT + SPARE);
  const primes: number[] = [];
  let skipped = 0;
  const found: T[] = [];
  while (found.length < COUNT && (found.length === 0 || goesOn(matrix, settings, found[0]!))) {
    const p = drawn[primes.length + skipped]!;
    try {
      found.push(await findModulo({ ...settings, mod: BigInt(p) }));
      primes.push(p);
    } catch (error) {
      // A prime that divides a denominator: another one is drawn, as if it had not been among the primes.
      if (!(error instanceof EntryError) || skipped === SPARE) throw error;
      skipped++;
    }
  }
  const rank = (f: T): number => Number(f.value);
  const best = found.reduce((a, b) => (rank(b) > rank(a) ? b : a));
  const explanation = found.flatMap((f, i) => [`mod ${primes[i]}: rank ${rank(f)}`, ...(f.explanation ?? [])]);
  const seconds: Record<string, number> = {};
  for (const f of found) for (const [phase, s] of Object.entries(f.seconds)) seconds[phase] = (seconds[phase] ?? 0) + s;
  return { ...best, ...claim(matrix, found), explanation, seconds, prime: primes[found.indexOf(best)]! };
}

/** Whether another prime can improve the answer. */
function goesOn({ rows, cols }: SparseMatrix, { atLeast }: Settings, { lowerBound }: Found): boolean {
  const lower = lowerBound ?? 0;
  return lower < Math.min(rows, cols) && (atLeast === null || lower < atLeast);
}

/** Lower bounds hold over Q as they are; the larger upper bound does unless one fails, or both primes are unlucky. */
function claim(
  matrix: SparseMatrix,
  found: readonly Found[],
): Pick<Found, 'lowerBound' | 'upperBound' | 'errorLog2' | 'reason'> {
  const lower = Math.max(...found.map((f) => f.lowerBound ?? 0));
  if (lower === Math.min(matrix.rows, matrix.cols)) {
    return { lowerBound: lower, upperBound: lower, errorLog2: Number.NEGATIVE_INFINITY, reason: undefined };
  }
  const open = found.find((f) => f.upperBound === null);
  if (open) return { lowerBound: lower, upperBound: null, errorLog2: null, reason: open.reason };
  const unlucky = unluckyPrimesLog2(matrix, found.length);
  const errorLog2 = Math.log2(found.reduce((sum, f) => sum + 2 ** (f.errorLog2 ?? 0), 2 ** unlucky));
  if (errorLog2 > -1) {
    return {
      lowerBound: lower,
      upperBound: null,
      errorLog2: null,
      reason: 'the entries are too large for two primes to prove more',
    };
  }
  const upper = Math.max(...found.map((f) => f.upperBound!));
  return { lowerBound: lower, upperBound: upper, errorLog2, reason: undefined };
}
