/** The block shape of a kept rank, and its samples, are those of its first start, whatever the next would choose. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BlockShape } from '../../../algorithms/block-wiedemann/block-shape.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { type RankMethod, rankBy } from '../../../algorithms/rank.js';
import type { RankResult } from '../../../algorithms/rank-result.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { Team } from '../../../kernels/threads/team.js';
import { DAMAGES, MemoryStore } from '../block-wiedemann/memory-store.js';
import { residuesOf } from './context.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

const P = 65521;
const OTHER = { m: 8, n: 4 };
const USUAL = { m: 16, n: 8 };

/** By a start that would take that shape, ended after `most` looks at the sequence; the first block it made. */
async function ranked(
  store: MemoryStore,
  method: RankMethod,
  block?: BlockShape,
  most = Number.POSITIVE_INFINITY,
  maxBytes?: number,
) {
  const executor = new CpuExecutor(WordPrime.of(P), team);
  const made: number[] = [];
  const stops = async (): Promise<boolean> => made.length >= most;
  const checkpoint = new Checkpoint(store, 'run', { interval: 0, stops, remark: () => {} });
  const onProgress = ({ phase, done }: { phase: string; done: number }): void => {
    if (phase === 'sequence') made.push(done);
  };
  const context = {
    ...{ ...orderBasisEngines(executor, team), executor, team, seed: 5n, check: () => {}, checkpoint, onProgress },
    tunedBlock: async () => block,
  };
  // A shape is measured for the matrix itself.
  const options = method === 'hybrid' ? { block, maxBytes } : { maxBytes };
  try {
    const answer = await rankBy(method, context, residuesOf(generate('ex', [2]), P), options);
    return { answer: answer as RankResult | null, first: made[0]! };
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return { answer: null, first: made[0]! };
  } finally {
    executor.dispose();
  }
}

test.each(['wiedemann', 'hybrid'] as const)(
  '%s: the next start goes on with the blocks of the first',
  async (method) => {
    const store = new MemoryStore();
    const begun = await ranked(store, method, OTHER, 4);
    expect(begun.answer).toBeNull();
    const { answer, first } = await ranked(store, method);
    expect(first).toBeGreaterThan(begun.first);
    expect(answer).toMatchObject({ rank: 553, lowerBound: 553, upperBound: 553, block: OTHER });
  },
);

test.each(['wiedemann', 'hybrid'] as const)(
  '%s: a shape that is lost is chosen again, and so is the sequence',
  async (method) => {
    const store = new MemoryStore();
    await ranked(store, method, OTHER, 4);
    for (const name of ['way.json', 'way-copy.json']) DAMAGES['removed']!(store, name);
    const { answer, first } = await ranked(store, method);
    expect(first).toBe((await ranked(new MemoryStore(), method)).first);
    expect(answer).toMatchObject({ rank: 553, upperBound: 553, block: USUAL });
  },
);

test.each(['wiedemann', 'hybrid'] as const)(
  '%s: what there is no room for is refused, and nothing is lost',
  async (method) => {
    const store = new MemoryStore();
    await ranked(store, method, OTHER, 4);
    const before = new Map(store.arrays);
    const refused = ranked(store, method, undefined, Number.POSITIVE_INFINITY, 2e5);
    await expect(refused).rejects.toThrow(new RegExp(`^method ${method}: .* takes about .* MB, allowed are 0\\.2$`));
    expect(store.arrays).toEqual(before);
    const { answer } = await ranked(store, method);
    expect(answer).toMatchObject({ rank: 553, upperBound: 553, block: OTHER });
  },
);

test.each([0, 1])('samples that %i pivots taken elsewhere had are no bound of the rank', async (more) => {
  const store = new MemoryStore();
  await ranked(store, 'hybrid', OTHER, 4);
  const checkpoint = new Checkpoint(store, 'run', { interval: 0, stops: async () => false, remark: () => {} });
  for (const name of ['way.json', 'way-copy.json']) {
    const { fields } = (await checkpoint.recall(name))!;
    const choices = [...(fields['choices'] as (string | number)[])];
    const taken = choices.pop() as number;
    choices[4] = 554 - (choices[5] as number) - taken;
    await checkpoint.keep(name, { ...fields, choices: [...choices, taken + more] });
  }
  // What the run itself has kept is believed.
  expect((await ranked(store, 'hybrid')).answer?.rank).toBe(more === 0 ? 554 : 553);
});
