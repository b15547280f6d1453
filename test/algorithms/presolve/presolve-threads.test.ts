/**
 * Residues, transposes and pivots by a team, beside those of plain code: the same to the last word on any number of
 * threads. Threads start from dist/ only, so everything here comes from there.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { estimatesOver } from '../../../dist/algorithms/methods/costs.js';
import { presolve } from '../../../dist/algorithms/presolve/presolve.js';
import { type StructuralPivots, structuralPivots } from '../../../dist/algorithms/presolve/structural-pivots.js';
import { generate } from '../../../dist/data/families.js';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { PivotKernels } from '../../../dist/kernels/pivots/pivots-on-team.js';
import { residuesOnTeam, transposeOnTeam } from '../../../dist/kernels/sparse/rows-on-team.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../../dist/kernels/sparse/sparse-matrix.js';
import { KernelArrays } from '../../../dist/kernels/threads/kernel-arrays.js';
import { Team } from '../../../dist/kernels/threads/team.js';

let teams: Team[];
beforeAll(async () => {
  teams = await Promise.all([1, 2, 3].map((threads) => Team.create(threads)));
}, 60_000);
afterAll(() => Promise.all(teams.map((team) => team.dispose())));

type Entry = readonly [number, number, number | string];

function family(name: string, args: readonly number[]): SparseMatrix {
  const { rows, cols, rowIdx, colIdx, values } = generate(name, [...args]);
  return SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values });
}

const MATRICES: readonly (readonly [string, SparseMatrix])[] = [
  ['nothing', SparseMatrix.fromTriplets(0, 0, [])],
  ['no entries', SparseMatrix.fromTriplets(3, 2, [])],
  ['one entry', SparseMatrix.fromTriplets(3, 2, [[1, 1, -5]])],
  ['a full block', SparseMatrix.fromDense(Array.from({ length: 5 }, () => [1, 2, 3, 4, 5, 6, 7]))],
  [
    'a cycle',
    SparseMatrix.fromTriplets(
      5,
      5,
      [0, 1, 2, 3, 4].flatMap((i): Entry[] => [
        [i, Math.min(i, (i + 1) % 5), 1],
        [i, Math.max(i, (i + 1) % 5), -1],
      ]),
    ),
  ],
  [
    'a column of many',
    SparseMatrix.fromTriplets(
      400,
      3,
      Array.from({ length: 400 }, (_, i): Entry => [i, i < 390 ? 1 : 2, i + 1]),
    ),
  ],
  ['ch7-7-b3', family('ch', [7, 7, 3])],
  ['mk9-b3', family('mk', [9, 3])],
  ['EX2', family('ex', [2])],
  ['kneser 6 2', family('kneser', [6, 2])],
  ['power-law', family('power-law', [700, 700, 65521, 4])],
  ['random, tall', family('random', [500, 200, 8, 65521, 3])],
  ['random, wide', family('random', [200, 500, 20, 65521, 2])],
  ['Trefethen_200', family('trefethen', [200])],
];

/** The arrays of a matrix, or of pivots, as text: sooner compared than as arrays. */
const textOf = (...arrays: (Uint32Array | Int32Array)[]): string[] =>
  arrays.map((words) => Buffer.from(words.slice().buffer).toString('base64'));
const words = ({ rowPtr, colIdx, values }: ResidueMatrix): string[] => textOf(rowPtr, colIdx, values);
const pivotWords = ({ matching, pivots }: StructuralPivots): string[] =>
  textOf(matching.colOf, matching.rowOf, Int32Array.of(matching.size), pivots.rows, pivots.cols, pivots.depths);

describe.each(MATRICES)('%s', (_, matrix) => {
  test.each([2, 3, 65521, 2147483647])('mod %i', (p) => {
    const a = matrix.residues(p);
    const at = transpose(a) as ResidueMatrix;
    const expected = pivotWords(structuralPivots(a, at));
    for (const team of teams) {
      const arrays = new KernelArrays(team.memory);
      const made = residuesOnTeam(team, arrays, matrix, p);
      // Entries that vanish are the host's to drop.
      if (a.colIdx.length === matrix.nnz) expect(words(made!)).toEqual(words(a));
      else expect(made).toBeNull();
      expect(words(transposeOnTeam(team, arrays, a))).toEqual(words(at));
      expect(pivotWords(structuralPivots(made ?? a, transposeOnTeam(team, arrays, made ?? a), team))).toEqual(expected);
      expect(pivotWords(structuralPivots(a, at, team))).toEqual(expected);
      arrays.release();
    }
  });
});

test.each<[string, Entry[]]>([
  [
    'rows out of order',
    [
      [1, 0, 1],
      [0, 0, 1],
    ],
  ],
  [
    'columns out of order',
    [
      [0, 1, 1],
      [0, 0, 1],
    ],
  ],
  [
    'a place that repeats',
    [
      [0, 1, 1],
      [0, 1, 1],
    ],
  ],
  [
    'a value that vanishes',
    [
      [0, 1, 7],
      [1, 1, -14],
    ],
  ],
  ['a value of many bits', [[0, 1, '10000000000000000000001']]],
])('%s: left to the host', (_, entries) => {
  const around: Entry[] = Array.from({ length: 50 }, (_, k) => [2 + k, k % 3, k - 70]);
  for (const team of teams) {
    const arrays = new KernelArrays(team.memory);
    const of = (entries: Entry[]) => residuesOnTeam(team, arrays, SparseMatrix.fromTriplets(60, 4, entries), 7);
    expect(of(entries.concat(around.filter(([, , value]) => Number(value) % 7 !== 0)))).toBeNull();
    expect(
      of([
        [0, 1, -2147483648],
        [0, 2, 2147483647],
      ])?.values,
    ).toEqual(Uint32Array.of(5, 1));
    arrays.release();
  }
});

test('a matching with a cycle is refused', () => {
  const a = SparseMatrix.fromDense([
    [1, 1],
    [1, 1],
  ]).residues(5);
  const kernels = new PivotKernels(teams[1], a, transpose(a) as ResidueMatrix);
  const cycle = { colOf: Int32Array.of(0, 1), rowOf: Int32Array.of(0, 1), size: 2 };
  expect(() => kernels.order([cycle])).toThrow(/expected no cycle/);
  kernels.release();
});

test('a presolved matrix is the same with a team, and its memory is given back', () => {
  const F = WordPrime.of(65521);
  for (const matrix of [family('kneser', [6, 2]), family('mk', [9, 3]), MATRICES[5][1]]) {
    const { seconds: _, ...expected } = presolve(F, matrix.residues(F.p), estimatesOver(F), 0);
    for (const team of teams) {
      const arrays = new KernelArrays(team.memory);
      const before = team.memory.alloc(64);
      const { seconds: _, ...found } = presolve(F, matrix.residues(F.p), estimatesOver(F), 0, { team, arrays });
      expect(found).toEqual(expected);
      arrays.release();
      team.memory.release(before);
      expect(team.memory.alloc(64)).toBe(before);
      team.memory.release(before);
    }
  }
});
