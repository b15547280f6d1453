/** Successive halving under a clock of its own. */
import { expect, test } from 'vitest';
import { halve } from '../../../algorithms/tuning/halving.js';

/** Candidate c takes c seconds, every third time a tenth more: noise. */
function race(end: number) {
  let [time, count] = [0, 0];
  const measured: number[] = [];
  const measure = (c: number): number => {
    const seconds = c * (++count % 3 === 0 ? 1.1 : 1);
    time += seconds;
    measured.push(c);
    return seconds;
  };
  return { measured, options: { measure, now: () => time, end } };
}

test('the fastest candidate is first, and later rounds measure half as many twice as often', async () => {
  const { measured, options } = race(Number.POSITIVE_INFINITY);
  const found = await halve([5, 3, 8, 1, 7, 2, 6, 4], options);
  expect(found[0]).toMatchObject({ candidate: 1, seconds: 1 });
  expect(found.map(({ candidate }) => candidate).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const repeats = Object.fromEntries(found.map((line) => [line.candidate, line.repeats]));
  expect(repeats).toMatchObject({ 1: 15, 2: 7, 3: 3, 8: 1 });
  expect(measured.slice(8, 16)).toEqual([...measured.slice(8, 12), ...measured.slice(8, 12)]); // they take turns
});

test('the end of the budget ends the search; what was not measured comes last', async () => {
  const { measured, options } = race(4);
  const found = await halve([3, 2, 9, 1], options);
  expect(measured).toEqual([3, 2]);
  expect(found.map(({ candidate, seconds }) => [candidate, seconds])).toEqual([
    [2, 2],
    [3, 3],
    [9, Number.POSITIVE_INFINITY],
    [1, Number.POSITIVE_INFINITY],
  ]);
});
