/**
 * Every format on every executor: empty rows, rows far longer than others, no rows at all; products as the reference
 * has them.
 */
import { beforeEach, describe, test } from 'vitest';
import { FORMAT_NAMES } from '../../../kernels/sparse/formats/index.js';
import { skipOf } from '../../gpu.js';
import { CASES, filled } from './cases.js';
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
