/** A rank checks itself unless it is told not to: words that change in memory are met, also in a long sequence. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockWiedemannRank } from '../../../algorithms/block-wiedemann/rank.js';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { checksRank } from '../../../algorithms/block-wiedemann/self-checks.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { Team } from '../../../kernels/threads/team.js';
import { deficientMatrix } from './deficient-matrix.js';
import { type Flip, momentsOf } from './erring-executor.js';
import { ErringMemory, placesInMemory } from './erring-memory.js';

const P = 65521;
const hooks = { check: () => {}, onProgress: () => {} };

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

test('unless it is told not to, and where it is kept all the same', () => {
  const checkpoint = {} as RunContext['checkpoint'];
  expect([undefined, true, false].map((selfChecks) => checksRank({ selfChecks, checkpoint: undefined }))).toEqual([
    ...[true, true, false],
  ]);
  expect(checksRank({ selfChecks: false, checkpoint })).toBe(true);
});

describe('a run of single columns', () => {
  // 5136 blocks at most, at the lower rank a half of them.
  const SIZE = 4608;

  async function rankWith(rank: number, flip: Flip | null) {
    const memory = new ErringMemory(flip);
    const executor = memory.watch(new CpuExecutor(WordPrime.of(P), team), (own) => placesInMemory(team.memory, own));
    const orderBasisEngine = (field: BasisField) => memory.engine(executor, team, field);
    try {
      const context = { executor, team, seed: 2n, ...hooks, orderBasisEngine };
      const operator = await executor.operator(deficientMatrix(SIZE, rank, P));
      const result = await blockWiedemannRank(context, operator, { block: { m: 1, n: 1 } });
      return { result, counts: memory.counts };
    } finally {
      executor.dispose();
    }
  }

  test.each([SIZE - 5, SIZE / 2])('of rank %i checks itself', async (rank) => {
    const { result } = await rankWith(rank, null);
    expect(result).toMatchObject({ rank, upperBound: rank, attempts: 1, warnings: [] });
    const { sequence, basis, failed } = result.checks;
    expect([sequence > 20, basis, failed]).toEqual([true, 1, 0]);
  });

  test.each(['vectors', 'blocks', 'basis'] as const)('a bit of the %s', async (what) => {
    const rank = SIZE / 2;
    const { counts } = await rankWith(rank, null);
    const random = new CounterRandom(17n, 0);
    const moments = momentsOf(12);
    let met = 0;
    for (let i = 0; i < moments; i++) {
      const [at, word] = [random.residueAt(2 * i, counts[what]), random.residueAt(2 * i + 1, 2 ** 31)];
      const flip = { what, at, word };
      const { result } = await rankWith(rank, flip);
      expect(result, JSON.stringify(flip)).toMatchObject({ rank, lowerBound: rank, upperBound: rank });
      if (result.checks.failed > 0 || result.attempts > 1) met++;
    }
    // Most bases are those of checks.
    expect(met).toBeGreaterThan(what === 'basis' ? 0 : moments / 2);
  });
});
