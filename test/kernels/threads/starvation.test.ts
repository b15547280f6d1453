/** How long a caller goes on alone after its threads have starved. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Starvation } from '../../../kernels/threads/starvation.js';

let starvation: Starvation;

/** How long the caller is to go alone from now on, in milliseconds. */
const rest = (): number => Math.max(0, starvation.until - performance.now());

/**
 * All threads work for so long, then lose so much, in commands of 0.1 ms; how long the caller is alone, which passes.
 */
const aloneAfter = (together: number, lost: number): number => {
  vi.advanceTimersByTime(together + lost);
  starvation.lose(lost, 0.1);
  const length = rest();
  vi.advanceTimersByTime(length);
  return length;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 });
  starvation = new Starvation();
});
afterEach(() => vi.useRealTimers());

test('nobody is alone before something was lost', () => {
  expect(starvation.until).toBe(0);
});

test('for as long as was lost, and for twice as long when it happens again at once, up to 64 ms', () => {
  const lengths = [100, 1, 1, 1, 1, 1, 1].map((together) => aloneAfter(together, 4));
  expect(lengths).toEqual([4, 8, 16, 32, 64, 64, 64]);
});

test('for as long as was lost where that is more than twice as long as the last time', () => {
  expect([aloneAfter(100, 2), aloneAfter(1, 40), aloneAfter(1, 100)]).toEqual([2, 40, 64]);
});

test('it happens again when all have worked for less than was lost and spent alone', () => {
  expect([aloneAfter(100, 4), aloneAfter(7, 4), aloneAfter(11, 4), aloneAfter(20, 4)]).toEqual([4, 8, 16, 4]);
  expect([aloneAfter(8, 4), aloneAfter(7.9, 4)]).toEqual([4, 8]);
});

test('work that lasts longer than what was lost is not done alone', () => {
  vi.advanceTimersByTime(100);
  starvation.lose(3, 3.1);
  expect(rest()).toBe(0);
  starvation.lose(3, 3);
  expect(rest()).toBe(3);
});
