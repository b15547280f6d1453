/** A rank checks itself unasked where its sequence is long. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockWiedemannRank, tallOperator } from '../../../algorithms/block-wiedemann/rank.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { Team } from '../../../kernels/threads/team.js';
import { deficientMatrix } from './deficient-matrix.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

test.each([
  [3600, true], // 4200 blocks at most
  [3400, false],
])('%i unknowns in single columns: %s', async (size, checksItself) => {
  const field = WordPrime.of(65521);
  const executor = new CpuExecutor(field, team);
  const hooks = { check: () => {}, onProgress: () => {} };
  const context = { ...orderBasisEngines(executor, team), executor, team, seed: 1n, ...hooks };
  try {
    const operator = tallOperator(executor.operator(deficientMatrix(size, size - 5, 65521)));
    const { checks, ...result } = await blockWiedemannRank(context, operator, { block: { m: 2, n: 1 } });
    expect(result).toMatchObject({ rank: size - 5, upperBound: size - 5, attempts: 1 });
    expect([checks.sequence > 20, checks.basis, checks.failed]).toEqual([checksItself, checksItself ? 1 : 0, 0]);
  } finally {
    executor.dispose();
  }
});
