/** The same products whatever the sizes of a storage and of its kernels, and no sizes that are none. */
import { beforeEach, describe, expect, test } from 'vitest';
import { CpuExecutor as Threaded } from '../../../dist/kernels/executors/cpu.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import type { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import type { FormatName } from '../../../kernels/sparse/formats/index.js';
import type { ProductSizes } from '../../../kernels/sparse/formats/product-sizes.js';
import { wholeRows } from '../../../kernels/sparse/formats/row-runs.js';
import { longestShort } from '../../../kernels/sparse/formats/slice-rows.js';
import { planOf } from '../../../kernels/sparse/plan.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import { skipOf } from '../../gpu.js';
import { CASES, filled, matrixOf } from '../executors/cases.js';
import { EXECUTORS, fieldOf, joinReads } from '../executors/table.js';

type Asked = readonly [storage: FormatName | undefined, sizes: ProductSizes];

const ON_THREADS: readonly Asked[] = [
  [undefined, { cut: 1, panelBytes: 256, window: 32 }],
  [undefined, { cut: 2 ** 31, chunks: 1 }],
  ['csr-sorted', { window: 32, chunks: 3 }],
  ['csr-sorted', { window: 2 ** 20 }],
  ['sell-4', { window: 64 }],
];
const ON_GPU: readonly Asked[] = [
  [undefined, { slice: 4, window: 32, cut: 3, workgroup: 64, rowsEach: 3 }],
  [undefined, { slice: 256, window: 2 ** 14, cut: 255, groups: 2 }],
  [undefined, { panelBytes: 256, workgroup: 128, groups: 1, rowsEach: 2 }],
  ['csr', { workgroup: 64, rowsEach: 2, groups: 3 }],
  ['bcsr-2', { workgroup: 32, rowsEach: 5, groups: 1 }],
];

async function products(executor: Executor, matrix: ResidueMatrix, width: number, [storage, sizes]: Asked) {
  const a = executor.operator(matrix, { storage, sizes });
  const [x, y] = [filled(executor, a.cols, width, 3), filled(executor, a.rows, width, 4)];
  await a.apply(y, x, executor.field.p - 1, 1);
  await a.applyTransposed(x, y);
  a.free?.();
  const read = await joinReads(executor, x, y);
  for (const v of [x, y]) executor.release(v);
  return read;
}

/** Beside those of every format rows in several windows, whose order in their slices windows change. */
const MATRICES = [
  ...CASES,
  { name: 'uneven rows', matrix: (p: number) => matrixOf(700, 60, p, 'mixed', (i) => (7 * i) % 23) },
];

async function compare(make: (p: number) => Promise<Executor>, p: number, width: number, asked: readonly Asked[]) {
  const executor = await make(p);
  const reference = new ReferenceExecutor(...fieldOf(p));
  for (const { name, matrix } of MATRICES) {
    const expected = await products(reference, matrix(p), width, ['csr', {}]);
    for (const each of asked) {
      const words = await products(executor, matrix(p), width, each);
      expect({ name, each, words }).toEqual({ name, each, words: expected });
    }
  }
  executor.dispose();
}

describe.each(EXECUTORS.filter(([name]) => name !== 'cpu in codes of GF(q)'))('%s', (name, make) => {
  beforeEach(skipOf(name));
  test.each([
    [2, 1],
    [65521, 6],
    [2147483647, 3],
  ])('mod %d, %d columns', (p, width) =>
    compare((p) => make(...fieldOf(p)), p, width, name === 'gpu' ? ON_GPU : ON_THREADS),
  );

  test('sizes that are none of a product are refused', async () => {
    const executor = await make(...fieldOf(101));
    const matrix = matrixOf(5, 5, 101, 'mixed', () => 2);
    const refused = (sizes: object, message: RegExp): void =>
      expect(() => executor.operator(matrix, { sizes: sizes as ProductSizes })).toThrow(message);
    refused({ window: 48 }, /^window: expected a power of two from 32 to 1048576, got 48$/);
    refused({ chunks: 0 }, /^chunks: expected an integer from 1 to 1024, got 0$/);
    refused({ cut: 1.5 }, /^cut: expected an integer/);
    refused({ length: 3 }, /^sizes: expected window, slice, .*, got length$/);
    if (name === 'gpu') {
      refused({ window: 2 ** 15 }, /^sliced-ell: expected windows of up to 16384 rows, got 32768$/);
      refused({ window: 32, slice: 64 }, /^sliced-ell: expected slices of up to 32 rows, got 64$/);
    }
    executor.dispose();
  });
});

test('on several threads', async () => {
  const built = Threaded as unknown as typeof CpuExecutor;
  await compare((p) => built.create(WordPrime.of(p), { threads: 3 }), 65521, 16, ON_THREADS);
});

test('sizes are those of the storage that is made', () => {
  const uneven = matrixOf(700, 60, 65521, 'general', (i) => (7 * i) % 23);
  const orderOf = (sizes: ProductSizes) => {
    const [stored] = planOf(uneven, 65521, { storage: 'csr-sorted', sizes }).parts[0]!.formats;
    return [...(stored as unknown as { order: Uint32Array }).order];
  };
  expect(
    orderOf({ window: 32 })
      .slice(0, 32)
      .toSorted((i, j) => i - j),
  ).toEqual(Array.from({ length: 32 }, (_, i) => i));
  expect(orderOf({ window: 32 })).not.toEqual(orderOf({ window: 1024 }));
  const long = matrixOf(12, 9000, 65521, 'general', (i) => (i === 3 ? 900 : 4));
  const panels = (sizes: ProductSizes) =>
    planOf(long, 65521, { sizes })
      .parts.filter(({ rows }) => rows === 'long')
      .map(({ formats }) => formats.length);
  expect(panels({})).toEqual([2]);
  expect(panels({ panelBytes: 32 * 3000 })).toEqual([3]);
  expect(panels({ cut: 451 })).toEqual([]);
  const runs = wholeRows(long);
  expect([{}, { cut: 3 }, { cut: 900 }].map((sizes) => longestShort(runs, sizes))).toEqual([255, 3, 255]);
});
