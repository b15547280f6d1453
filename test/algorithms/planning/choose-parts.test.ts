/** Parts are doubled as long as that takes a third of the run. */
import { expect, test } from 'vitest';
import { chooseParts } from '../../../algorithms/planning/choose-parts.js';
import type { DevicePlan } from '../../../algorithms/planning/device-plan.js';

const plansOf = (...totals: number[]): DevicePlan[] =>
  totals.map((total, i) => ({ devices: 2 ** i, seconds: { total } }) as DevicePlan);

test.each([
  [[90], 1, null],
  [[90, 61], 1, 2],
  [[90, 60, 40, 30], 4, 8],
  [[90, 60, 40], 4, null],
  [[90, 80, 1], 1, 2], // the first that does not pay ends it
])('%j', (totals, parts, next) => {
  const { plan, more } = chooseParts(plansOf(...totals));
  expect([plan.devices, more?.devices ?? null]).toEqual([parts, next]);
});
