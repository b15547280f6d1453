/** Vectors in panels of columns have the integers of whole ones, in every operation. */
import { describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ShapeError } from '../../../kernels/checks.js';
import { DeviceError } from '../../../kernels/errors/device-error.js';
import type { BlockVector, Executor } from '../../../kernels/executor.js';
import { PaneledExecutor } from '../../../kernels/executors/column-panels.js';
import { panelColumns } from '../../../kernels/executors/panel-columns.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { matrixOf } from './cases.js';

const P = 65521;
const FIELD = WordPrime.of(P);

function residues(count: number, seed: number): Uint32Array {
  return new CounterRandom(BigInt(seed), 7).fillResidues(new Uint32Array(count), P);
}

function vector(executor: Executor, length: number, width: number, seed: number): BlockVector {
  const v = executor.vector(length, width);
  executor.write(v, residues(length * width, seed));
  return v;
}

/** Columns of elements, coordinates each, and of a panel. */
const CASES = [
  [5, 1, 2],
  [17, 1, 8],
  [24, 1, 16],
  [7, 3, 3],
  [16, 2, 8],
] as const;

describe.each(CASES)('%i columns of %i coordinates, %i at once', (n, k, most) => {
  const whole = new ReferenceExecutor(FIELD);
  const both = (): Executor[] => [whole, new PaneledExecutor(new ReferenceExecutor(FIELD), most, k)];
  const same = async (work: (executor: Executor) => Promise<Uint32Array>): Promise<void> => {
    const [expected, got] = await Promise.all(both().map(work));
    expect(expected!.some((value) => value !== 0)).toBe(true);
    expect(got).toEqual(expected);
  };
  const width = n * k;

  test('products, also of a view, sums and copies', async () => {
    const a = matrixOf(40, 30, P, 'mixed', (i) => 3 + (i % 4));
    const apart = matrixOf(40 * k, 30 * k, P, 'mixed', (i) => 3 + (i % 4), 2);
    await same(async (executor) => {
      const [map, wide] = [executor.operator(a), executor.operator(apart)];
      const [x, y] = [vector(executor, 30, width, 1), vector(executor, 40, width, 2)];
      await map.apply(y, x, 5, P - 2);
      await map.applyTransposed(x, y, 1, 1);
      await wide.apply(executor.view(y, 40 * k, n), executor.view(x, 30 * k, n));
      const copy = executor.vector(40, width);
      executor.copy(copy, y);
      executor.scale(copy, vector(executor, 40, 1, 3));
      executor.write(copy, residues(2 * width, 4), 7);
      for (const of of [3, width]) {
        executor.blockAxpy(copy, vector(executor, 40, of, 5), residues(of * width, 6));
      }
      executor.blockAxpy(y, copy, residues(width * width, 7));
      return executor.read(y);
    });
  });

  test('small blocks of panels on either side, and projections', async () => {
    const u = { rows: 4, layers: k, bounds: Uint32Array.of(0, 9, 20, 33, 40), coefficients: residues(40 * k, 8) };
    await same(async (executor) => {
      const [narrow, z] = [vector(executor, 40, 2, 9), vector(executor, 40, width, 10)];
      const other = vector(executor, 40, width, 11);
      executor.expand(z, u, residues(4 * k * width, 12));
      const found: Uint32Array[] = [];
      for (const [x, w] of [
        [narrow, z],
        [z, narrow],
        [other, z],
      ] as const) {
        const out = executor.blocks(3, x.width, w.width);
        for (const index of [0, 1, 2]) executor.blockDot(out, index, x, w);
        executor.fill(narrow, 3);
        const reading = executor.readBlocks(out, 1, 2);
        executor.blockDot(out, 1, x, w); // comes too late for what is being read
        found.push(await reading);
        executor.releaseBlocks(out);
      }
      const out = executor.blocks(2, 4 * k, width);
      executor.project(out, 1, u, z);
      found.push(await executor.readBlocks(out, 1, 1));
      for (const v of [narrow, z, other]) executor.release(v);
      return Uint32Array.from(found.flatMap((words) => [...words]));
    });
  });

  test('compiled steps', async () => {
    const a = matrixOf(30, 30, P, 'mixed', (i) => 3 + (i % 4));
    await same(async (executor) => {
      const map = executor.operator(a);
      const [x, y] = [vector(executor, 30, width, 1), executor.vector(30, width)];
      const out = executor.blocks(3, width, width);
      const program = executor.compile([
        { do: 'apply', map, y, x },
        { do: 'blockDot', out, x, z: y },
        { do: 'copy', to: x, from: y },
      ]);
      await program.run(0, 3);
      return executor.readBlocks(out, 0, 3);
    });
  });
});

test('columns stand in panels of whole lanes, as even as they may be', () => {
  const sizes = (n: number, most: number) => panelColumns(n, most).map(({ length }) => length);
  expect(sizes(64, 48)).toEqual([32, 32]);
  expect(sizes(64, 24)).toEqual([24, 24, 16]);
  expect(sizes(5, 2)).toEqual([2, 2, 1]);
  expect(panelColumns(20, 16).flatMap((own) => [...own])).toEqual(Array.from({ length: 20 }, (_, j) => j));
});

test('a device that fails leaves no panel without a handler', async () => {
  const inner = new ReferenceExecutor(FIELD);
  inner.readBlocks = () => {
    throw new DeviceError('device gpu: it was lost');
  };
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    const executor = new PaneledExecutor(inner, 4, 1);
    const [out, x] = [executor.blocks(1, 9, 9), vector(executor, 12, 9, 1)];
    executor.blockDot(out, 0, x, x);
    await expect(executor.readBlocks(out, 0, 1)).rejects.toThrow(DeviceError);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(unhandled).toEqual([]);
  } finally {
    process.removeListener('unhandledRejection', note);
  }
});

test('what has another shape is refused', async () => {
  const executor = new PaneledExecutor(new ReferenceExecutor(FIELD), 4, 2);
  const [x, y] = [executor.vector(6, 20), executor.vector(6, 36)];
  expect(() => executor.copy(x, y)).toThrow(ShapeError);
  expect(() => executor.view(x, 4, 30)).toThrow('expected elements of 2');
  expect(() => executor.vector(6, 21)).toThrow('expected a multiple of 2 columns, got 21');
  const map = executor.operator(matrixOf(6, 6, P, 'unit', () => 2));
  await expect(map.apply(x, y)).rejects.toThrow(ShapeError);
  map.free?.();
});
