/** 64 columns of bits on every executor: the words of the same operations on residues, with noise in the output. */
import { describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { BitColumns, Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { skipOf, testGpu } from '../../gpu.js';
import { matrixOf } from '../executors/cases.js';

const F = WordPrime.of(2);
/** Around a workgroup of 256 rows and a chunk of a DOT. */
const LENGTHS = [0, 1, 63, 64, 255, 257, 1025, 3000];

const draw = (words: number, stream: number): Uint32Array =>
  new CounterRandom(5n, stream).fillResidues(new Uint32Array(words), 2 ** 32);

/** 64 residues a row. */
const residuesOf = (words: Uint32Array): Uint32Array =>
  Uint32Array.from({ length: 32 * words.length }, (_, k) => (words[k >> 5]! >>> (k & 31)) & 1);

const bitsOf = (residues: Uint32Array): Uint32Array => {
  const words = new Uint32Array(residues.length / 32);
  residues.forEach((bit, k) => {
    words[k >> 5] |= bit << (k & 31);
  });
  return words;
};

const EXECUTORS: readonly [string, () => Promise<Executor>][] = [
  ['reference', async () => new ReferenceExecutor(F)],
  ['cpu', () => CpuExecutor.create(F)],
  ['gpu', async () => GpuExecutor.create(F, { device: await testGpu() })],
];

const of = (columns: BitColumns, words: Uint32Array) => {
  const v = columns.vector(words.length / 2);
  columns.write(v, words);
  return v;
};

describe.each(EXECUTORS)('%s', (name, create) => {
  test.beforeEach(skipOf(name));

  test.each(LENGTHS)('DOT and AXPY of %d rows', async (length) => {
    const executor = await create();
    const columns = executor.bitColumns!()!;
    const slow = new ReferenceExecutor(F);
    const [xw, zw, a] = [draw(2 * length, 1), draw(2 * length, 2), draw(128, 3)];
    const [x, z] = [of(columns, xw), of(columns, zw)];
    const [sx, sz] = [xw, zw].map((words) => {
      const v = slow.vector(length, 64);
      slow.write(v, residuesOf(words));
      return v;
    });
    const block = slow.blocks(1, 64, 64);
    slow.blockDot(block, 0, sx!, sz!);
    expect(await columns.dot(x, z)).toEqual(bitsOf(slow.readBlocks(block, 0, 1) as Uint32Array));
    columns.axpy(z, x, a);
    slow.blockAxpy(sz!, sx!, residuesOf(a));
    expect(await columns.read(z)).toEqual(bitsOf(slow.read(sz!) as Uint32Array));
    columns.copy(x, z);
    expect(await columns.read(x)).toEqual(await columns.read(z));
    columns.dispose();
    executor.dispose();
  });

  test('products with a matrix and its transpose', async () => {
    const executor = await create();
    const columns = executor.bitColumns!()!;
    const slow = new ReferenceExecutor(F);
    for (const [rows, cols] of [
      [1, 1],
      [40, 300],
      [300, 40],
    ] as const) {
      const matrix = matrixOf(rows, cols, 2, 'unit', (i) => 1 + (i % 7));
      const [a, b] = [columns.operator(matrix), slow.operator(matrix)];
      const [xw, noise] = [draw(2 * cols, 4), draw(2 * rows, 5)];
      const [x, y] = [of(columns, xw), of(columns, noise)];
      const [sx, sy] = [slow.vector(cols, 64), slow.vector(rows, 64)];
      slow.write(sx, residuesOf(xw));
      await a.apply(y, x);
      await b.apply(sy, sx);
      expect(await columns.read(y)).toEqual(bitsOf(slow.read(sy) as Uint32Array));
      await a.applyTransposed(x, y);
      await b.applyTransposed(sx, sy);
      expect(await columns.read(x)).toEqual(bitsOf(slow.read(sx) as Uint32Array));
      a.free?.();
      for (const v of [x, y]) columns.release(v);
    }
    columns.dispose();
    executor.dispose();
  });
});

test('there are none but mod 2', async () => {
  const three = WordPrime.of(3);
  for (const executor of [new ReferenceExecutor(three), await CpuExecutor.create(three)]) {
    expect(executor.bitColumns()).toBeNull();
  }
});
