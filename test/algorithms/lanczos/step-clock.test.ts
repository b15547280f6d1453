import { expect, test, vi } from 'vitest';
import { StepClock } from '../../../algorithms/lanczos/step-clock.js';

const SIZES = { rows: 3, cols: 5, nnz: 7, entryBytes: 6, wideBytes: 16, narrowBytes: 2 };

/** Steps whose device is a list of what it has been told and not yet done; `turns` of a loop make it take time. */
async function walk(steps: number, turns = 0) {
  const [told, done]: [string[], string[]] = [[], []];
  let settled = 0;
  const clock = new StepClock(() => {
    settled++;
    done.push(...told.splice(0));
  });
  const work = (kernel: string): number => {
    let sum = 0;
    for (let turn = 0; turn < turns; turn++) sum += Math.sqrt(turn);
    return sum < 0 ? 0 : told.push(kernel);
  };
  for (let step = 0; step < steps; step++) {
    await clock.begin(() => work('copy'));
    expect(await clock.time('product', () => work('product') && step)).toBe(step);
    await clock.time('update', async () => work('update'), 3);
  }
  return { told, done, settled, lines: clock.lines(SIZES) };
}

test('the device is waited for around each kernel of the first steps, and not behind them', async () => {
  const { told, done, settled } = await walk(20);
  expect(done).toEqual(Array.from({ length: 16 }, () => ['copy', 'product', 'update']).flat());
  // Two around each, and two in a row that say what one takes.
  expect(settled).toBe(16 * (3 * 2 + 2));
  expect(told).toEqual(Array.from({ length: 4 }, () => ['product', 'update']).flat());
});

test('kernels that were called have a line each', async () => {
  const { told, lines } = await walk(2, 1e5);
  expect(told).toEqual([]);
  expect(lines.map((line) => line.replace(/ [\d.e+-]+/g, ' 0'))).toEqual([
    'lanczos: a copy of V moves 0 GB/s',
    "lanczos: product 0 ms, 0 GB/s, 0 % of the copy's",
    "lanczos: update 0 ms, 0 GB/s, 0 % of the copy's",
  ]);
  expect((await walk(0)).lines).toEqual([]);
});

test('what a wait takes counts for no kernel, that of results that are read neither', async () => {
  let now = 0;
  let told = 0; // milliseconds of work that the device has not done
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const wait = (): void => {
      now += told + 3;
      told = 0;
    };
    const tell = (ms: number) => (): void => {
      told += ms;
    };
    const clock = new StepClock(wait);
    await clock.begin(tell(1));
    await clock.time('product', tell(20));
    await clock.time('dots', async () => {
      tell(10)();
      wait();
    });
    await clock.time('update', tell(24), 3);
    const times = clock.lines(SIZES).map((line) => / ([a-z]+ [\d.]+) ms/.exec(line)?.[1]);
    expect(times).toEqual([undefined, 'product 20.0', 'dots 10.0', 'update 8.00']);
  } finally {
    spy.mockRestore();
  }
});
