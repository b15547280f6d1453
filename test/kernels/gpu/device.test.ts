/**
 * The device layer of the gpu executor: limits, losses, and what becomes of a run when the device is in the
 * way.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { WordPrime } from '../../../fields/word-prime.js';
import { GpuContext } from '../../../kernels/blocks/gpu-context.js';
import { gpuVector } from '../../../kernels/blocks/gpu-vector.js';
import { DeviceError } from '../../../kernels/errors/device-error.js';
import { MemoryError } from '../../../kernels/errors/memory-error.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { GpuDevice, type GpuDeviceOptions } from '../../../kernels/gpu/device.js';
import { wholeRows } from '../../../kernels/sparse/formats/row-runs.js';
import { toSlicedEll } from '../../../kernels/sparse/formats/sliced-ell.js';
import { isScattered } from '../../../kernels/sparse/scattered.js';
import type { ResidueMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { takeRuns } from '../../../kernels/sparse/split-columns.js';
import { cutColumns, GpuPanels, panelCount } from '../../../kernels/spmm/gpu-column-panels.js';
import { gpuMissing, limitedGpu, testGpu } from '../../gpu.js';
import { filled, matrixOf } from '../executors/cases.js';

describe.skipIf(gpuMissing)('the device', () => {
  async function limited(p: number, options: GpuDeviceOptions): Promise<GpuExecutor> {
    return new GpuExecutor(WordPrime.of(p), await limitedGpu(options));
  }

  async function productsAgree(executor: GpuExecutor, matrix: ResidueMatrix, width: number): Promise<void> {
    const results = [executor, new ReferenceExecutor(executor.field)].map(async (each) => {
      const a = each.operator(matrix);
      const [x, y] = [filled(each, matrix.cols, width, 1), filled(each, matrix.rows, width, 2)];
      await a.apply(y, x, 2, 3);
      await a.applyTransposed(x, y);
      return [await each.read(x), await each.read(y)];
    });
    const [got, expected] = await Promise.all(results);
    expect(got).toEqual(expected);
  }

  test('a matrix beyond one binding is cut into pieces', async () => {
    const limit = 2 ** 20 + 65536; // the arena of small operands has to fit
    const executor = await limited(65521, { maxBindingBytes: limit });
    // 600000 entries, 4 and 6 bytes each; long rows too
    const matrix = matrixOf(30000, 20000, 65521, 'mixed', (i) => (i % 1500 === 7 ? 20000 : 40));
    const stored = toSlicedEll(matrix, 65521, limit);
    expect(stored.pieces.length).toBeGreaterThan(2);
    expect(stored.segmentPieces.length).toBeGreaterThan(1);
    await productsAgree(executor, matrix, 4);
    expect(() => executor.vector(10 ** 6, 1)).toThrow(MemoryError);
    expect(() => executor.vector(10 ** 6, 1)).toThrow(/4000000 bytes needed in one piece, .* binds 1114112/);
    executor.dispose();
  });

  // Rows and lanes so many that small segments have teams of their own, in workgroups that end with vacant ones.
  test.each([
    [65521, 1, 4603],
    [65521, 6, 1559],
    [2147483629, 16, 1171],
  ])('many long rows mod %i, %i columns', async (p, width, rows) => {
    const executor = await limited(p, {});
    const lengthOf = (i: number): number => (i % 10 === 3 ? 290 : 256);
    await productsAgree(executor, matrixOf(rows, 300, p, 'mixed', lengthOf), width);
    executor.dispose();
  });

  test('an operator whose transpose does not fit leaves nothing on the device', async () => {
    const executor = await limited(65521, { maxBindingBytes: 2 ** 20 + 65536 });
    const { held } = (executor as unknown as { context: { held: Set<unknown> } }).context;
    // 300000 rows of the transpose: 4 bytes each are more than one binding.
    const matrix = matrixOf(100, 300000, 65521, 'unit', () => 10);
    const before = held.size;
    executor.operator(matrix, { use: 'apply', storage: 'csr' }).free!();
    expect(() => executor.operator(matrix, { storage: 'csr' })).toThrow(MemoryError);
    expect(held.size).toBe(before);
    executor.dispose();
  });

  test('panels are for matrices whose neighbouring rows read X far apart', () => {
    const [rows, length] = [4096, 8];
    const withColumns = (column: (i: number, t: number) => number): boolean => {
      const colIdx = Uint32Array.from({ length: rows * length }, (_, k) => column(Math.floor(k / length), k % length));
      const rowPtr = Uint32Array.from({ length: rows + 1 }, (_, i) => i * length);
      const values = new Uint32Array(colIdx.length).fill(1);
      return isScattered(wholeRows({ rows, cols: 2 ** 20, rowPtr, colIdx, values }));
    };
    expect(withColumns((i, t) => t * 2 ** 17 + ((i * 40503) % 2 ** 17))).toBe(true);
    expect(withColumns((i, t) => t * 2 ** 17 + i)).toBe(false); // eight streams
    const [rowPtr, none] = [new Uint32Array(1), new Uint32Array(0)];
    expect(isScattered(wholeRows({ rows: 0, cols: 0, rowPtr, colIdx: none, values: none }))).toBe(false);
  });

  test('a product in panels of columns', async () => {
    // By width 1, 8, 16, 32 mod 65521: what was fastest where it was measured (gpu-column-panels.ts).
    expect([4, 16, 32, 64].map((bytes) => panelCount(4e6, 4e6, 8e7, bytes))).toEqual([1, 5, 5, 2]);
    expect([4, 16, 32, 64].map((bytes) => panelCount(2410560, 2086560, 15707520, bytes))).toEqual([1, 3, 1, 1]);
    expect([4, 16, 32, 64].map((bytes) => panelCount(460261, 171375, 6080381, bytes))).toEqual([1, 1, 1, 1]);
    const matrix = matrixOf(300, 1000, 65521, 'mixed', (i) => (i === 9 ? 900 : 4 + (i % 12)));
    expect(
      cutColumns(wholeRows(matrix), 3)
        .map(takeRuns)
        .map(({ colIdx }) => [colIdx.some((j) => j > 333), colIdx.some((j) => j > 666)]),
    ).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
    const field = WordPrime.of(65521);
    const [executor, reference] = [new GpuExecutor(field, await testGpu()), new ReferenceExecutor(field)];
    const panels = new GpuPanels(new GpuContext(executor.gpu, field), wholeRows(matrix), () => 3, {});
    for (const [alpha, beta] of [
      [1, 0],
      [1, 1],
      [5, 7],
    ]) {
      const [x, y] = [filled(executor, 1000, 4, 1), filled(executor, 300, 4, 2)];
      panels.multiply(gpuVector(y), gpuVector(x), alpha, beta);
      const [rx, ry] = [filled(reference, 1000, 4, 1), filled(reference, 300, 4, 2)];
      await reference.operator(matrix, { use: 'apply' }).apply(ry, rx, alpha, beta);
      expect(await executor.read(y)).toEqual(await reference.read(ry));
    }
    panels.free();
  });

  test('what is written from shared memory arrives, piece by piece', async () => {
    const gpu = await testGpu();
    const words = new Uint32Array(new SharedArrayBuffer(4 * (2 ** 21 + 8)), 16, 2 ** 21 + 3);
    for (let k = 0; k < words.length; k++) words[k] = Math.imul(k, 2654435761);
    const buffer = gpu.buffer(words.byteLength + 12);
    gpu.write(buffer, words, 12);
    expect(await gpu.read(buffer, 12, words.byteLength)).toEqual(words.slice());
    gpu.free(buffer);
  });

  test('more workgroups than one dimension takes', async () => {
    const executor = await limited(2147483629, { maxGroups: 3 });
    await productsAgree(
      executor,
      matrixOf(3000, 1000, 2147483629, 'mixed', (i) => (i === 5 ? 1000 : i % 9)),
      6,
    );
    executor.dispose();
  });

  test('a lost device is an error of its own, and the next one works', async () => {
    const gpu = await GpuDevice.open();
    const executor = new GpuExecutor(WordPrime.of(65521), gpu);
    const v = filled(executor, 100, 2, 1);
    const reading = executor.read(v);
    gpu.device.destroy();
    await expect(reading).rejects.toThrow(DeviceError);
    await expect(executor.read(v)).rejects.toThrow(/^device gpu: .* was lost: /);
    expect(gpu.usable).toBe(false);
    expect(() => executor.vector(1, 1)).toThrow(DeviceError);
    const next = await GpuExecutor.create(WordPrime.of(65521));
    await productsAgree(
      next,
      matrixOf(10, 10, 65521, 'mixed', () => 3),
      2,
    );
    next.dispose();
  });

  test('an invalid command is reported by the call that comes next', async () => {
    const gpu = await GpuDevice.open();
    gpu.device.createBuffer({ size: 16, usage: 0xffff });
    expect(() => gpu.buffer(16)).toThrow(/^device gpu: .*65535/);
    gpu.dispose();
  });

  test('and by every one that shares the device', async () => {
    const gpu = await GpuDevice.open();
    const other = new GpuDevice(gpu.device, gpu.name, gpu.software);
    const buffer = gpu.buffer(16);
    gpu.copy(buffer, gpu.buffer(16), 2 ** 20);
    await expect(gpu.read(buffer, 0, 4)).rejects.toThrow(DeviceError);
    expect(() => other.buffer(16)).toThrow(DeviceError);
    gpu.dispose();
  });

  test('what is timed fits one submission; more is refused, and leaves nothing behind', async () => {
    const gpu = await GpuDevice.open();
    const executor = new GpuExecutor(WordPrime.of(65521), gpu);
    const v = executor.vector(8, 2);
    const fills = (count: number) => () => {
      for (let i = 0; i < count; i++) executor.fill(v, i);
    };
    await expect(gpu.time(fills(257))).rejects.toThrow(
      /^time: expected dispatches that fit one submission, 256 at most$/,
    );
    expect(await gpu.time(fills(256))).toBeGreaterThanOrEqual(0);
    expect(await executor.read(v)).toEqual(new Uint32Array(16).fill(255));
    gpu.dispose();
  });

  test('vectors of both forms meet in one product', async () => {
    const field = WordPrime.of(65521);
    const matrix = matrixOf(9, 8, 65521, 'mixed', () => 4);
    const results = [await GpuExecutor.create(field, { device: await testGpu() }), new ReferenceExecutor(field)].map(
      async (executor) => {
        const a = executor.operator(matrix, { use: 'apply' });
        const x = executor.view(filled(executor, 16, 3, 1), 8, 6); // one residue a word
        const y = filled(executor, 9, 6, 2); // two
        await a.apply(y, x, 1, 1);
        executor.scale(executor.view(y, 18, 3), executor.view(filled(executor, 9, 2, 3), 18, 1));
        executor.copy(executor.view(x, 8, 6), executor.view(filled(executor, 8, 6, 4), 8, 6));
        return [await executor.read(x), await executor.read(y)];
      },
    );
    const [got, expected] = await Promise.all(results);
    expect(got).toEqual(expected);
  });

  test('a long job lives through collections of garbage, in a worker too', async () => {
    const script = fileURLToPath(new URL('gpu-collected.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script]);
    expect(stdout).toBe('main: equal after 400 products\nworker: equal after 400 products\n');
  });
});
