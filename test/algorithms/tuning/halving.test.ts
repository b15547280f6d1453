/** Successive halving, by a clock that measurements alone move. */
import { expect, test } from 'vitest';
import { halve } from '../../../algorithms/tuning/halving.js';

/** Halves candidates that take so many seconds each. */
function halveAll(candidates: readonly number[], end = 1e6) {
  let clock = 0;
  const measure = (seconds: number): number => {
    clock += seconds;
    return seconds;
  };
  return halve(candidates, { measure, now: () => clock, end });
}

test('the fastest comes first, measured most, and the rest by the round that they reached', async () => {
  const found = await halveAll([5, 2, 8, 1, 7, 3, 6, 4]);
  expect(found.map(({ candidate }) => candidate)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(found.map(({ repeats }) => repeats)).toEqual([15, 7, 3, 3, 1, 1, 1, 1]);
});

test('one alone is measured as often as the last of several', async () => {
  expect((await halveAll([1])).map(({ repeats }) => repeats)).toEqual([7]);
});

test('the end of the budget leaves the others without a time', async () => {
  const found = await halveAll([1, 1, 1], 2);
  expect(found.map(({ seconds }) => seconds)).toEqual([1, 1, Number.POSITIVE_INFINITY]);
});

test('a candidate that stays is in every round, and the last one is it and the best of the others', async () => {
  const found = await halve([9, 4, 3, 2], { measure: (c) => c, stays: (c) => c === 9, now: () => 0, end: 1 });
  expect(found.map(({ candidate, repeats }) => [candidate, repeats])).toEqual([
    [2, 7],
    [9, 7],
    [3, 3],
    [4, 1],
  ]);
});

test('a candidate counts by its times of the last round, not by a lucky one before', async () => {
  const times = [1, 5, 5, 5, 5, 5, 5];
  const [found] = await halve(['a'], { measure: () => times.shift()!, now: () => 0, end: 1 });
  expect(found).toEqual({ candidate: 'a', seconds: 5, repeats: 7 });
});
