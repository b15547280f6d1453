/**
 * Every known rank up to 120000 rows, at the small primes, at a 16-bit and at a 31-bit prime, by every method; but for
 * the largest matrices block Wiedemann over an extension of F_3, F_5 or F_7, which takes minutes, at one of these
 * primes each.
 */
import { describe, expect, test } from 'vitest';
import { type Outcome, rank, SparseMatrix } from 'wiedemann';
import { generate } from '../../data/families.js';
import { KNOWN_RANKS } from '../../data/known-ranks.js';

const PRIMES = [2, 3, 5, 7, 65521 /* last below 2^16 */, 2147483629];
const MOST_ROWS = 120_000;

const EXTENDED = [3, 5, 7]; // several residues an element; mod 2 it is one byte
const LARGE = 10_000; // rank

const instances = KNOWN_RANKS.filter(({ rows, cols }) => Math.min(rows, cols) > 0 && rows <= MOST_ROWS);
const large = instances.filter((known) => known.rank >= LARGE);

describe.each(instances)('$instance', (known) => {
  const { rows, cols, rowIdx, colIdx, values } = generate(known.family, known.args);
  const matrix = SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values });
  const check = (outcome: Outcome<number>, mod: number): void => {
    const value = known.exceptions[mod] ?? known.rank;
    expect(outcome).toMatchObject({ value, lowerBound: value, upperBound: value });
  };
  const turn = large.indexOf(known); // -1 for a small one
  const extended = turn < 0 ? EXTENDED : [EXTENDED[turn % EXTENDED.length]];
  test.each(PRIMES)('mod %d by itself and by the hybrid', async (mod) => {
    for (const method of ['auto', 'hybrid'] as const) check(await rank(matrix, { mod, method }), mod);
  });
  test.each(PRIMES.filter((p) => !EXTENDED.includes(p) || extended.includes(p)))(
    'mod %d by block Wiedemann',
    async (mod) => check(await rank(matrix, { mod, method: 'wiedemann' }), mod),
  );
  test.each(PRIMES)('mod %d by elimination, proved', async (mod) => {
    const outcome = await rank(matrix, { mod, method: 'elimination' });
    check(outcome, mod);
    expect(outcome.kind).toBe('proved');
  });
});
