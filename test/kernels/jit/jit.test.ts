/** Compiled matrices: products as the reference has them, bounds at the largest primes, long rows, and refusals. */
import { beforeAll, describe, expect, test } from 'vitest';
import { SparseMatrix as Matrix, rank } from 'wiedemann';
import { loadEncoder as loadBuilt } from '../../../dist/kernels/jit/encoder.js';
import { weightBeforeReduction } from '../../../fields/reduction.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { checkSize, MOST_COMPILED } from '../../../kernels/jit/compile-matrix.js';
import { encoder, loadEncoder } from '../../../kernels/jit/encoder.js';
import { storageOf } from '../../../kernels/residues/storage.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { concat, filled, matrixOf, WIDTHS, worstPair } from '../executors/cases.js';
import { cpu } from '../executors/program-steps.js';
import { joinReads, same } from '../executors/table.js';

test('an encoder that was not loaded is asked for', () => {
  expect(encoder).toThrow('storage jit: expected its encoder to be loaded');
});

describe('with the encoder', () => {
  // Of the sources, and of what is built, which several threads need.
  beforeAll(() => Promise.all([loadEncoder(), loadBuilt()]));

  /** Every scalar that has a case of its own, in both directions. */
  async function products(executor: Executor, matrix: ResidueMatrix, width: number): Promise<Uint32Array> {
    const { p } = executor.field;
    const a = executor.operator(matrix, { storage: 'jit' });
    const [x, y] = [filled(executor, a.cols, width, 5), filled(executor, a.rows, width, 6)];
    for (const [alpha, beta] of [
      [1, 0],
      [1, 1],
      [0, 1],
      [p >> 1, p - 1],
    ] as const) {
      await a.apply(y, x, alpha % p, beta);
      await a.applyTransposed(x, y, alpha % p, beta);
    }
    a.free?.();
    return joinReads(executor, x, y);
  }

  // One and two columns are taken as words, the others as vectors, with a code for what is left of tiles.
  const widths = [2, 9, ...WIDTHS];
  test.each([2, 3, 101, 65521, 65537, 2147483647])('every width mod %d', async (p) => {
    for (const values of ['unit', 'mixed', 'general'] as const) {
      const matrix = matrixOf(40, 30, p, values, (i) => (i === 20 ? 30 : i % 9));
      await same(
        (field) => CpuExecutor.create(field),
        p,
        async (executor) => {
          let all: Uint32Array = new Uint32Array(0);
          for (const width of widths) all = concat(all, await products(executor, matrix, width));
          return all;
        },
      );
    }
  });

  /** A row of `length` entries, of one value after `units` of ±1, between two short ones; all of X is x0. */
  async function longRow(
    executor: Executor,
    length: number,
    value: number,
    width: number,
    x0: number,
    units = 0,
  ): Promise<Uint32Array> {
    const { p } = executor.field;
    const unit = value > p / 2 ? -1 : 1;
    const entries = Array.from({ length }, (_, j): [number, number, number] => [1, j, j < units ? unit : value]);
    const matrix = SparseMatrix.fromTriplets(3, length, [[0, 0, 1], ...entries, [2, length - 1, 5]]).residues(p);
    const a = executor.operator(matrix, { storage: 'jit', use: 'apply' });
    const [x, y] = [executor.vector(length, width), filled(executor, 3, width, 6)];
    executor.fill(x, x0);
    await a.apply(y, x, p - 2, 3);
    const first = await executor.read(y);
    await a.apply(y, x);
    return concat(first, await executor.read(y));
  }

  // Sums pass every bound; the longest row has three functions, the last of one entry.
  test.each([65521, 65537, 2147483629, 2147483647])('long rows of extremes mod %d', async (p) => {
    for (const length of [4, 5, 8, 9, 2 * 4096 + 1]) {
      const { x, v } = p < 2 ** 16 ? worstPair(p) : { x: p - 1, v: p >> 1 };
      for (const [value, x0] of [
        [1, p - 1],
        [-1, p - 1],
        [p >> 1, p - 1],
        [p - (p >> 1), p - 1],
        [v, x],
        [p - v, x],
      ]) {
        for (const width of length > 9 ? [1, 4] : [1, 4, 16]) {
          const make = (field: WordPrime) => CpuExecutor.create(field);
          await same(make, p, (executor) => longRow(executor, length, value!, width, x0!));
        }
      }
    }
  });

  // So many units leave of the sum's room what the bound of general entries leaves them.
  test.each([251, 32749, 65521])('units before products mod %d', async (p) => {
    const { x, v } = worstPair(p);
    for (const value of [v, p - v]) {
      const make = (field: WordPrime) => CpuExecutor.create(field);
      await same(make, p, (executor) => longRow(executor, 4096, value, 4, x, 3900));
    }
  });

  test('more modules than a thread keeps, in turns, on two threads', async () => {
    const p = 65521;
    const [executor, reference] = [await cpu(p, 2), new ReferenceExecutor(WordPrime.of(p))];
    const matrix = matrixOf(300, 200, p, 'mixed', (i) => i % 7);
    const results = [executor, reference].map(async (on: Executor) => {
      const operators = Array.from({ length: 12 }, () => on.operator(matrix, { storage: 'jit' }));
      const [x, y] = [filled(on, 200, 1, 5), filled(on, 300, 1, 6)];
      for (const a of [...operators, ...operators]) {
        await a.apply(y, x, 1, 1);
        await a.applyTransposed(x, y, 1, 1);
      }
      return joinReads(on, x, y);
    });
    expect(await results[0]).toEqual(await results[1]);
    executor.dispose();
  });

  test('steps of a program are compiled code too', async () => {
    const p = 2147483629;
    const matrix = matrixOf(50, 50, p, 'mixed', (i) => i % 7);
    const ran = [await CpuExecutor.create(WordPrime.of(p)), new ReferenceExecutor(WordPrime.of(p))].map(
      async (executor: Executor) => {
        const map = executor.operator(matrix, { storage: 'jit', use: 'apply' });
        const [x, y] = [filled(executor, 50, 4, 5), executor.vector(50, 4)];
        const program = executor.compile([
          { do: 'apply', map, y, x },
          { do: 'apply', map, y: x, x: y, alpha: 3, beta: 1 },
        ]);
        await program.run(0, 20);
        return executor.read(x);
      },
    );
    expect(await ran[0]).toEqual(await ran[1]);
  });
});

