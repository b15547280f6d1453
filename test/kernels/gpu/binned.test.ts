/** Products with one vector in bins, beside the reference's: panels and bins of 64 lines, and those of a device. */
import { describe, expect, test, vi } from 'vitest';
import { WordPrime } from '../../../fields/word-prime.js';
import { GpuContext } from '../../../kernels/blocks/gpu-context.js';
import { type GpuVector, gpuVector } from '../../../kernels/blocks/gpu-vector.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import type { GpuDevice } from '../../../kernels/gpu/device.js';
import { wholeRows } from '../../../kernels/sparse/formats/row-runs.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import { GpuBinned, gainsByBins } from '../../../kernels/spmm/gpu-binned.js';
import type { StoredMatrix } from '../../../kernels/spmm/gpu-operator.js';
import { gpuMissing, limitedGpu, testGpu } from '../../gpu.js';
import { filled, matrixOf } from '../executors/cases.js';

/** What a matrix is multiplied by where bins are not: widths, in the order of the products. */
class Others implements StoredMatrix {
  readonly widths: number[] = [];
  isFreed = false;

  multiply(y: GpuVector): void {
    this.widths.push(y.width);
  }

  free(): void {
    this.isFreed = true;
  }
}

const ENDS = [
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

/** By the one product before bins. */
async function startBins(binned: GpuBinned, executor: GpuExecutor, { rows, cols }: ResidueMatrix): Promise<void> {
  const [x, y] = [executor.vector(cols, 1), executor.vector(rows, 1)];
  await binned.multiply(gpuVector(y), gpuVector(x), 1, 0);
  await binned.settled;
}

/** In bins alone; of both ends where alpha and beta are 1 and where they are not. */
async function productsAgree(gpu: GpuDevice, p: number, matrix: ResidueMatrix, side?: number): Promise<void> {
  const field = WordPrime.of(p);
  const [executor, reference] = [new GpuExecutor(field, gpu), new ReferenceExecutor(field)];
  const others = new Others();
  const binned = new GpuBinned(new GpuContext(gpu, field), wholeRows(matrix), others, 0, side);
  await startBins(binned, executor, matrix);
  for (const [alpha, beta] of [...ENDS, [p - 1, 2 % p]] as const) {
    const [x, y] = [filled(executor, matrix.cols, 1, 1), filled(executor, matrix.rows, 1, 2)];
    await binned.multiply(gpuVector(y), gpuVector(x), alpha, beta);
    const [rx, ry] = [filled(reference, matrix.cols, 1, 1), filled(reference, matrix.rows, 1, 2)];
    await reference.operator(matrix, { use: 'apply' }).apply(ry, rx, alpha, beta);
    expect(await executor.read(y)).toEqual(await reference.read(ry));
  }
  expect(others.widths).toEqual([1]);
  binned.free();
  expect(others.isFreed).toBe(true);
  executor.dispose();
}

describe.skipIf(gpuMissing)('products in bins', () => {
  const lengthOf = (i: number): number => (i === 9 ? 500 : i % 13);

  test.each([2, 3, 257, 65521, 65537, 2147483629])('mod %i', async (p) => {
    await productsAgree(await testGpu(), p, matrixOf(300, 700, p, 'mixed', lengthOf), 64);
  });

  test.each([
    ['tall', 1000, 65],
    ['wide', 65, 1000],
    ['of one row', 1, 128],
    ['of one column', 128, 1],
  ])('a matrix that is %s', async (_, rows, cols) => {
    await productsAgree(
      await testGpu(),
      2147483629,
      matrixOf(rows, cols, 2147483629, 'general', () => 5),
      64,
    );
  });

  test('a matrix without entries', async () => {
    await productsAgree(
      await testGpu(),
      65521,
      matrixOf(100, 100, 65521, 'general', () => 0),
      64,
    );
  });

  test.each([65521, 2147483629])('panels of several tasks, and the sides that a device has, mod %i', async (p) => {
    await productsAgree(
      await testGpu(),
      p,
      matrixOf(9000, 9000, p, 'general', () => 12),
    );
  });

  test('more workgroups than one dimension takes', async () => {
    const gpu = await limitedGpu({ maxGroups: 3 });
    await productsAgree(gpu, 2147483629, matrixOf(700, 500, 2147483629, 'general', lengthOf), 64);
  });

  // The longest rows for which bins are taken, and the largest products: every one p − 1.
  test.each([
    [65521, 65535],
    [2147483629, 65535],
  ])('the largest sums of a row mod %i: %i entries', async (p, length) => {
    const rows = 5;
    const matrix: ResidueMatrix = {
      ...{ rows, cols: length },
      rowPtr: Uint32Array.from({ length: rows + 1 }, (_, i) => i * length),
      colIdx: Uint32Array.from({ length: rows * length }, (_, k) => k % length),
      values: new Uint32Array(rows * length).fill(1),
    };
    const field = WordPrime.of(p);
    const gpu = await testGpu();
    const executor = new GpuExecutor(field, gpu);
    const binned = new GpuBinned(new GpuContext(gpu, field), wholeRows(matrix), new Others(), 0, 64);
    const [x, y] = [executor.vector(length, 1), executor.vector(rows, 1)];
    await startBins(binned, executor, matrix);
    executor.fill(x, p - 1);
    await binned.multiply(gpuVector(y), gpuVector(x), 1, 0);
    expect(await executor.read(y)).toEqual(new Uint32Array(rows).fill(p - (length % p)));
    binned.free();
    executor.dispose();
  });

  test('bins are stored once products have paid for them, never while these are timed, and serve one vector', async () => {
    const gpu = await testGpu();
    const field = WordPrime.of(65521);
    const [executor, others] = [new GpuExecutor(field, gpu), new Others()];
    const matrix = matrixOf(100, 100, 65521, 'general', () => 4);
    const binned = new GpuBinned(new GpuContext(gpu, field), wholeRows(matrix), others, 2, 64);
    const [one, two] = [1, 2].map((width) => gpuVector(filled(executor, 100, width, 1))) as [GpuVector, GpuVector];
    const y = [1, 2].map((width) => gpuVector(executor.vector(100, width))) as [GpuVector, GpuVector];
    const multiply = (width: 1 | 2) => void binned.multiply(y[width - 1]!, width === 1 ? one : two, 1, 0);
    for (const width of [2, 1, 2, 1, 2] as const) multiply(width);
    expect(others.widths).toEqual([2, 1, 2, 1, 2]);
    await gpu.time(() => multiply(1));
    expect([others.widths.length, binned.settled]).toEqual([6, null]);
    multiply(1);
    expect(others.widths.length).toBe(7);
    await binned.settled;
    multiply(1);
    multiply(2);
    expect(others.widths.length).toBe(8);
    binned.free();
    executor.dispose();
  });

  describe.each(['a budget', 'a binding', 'a device'])('%s without the room', (what) => {
    test('goes on without bins, and holds nothing of them', async () => {
      const gpu = await limitedGpu(what === 'a binding' ? { maxBindingBytes: 2 ** 20 + 65536 } : {});
      const field = WordPrime.of(65521);
      const [executor, others] = [new GpuExecutor(field, gpu), new Others()];
      const each = what === 'a binding' ? 2000 : 4; // 400000 words of entries
      const matrix = matrixOf(200, 2000, 65521, 'general', () => each);
      const binned = new GpuBinned(new GpuContext(gpu, field), wholeRows(matrix), others, 0, 64);
      const [x, y] = [filled(executor, 2000, 1, 1), filled(executor, 200, 1, 2)].map(gpuVector) as [
        GpuVector,
        GpuVector,
      ];
      const before = gpu.memory.held;
      const create = vi.spyOn(gpu.device, 'createBuffer');
      if (what === 'a budget') gpu.memory.maxBytes = before + 4000;
      // What a device has no room for it makes all the same, and says so later.
      if (what === 'a device')
        create.mockImplementationOnce(({ usage }) => gpu.device.createBuffer({ usage, size: 2 ** 50 }));
      for (let i = 0; i < 3; i++) {
        await binned.multiply(y, x, 1, 0);
        await binned.settled;
      }
      create.mockRestore();
      expect(others.widths).toEqual([1, 1, 1]);
      expect(gpu.memory.held).toBe(before);
      gpu.memory.maxBytes = Number.POSITIVE_INFINITY;
      expect((await executor.read(x)).length).toBe(2000); // the device serves on
      executor.dispose();
    });
  });
});

test('bins gain where X is long, cells are full and no row is too long for its sums', () => {
  const sizes = (rows: number, cols: number, each: number, longest = each) => {
    const starts = Uint32Array.from({ length: rows }, (_, i) => i * each);
    const ends = starts.map((at, i) => at + (i === 1 ? longest : each));
    const none = new Uint32Array(0);
    return [{ rows, cols, starts, ends, colIdx: none, values: none }, rows * each] as const;
  };
  expect(gainsByBins(...sizes(4e6, 4e6, 20))).toBe(true);
  expect(gainsByBins(...sizes(4e6, 4e6, 5))).toBe(true);
  expect(gainsByBins(...sizes(4e6, 4e6, 3))).toBe(false);
  expect(gainsByBins(...sizes(4e6, 9e5, 20))).toBe(false);
  expect(gainsByBins(...sizes(4e5, 1e6, 12))).toBe(false);
  expect(gainsByBins(...sizes(1e6, 4e6, 20, 65535))).toBe(true);
  expect(gainsByBins(...sizes(1e6, 4e6, 20, 65536))).toBe(false);
});
