/** Rows of a matrix on several devices: the products of one executor, whatever the devices, the cut and the width. */
import { describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ExecutorRows } from '../../../kernels/executors/executor-rows.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { cutRows, type RowDevice, RowSplit } from '../../../kernels/executors/row-split.js';
import { splitBits, splitOperator } from '../../../kernels/executors/split-rows.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { extremes, filled, matrixOf } from './cases.js';

const SHAPES: readonly [rows: number, cols: number][] = [
  [0, 3],
  [3, 0],
  [1, 1], // fewer rows than devices
  [70, 40],
  [40, 300],
];

/** Relative speeds: a device, equal ones, a fast one among slow ones, measured ones. */
const SPEEDS = [[1], [1, 1], [1, 5, 2], undefined];

const DEVICES: readonly [string, (F: WordPrime) => Promise<Executor>][] = [
  ['reference', async (F) => new ReferenceExecutor(F)],
  ['cpu', (F) => CpuExecutor.create(F)],
  ...(gpuMissing === null
    ? ([['gpu', async (F) => GpuExecutor.create(F, { device: await testGpu() })]] as [
        string,
        (F: WordPrime) => Promise<Executor>,
      ][])
    : []),
];

const names = DEVICES.map(([name]) => name).join(', ');

/** Device d is of kind d, and d + 1, and so on: threads beside a GPU, too. */
const split = async (F: WordPrime, speeds: readonly number[] | undefined) => {
  const executors = await Promise.all((speeds ?? [0, 0, 0]).map((_, d) => DEVICES[(d + 1) % DEVICES.length]![1](F)));
  const devices = executors.map((executor) => new ExecutorRows(executor));
  return { by: new RowSplit(devices, { speeds }), free: () => [...devices, ...executors].forEach(end) };
};
const end = (each: ExecutorRows | Executor): void => ('dispose' in each ? each.dispose() : each.free());

describe.each([2, 3, 65521, 2147483629])(`mod %d, on ${names}`, (p) => {
  const F = WordPrime.of(p);

  test.each(SPEEDS.map((speeds) => ({ speeds })))('products by speeds $speeds', async ({ speeds }) => {
    const executor = new ReferenceExecutor(F);
    const shares = await split(F, speeds);
    for (const [rows, cols] of SHAPES) {
      const matrix = matrixOf(rows, cols, p, 'mixed', (i) => i % 7);
      const [a, expected] = [await splitOperator(executor, matrix, shares.by), executor.operator(matrix)];
      for (const [width, alpha, beta] of [
        [1, 1, 0],
        [5, 1, 1],
        [5, p - 1, p >> 1],
      ] as const) {
        const x = filled(executor, cols, width, 1);
        const [y, z] = [0, 1].map(() => filled(executor, rows, width, 2));
        await a.apply(y!, x, alpha, beta);
        await expected.apply(z!, x, alpha, beta);
        expect(executor.read(y!)).toEqual(executor.read(z!));
        const [u, v] = [0, 1].map(() => filled(executor, cols, width, 3));
        await a.applyTransposed(u!, y!, alpha, beta);
        await expected.applyTransposed(v!, y!, alpha, beta);
        expect(executor.read(u!)).toEqual(executor.read(v!));
      }
    }
    shares.free();
  });
});

test.each(SPEEDS.map((speeds) => ({ speeds })))('products of bits by speeds $speeds', async ({ speeds }) => {
  const F = WordPrime.of(2);
  const columns = new ReferenceExecutor(F).bitColumns()!;
  const shares = await split(F, speeds);
  for (const [rows, cols] of SHAPES) {
    const matrix = matrixOf(rows, cols, 2, 'unit', (i) => i % 7);
    const [a, expected] = [await splitBits(columns, matrix, F, shares.by), columns.operator(matrix)];
    const vector = (length: number) => {
      const v = columns.vector(length);
      columns.write(v, extremes(2 * length, 2 ** 32, 1));
      return v;
    };
    const [x, y, z, u, v] = [cols, rows, rows, cols, cols].map(vector);
    await a.apply(y!, x!);
    await expected.apply(z!, x!);
    expect(columns.read(y!)).toEqual(columns.read(z!));
    await a.applyTransposed(u!, y!);
    await expected.applyTransposed(v!, y!);
    expect(columns.read(u!)).toEqual(columns.read(v!));
  }
  shares.free();
});