test('a word takes as many terms as 63 bits hold beside a remainder', () => {
  for (const p of [65537, 2147483629, 2147483647]) {
    const [most, budget] = [BigInt(p - 1), BigInt(weightBeforeReduction(p))];
    expect((budget + 1n) * most).toBeLessThan(2n ** 63n);
    expect((budget + 2n) * most).toBeGreaterThan(2n ** 63n - 1n);
  }
  // Products by the largest balanced value.
  expect(Math.floor(weightBeforeReduction(2147483647) / 2 ** 30)).toBe(4);
});

test('a matrix of too many entries is refused with the limit, as are GPUs', async () => {
  const [u16, u32] = [65521, 65537].map((p) => storageOf(WordPrime.of(p)));
  checkSize(1000, MOST_COMPILED - 1000, 1, u16!);
  expect(() => checkSize(1000, MOST_COMPILED - 999, 1, u16!)).toThrow(
    'storage jit: 1000 rows and 2096153 entries; at width 1 they are 2097152 at most',
  );
  checkSize(0, MOST_COMPILED, 32, u32!);
  expect(() => checkSize(0, MOST_COMPILED, 33, u32!)).toThrow('at width 33 they are 1048576 at most');
  const entries = Array.from({ length: 10_000 }, (_, k): [number, number, number] => [k % 100, Math.floor(k / 100), 3]);
  const matrix = Matrix.fromTriplets(100, 100, entries);
  await expect(rank(matrix, { mod: 7, device: 'gpu', storage: 'jit' })).rejects.toThrow(
    'storage jit: expected device cpu, got gpu',
  );
  await expect(rank(matrix, { mod: 7, method: 'wiedemann', storage: 'jit', maxMemory: 5e6 })).rejects.toThrow(
    /^storage jit takes about 9\.6 MB beside the matrix, allowed are [\d.]+$/,
  );
});
