/** When a run that is asked to end does: once it has kept something new, or has tried for a while. */
import { afterEach, expect, test, vi } from 'vitest';
import { Checkpoint, PROGRESS } from '../../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { MemoryStore } from '../block-wiedemann/memory-store.js';

afterEach(() => void vi.restoreAllMocks());

function begun(stops = true, progress?: string) {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const store = new MemoryStore();
  const options = { interval: 0, stops: async () => stops, remark: (line: string) => expect.fail(line), progress };
  const checkpoint = new Checkpoint(store, 'run', options);
  checkpoint.note({ phase: 'a', attempt: 1, done: 0, total: 9 });
  const wait = (seconds: number): void => {
    now += 1000 * seconds;
  };
  return { store, checkpoint, wait };
}

test.each([undefined, 'part-3-progress.json'])(
  'a run that is asked to end goes on until an array beside where it stands is kept',
  async (progress) => {
    const { store, checkpoint, wait } = begun(true, progress);
    await checkpoint.pass();
    expect([...store.arrays.keys()]).toEqual([progress ?? PROGRESS]);
    wait(4.9);
    await checkpoint.pass();
    await checkpoint.keep('attempt-1-piece', {});
    await expect(checkpoint.pass()).rejects.toBeInstanceOf(StoppedError);
  },
);

test('it ends where nothing is kept for long', async () => {
  const { checkpoint, wait } = begun();
  wait(100); // before it is asked
  await checkpoint.pass();
  wait(4.9);
  await checkpoint.pass();
  wait(0.2);
  await expect(checkpoint.pass()).rejects.toBeInstanceOf(StoppedError);
});

test('it goes on where nobody asks', async () => {
  const { checkpoint, wait } = begun(false);
  await checkpoint.keep('attempt-1-piece', {});
  wait(100);
  await checkpoint.pass();
});
