/** How long a run goes on before it is kept again, and when it says which phase has begun. */
import { afterEach, expect, test, vi } from 'vitest';
import { Checkpoint, PROGRESS } from '../../../algorithms/checkpoint/checkpoint.js';
import { MemoryStore } from '../block-wiedemann/memory-store.js';

afterEach(() => void vi.restoreAllMocks());

const SECONDS = 4; // that a checkpoint takes

/** Seconds behind such a checkpoint before the next one is due. */
async function pause(interval: number, isBeside: boolean): Promise<number> {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const stops = async (): Promise<boolean> => false;
  const checkpoint = new Checkpoint(new MemoryStore(), 'run', { interval, stops, remark: (line) => expect.fail(line) });
  const work = async (): Promise<void> => {
    now += 1000 * SECONDS;
  };
  await checkpoint.keepAll(work, isBeside);
  for (let seconds = 0; ; seconds++, now += 1000) if ((await checkpoint.due()) === 'keep') return seconds;
}

test.each([
  ['that the run waited for', 0, false, 50 * SECONDS],
  ['that the run waited for', 300, false, 300],
  ['that was written beside the run', 0, true, 0],
  ['that was written beside the run', 3, true, 3],
])('behind a checkpoint %s, with an interval of %i s', async (_, interval, isBeside, expected) => {
  expect(await pause(interval, isBeside)).toBe(expected);
});

test('a phase that begins is told at once, but for those that follow each other too soon for that', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const store = new MemoryStore();
  const write = store.write;
  store.write = async (name, bytes) => {
    now += 20; // which a disk takes
    await write(name, bytes);
  };
  const options = { interval: 60, stops: async () => false, remark: (line: string) => expect.fail(line) };
  const checkpoint = new Checkpoint(store, 'run', options);
  const told = async (): Promise<unknown> => (await checkpoint.recall(PROGRESS))?.fields['phase'];
  const seen: unknown[] = [];
  for (const [at, phase] of [
    [400, 'a'], // before half a second
    [600, 'b'],
    [1600, 'c'], // 50 times 20 ms behind the last one
    [1700, 'd'],
  ] as const) {
    now = at;
    await checkpoint.enter({ phase, attempt: 1, done: 0, total: 1 });
    seen.push(await told());
  }
  expect(seen).toEqual([undefined, 'b', 'b', 'd']);
  // What is being written says which phase it is; no second one writes meanwhile.
  now = 9000;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  checkpoint.begin(() => ended, true);
  await checkpoint.enter({ phase: 'e', attempt: 1, done: 0, total: 1 });
  expect(await told()).toBe('d');
  end();
  await checkpoint.settle();
  expect(await told()).toBe('e');
});

test('a phase that others interrupt keeps its rate, and another attempt has its own', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const options = { interval: 60, stops: async () => false, remark: (line: string) => expect.fail(line) };
  const checkpoint = new Checkpoint(new MemoryStore(), 'run', options);
  const rates: unknown[] = [];
  for (const [at, phase, attempt, done] of [
    [0, 'sequence', 1, 10],
    [4000, 'sequence', 1, 50], // 40 steps in 4 s
    [4000, 'sigmaBasis', 1, 0],
    [8000, 'sequence', 1, 90],
    [9000, 'sequence', 2, 5],
    [11000, 'sequence', 2, 11],
  ] as const) {
    now = at;
    checkpoint.note({ phase, attempt, done, total: 100 });
    await checkpoint.keepAll(async () => {});
    rates.push((await checkpoint.recall(PROGRESS))!.fields['rate']);
  }
  expect(rates).toEqual([0, 10, 0, 10, 0, 3]);
});
