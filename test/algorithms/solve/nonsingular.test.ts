import { describe, expect, test } from 'vitest';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { solveNonsingular } from '../../../algorithms/solve/nonsingular.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import type { Entry } from '../expected/matrices.js';

/** Solutions of M·X = Y, or null. */
async function solve(p: number, N: number, entries: readonly Entry[], rightSides: Uint32Array[]) {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const m = executor.operator(SparseMatrix.fromTriplets(N, N, entries).residues(p));
  const context = {
    ...{ executor, seed: 1n, check: () => {}, onProgress: () => {} },
    orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
  };
  for (let seed = 1n; seed <= 4n; seed++) {
    const x = await solveNonsingular(context, m, rightSides, seed);
    if (x !== null) return x;
  }
  return null;
}

const SIZES = [1, 2, 17, 40];
const MATRICES: readonly [string, (N: number) => Entry[]][] = [
  ['the identity', (N) => Array.from({ length: N }, (_, i): Entry => [i, i, 1])],
  ['a cycle', (N) => Array.from({ length: N }, (_, i): Entry => [i, (i + 1) % N, 1])],
  ['a reversal', (N) => Array.from({ length: N }, (_, i): Entry => [i, N - 1 - i, 1])],
  [
    'a unit triangle',
    (N) =>
      Array.from({ length: N }, (_, i): Entry[] => [
        [i, i, 1],
        ...(i > 0 ? [[i, i - 1, 1] as Entry, [i, 0, i > 1 ? 1 : 0] as Entry] : []),
      ]).flat(),
  ],
];

describe.each([2, 3, 101, 65521, 2147483647])('p = %d', (p) => {
  test.each(MATRICES)('%s', async (_, matrix) => {
    for (const N of SIZES) {
      // X is chosen and Y = M·X computed, so the answer is known.
      const entries = matrix(N);
      const random = new CounterRandom(BigInt(N), 0);
      const xs = [0, 1, 2].map((j) => random.fillResidues(new Uint32Array(N), p, j * N));
      const F = WordPrime.of(p);
      const ys = xs.map((x) => {
        const y = new Uint32Array(N);
        for (const [i, j, v] of entries) y[i] = F.add(y[i], F.mul(F.from(v), x[j]));
        return y;
      });
      expect(await solve(p, N, entries, ys)).toEqual(xs);
    }
  });

  test('a singular matrix gives no answer, whether or not there is one', async () => {
    const entries: Entry[] = [
      [0, 0, 1],
      [1, 1, 1],
      [2, 0, 1],
      [2, 1, 1],
    ];
    expect(await solve(p, 3, entries, [Uint32Array.of(1, 0, 1)])).toBeNull();
    expect(await solve(p, 3, entries, [Uint32Array.of(0, 0, 1)])).toBeNull();
  });
});

test('nothing to solve', async () => {
  expect(await solve(7, 0, [], [new Uint32Array(0)])).toEqual([new Uint32Array(0)]);
  expect(
    await solve(
      7,
      2,
      [
        [0, 0, 1],
        [1, 1, 1],
      ],
      [],
    ),
  ).toEqual([]);
});
