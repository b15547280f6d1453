/** Every known rank up to 120000 rows, at the small primes, at a 16-bit and at a 31-bit prime, by every method. */
import { describe, expect, test } from 'vitest';
import { rank, SparseMatrix } from 'wiedemann';
import { generate } from '../../data/families.js';
import { KNOWN_RANKS } from '../../data/known-ranks.js';

const PRIMES = [2, 3, 5, 7, 65521 /* last below 2^16 */, 2147483629];
const MOST_ROWS = 120_000;

describe.each(KNOWN_RANKS.filter(({ rows, cols }) => Math.min(rows, cols) > 0 && rows <= MOST_ROWS))(
  '$instance',
  ({ family, args, rank: overQ, exceptions }) => {
    const { rows, cols, rowIdx, colIdx, values } = generate(family, args);
    const matrix = SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values });
    test.each(PRIMES)('mod %d by itself, by the hybrid and by block Wiedemann', async (mod) => {
      const expected = exceptions[mod] ?? overQ;
      for (const method of ['auto', 'hybrid', 'wiedemann'] as const) {
        const outcome = await rank(matrix, { mod, method });
        expect(outcome).toMatchObject({ value: expected, lowerBound: expected, upperBound: expected });
      }
    });
    test.each(PRIMES)('mod %d by elimination, proved', async (mod) => {
      const outcome = await rank(matrix, { mod, method: 'elimination' });
      expect(outcome).toMatchObject({ kind: 'proved', value: exceptions[mod] ?? overQ });
    });
  },
);
