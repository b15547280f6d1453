/** Check vectors that a run has kept: it goes on without products for them on any device; wrong ones fit nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CheckKeeper } from '../../../algorithms/block-wiedemann/kept-check-vectors.js';
import { SequenceKeeper } from '../../../algorithms/block-wiedemann/kept-sequence.js';
import { freeSides, type SequenceTask, startSequence } from '../../../algorithms/block-wiedemann/krylov-columns.js';
import { blockWiedemannRank, tallOperator } from '../../../algorithms/block-wiedemann/rank.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { bytesOf, wordsOf } from '../../../algorithms/checkpoint/words.js';
import { minpoly } from '../../../algorithms/minpoly.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor, Operator } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { deficientMatrix } from './deficient-matrix.js';
import { momentsOf } from './erring-executor.js';
import { DAMAGES, MemoryStore } from './memory-store.js';
import { BLOCK, go, partsFor } from './staged-runs.js';

type Device = 'reference' | 'one thread' | 'two threads' | 'gpu';

const teams: Team[] = [];
beforeAll(async () => {
  for (const threads of [1, 2]) teams.push(await Team.create(threads));
});
afterAll(async () => {
  for (const team of teams) await team.dispose();
});

const [SIZE, RANK] = [110, 83];
const PRIMES = [2, 7, 65521, 2147483629];

function teamOf(device: Device): Team | undefined {
  return { reference: undefined, 'one thread': teams[0], 'two threads': teams[1], gpu: teams[0] }[device];
}

async function executorOn(device: Device, p: number): Promise<Executor> {
  const [field, team] = [WordPrime.of(p), teamOf(device)];
  if (device === 'gpu') return new GpuExecutor(field, await testGpu());
  return team ? new CpuExecutor(field, team) : new ReferenceExecutor(field);
}

function checkpointIn(store: MemoryStore, remarks: string[] = [], stops = async () => false): Checkpoint {
  return new Checkpoint(store, 'run', { interval: 0, stops, remark: (line) => void remarks.push(line) });
}

/** A matrix whose products with the transpose are counted. */
async function counted(executor: Executor, p: number) {
  const inner = await executor.operator(deficientMatrix(SIZE, RANK, p));
  const count = { transposed: 0 };
  const operator: Operator = {
    rows: SIZE,
    cols: SIZE,
    apply: (...all) => inner.apply(...all),
    applyTransposed: (...all) => {
      count.transposed++;
      return inner.applyTransposed(...all);
    },
  };
  return { operator: tallOperator(operator), count };
}

const task = (s: number): SequenceTask => ({
  ...{
    preconditioner: 'hash',
    shape: { m: 4, n: 2, s, shift: 1 },
    seed: 5n,
    length: 100,
    moments: 1000,
    checked: true,
  },
});

/** Products with the transpose until a sequence begins, its first blocks, and what was remarked. */
async function begun(store: MemoryStore, p: number, device: Device, s = 3) {
  const executor = await executorOn(device, p);
  const remarks: string[] = [];
  try {
    const { operator, count } = await counted(executor, p);
    const keeper = new SequenceKeeper(checkpointIn(store, remarks), 'attempt-1');
    const working = new WorkingField(executor, 'block');
    const { krylov, ...sides } = await startSequence(executor, operator, working, task(s), keeper);
    const { transposed } = count;
    await krylov.extend(
      5,
      5,
      () => {},
      () => {},
    );
    const { failed, interval } = krylov.check!;
    const blocks = [krylov.s.copy(0, 5), krylov.t.copy(0, Math.min(5, krylov.t.count))];
    krylov.free();
    freeSides(sides);
    return { transposed, interval, failed, blocks, remarks };
  } finally {
    executor.dispose();
  }
}

function namesOf({ arrays }: MemoryStore): string[] {
  return [...arrays.keys()].filter((name) => name.includes('-check-'));
}