test('cuts by entries and rows, in the proportion of speeds', () => {
  const even = Uint32Array.from({ length: 101 }, (_, i) => 3 * i);
  expect([...cutRows(even, [1, 1])]).toEqual([0, 50, 100]);
  expect([...cutRows(even, [1, 3])]).toEqual([0, 25, 100]);
  expect([...cutRows(even, [0, 1])]).toEqual([0, 0, 100]);
  // One long row, with as many entries as there are rows behind it.
  const long = Uint32Array.from({ length: 101 }, (_, i) => (i === 0 ? 0 : 98));
  expect([...cutRows(long, [1, 1])]).toEqual([0, 1, 100]);
  expect([...cutRows(Uint32Array.of(0, 2), [1, 1, 1])]).toEqual([0, 0, 0, 1]);
  expect([...cutRows(Uint32Array.of(0), [1, 1])]).toEqual([0, 0, 0]);
});

test('no run is above the most where a cut of whole rows can have it so, the last one included', () => {
  const ptrOf = (weights: readonly number[]): Uint32Array => {
    const rowPtr = new Uint32Array(weights.length + 1);
    weights.forEach((weight, i) => {
      rowPtr[i + 1] = rowPtr[i]! + weight - 1;
    });
    return rowPtr;
  };
  // By speeds alone the first run ends before the long row, and the last one has 17 of 20.
  expect([...cutRows(ptrOf([3, 8, 9]), [1, 1], 0.6)]).toEqual([0, 2, 3]);
  expect([...cutRows(ptrOf([9, 2, 9]), [1, 1, 1], 0.5)]).toEqual([0, 1, 2, 3]);
  // A row above the most is a run by itself.
  expect([...cutRows(ptrOf([1, 1, 100, 1, 1]), [1, 1, 1], 0.6)]).toEqual([0, 2, 3, 5]);
  expect([...cutRows(ptrOf([100, 1, 1, 1, 1]), [1, 1], 0.5)]).toEqual([0, 1, 5]);
  const random = new CounterRandom(1n, 0);
  let cut = 0;
  for (let at = 0; at < 4000; at += 20) {
    const draw = (i: number, below: number): number => random.residueAt(at + i, below);
    const weights = Array.from({ length: 1 + draw(0, 8) }, (_, i) => 1 + draw(1 + i, 20));
    const speeds = Array.from({ length: 2 + draw(10, 2) }, (_, d) => draw(11 + d, 5));
    const most = (5 + draw(15, 5)) / 10;
    const whole = weights.reduce((sum, weight) => sum + weight, 0);
    const limit = whole * Math.max(most, 1 / speeds.length);
    const sum = (first: number, end: number): number => weights.slice(first, end).reduce((a, b) => a + b, 0);
    // Every cut there is, by its largest run.
    const least = (first: number, runs: number): number =>
      runs === 1
        ? sum(first, weights.length)
        : Math.min(
            ...Array.from({ length: weights.length - first + 1 }, (_, k) =>
              Math.max(sum(first, first + k), least(first + k, runs - 1)),
            ),
          );
    const bounds = cutRows(ptrOf(weights), speeds, most);
    const runs = speeds.map((_, d) => sum(bounds[d]!, bounds[d + 1]!));
    expect(runs.reduce((a, b) => a + b, 0)).toBe(whole);
    if (least(0, speeds.length) > limit) continue;
    cut++;
    expect(Math.max(...runs)).toBeLessThanOrEqual(limit + 1e-6);
  }
  expect(cut).toBeGreaterThan(100);
});

