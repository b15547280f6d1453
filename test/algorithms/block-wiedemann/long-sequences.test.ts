/** A rank checks itself unasked where its sequence is long. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blockWiedemannRank, tallOperator } from '../../../algorithms/block-wiedemann/rank.js';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { checksAttempt } from '../../../algorithms/block-wiedemann/self-checks.js';
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

test('of 8192 blocks or more, on one device', async () => {
  const context = { check: () => {}, onProgress: () => {} } as unknown as RunContext;
  expect([8191, 8192].map((blocks) => checksAttempt(context, blocks))).toEqual([false, true]);
  expect(checksAttempt({ ...context, selfChecks: true }, 1)).toBe(true);
  expect(checksAttempt({ ...context, sequenceDevices: [] }, 8192)).toBe(true);
  const devices = [{}] as unknown as RunContext['sequenceDevices'];
  expect(checksAttempt({ ...context, sequenceDevices: devices }, 8192)).toBe(false);
  expect(checksAttempt({ ...context, rowSplit: {} as RunContext['rowSplit'] }, 8192)).toBe(false);
});

test('a run of single columns', async () => {
  const size = 7000; // 8412 blocks at most
  const field = WordPrime.of(65521);
  const executor = new CpuExecutor(field, team);
  const hooks = { check: () => {}, onProgress: () => {} };
  const context = { ...orderBasisEngines(executor, team), executor, team, seed: 1n, ...hooks };
  try {
    const operator = tallOperator(executor.operator(deficientMatrix(size, size - 5, 65521)));
    const { checks, ...result } = await blockWiedemannRank(context, operator, { block: { m: 1, n: 1 } });
    expect(result).toMatchObject({ rank: size - 5, upperBound: size - 5, attempts: 1 });
    expect([checks.sequence > 20, checks.basis, checks.failed]).toEqual([true, 1, 0]);
  } finally {
    executor.dispose();
  }
});
