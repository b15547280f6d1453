/** The dense end of elimination on a GPU: the ranks of the threads. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eliminationRank } from '../../../algorithms/elimination/rounds.js';
import type { GpuCosts } from '../../../algorithms/estimates.js';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import { gpuCosts } from '../../../algorithms/methods/gpu-costs.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { GpuDevice } from '../../../kernels/gpu/device.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { share } from '../../share.js';
import { planted } from './planted.js';

const PRIMES = [3, 65521, 2147483629];
const SIZES = [
  [250, 400],
  [700, 600],
] as const;
/** Planted matrices whose rest is dense. */
const WANTED = share([1, 2, 3, 4, 5, 6], 0, 2).length;

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

/** 12 entries a row; a tenth of the rows are sums of two others. */
function full(rows: number, cols: number, p: number): ResidueMatrix {
  const random = new CounterRandom(rows + p, 6);
  const entries = Array.from({ length: 12 * rows }, (_, k) => {
    const i = Math.floor(k / 12);
    const from = i % 10 === 9 ? i - 1 - (k % 2) : i;
    const at = 12 * from + (k % 12);
    return [i, random.residueAt(at, cols), 1 + random.residueAt(at + 10 ** 6, p - 1)] as const;
  });
  return SparseMatrix.fromTriplets(rows, cols, entries).residues(p);
}

describe.skipIf(gpuMissing)('a GPU that always takes dense rows', () => {
  let gpu: GpuCosts<GpuDevice>;
  beforeAll(async () => {
    gpu = { ...gpuCosts(await testGpu(), 1), reasonForThreads: () => null };
  });

  test.each(PRIMES)('gives the rank of the threads mod %i, and --explain names it', async (p) => {
    const F = WordPrime.of(p);
    for (const [rows, cols] of share(SIZES, PRIMES.indexOf(p), 2)) {
      const matrix = full(rows, cols, p);
      const expected = await eliminationRank(team, F, matrix, estimatesOver(F));
      const { rank, explanation } = await eliminationRank(team, F, matrix, estimatesOver(F), { gpu });
      expect(rank).toBe(expected.rank);
      expect(explanation.join()).toContain(`full, on ${gpu.gpu.name}`);
      expect(expected.explanation.at(-1)).toMatch(/^dense elimination of \d+ x \d+$/);
    }
  });

  test('on random sparse matrices with planted rank', async () => {
    let dense = 0;
    for (let k = 0; k < 400 && dense < WANTED; k++) {
      const { name, field, matrix } = planted(k);
      const expected = await eliminationRank(team, field, matrix, estimatesOver(field));
      if (field.p === 2 || !expected.explanation.some((line) => line.startsWith('dense'))) continue;
      expect((await eliminationRank(team, field, matrix, estimatesOver(field), { gpu })).rank, name).toBe(
        expected.rank,
      );
      dense++;
    }
    expect(dense).toBe(WANTED);
  });
});
