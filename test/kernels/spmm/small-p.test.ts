/** Sums mod small p in 16 bits, at exactly the bound and one beyond it, against the reference executor. */
import { expect, test } from 'vitest';
import { i16SumTerms } from '../../../fields/reduction.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

async function same(p: number, work: (executor: Executor) => Promise<Uint32Array>): Promise<void> {
  const field = WordPrime.of(p);
  const cpu = await CpuExecutor.create(field);
  expect(await work(cpu)).toEqual(await work(new ReferenceExecutor(field)));
  cpu.dispose();
}

test('rows just short enough for sums of 16 bits, and one entry longer', async () => {
  for (const p of [2, 3, 5, 7, 31, 101, 181, 251, 2039, 32749]) {
    for (const [value, factor] of [
      [1, 1],
      [-1, 1],
      [p >> 1, Math.max(1, p >> 1)],
      [-(p >> 1), Math.max(1, p >> 1)],
    ]) {
      const most = i16SumTerms(p, factor);
      for (const length of [most, most + 1]) {
        const entries = Array.from({ length }, (_, j): [number, number, number] => [0, j, value]);
        const matrix = SparseMatrix.fromTriplets(1, length + 1, entries).residues(p);
        for (const width of [5, 24]) {
          await same(p, async (executor) => {
            const a = executor.operator(matrix, { use: 'apply' });
            const [x, y] = [executor.vector(length + 1, width), executor.vector(1, width)];
            executor.write(
              x,
              new Uint32Array((length + 1) * width).map((_, i) => (i % width === 0 ? i % p : p - 1)),
            );
            await a.apply(y, x, 1, 1);
            await a.apply(y, x, p - 1, p >> 1);
            return executor.read(y);
          });
        }
      }
    }
  }
});

test('sums of 16 bits over the coordinates of a task, as large as they can be', async () => {
  for (const p of [3, 7, 11, 13 /* a task of 512 is too long */, 31]) {
    await same(p, async (executor) => {
      const [x, z] = [executor.vector(700, 9), executor.vector(700, 10)];
      executor.fill(x, p >> 1);
      executor.fill(z, p - 1);
      const out = executor.blocks(2, 9, 10);
      executor.blockDot(out, 0, x, z);
      executor.fill(x, (p + 1) >> 1); // balanced, its negative
      executor.blockDot(out, 1, x, z);
      return executor.readBlocks(out, 0, 2);
    });
  }
});
