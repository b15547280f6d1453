/** Systems of matrices that fall apart, by block Wiedemann: equal eigenvalues of their parts are no obstacle. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { multiply } from '../../../algorithms/factor/products.js';
import { solveByVectors } from '../../../algorithms/schur/hybrid-solve.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { solve } from '../../../algorithms/solve.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { type ResidueMatrix, transpose } from '../../../kernels/sparse/residue-matrix.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { MemoryStore } from '../block-wiedemann/memory-store.js';
import type { Entry } from '../expected/matrices.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());

const N = 500;
const SEEDS = [1n, 2n, 3n, 4n, 5n];
type Draw = () => number; // of nonzero residues

const each = (size: number, entries: (i: number) => Entry[]): Entry[] =>
  Array.from({ length: N / size }, (_, part) => entries(part * size)).flat();

const MATRICES: Readonly<Record<string, (draw: Draw) => Entry[]>> = {
  'a diagonal': (draw) => each(1, (i) => [[i, i, draw()]]),
  'a multiple of the identity': () => each(1, (i) => [[i, i, 7]]),
  'neighbours that change places, times a diagonal': (draw) =>
    each(2, (i) => [
      [i, i + 1, draw()],
      [i + 1, i, draw()],
    ]),
  'equal blocks': () =>
    each(2, (i) => [
      [i, i, 2],
      [i, i + 1, 3],
      [i + 1, i, 5],
      [i + 1, i + 1, 11],
    ]),
  'short triangles': (draw) =>
    each(2, (i) => [
      [i, i, draw()],
      [i, i + 1, draw()],
      [i + 1, i + 1, draw()],
    ]),
};

/** The matrix of that seed with these rows left empty, and a right-hand side that has a solution. */
function systemOf(p: number, entries: (draw: Draw) => Entry[], seed: bigint, empty: readonly number[] = []) {
  const random = new CounterRandom(seed, 0);
  let drawn = 0;
  const triplets = entries(() => random.nonzeroAt(drawn++, p)).filter(([i]) => !empty.includes(i));
  const matrix = SparseMatrix.fromTriplets(N, N, triplets).residues(p);
  const x = random.fillResidues(new Uint32Array(N), p, drawn);
  return { matrix, x, b: multiply(WordPrime.of(p), matrix, x, 1) };
}

async function onContext<T>(p: number, seed: bigint, work: (context: RunContext) => Promise<T>): Promise<T> {
  const executor = new CpuExecutor(WordPrime.of(p), team);
  const { orderBasisEngine } = orderBasisEngines(executor, team);
  try {
    return await work({ executor, team, seed, check: () => {}, onProgress: () => {}, orderBasisEngine });
  } finally {
    executor.dispose();
  }
}

describe.each([1031, 4093])('mod %d', (p) => {
  test.each(Object.entries(MATRICES))('%s: X', async (_, entries) => {
    for (const seed of SEEDS) {
      const { matrix, x, b } = systemOf(p, entries, seed);
      const { solution } = await onContext(p, seed, (context) => solve(context, matrix, b, 1, { method: 'wiedemann' }));
      expect(solution, `seed ${seed}`).toEqual(x);
    }
  });

  test.each(Object.entries(MATRICES))('%s without one of its rows: nothing is claimed', async (_, entries) => {
    for (const seed of SEEDS) {
      const { matrix, b } = systemOf(p, entries, seed, [4]);
      const sides = [b, b.map((value, i) => (i === 4 ? 1 : value))]; // the second has no solution
      for (const side of sides) {
        const found = await onContext(p, seed, (context) => solve(context, matrix, side, 1, { method: 'wiedemann' }));
        expect(found, `seed ${seed}`).toMatchObject({ solution: null, inconsistent: null });
      }
    }
  });
});

test('a kept run that is ended again and again goes on through both attempts', async () => {
  const [p, seed] = [1031, 1n];
  const { matrix, x, b } = systemOf(p, MATRICES['a diagonal']!, seed);
  const [rows, cols, depths] = [0, 0, 1].map((length) => new Uint32Array(length));
  const pivoted = { a: matrix, at: transpose(matrix) as ResidueMatrix, pivots: { rows, cols, depths } };
  const store = new MemoryStore();
  const attempts = new Set<string>();
  let ended = 0;
  for (let solution: Uint32Array | null = null; solution === null; ) {
    let asked = 0;
    const checkpoint = new Checkpoint(store, 'run', {
      ...{ interval: 0, stops: async () => ++asked > 3 },
      remark: (line) => expect.fail(line),
    });
    try {
      solution = await onContext(p, seed, (context) => solveByVectors({ ...context, checkpoint }, pivoted, b, 1, 2));
      expect(solution).toEqual(x);
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
      ended++;
    }
    for (const name of store.arrays.keys()) if (name.startsWith('attempt-')) attempts.add(name.split('-')[1]!);
  }
  expect(ended).toBeGreaterThan(4);
  expect([...attempts].sort()).toEqual(['1', '2']);
});
