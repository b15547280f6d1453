import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GoingAlone } from '../../../kernels/threads/starvation.js';

/** How long the caller is to go alone from now on, in milliseconds. */
function rest(going: GoingAlone): number {
  return Math.max(0, going.until - performance.now());
}

let going: GoingAlone;
let steps: object;
const together = (took: number, commands: number, starved: boolean): void => {
  going.repeated({ of: steps, alone: false, took, commands, starved });
};
const alone = (took: number, commands: number): void => {
  going.repeated({ of: steps, alone: true, took, commands, starved: false });
};
/** For as long as was asked for, at 0.1 ms a command. */
const goAlone = (): void => {
  vi.advanceTimersByTime(rest(going) + 1);
  alone(2, 20);
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  going = new GoingAlone(2);
  steps = {};
});
afterEach(() => vi.useRealTimers());

test('steps that have starved go on as was faster lately', () => {
  together(10, 200, false);
  expect(rest(going)).toBe(0);
  // Not known yet what one thread takes: it is tried, shortly.
  together(4, 10, true);
  const trial = rest(going);
  expect(trial).toBeGreaterThan(0);
  // One takes 0.1 ms a command; all, in spite of a lost tick, 0.07.
  goAlone();
  together(14, 200, true);
  expect(rest(going)).toBe(0);
  // All take 0.4: one goes on, and for longer each time.
  let last = 0;
  for (let i = 0; i < 3; i++) {
    together(40, 100, true);
    expect(rest(going)).toBeGreaterThan(last);
    last = rest(going);
    goAlone();
  }
  // What was long ago is forgotten: now all take 0.05.
  for (let i = 0; i < 20; i++) together(20, 400, false);
  together(5, 50, true);
  expect(rest(going)).toBe(0);
  for (let i = 0; i < 30; i++) {
    together(40, 10, true);
    expect(rest(going)).toBeLessThanOrEqual(64);
    goAlone();
  }
  // Of other steps nothing is known.
  steps = {};
  together(14, 200, true);
  expect(rest(going)).toBe(trial);
});

test('a trial in which the caller was kept from its core is made again', () => {
  together(4, 10, true);
  alone(9, 18); // 0.5 ms a command, where 0.1 would do
  let times = 0;
  for (let i = 0; i < 100; i++) {
    vi.advanceTimersByTime(50);
    together(4, 10, true); // 0.4
    if (rest(going) > 0) {
      times++;
      goAlone();
    }
  }
  expect(times).toBeGreaterThan(20);
});
