/** Runs that are ended and go on: the same rank from the same seed, wherever they end and whatever is damaged. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { unseal } from '../../../algorithms/checkpoint/sealed.js';
import { type CheckpointStore, StoppedError } from '../../../algorithms/checkpoint/store.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { deficientMatrix } from './deficient-matrix.js';
import { DAMAGES, MemoryStore } from './memory-store.js';

const teams: Team[] = [];
beforeAll(async () => {
  for (const threads of [1, 2]) teams.push(await Team.create(threads));
});
afterAll(async () => {
  for (const team of teams) await team.dispose();
});

const SIZE = 150;
const RANK = 120;

/** The run on a number of threads, 0 of which are the reference executor; it ends after `most` batches of steps. */
async function ranked(
  store: CheckpointStore,
  p: number,
  threads: number | 'gpu',
  most = Infinity,
  remarks: string[] = [],
) {
  const field = WordPrime.of(p);
  const team = threads === 'gpu' ? teams[0] : teams[threads - 1];
  const here = () => (team ? new CpuExecutor(field, team) : new ReferenceExecutor(field));
  const executor = threads === 'gpu' ? new GpuExecutor(field, await testGpu()) : here();
  const steps: number[] = [];
  const stops = async (): Promise<boolean> => steps.length >= most;
  const remark = (line: string): void => void remarks.push(line);
  const checkpoint = new Checkpoint(store, 'run', { interval: 0, stops, remark });
  const context = { ...orderBasisEngines(executor, team), executor, team, seed: 5n, check: () => {}, checkpoint };
  const onProgress = ({ phase, done }: { phase: string; done: number }): void => {
    if (phase === 'sequence') steps.push(done);
  };
  try {
    const block = { m: 2, n: 1 };
    const { rank, upperBound, errorLog2 } = await rankOfMatrix(
      { ...context, onProgress },
      deficientMatrix(SIZE, RANK, p),
      { block },
    );
    return { ended: { rank, upperBound, errorLog2 }, steps };
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return { ended: null, steps };
  } finally {
    executor.dispose();
  }
}

/** S and T joined from the pieces of a store, in hexadecimal digits. */
function blocksOf(store: MemoryStore) {
  const names = [...store.arrays.keys()].filter((name) => name.startsWith('attempt-1-blocks-')).sort();
  const parts = names.map((name) => unseal(store.arrays.get(name)!)!);
  const cut = parts.map(({ fields, bytes }) => [bytes, 4 * (fields['split'] as number)] as const);
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  return {
    pieces: names.length,
    s: cut.map(([bytes, split]) => text(bytes.subarray(0, split))).join(''),
    t: cut.map(([bytes, split]) => text(bytes.subarray(split))).join(''),
  };
}

describe.each([2, 7, 65521, 2147483629])('mod %i', (p) => {
  test('a run that is ended again and again goes on, on other threads and on the reference executor', async () => {
    const whole = await ranked(new MemoryStore(), p, 1);
    expect(whole.ended).toMatchObject({ rank: RANK, upperBound: RANK });
    const store = new MemoryStore();
    let ended: object | null = null;
    let turns = 0;
    const seen: number[] = [];
    for (; ended === null && turns < 200; turns++) {
      const turn = await ranked(store, p, turns % 3, 1 + (turns % 9));
      seen.push(...turn.steps);
      ({ ended } = turn);
    }
    expect(turns).toBeGreaterThan(3);
    expect(ended).toEqual(whole.ended);
    // No step twice: each run began where the one before ended.
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
    // What is over answers at once.
    expect(await ranked(store, p, 1)).toEqual({ ended, steps: [] });
  });

  test.skipIf(gpuMissing)('a GPU and threads go on from each other', async () => {
    const { ended } = await ranked(new MemoryStore(), p, 1);
    const store = new MemoryStore();
    const turns = [await ranked(store, p, 'gpu', 1), await ranked(store, p, 2, 2), await ranked(store, p, 'gpu')];
    expect(turns.map((turn) => turn.ended)).toEqual([null, null, ended]);
    expect(turns[2]!.steps[0]).toBeGreaterThan(turns[1]!.steps.at(-1)!);
  });

  test('the sequence that is kept is that of one run', async () => {
    const [once, twice] = [new MemoryStore(), new MemoryStore()];
    for (const store of [once, twice]) store.remove = async () => {};
    await ranked(once, p, 2);
    for (let turns = 0; turns < 200 && (await ranked(twice, p, turns % 3, 2)).ended === null; ) turns++;
    const [expected, found] = [once, twice].map(blocksOf);
    expect(found!.pieces).toBeGreaterThan(1);
    expect(found!.s.length).toBeGreaterThan(100);
    const [s, t] = [Math.min(expected!.s.length, found!.s.length), Math.min(expected!.t.length, found!.t.length)];
    expect(found!.s.slice(0, s)).toBe(expected!.s.slice(0, s));
    expect(found!.t.slice(0, t)).toBe(expected!.t.slice(0, t));
  });
});

describe('every array damaged in turn', () => {
  test.each(Object.keys(DAMAGES))('%s', async (damage) => {
    const kept = new MemoryStore();
    // Where writing is slow there are fewer arrays.
    for (let turns = 0; turns < 20 && kept.arrays.size <= 4; turns++) await ranked(kept, 65521, 1, 8);
    const names = [...kept.arrays.keys()];
    expect(names.length).toBeGreaterThan(4);
    // Where finding it took long there is an order basis, or two: the one before is read where the last is damaged.
    const last = names
      .filter((name) => /-basis-\d+-\d+$/.test(name))
      .sort()
      .at(-1);
    const isSpare = (name: string): boolean => name.includes('-basis-') && !name.startsWith(last!);
    for (const name of names) {
      const store = new MemoryStore();
      for (const [each, bytes] of kept.arrays) store.arrays.set(each, bytes.slice());
      DAMAGES[damage]!(store, name);
      const remarks: string[] = [];
      const { ended } = await ranked(store, 65521, 2, Infinity, remarks);
      expect(ended, name).toMatchObject({ rank: RANK, upperBound: RANK });
      if (damage !== 'removed' && name !== 'progress.json' && !isSpare(name)) expect(remarks[0], name).toContain(name);
    }
  });
});

test('an array under the name of another one, or of another run, is not recalled', async () => {
  const store = new MemoryStore();
  const remarks: string[] = [];
  const remark = (line: string): void => void remarks.push(line);
  const of = (run: string) => new Checkpoint(store, run, { interval: 0, stops: async () => false, remark });
  await of('run').keep('attempt-2-blocks-000000000', { to: 1, split: 1 }, new Uint8Array(4));
  await store.write('attempt-1-blocks-000000000', (await store.read('attempt-2-blocks-000000000'))!);
  expect(await of('run').recall('attempt-2-blocks-000000000')).not.toBeNull();
  expect(remarks).toEqual([]);
  expect(await of('run').recall('attempt-1-blocks-000000000')).toBeNull();
  expect(await of('other').recall('attempt-2-blocks-000000000')).toBeNull();
  expect(remarks.length).toBe(2);
});
