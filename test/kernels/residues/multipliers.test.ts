/** Residues as multipliers: what the threads make of an array is what storage.ts says of each of its entries. */
import { expect, test } from 'vitest';
import { ExtensionField } from '../../../fields/extension.js';
import { magnitudeAfterReduction } from '../../../fields/quotients.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { type CpuContext, makeMultipliers } from '../../../kernels/blocks/cpu-context.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { extremes, filled, PRIMES } from '../executors/cases.js';

/** The values as multipliers. */
function made(context: CpuContext, values: Uint32Array): Uint32Array {
  const { memory } = context.team;
  const at = context.arena.upload(values);
  makeMultipliers(context, at, values.length);
  return memory.u32(at, values.length).slice();
}

test.each(PRIMES)('factors mod %i', async (p) => {
  const executor = await CpuExecutor.create(WordPrime.of(p));
  const { context } = executor as unknown as { context: CpuContext };
  for (const count of [1, 4, 1023]) {
    const values = extremes(count, p, count);
    const found = made(context, values);
    if (p > 2 ** 16) expect(found).toEqual(values.map((v) => context.residues.multiplier(v)));
    else {
      const bounds = [p - 1, 256 * (p - 1)].map((most) => magnitudeAfterReduction(p, most));
      values.forEach((v, i) => {
        [(found[i]! << 16) >> 16, found[i]! >> 16].forEach((half, h) => {
          expect(Math.abs(half)).toBeLessThanOrEqual(bounds[h]!);
          expect(Math.abs((half - 256 ** h * v) % p)).toBe(0);
        });
      });
    }
  }
  executor.dispose();
});

test('factors of codes of GF(2^8)', async () => {
  const executor = await CpuExecutor.create(WordPrime.of(2));
  const { context } = executor.over(new ExtensionField(2, 8)) as unknown as { context: CpuContext };
  const values = Uint32Array.from({ length: 255 }, (_, i) => i + 1);
  expect(made(context, values)).toEqual(values.map((v) => context.residues.multiplier(v)));
  executor.dispose();
});

test('nothing behind the last vector is touched', async () => {
  for (const p of [65521, 2147483629]) {
    const executor = await CpuExecutor.create(WordPrime.of(p));
    const { context } = executor as unknown as { context: CpuContext };
    const at = context.arena.upload(new Uint32Array(12).fill(5));
    makeMultipliers(context, at, 5);
    expect([...context.team.memory.u32(at, 12).subarray(8)]).toEqual([5, 5, 5, 5]);
    executor.dispose();
  }
});

/** Coordinates 0 … 8 in two block rows. */
const U = {
  rows: 2,
  layers: 1,
  bounds: Uint32Array.of(0, 4, 9),
  coefficients: Uint32Array.of(2, 3, 4, 5, 6, 7, 8, 9, 10),
};

test('a projection whose factors cannot be made leaves nothing taken', async () => {
  const executor = await CpuExecutor.create(WordPrime.of(65521));
  const [x, out] = [filled(executor, 9, 4, 1), executor.blocks(1, 2, 4)];
  const { context } = executor as unknown as { context: CpuContext };
  const { held } = context.arena as unknown as { held: Set<number> };
  const before = [...held];
  Object.assign(context.team, {
    launch: () => {
      throw new Error('lost');
    },
  });
  expect(() => executor.project(out, 0, U, x)).toThrow('lost');
  expect([...held]).toEqual(before);
  executor.dispose();
});
