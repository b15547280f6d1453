/**
 * Rows split by pivots on a team, beside plain code: the same on any number of threads. Threads start from dist/ only,
 * so everything here comes from there.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reversePivots } from '../../../dist/algorithms/presolve/pattern.js';
import { structuralPivots } from '../../../dist/algorithms/presolve/structural-pivots.js';
import { splitByPivots, splitOnTeam } from '../../../dist/algorithms/schur/split-matrix.js';
import { generate } from '../../../dist/data/families.js';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../../dist/kernels/sparse/sparse-matrix.js';
import { Team } from '../../../dist/kernels/threads/team.js';

let teams: Team[];
beforeAll(async () => {
  teams = await Promise.all([1, 2, 3].map((threads) => Team.create(threads)));
}, 60_000);
afterAll(() => Promise.all(teams.map((team) => team.dispose())));

const words = ({ rows, cols, rowPtr, colIdx, values }: ResidueMatrix) => [
  [rows, cols],
  ...[rowPtr, colIdx, values].map((array) => Buffer.from(array.slice().buffer).toString('base64')),
];

test.each<[string, number[]]>([
  ['mk', [9, 3]],
  ['ex', [2]],
  ['power-law', [700, 700, 65521, 4]],
  // Rows with more entries at pivots than are sorted by insertion.
  ['random', [300, 500, 60, 65521, 2]],
  ['kneser', [6, 2]],
])('%s %j', (name, args) => {
  const { rows, cols, ...triplets } = generate(name, args);
  const matrix = SparseMatrix.fromTriplets(rows, cols, triplets);
  for (const p of [2, 3, 65521, 2147483647]) {
    const F = WordPrime.of(p);
    const a = matrix.residues(p);
    const at = transpose(a) as ResidueMatrix;
    const { pivots } = structuralPivots(a, at);
    for (const [b, bt, places] of [
      [a, at, pivots],
      [at, a, reversePivots(pivots)],
    ] as const) {
      const expected = splitByPivots(F, b, bt, places);
      for (const team of teams) {
        const found = splitOnTeam(F, b, places, team);
        expect(words(found.pivots), `${p}`).toEqual(words(expected.pivots));
        expect(words(found.others), `${p}`).toEqual(words(expected.others));
        found.release();
      }
    }
  }
});
