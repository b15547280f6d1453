/** Rank by rounds of pivots against dense elimination, theorems, and the bounds that it is given. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EliminationOptions, eliminationRank } from '../../../algorithms/elimination/rounds.js';
import { MethodError } from '../../../algorithms/method-error.js';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import type { RankResult } from '../../../algorithms/rank-result.js';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { denseRows, sparseRows } from '../../../algorithms/reference/rows.js';
import { sparseRankReference } from '../../../algorithms/reference/sparse-elimination.js';
import { generate } from '../../../data/families.js';
import { inclusionRank, KNOWN_RANKS } from '../../../data/known-ranks.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { DenseMatrix } from '../../../kernels/dense/dense-matrix.js';
import { pluq } from '../../../kernels/dense/pluq.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { geometric, planted } from './planted.js';

const rankOf = (F: WordPrime, matrix: ResidueMatrix, options?: EliminationOptions): Promise<RankResult> =>
  eliminationRank(team, F, matrix, estimatesOver(F), options);

const PRIMES = [2, 3, 5, 7, 65521, 2147483629];

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

function ofFamily(family: string, args: readonly number[], p: number): ResidueMatrix {
  const triplets = generate(family, args);
  return SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets).residues(p);
}

/** The rank by the dense kernel, which test/kernels/dense/pluq.test.ts holds to plain elimination. */
function byPluq(F: WordPrime, { rows, cols, rowPtr, colIdx, values }: ResidueMatrix): number {
  const a = new DenseMatrix(team.memory, F, rows, cols);
  for (let i = 0; i < rows; i++) {
    const row = a.row(i);
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) row[colIdx[k]] = values[k];
  }
  const { rank } = pluq(team, F, a);
  a.release();
  return rank;
}

describe('elimination', () => {
  test('2000 random sparse matrices with planted rank at random primes', async () => {
    let deficient = 0;
    for (let k = 0; k < 2000; k++) {
      const { name, field, matrix } = planted(k);
      const { rank, upperBound } = await rankOf(field, matrix);
      expect(rank, name).toBe(byPluq(field, matrix));
      if (matrix.rows * matrix.cols < 4000) expect(rank, name).toBe(denseRank(field, denseRows(field, matrix)));
      expect(upperBound, name).toBe(rank);
      if (rank < Math.min(matrix.rows, matrix.cols)) deficient++;
    }
    expect(deficient).toBeGreaterThan(500);
  });

  test.each(KNOWN_RANKS.filter(({ nnz }) => nnz <= 60000).map((known) => [known.instance, known] as const))(
    '%s at every prime of the table',
    async (_, { family, args, rank, exceptions }) => {
      for (const p of PRIMES) {
        const matrix = ofFamily(family, args, p);
        expect((await rankOf(WordPrime.of(p), matrix)).rank, `mod ${p}`).toBe(exceptions[p] ?? rank);
      }
    },
  );

  test("inclusion matrices by Wilson's theorem, at primes that divide its binomials and others", async () => {
    for (let v = 4; v <= 9; v++) {
      for (let k = 2; k <= v - 2; k++) {
        for (let t = 1; t <= Math.min(k, v - k); t++) {
          for (const p of [2, 3, 5, 65521]) {
            const { rank } = await rankOf(WordPrime.of(p), ofFamily('inclusion', [t, k, v], p));
            expect(rank, `W_{${t},${k}}(${v}) mod ${p}`).toBe(inclusionRank(t, k, v, p));
          }
        }
      }
    }
  });

  test('no rows, no columns, no entries', async () => {
    for (const [rows, cols] of [
      [0, 3],
      [3, 0],
      [4, 5],
    ] as const) {
      const matrix = SparseMatrix.fromTriplets(rows, cols, []).residues(7);
      expect(await rankOf(WordPrime.of(7), matrix)).toMatchObject({ rank: 0, upperBound: 0 });
    }
  });

  test('rounds go on while the Schur complement stays sparse', async () => {
    const F = WordPrime.of(65521);
    // Full blocks: one pivot of each a round.
    const entries = Array.from({ length: 400 * 25 }, (_, e) => {
      const block = Math.floor(e / 25);
      return [5 * block + (e % 5), 5 * block + (Math.floor(e / 5) % 5), 1 + ((e * e * 7919) % 65519)] as const;
    });
    const matrix = SparseMatrix.fromTriplets(2000, 2000, entries).residues(F.p);
    const expected = byPluq(F, matrix);
    const { rank, explanation } = await rankOf(F, matrix);
    expect(rank).toBe(expected);
    expect(explanation.filter((line) => line.includes('structural pivots')).length).toBeGreaterThan(1);
  });

  test('fronts take a geometric graph apart, whose structural pivots leave a third', async () => {
    const F = WordPrime.of(65521);
    const matrix = geometric(12000, 8, F.p);
    const { rank, upperBound, explanation } = await rankOf(F, matrix);
    expect(explanation.join()).toMatch(/\d+ fronts of/);
    expect([rank, upperBound]).toEqual(Array(2).fill(sparseRankReference(F, sparseRows(F, matrix))));
    // Where fronts take long, sparse pivots do it, and what they replace is not told.
    const estimates = { ...estimatesOver(F), frontsSeconds: () => Number.POSITIVE_INFINITY };
    const sparser = await eliminationRank(team, F, matrix, estimates);
    expect(sparser.explanation.join()).toContain('sparse pivots');
    expect(sparser.explanation.filter((line) => line.includes('structural pivots of')).length).toBeLessThanOrEqual(1);
    expect(sparser.rank).toBe(rank);
  });

  test('`atLeast` stops with a proved lower bound', async () => {
    const result = await rankOf(WordPrime.of(3), ofFamily('trefethen', [500], 3), { atLeast: 200 });
    expect(result).toMatchObject({ upperBound: null, reason: 'a rank of at least 200 was asked for' });
    expect(result.rank).toBeGreaterThanOrEqual(200);
    expect(result.rank).toBeLessThanOrEqual(500);
  });

  test('batches of dense rows give the same rank as all of them at once, and too little memory is an error', async () => {
    const F = WordPrime.of(65521);
    const matrix = ofFamily('trefethen', [2000], F.p);
    // 967 x 967 dense rows take 1.9 MB
    await expect(rankOf(F, matrix, { maxBytes: 2 ** 17 })).rejects.toThrow(MethodError);
    const before = team.memory.peakBytes;
    await rankOf(F, matrix);
    const peak = team.memory.peakBytes;
    for (let k = 0; k < 3; k++) expect((await rankOf(F, matrix)).rank).toBe(2000);
    expect(team.memory.peakBytes).toBe(Math.max(before, peak));
  });

  test('a run that is to end ends', async () => {
    const stop = () => {
      throw new Error('enough');
    };
    const matrix = ofFamily('trefethen', [500], 3);
    await expect(rankOf(WordPrime.of(3), matrix, { check: stop })).rejects.toThrow('enough');
  });
});
