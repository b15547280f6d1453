/** Residues as factors: what the threads make of an array is what lanes.ts says of each of its entries. */
import { expect, test } from 'vitest';
import { ExtensionField } from '../../fields/extension.js';
import { reducedMagnitude } from '../../fields/reduction.js';
import { WordPrime } from '../../fields/word-prime.js';
import { CpuExecutor } from '../../kernels/cpu.js';
import { type CpuContext, makeFactors } from '../../kernels/cpu-operator.js';
import { extremes, PRIMES } from './cases.js';

/** The values as factors. */
function made(context: CpuContext, values: Uint32Array): Uint32Array {
  const { memory } = context.team;
  const at = context.holdings.upload(values);
  makeFactors(context, at, values.length);
  return memory.u32(at, values.length).slice();
}

test.each(PRIMES)('factors mod %i', async (p) => {
  const executor = await CpuExecutor.create(WordPrime.of(p));
  const { context } = executor as unknown as { context: CpuContext };
  for (const count of [1, 4, 1023]) {
    const values = extremes(count, p, count);
    const found = made(context, values);
    if (p > 2 ** 16) expect(found).toEqual(values.map((v) => context.lanes.factor(v)));
    else {
      const bounds = [p - 1, 256 * (p - 1)].map((most) => reducedMagnitude(p, most));
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
  expect(made(context, values)).toEqual(values.map((v) => context.lanes.factor(v)));
  executor.dispose();
});

test('nothing behind the last vector is touched', async () => {
  for (const p of [65521, 2147483629]) {
    const executor = await CpuExecutor.create(WordPrime.of(p));
    const { context } = executor as unknown as { context: CpuContext };
    const at = context.holdings.upload(new Uint32Array(12).fill(5));
    makeFactors(context, at, 5);
    expect([...context.team.memory.u32(at, 12).subarray(8)]).toEqual([5, 5, 5, 5]);
    executor.dispose();
  }
});