/** What stands behind the head of the one array of check vectors. */
async function keptIn(store: MemoryStore) {
  const [name, ...others] = namesOf(store);
  expect(others).toEqual([]);
  const { fields, bytes } = (await checkpointIn(store).recall(name!))!;
  return { name: name!, fields, words: wordsOf(bytes) };
}

describe.each(PRIMES)('mod %i', (p) => {
  test.each([0, 3])('with %i dense rows a sequence goes on without products for them', async (s) => {
    const store = new MemoryStore();
    const ofY = s === 0 ? 0 : 1; // Y = W·A is made each time
    const first = await begun(store, p, 'reference', s);
    expect(first.transposed).toBe(first.interval + ofY);
    expect(first).toMatchObject({ failed: 0, remarks: [] });
    const kept = await keptIn(store);
    for (const device of ['reference', 'one thread', 'two threads'] as const) {
      expect(await begun(store, p, device, s), device).toEqual({ ...first, transposed: ofY });
    }
    expect(await keptIn(store)).toEqual(kept);
  });

  test.skipIf(gpuMissing)(
    'a GPU has intervals of its own, and neither device takes those of the other away',
    async () => {
      const store = new MemoryStore();
      const threads = await begun(store, p, 'two threads');
      const gpu = await begun(store, p, 'gpu');
      expect(gpu.interval).not.toBe(threads.interval);
      expect(gpu.transposed).toBe(gpu.interval + 1);
      expect(namesOf(store).length).toBe(2);
      for (const device of ['gpu', 'reference', 'gpu'] as const) {
        expect(await begun(store, p, device)).toMatchObject({ transposed: 1, failed: 0, blocks: threads.blocks });
      }
    },
  );

  test('a bit that was wrong before the seal: no interval fits, and they are made again and kept', async () => {
    const store = new MemoryStore();
    const { interval, ...first } = await begun(store, p, 'one thread');
    const { name, fields, words } = await keptIn(store);
    const draw = new CounterRandom(6n, 0);
    for (let i = 0; i < momentsOf(12); i++) {
      const changed = words.slice();
      const at = draw.residueAt(2 * i, words.length);
      changed[at]! ^= 1;
      if (changed[at]! >= new WorkingField(new ReferenceExecutor(WordPrime.of(p)), 'block').q) changed[at]! -= 2;
      await checkpointIn(store).keep(name, fields, bytesOf(changed));
      for (const each of store.arrays.keys()) if (each !== name) store.arrays.delete(each);
      const again = await begun(store, p, 'one thread');
      expect(again, `${at}`).toEqual({ ...first, interval, failed: 1, transposed: 1 });
      expect((await keptIn(store)).words).toEqual(words);
    }
  });
});

test.each(Object.keys(DAMAGES))('where they are %s they are made again', async (damage) => {
  const store = new MemoryStore();
  const first = await begun(store, 65521, 'reference');
  const { name, words } = await keptIn(store);
  DAMAGES[damage]!(store, name);
  const remarks = damage === 'removed' ? [] : [`${name} is damaged, or of another run or name`];
  expect(await begun(store, 65521, 'reference')).toEqual({ ...first, remarks });
  expect((await keptIn(store)).words).toEqual(words);
});

test('those of another seed, of other sizes, or with words that are no codes are made again', async () => {
  const store = new MemoryStore();
  const first = await begun(store, 65521, 'reference');
  const { name, fields, words } = await keptIn(store);
  const noCode = words.slice();
  noCode[7] = 65521;
  for (const [own, kept] of [
    [{ ...fields, of: 'another' }, words],
    [fields, words.subarray(4)],
    [fields, noCode],
  ] as const) {
    await checkpointIn(store).keep(name, own, bytesOf(kept));
    const remarks = [`${name} is not of this sequence, and is made again`];
    expect(await begun(store, 65521, 'reference')).toEqual({ ...first, remarks });
    expect((await keptIn(store)).words).toEqual(words);
  }
});

