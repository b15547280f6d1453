/** How long a run goes on before it is kept again. */
import { afterEach, expect, test, vi } from 'vitest';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
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
