/** The library's `plan`: rates that are given, and the options that they and sizes leave no use for. */
import { beforeAll, expect, test } from 'vitest';
import { type MachineRates, OptionError, plan } from 'wiedemann';

const SIZES = { rows: 300, cols: 200, nnz: 3000 };

let rates: MachineRates;
beforeAll(async () => {
  ({ rates } = await plan(SIZES, { mod: 65521, threads: 1, budget: 0.1 }));
});

test('rates that are given are those of the plan', async () => {
  expect((await plan(SIZES, { mod: 65521, rates })).rates).toEqual(rates);
});

test('rates leave no use for a budget, and sizes none for a memory', async () => {
  await expect(plan(SIZES, { mod: 65521, rates, budget: 5 })).rejects.toThrow(
    new OptionError('budget: expected rates that are measured here, got rates'),
  );
  await expect(plan(SIZES, { mod: 65521, rates, maxMemory: 2 ** 30 })).rejects.toThrow(
    new OptionError('maxMemory: expected a matrix, sizes take none'),
  );
});
