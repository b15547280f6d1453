/** The steps of an interval of a sequence that is checked. */
import { expect, test } from 'vitest';
import { checkInterval } from '../../../algorithms/block-wiedemann/check-interval.js';

test.each([
  ['cpu', undefined, 100],
  ['gpu', undefined, 250],
  ['cpu', true, 25],
  ['gpu', true, 25],
] as const)('on %s, read at every product %s: %i at most, fewer in short runs', (name, isStreamed, most) => {
  const steps = [10, 100, 1_000, 10_000, 1_000_000].map((length) => checkInterval({ name }, { isStreamed }, length));
  expect(steps.at(-1)).toBe(most);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(steps[0]).toBeGreaterThanOrEqual(1);
  expect(steps[1]).toBeLessThan(most);
});
