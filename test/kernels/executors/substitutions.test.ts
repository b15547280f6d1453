/** Substitutions of every executor: the same integers as those of the definition, whatever the prime and shape. */
import { beforeEach, describe, expect, test } from 'vitest';
import { skipOf } from '../../gpu.js';
import { share } from '../../share.js';
import { concat, extremes, filled, matrixOf, SUBSTITUTIONS } from './cases.js';
import { EXECUTORS, fieldOf, same } from './table.js';

describe.each(EXECUTORS)('%s substitutes', (name, make, primes) => {
  beforeEach(skipOf(name));

  test.each(primes)('order %d', async (p) => {
    // One executor for all: a device compiles a kernel once.
    await same(make, p, async (executor) => {
      const found: Uint32Array[] = [];
      for (const { matrix } of p === primes.at(-1) ? SUBSTITUTIONS : share(SUBSTITUTIONS, primes.indexOf(p), 3)) {
        const t = executor.substitution!(matrix(p));
        for (const width of [1, 8, 16, 21]) {
          const x = filled(executor, t.given, width, 3);
          const v = filled(executor, t.given + t.steps, width, 4);
          await t.run(v, x);
          found.push(await executor.read(v));
        }
        t.free?.();
      }
      return concat(...found);
    });
  });

  // Those over an extension and those of a GPU have nothing to eliminate vectors with.
  test.each(name.includes('codes') || name.startsWith('gpu') ? [] : primes)(
    'and knows the rank of columns mod %d',
    async (p) => {
      for (const [length, widths, rank] of [
        [0, [3], 0],
        [5, [], 0],
        [1, [1, 1], 1],
        [40, [16, 8, 3], 20],
        [30, [16, 17, 40], 29],
        [200, [64, 8], 72],
      ] as const) {
        await same(make, p, async (executor) => {
          const cols = widths.reduce((sum, width) => sum + width, 0);
          // Rows from `rank` on are sums of two before them.
          const rows = Array.from({ length }, (_, i) => extremes(cols, p, 100 + i));
          for (let i: number = rank; i < length; i++) {
            rows[i] = rows[i % Math.max(1, rank)].map((x, c) => (rank === 0 ? 0 : (x + rows[(i * 7) % rank][c]) % p));
          }
          let first = 0;
          const vectors = widths.map((width) => {
            const v = executor.vector(length, width);
            for (let i = 0; i < length; i++) executor.write(v, rows[i].slice(first, first + width), i);
            first += width;
            return v;
          });
          const found = await executor.columnRank!(vectors);
          expect(found).toBeLessThanOrEqual(Math.min(rank, cols));
          return Uint32Array.of(found);
        });
      }
    },
  );

  test('and refuses what is not triangular or does not fit', async () => {
    const executor = await make(...fieldOf(name.includes('codes') ? 128 : 101));
    const square = matrixOf(2, 2, 101, 'unit', () => 2);
    expect(() => executor.substitution!(square)).toThrow(/substitution: expected columns below 0 in row 0/);
    const t = executor.substitution!(matrixOf(1, 3, 101, 'unit', () => 0));
    const run = () => t.run(executor.vector(3, 2), executor.vector(3, 2));
    expect(run).toThrow(/substitution: expected 3 rows in v, 2 in x/);
    const unequal = () => executor.columnRank!([executor.vector(3, 2), executor.vector(4, 2)]);
    if (executor.columnRank) expect(unequal).toThrow(/columnRank: expected equal lengths, got 3 and 4/);
    executor.dispose();
  });
});