/** A device whose product takes `fixed` milliseconds and `each` for a row and for an entry. */
class TimedDevice implements RowDevice {
  readonly rows: number[] = [];
  private weight = 0;
  private readonly clock: { ms: number };
  private readonly fixed: number;
  private readonly each: number;

  constructor(clock: { ms: number }, fixed: number, each: number) {
    this.clock = clock;
    this.fixed = fixed;
    this.each = each;
  }

  async holdRows({ rows, colIdx }: ResidueMatrix): Promise<void> {
    this.rows.push(rows);
    this.weight = rows + colIdx.length;
  }

  async multiply(): Promise<Uint32Array> {
    this.clock.ms += this.fixed + this.each * this.weight;
    return new Uint32Array();
  }
}

describe('shares by the times of products', () => {
  const F = WordPrime.of(7);
  const [rowPtr, colIdx, values] = [4001, 12000, 12000].map((length) => new Uint32Array(length).fill(1));
  const matrix: ResidueMatrix = {
    rows: 4000,
    cols: 50,
    rowPtr: rowPtr!.map((_, i) => 3 * i),
    colIdx: colIdx!,
    values: values!,
  };
  const shares = async (times: readonly (readonly [fixed: number, each: number])[], most?: number) => {
    const clock = { ms: 0 };
    const devices = times.map(([fixed, each]) => new TimedDevice(clock, fixed, each));
    const split = new RowSplit(devices, { now: () => clock.ms, ...(most !== undefined && { most }) });
    const bounds = await split.hold(matrix, F, false);
    expect(bounds.at(-1)).toBe(4000);
    expect(split.rows).toEqual(devices.map(({ rows }) => rows.at(-1)));
    return { devices, rows: split.rows, split };
  };

  test('equal devices keep equal rows', async () => {
    const { devices } = await shares([
      [5, 1],
      [5, 1.05],
    ]);
    expect(devices.map(({ rows }) => rows)).toEqual([[2000], [2000]]);
  });

  test('a device three times as fast gets three times the rows, and keeps them for the next matrix', async () => {
    const { devices, split } = await shares([
      [0, 1],
      [0, 3],
    ]);
    expect(devices.map(({ rows }) => rows)).toEqual([
      [2000, 3000],
      [2000, 1000],
    ]);
    await split.hold(matrix, F, true);
    expect(devices[0]!.rows).toEqual([2000, 3000, 3000]);
  });

  test('a slow exchange leaves fewer rows, look by look', async () => {
    const { devices, rows } = await shares([
      [0, 1],
      [4000, 1],
    ]);
    expect(devices[1]!.rows[0]).toBe(2000);
    expect(devices[1]!.rows).toEqual(devices[1]!.rows.toSorted((a, b) => b - a));
    // 4 a row: both take as long with 2500 and 1500.
    expect(rows[1]!).toBeGreaterThan(1400);
    expect(rows[1]!).toBeLessThan(1650);
  });

  test('a device that no clock sees gets most rows, and no more than it holds', async () => {
    const [unseen, seen]: (readonly [number, number])[] = [
      [0, 0],
      [0, 1],
    ];
    expect((await shares([unseen!, seen!])).rows[0]).toBeGreaterThan(3990);
    expect((await shares([unseen!, seen!], 0.6)).rows).toEqual([2400, 1600]);
  });

  test('no device gets more than its memory holds', async () => {
    const fast: readonly [number, number] = [0, 1];
    expect((await shares([fast, [0, 9]], 0.6)).rows).toEqual([2400, 1600]);
    expect((await shares([fast, [0, 9], [0, 9]], 0.5)).rows).toEqual([2000, 1000, 1000]);
    expect((await shares([fast, [0, 9]], 0.2)).rows).toEqual([2000, 2000]); // less than there is to hold
  });
});
