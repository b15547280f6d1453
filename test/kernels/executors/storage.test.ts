/**
 * Every format on every executor, on several threads, and beside memory that others have left: empty rows, rows far
 * longer than others, no rows at all; products as the reference has them.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { FORMAT_NAMES, type FormatName } from '../../../kernels/sparse/formats/index.js';
import type { ResidueMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { skipOf } from '../../gpu.js';
import { CASES, filled, matrixOf } from './cases.js';
import { cpu } from './program-steps.js';
import { EXECUTORS, joinReads, same } from './table.js';

describe.each(EXECUTORS)('%s', (name, make, primes) => {
  beforeEach(skipOf(name));

  describe.each(primes)('order %d', (p) => {
    test.each(FORMAT_NAMES)('stores %s', async (storage) => {
      for (const { matrix } of CASES) {
        await same(make, p, async (executor) => {
          const a = executor.operator(matrix(p), { storage });
          const [x, y] = [filled(executor, a.cols, 8, 3), filled(executor, a.rows, 8, 4)];
          await a.apply(y, x, 1, 1);
          await a.applyTransposed(x, y);
          a.free?.();
          return joinReads(executor, x, y);
        });
      }
    });
  });
});

/** Both products, on vectors of extremes. */
async function products(executor: Executor, matrix: ResidueMatrix, storage: FormatName): Promise<Uint32Array> {
  const a = executor.operator(matrix, { storage });
  const [x, y] = [filled(executor, a.cols, 8, 3), filled(executor, a.rows, 8, 4)];
  await a.apply(y, x, 1, 1);
  await a.applyTransposed(x, y);
  a.free?.();
  return joinReads(executor, x, y);
}

test.each([65521, 65537])('several threads take rows in every format, p = %d', async (p) => {
  const reference = new ReferenceExecutor(WordPrime.of(p));
  const matrices = CASES.map(({ matrix }) => matrix(p));
  const expected = await Promise.all(matrices.map((a) => products(reference, a, 'csr')));
  for (const threads of [2, 3]) {
    const executor = await cpu(p, threads);
    for (const storage of FORMAT_NAMES) {
      for (const [at, a] of matrices.entries()) expect(await products(executor, a, storage)).toEqual(expected[at]);
    }
    executor.dispose();
  }
});

test('words behind the arrays of a part are none of its entries', async () => {
  const p = 65537;
  // The number of the last row stands wherever an array ends.
  const [rows, cols] = [5, 5];
  const matrix = matrixOf(rows, cols, p, 'mixed', (i) => 1 + (i % 3));
  const reference = new ReferenceExecutor(WordPrime.of(p));
  for (const storage of FORMAT_NAMES) {
    const executor = await cpu(p);
    const left = executor.vector(100_000, 1);
    executor.fill(left, rows - 1);
    executor.release(left);
    expect(await products(executor, matrix, storage)).toEqual(await products(reference, matrix, storage));
    executor.dispose();
  }
});
