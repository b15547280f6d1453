/**
 * Columns dealt out to threads give the same integers as the reference executor's rows, whatever the number of runs, and only
 * matrices that are wide enough have any.
 *
 * Everything that runs comes from dist/: Node 20 starts no worker from TypeScript.
 */
import { describe, expect, test } from 'vitest';
import { ExtensionField } from '../../../dist/fields/extension.js';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { CpuExecutor } from '../../../dist/kernels/executors/cpu.js';
import type { CpuElements } from '../../../dist/kernels/executors/cpu-elements.js';
import { ColumnRuns, columnRuns } from '../../../dist/kernels/spmm/cpu-column-split.js';
import type { WordPrime as SourcePrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import type { ResidueMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { filled, matrixOf, PRIMES } from '../executors/cases.js';

/** Rows of 40 to 70 entries, one without any and one with entries in the last run alone. */
function wide(p: number): ResidueMatrix {
  const lengths = (i: number): number => (i === 3 ? 0 : i === 7 ? 1 : 40 + (i % 31));
  return matrixOf(23, 911, p, 'mixed', lengths, 5);
}

/** Products of several widths one after another, with and without factors. */
async function products(executor: Executor, chained: boolean): Promise<Uint32Array[]> {
  const { p } = executor.field;
  const a = executor.operator(wide(p), { use: 'apply', chained });
  const out: Uint32Array[] = [];
  for (const width of [16, 5, 1, 16]) {
    a.prepare?.(width);
    const [x, y] = [filled(executor, a.cols, width, width), filled(executor, a.rows, width, 2)];
    await a.apply(y, x);
    out.push(await executor.read(y));
    await a.apply(y, x, p - 1, p >> 1);
    out.push(await executor.read(y));
    for (const v of [x, y]) executor.release(v);
  }
  a.free?.();
  return out;
}

describe('columns dealt out to threads', () => {
  test.each(PRIMES)('the same products mod %i on 1 to 5 threads', async (p) => {
    const field = WordPrime.of(p);
    const expected = await products(new ReferenceExecutor(field as unknown as SourcePrime), false);
    for (const threads of [1, 2, 3, 5]) {
      const executor = await CpuExecutor.create(field, { threads });
      expect(await products(executor as unknown as Executor, true), `${threads} threads`).toEqual(expected);
      executor.dispose();
    }
  });

  test('only what is chained, for `apply`, in no format asked for, and of residues', async () => {
    const executor = await CpuExecutor.create(WordPrime.of(2), { threads: 2 });
    const asked = [
      { use: 'apply', chained: true },
      { use: 'apply' },
      { chained: true },
      { use: 'apply', chained: true, storage: 'csr' },
    ] as const;
    const dealt = (on: CpuElements): boolean[] =>
      asked.map((options) => on.operator(wide(2), options) instanceof ColumnRuns);
    expect(dealt(executor)).toEqual([true, false, false, false]);
    expect(dealt(executor.over(new ExtensionField(2, 8))!)).toEqual([false, false, false, false]);
    executor.dispose();
  });

  test('a chain of two products is recorded, and repeated as it was', async () => {
    const field = WordPrime.of(65521);
    const leftAfter = async (threads: number, recorded: boolean): Promise<Uint32Array> => {
      const executor = await CpuExecutor.create(field, { threads });
      const tall = executor.operator(
        matrixOf(911, 23, 65521, 'unit', () => 3),
        { use: 'apply' },
      );
      const c = executor.operator(wide(65521), { use: 'apply', chained: true });
      expect(c instanceof ColumnRuns).toBe(threads > 1);
      expect(c.recordable).toBe(true);
      const [x, y] = [filled(executor as unknown as Executor, 23, 16, 9), executor.vector(911, 16)];
      const step = async (): Promise<void> => {
        await tall.apply(y, x);
        await c.apply(x, y);
      };
      await step();
      if (recorded) {
        const recording = (await executor.record(step))!;
        expect(recording.run(0, 6)).toBe(true);
        recording.free();
      } else for (let i = 0; i < 6; i++) await step();
      const left = executor.read(x);
      executor.dispose();
      return left;
    };
    const expected = await leftAfter(1, false);
    for (const threads of [2, 3]) {
      expect(await leftAfter(threads, false)).toEqual(expected);
      expect(await leftAfter(threads, true)).toEqual(expected);
    }
  });

  test('wrong shapes and the transposed product are refused', async () => {
    const executor = await CpuExecutor.create(WordPrime.of(101), { threads: 2 });
    const a = executor.operator(wide(101), { use: 'apply', chained: true });
    const [x, y] = [executor.vector(911, 4), executor.vector(23, 4)];
    expect(() => a.apply(x, y)).toThrow(
      'apply: expected 23 rows in y, 911 in x and equal widths, got 911 x 4 and 23 x 4',
    );
    expect(() => a.apply(executor.vector(23, 5), x)).toThrow('equal widths');
    expect(() => a.applyTransposed(x, y)).toThrow('whose `use` leaves it out');
    expect(() => a.apply(y, x, 101)).toThrow('below 101');
    executor.dispose();
  });

  test('as many runs as threads, if rows are long and few', () => {
    const runs = (rows: number, cols: number, length: number, threads: number): number =>
      columnRuns(
        matrixOf(rows, cols, 101, 'unit', () => length),
        threads,
      );
    expect([1, 2, 3, 8].map((threads) => runs(20, 1000, 50, threads))).toEqual([1, 2, 3, 4]);
    expect(runs(20, 1000, 23, 2)).toBe(1); // two halves of less than 12
    expect(runs(20, 1000, 24, 2)).toBe(2);
    expect(runs(20, 159, 50, 2)).toBe(1); // not 8 times as wide
    expect(runs(20, 160, 50, 2)).toBe(2);
    expect(runs(0, 100, 0, 4)).toBe(1);
  });
});
