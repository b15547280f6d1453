import { describe, expect, test } from 'vitest';
import type { RunContext } from '../../../algorithms/block-wiedemann/rank.js';
import {
  type ClassicalOptions,
  type ClassicalResult,
  classicalRankOfMatrix,
} from '../../../algorithms/classical/classical-rank.js';
import { sparseRows } from '../../../algorithms/reference/rows.js';
import { sparseRankReference } from '../../../algorithms/reference/sparse-elimination.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { EXPECTED, noise } from '../expected/matrices.js';

function contextOf(p: number, seed: bigint): RunContext {
  return {
    executor: new ReferenceExecutor(WordPrime.of(p)),
    seed,
    orderBasisEngine: (field) => new NaiveEngine(field),
    check() {},
    onProgress() {},
  };
}

function classical(matrix: SparseMatrix, p: number, options?: ClassicalOptions, seed = 1n): Promise<ClassicalResult> {
  return classicalRankOfMatrix(contextOf(p, seed), matrix.residues(p), options);
}

describe('ranks computed by PARI/GP', () => {
  for (const { shape, p, rank } of EXPECTED.filter((e) => BigInt(e.p) < 2n ** 31n)) {
    test(`n = ${shape[0]}, fill ${shape[1]}, mod ${p}`, async () => {
      expect(await classical(noise(shape), Number(p))).toMatchObject({ rank, interpolated: true });
    });
  }
});

describe('matrices made to be difficult', () => {
  const SHAPES: Record<string, SparseMatrix> = {
    '0 x 0': SparseMatrix.fromTriplets(0, 0, []),
    '0 x 5': SparseMatrix.fromTriplets(0, 5, []),
    '5 x 0': SparseMatrix.fromTriplets(5, 0, []),
    'zero 6 x 4': SparseMatrix.fromTriplets(6, 4, []),
    '1 x 1': SparseMatrix.fromTriplets(1, 1, [[0, 0, 1]]),
    'rank 1': SparseMatrix.fromTriplets(
      9,
      7,
      Array.from({ length: 63 }, (_, e) => [e % 9, Math.floor(e / 9), 1] as const),
    ),
    'nilpotent shift': SparseMatrix.fromTriplets(
      12,
      12,
      Array.from({ length: 11 }, (_, i) => [i, i + 1, 1] as const),
    ),
    'nilpotent blocks of size 2': SparseMatrix.fromTriplets(
      20,
      20,
      Array.from({ length: 10 }, (_, i) => [2 * i, 2 * i + 1, 1] as const),
    ),
    identity: SparseMatrix.fromTriplets(
      25,
      25,
      Array.from({ length: 25 }, (_, i) => [i, i, 1] as const),
    ),
    'wide, isotropic rows mod 2': SparseMatrix.fromTriplets(
      4,
      8,
      [
        [0, 1, 2, 3],
        [0, 1, 4, 5],
        [0, 2, 4, 6],
        [4, 5, 6, 7],
      ].flatMap((columns, i) => columns.map((j) => [i, j, 1] as const)),
    ),
  };
  for (const [name, matrix] of Object.entries(SHAPES)) {
    test(name, async () => {
      for (const p of [2, 3, 7, 101, 65521, 2147483629]) {
        const F = WordPrime.of(p);
        const rank = sparseRankReference(F, sparseRows(F, matrix.residues(p)));
        expect(await classical(matrix, p), `p = ${p}`).toMatchObject({ rank });
      }
    });
  }
});

test('deg and codeg are both reported: the unshifted sequence of a singular operator has a zero eigenvalue', async () => {
  const result = await classical(noise([16, 30, 4]), 3, { block: { m: 4, n: 2 } });
  expect(result.rank).toBe(14);
  expect(result.codegree).toBeGreaterThan(0);
  expect(result.degree - result.codegree).toBe(14);
  expect(result.reason).toBe('the classical reading proves no bound');
  expect(Object.keys(result.seconds)).toEqual(['setup', 'sequence', 'sigmaBasis', 'interpolation']);
});

test('a nilpotent block of the hashed operator is seen, and the Gram operator has none', async () => {
  // One seed in ten deals the rows so that the operator has such a block; this is one.
  const seed = 13n;
  const once = await classical(noise([16, 9, 3]), 65521, { maxAttempts: 1 }, seed);
  expect(once).toMatchObject({
    rank: 9,
    nilpotent: true,
    preconditioner: 'hash',
    reason: 'det F shows a nilpotent block',
  });
  const again = await classical(noise([16, 9, 3]), 65521, {}, seed);
  expect(again).toMatchObject({ rank: 10, nilpotent: false, preconditioner: 'gram', attempts: 2 });
});

test('every block shape gives the same rank', async () => {
  for (const [m, n] of [
    [1, 1],
    [2, 1],
    [1, 3],
    [8, 2],
    [20, 17],
  ]) {
    expect(await classical(noise([16, 9, 3]), 65521, { block: { m, n } }), `${m} x ${n}`).toMatchObject({ rank: 10 });
  }
});
