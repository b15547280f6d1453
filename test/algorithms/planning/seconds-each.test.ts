/** What a step takes, by a clock of the test: of a device that compiles at first and is slow when it wakes. */
import { expect, test } from 'vitest';
import { secondsEach } from '../../../algorithms/planning/seconds-each.js';

const MOST = 4096;

interface Device {
  readonly step: number; // seconds of a step
  readonly call: number; // of a call beside its steps
  readonly first: number; // of the first call, and of the first with a second step
  readonly waking: number; // seconds of work in which it is five times slower
}

const GPU: Device = { step: 0.0011, call: 0.0007, first: 0.3, waking: 0.2 };
const QUICK: Device = { step: 0.00002, call: 0.001, first: 0.2, waking: 0.2 };
const THREADS: Device = { step: 0.02, call: 0.0001, first: 0.01, waking: 0 };
const SLOW: Device = { step: 40, call: 0.1, first: 0.5, waking: 0 };

const CASES: readonly (readonly [string, Device, number])[] = [
  ['a GPU', GPU, 0.6],
  ['a GPU in a smaller budget', GPU, 0.2],
  ['a GPU in less than it takes to wake', GPU, 0.15],
  ['a GPU whose calls take longer than its steps', QUICK, 0.6],
  ['threads', THREADS, 0.6],
  ['steps that take longer than the budget', SLOW, 0.6],
  ['steps that take a third of the budget', THREADS, 0.06],
  ['no budget', THREADS, 0],
];

test.each(CASES)('%s', async (_, device, budget) => {
  const made = { calls: 0, steps: 0, most: 0 };
  let [clock, busy] = [0, 0];
  const work = async (count: number): Promise<void> => {
    if (made.calls === 0) clock += device.first;
    if (made.most < 2 && count >= 2) clock += device.first;
    for (let i = 0; i < count; i++) {
      const seconds = busy < device.waking ? 5 * device.step : device.step;
      busy += seconds;
      clock += seconds;
    }
    clock += device.call;
    made.calls++;
    made.steps += count;
    made.most = Math.max(made.most, count);
  };
  const each = await secondsEach(work, budget, MOST, Math.max(0.02, device.waking), () => clock);
  expect(each / device.step).toBeCloseTo(1, 1);
  expect(made.most).toBeLessThanOrEqual(MOST);
  // What is compiled is not the budget's, nor is waking; of long steps there are two.
  const least = device.step > budget ? 2.1 * device.step : 4 * Math.max(device.step, device.waking / 40);
  expect(clock).toBeLessThan(2 * device.first + device.waking + 1.1 * budget + least + 12 * device.call);
});

test('waits in calls of one step make no step free', async () => {
  let clock = 0;
  const work = async (count: number): Promise<void> => {
    clock += 0.001 * count + (count === 1 ? 0.5 : 0);
  };
  expect(await secondsEach(work, 0.01, MOST, 1, () => clock)).toBeCloseTo(0.001, 6);
});