test('where others are made in less time than writing them takes nothing is kept, nor what was wrong', async () => {
  const store = new MemoryStore();
  const keeper = new CheckKeeper(checkpointIn(store), 'a');
  const kind = { seed: 1n, interval: 5, width: 4, rows: 8, shift: 0, read: 'S', q: 7 };
  const d = new Uint32Array(4 * 10);
  await keeper.keep(kind, { d, seconds: 1 });
  expect((await keeper.recall(kind, 10))?.d).toEqual(d);
  await keeper.keep(kind, { d, seconds: 0 });
  expect(store.arrays.size).toBe(0);
});

test('a part of a run goes on with its own', async () => {
  const p = 65521;
  const store = new MemoryStore();
  const parts = { ...partsFor(p, SIZE), count: 3 };
  for (let turns = 0; (await go(teams[0]!, store, p, { stage: 1, most: 1, slow: turns % 2 === 1, parts })) === null; ) {
    turns++;
    expect(turns).toBeLessThan(200);
  }
  expect(namesOf(store)).toEqual([expect.stringMatching(/^attempt-1-part-0001-check-\d{9}$/)]);
  const kept = await keptIn(store);
  for (const each of store.arrays.keys()) if (each !== kept.name) store.arrays.delete(each);
  expect(await go(teams[0]!, store, p, { stage: 1, parts })).not.toBeNull();
  // Also the time that making them took: they were recalled.
  expect(await keptIn(store)).toEqual(kept);
});

describe.each(PRIMES)('answers mod %i', (p) => {
  /** The answer of a kept run on a device, null where it ends after `most` steps. */
  async function answer(store: MemoryStore, what: 'rank' | 'minpoly', device: Device, most = Infinity) {
    const executor = await executorOn(device, p);
    const team = teamOf(device);
    let steps = 0;
    const checkpoint = checkpointIn(store, [], async () => steps >= most);
    const onProgress = ({ phase }: { phase: string }): void => {
      if (phase === 'sequence') steps++;
    };
    const engines = orderBasisEngines(executor, team);
    const context = { ...engines, executor, team, seed: 9n, check: () => {}, checkpoint, onProgress };
    try {
      const operator = await executor.operator(deficientMatrix(SIZE, RANK, p));
      if (what === 'minpoly') {
        const { coefficients, degree, errorLog2 } = await minpoly(context, operator, {});
        return { coefficients, degree, errorLog2 };
      }
      const { rank, lowerBound, upperBound } = await blockWiedemannRank(context, tallOperator(operator), {
        block: BLOCK,
      });
      return { rank, lowerBound, upperBound };
    } catch (error) {
      if (error instanceof StoppedError) return null;
      throw error;
    } finally {
      executor.dispose();
    }
  }

  test.each(['rank', 'minpoly'] as const)('a %s is that of one run with every kept vector wrong', async (what) => {
    const whole = await answer(new MemoryStore(), what, 'one thread');
    if (what === 'rank') expect(whole).toEqual({ rank: RANK, lowerBound: RANK, upperBound: RANK });
    const store = new MemoryStore();
    expect(await answer(store, what, 'reference', 1)).toBeNull();
    const { name, fields, words } = await keptIn(store);
    const draw = new CounterRandom(7n, 0);
    for (let i = 0; i < momentsOf(6); i++) {
      const own = new MemoryStore();
      for (const [each, bytes] of store.arrays) own.arrays.set(each, bytes.slice());
      const changed = words.slice();
      changed[draw.residueAt(i, words.length)]! ^= 1;
      await checkpointIn(own).keep(name, fields, bytesOf(changed));
      expect(await answer(own, what, i % 2 === 0 ? 'two threads' : 'reference')).toEqual(whole);
    }
  });

  test.skipIf(gpuMissing)('a rank goes on from device to device', async () => {
    const whole = await answer(new MemoryStore(), 'rank', 'one thread');
    const store = new MemoryStore();
    for (const device of ['reference', 'gpu', 'two threads', 'gpu'] as const) {
      expect(await answer(store, 'rank', device, 1), device).toBeNull();
    }
    expect(await answer(store, 'rank', 'one thread')).toEqual(whole);
    expect(namesOf(store)).toEqual([]);
  });
});
