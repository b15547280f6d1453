/**
 * A sequence on a device with a queue of its own is kept while it makes steps: what is kept is that of one moment, its
 * arrays come one after another, and the run hears of what fails.
 */
import { describe, expect, test } from 'vitest';
import { SequenceKeeper } from '../../../algorithms/block-wiedemann/kept-sequence.js';
import { freeSides, startSequence } from '../../../algorithms/block-wiedemann/krylov-columns.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { deficientMatrix } from './deficient-matrix.js';
import { MemoryStore } from './memory-store.js';

const [P, SIZE, M, N, COUNT] = [65521, 90, 4, 2, 60];

/** Passes for a device with a queue. */
class QueuedReference extends ReferenceExecutor {
  override readonly name = 'gpu' as 'reference';
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Check vectors, which are kept before there are steps. */
const isBefore = (name: string): boolean => name.includes('-check-');

/** Each array takes some turns of the loop to be written, or until steps are made; a copy of the store behind each. */
class SlowStore extends MemoryStore {
  readonly events: { readonly name: string; readonly from: number; readonly to: number }[] = [];
  readonly copies: Map<string, Uint8Array>[] = [];
  steps = 0;
  turns = 30;
  fails: string | null = null; // a part of a name
  failsFrom = 0; // steps
  private isBusy = false;

  override write = async (name: string, bytes: Uint8Array): Promise<void> => {
    expect(this.isBusy, `${name} beside another array`).toBe(false);
    if (isBefore(name)) return void this.arrays.set(name, bytes.slice());
    this.isBusy = true;
    const from = this.steps;
    for (let turns = 0; turns < this.turns && this.steps < COUNT; turns++) {
      await turn();
      if (this.steps > from) break;
    }
    this.isBusy = false;
    if (this.fails !== null && name.includes(this.fails) && from >= this.failsFrom)
      throw new Error(`no room for ${name}`);
    this.arrays.set(name, bytes.slice());
    this.events.push({ name, from, to: this.steps });
    this.copies.push(new Map(this.arrays));
  };
}

interface Made {
  readonly s: string; // blocks
  readonly first: number; // step that was new
  readonly error: unknown;
}

/** Writes nothing of steps before it is opened. */
class ClosedStore extends MemoryStore {
  open = (): void => {};
  private readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
  override write = async (name: string, bytes: Uint8Array): Promise<void> => {
    if (!isBefore(name)) await this.opened;
    this.arrays.set(name, bytes.slice());
  };
}

/** `count` blocks; the run is to stop after `most` steps. */
async function extended(
  executor: Executor,
  store: MemoryStore,
  checked: boolean,
  count = COUNT,
  most = Number.POSITIVE_INFINITY,
): Promise<Made> {
  let steps = 0;
  const stops = async (): Promise<boolean> => steps >= most;
  const checkpoint = new Checkpoint(store, 'run', { interval: 0, stops, remark: (line) => expect.fail(line) });
  const a = executor.operator(deficientMatrix(SIZE, SIZE - 10, P));
  const working = new WorkingField(executor, 'block');
  const shape = { m: M, n: N, s: 0, shift: 1 as const };
  const task = { preconditioner: 'hash' as const, shape, seed: 7n, length: COUNT, moments: 0, checked };
  const { krylov, ...sides } = await startSequence(executor, a, working, task, new SequenceKeeper(checkpoint, 'x'));
  const first = krylov.s.count;
  let error: unknown = null;
  const onStep = (done: number): void => {
    steps = done;
    if (store instanceof SlowStore) store.steps = done;
  };
  try {
    await krylov.extend(count, 0, () => {}, onStep);
    if (store instanceof ClosedStore) krylov.free(); // nothing of it is read behind this
    if (store instanceof ClosedStore) store.open();
    await checkpoint.settle();
  } catch (thrown) {
    error = thrown;
  }
  const s = Buffer.from(krylov.s.copy(0).buffer).toString('hex');
  krylov.free();
  freeSides(sides);
  return { s, first, error };
}

/** An executor whose batches take a turn of the loop, as those of a device do. */
function taking(executor: Executor): Executor {
  const readBlocks = executor.readBlocks.bind(executor);
  executor.readBlocks = async (...asked) => {
    const words = await readBlocks(...asked);
    await turn();
    return words;
  };
  return executor;
}

const EXECUTORS: Readonly<Record<string, () => Promise<Executor>>> = {
  'a queue': async () => taking(new QueuedReference(WordPrime.of(P))),
  'a GPU': async () => new GpuExecutor(WordPrime.of(P), await testGpu()),
};

describe.each(Object.keys(EXECUTORS))('%s', (name) => {
  const skipped = name === 'a GPU' && gpuMissing !== null;

  test.skipIf(skipped).each([true, false])('goes on from whatever was kept, checked %s', async (checked) => {
    const whole = await extended(new ReferenceExecutor(WordPrime.of(P)), new MemoryStore(), checked);
    const store = new SlowStore();
    store.turns = Number.POSITIVE_INFINITY;
    const made = await extended(await EXECUTORS[name]!(), store, checked);
    expect(made.error).toBeNull();
    expect(made.s.slice(0, whole.s.length)).toBe(whole.s.slice(0, made.s.length));
    // Steps were made while arrays were written, the vectors behind their blocks.
    expect(store.events.some(({ from, to }) => to > from)).toBe(true);
    const kinds = store.events.map((event) => event.name.replace(/\d/g, ''));
    expect(kinds).toEqual(kinds.map((_, i) => (i % 2 === 0 ? 'x-blocks--' : 'x-vectors-')));
    let furthest = 0;
    for (const arrays of store.copies) {
      const left = new MemoryStore();
      for (const [key, bytes] of arrays) left.arrays.set(key, bytes);
      const again = await extended(new ReferenceExecutor(WordPrime.of(P)), left, checked);
      expect(again.first).toBeGreaterThanOrEqual(furthest);
      furthest = again.first;
      expect(again.s.slice(0, whole.s.length)).toBe(whole.s.slice(0, again.s.length));
    }
    expect(furthest).toBeGreaterThan(0);
  });
});

test.each([
  ['blocks', 0],
  ['vectors', 0],
  ['blocks', COUNT],
] as const)('what fails to be written ends the run: %s from step %i on', async (what, step) => {
  const store = new SlowStore();
  [store.fails, store.failsFrom] = [what, step];
  const { error } = await extended(await EXECUTORS['a queue']!(), store, true);
  expect((error as Error).message).toMatch(new RegExp(`^no room for x-${what}-`));
});

test('a run that is to stop keeps all that it has made, behind what is being written', async () => {
  const store = new SlowStore();
  const stopped = await extended(await EXECUTORS['a queue']!(), store, true, COUNT, 20);
  expect(stopped.error).toBeInstanceOf(StoppedError);
  const again = await extended(new ReferenceExecutor(WordPrime.of(P)), store, true);
  expect(again.first).toBe(stopped.s.length / (2 * 4 * M * N));
  expect(again.s.startsWith(stopped.s)).toBe(true);
});

test('blocks are given while what is kept of them is still being written, and no device is read for it', async () => {
  const store = new ClosedStore();
  const made = await extended(await EXECUTORS['a queue']!(), store, true);
  expect(made.error).toBeNull();
  expect([...store.arrays.keys()].map((name) => name.replace(/\d/g, ''))).toEqual([
    'x-check-',
    'x-blocks--',
    'x-vectors-',
  ]);
  const again = await extended(new ReferenceExecutor(WordPrime.of(P)), store, true);
  expect(again.first).toBeGreaterThan(0);
  expect(again.s.startsWith(made.s)).toBe(true);
});
