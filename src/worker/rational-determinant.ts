/** The determinant over Z for a caller: a divisor by lifting where the determinant is long, then primes. */

import { determinantByPrimes, hadamardLog2 } from '../../algorithms/rational/determinant.js';
import { solveRational } from '../../algorithms/rational/solve.js';
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import { EntryError, type SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import type { Settings } from '../questions/options.js';
import type { Caller } from './caller.js';
import type { Found } from './found.js';

/** Bits of a determinant from which on lifting pays, and bits of all coordinates of a solution that it may have. */
const LONG = 600;
const MOST = 2 ** 31;

/** Entries of a random right side are below this magnitude. */
const RIGHT = 2 ** 20;

export async function determinantOverZ(
  matrix: SparseMatrix,
  settings: Settings,
  caller: Caller,
  findModulo: (settings: Settings) => Promise<Found>,
  team: (() => Promise<Team>) | undefined,
): Promise<Found> {
  if (matrix.wide.entries.some(({ denominator }) => denominator !== 1n))
    throw new EntryError('det over Z: expected integers, got a fraction');
  const { seed, certain, maxMemory } = settings;
  const start = performance.now();
  const boundLog2 = hadamardLog2(matrix);
  const explanation = [`at most ${Math.ceil(Math.max(0, boundLog2))} bits, by Hadamard`];
  const base = { lowerBound: null, upperBound: null, block: null, explanation };
  let divisor = 1n;
  if (boundLog2 >= LONG && boundLog2 * matrix.rows <= MOST) {
    const random = new CounterRandom(deriveSeed(seed, 'right side'), 0);
    const b = Array.from({ length: matrix.rows }, (_, i) => random.residueAt(i, 2 * RIGHT) - RIGHT);
    const context = {
      ...{ seed, team, maxBytes: maxMemory ?? undefined },
      check: () => {},
      onPhase: (phase: string) => caller.progress({ phase, done: 0, total: 1 }),
      onProgress: (done: number, total: number) => caller.progress({ phase: 'digits', done, total }),
    };
    const coordinates = Array.from({ length: 2 }, (_, k) => random.residueAt(matrix.rows + k, matrix.rows));
    const solved = await solveRational(context, matrix, [b], { coordinates });
    if (solved.kind === 'inconsistent') {
      explanation.push('a vector u with uA = 0 and a product with a right side that is not 0: singular');
      const seconds = { digits: solved.seconds };
      return { ...base, value: 0n, errorLog2: Number.NEGATIVE_INFINITY, method: 'lifting', seconds };
    }
    if (solved.kind === 'solved') {
      divisor = solved.solutions[0]!.denominator;
      explanation.push(`a solution by ${solved.solutions[0]!.method} has a denominator of ${bits(divisor)} bits`);
    } else explanation.push(...solved.reasons);
  }
  const lifted = performance.now();
  const reasons: string[] = [];
  const found = await determinantByPrimes({
    ...{ seed, certain, divisor, boundLog2 },
    modulo: async (p) => {
      const { value, reason } = await caller.quietly(() => findModulo({ ...settings, mod: BigInt(p) }));
      if (value === null) reasons.push(reason ?? `mod ${p}: no determinant`);
      return value === null ? null : BigInt(value as bigint | number);
    },
    onProgress: (done, total) => caller.progress({ phase: 'primes', done, total }),
  });
  const seconds = { digits: (lifted - start) / 1000, primes: (performance.now() - lifted) / 1000 };
  const method = divisor > 1n ? 'lifting' : 'primes';
  if (found === null) {
    return { ...base, value: null, errorLog2: null, reason: reasons.join('; '), method, seconds };
  }
  explanation.push(`the rest from ${found.primes} primes`);
  return { ...base, value: found.determinant, errorLog2: found.errorLog2, method, seconds };
}

function bits(x: bigint): number {
  return x.toString(2).length;
}
