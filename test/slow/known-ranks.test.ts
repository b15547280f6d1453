/** Every known rank up to 120000 rows, at the small primes, at a 16-bit and at a 31-bit prime, by every method. */
import { describe, expect, test } from 'vitest';
import { type Outcome, rank, SparseMatrix } from 'wiedemann';
import { generate } from '../../data/families.js';
import { KNOWN_RANKS } from '../../data/known-ranks.js';

const PRIMES = [2, 3, 5, 7, 65521 /* last below 2^16 */, 2147483629];
const MOST_ROWS = 120_000;

/** Block Wiedemann on the whole matrix is the long way round: beyond this it is left out, and says so. */
const MOST_MINUTES = 4;

describe.each(KNOWN_RANKS.filter(({ rows, cols }) => Math.min(rows, cols) > 0 && rows <= MOST_ROWS))(
  '$instance',
  ({ instance, family, args, rank: overQ, exceptions }) => {
    const { rows, cols, rowIdx, colIdx, values } = generate(family, args);
    const matrix = SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values });
    const check = (outcome: Outcome<number>, mod: number): void => {
      const value = exceptions[mod] ?? overQ;
      expect(outcome).toMatchObject({ value, lowerBound: value, upperBound: value });
    };
    test.each(PRIMES)('mod %d by itself and by the hybrid', async (mod) => {
      for (const method of ['auto', 'hybrid'] as const) check(await rank(matrix, { mod, method }), mod);
    });
    test.for(PRIMES)('mod %d by block Wiedemann', async (mod, { skip }) => {
      const signal = AbortSignal.timeout(MOST_MINUTES * 60_000);
      try {
        check(await rank(matrix, { mod, method: 'wiedemann', signal }), mod);
      } catch (error) {
        if (!signal.aborted) throw error;
        const reason = `${instance} mod ${mod}: block Wiedemann left out, ${MOST_MINUTES} minutes were not enough`;
        console.warn(reason);
        skip(reason);
      }
    });
    test.each(PRIMES)('mod %d by elimination, proved', async (mod) => {
      const outcome = await rank(matrix, { mod, method: 'elimination' });
      check(outcome, mod);
      expect(outcome.kind).toBe('proved');
    });
  },
);
