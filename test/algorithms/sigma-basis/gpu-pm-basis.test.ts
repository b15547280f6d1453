/** sigma-basis on the GPU against the CPU's, on every hazard; products on the device from 16 orders on. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { GpuPolyEngine } from '../../../algorithms/sigma-basis/gpu-pm-basis.js';
import { generatorEngine } from '../../../algorithms/sigma-basis/order-basis.js';
import { PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { CASES, type Case, series } from './cases.js';

const LARGER: Case[] = [
  { name: '20 × 8, right-hand rows', rows: 20, n: 8, orders: 150, rhsRows: 3 },
  { name: '6 × 2', rows: 6, n: 2, orders: 200 },
];

describe.skipIf(gpuMissing)('sigma-basis on the GPU', () => {
  let team: Team;
  beforeAll(async () => {
    team = await Team.create(1);
  });
  afterAll(() => team.dispose());

  test.each([2, 3, 65521, 2147483629])('is the CPU’s mod %i', async (p) => {
    const field = WordPrime.of(p);
    const cpu = new PolyEngine(team, field);
    const gpu = new GpuPolyEngine(team, await testGpu(), field, { crossover: 16 });
    for (const [seed, c] of [...CASES, ...LARGER].entries()) {
      const blocks = series(c, p, seed);
      const rhsRows = c.rhsRows ?? 0;
      const [before, after] = [0, 0].map(() => Int32Array.from({ length: c.rows }, (_, i) => c.degrees?.[i] ?? 0));
      const [g, h] = [cpu.create(c.rows, c.n, c.orders), gpu.create(c.rows, c.n, c.orders)];
      cpu.write(g, blocks);
      gpu.write(h, blocks);
      expect(await gpu.read(h), c.name).toEqual(blocks);
      const expected = cpu.sigmaBasis(g, before, rhsRows);
      const got = await gpu.sigmaBasis(h, after, rhsRows);
      expect(after, c.name).toEqual(before);
      expect(got.length, c.name).toBe(expected.length);
      expect(await gpu.read(got), c.name).toEqual(cpu.read(expected));
      const residuals = [cpu.residual(expected, g, 0, c.orders), gpu.residual(got, h, 0, c.orders)] as const;
      expect(await gpu.read(residuals[1]), c.name).toEqual(cpu.read(residuals[0]));
      for (const m of [g, expected, residuals[0]]) cpu.release(m);
      for (const m of [h, got, residuals[1]]) gpu.release(m);
    }
    cpu.dispose();
    gpu.dispose();
  });

  test('is the same with matrices in pieces of few coefficients', async () => {
    const field = WordPrime.of(65521);
    const cpu = new PolyEngine(team, field);
    // Of 16 coefficients of the series.
    const gpu = new GpuPolyEngine(team, await testGpu(), field, { crossover: 16, pieceBytes: 2400 });
    const [rows, n, orders, rhsRows] = [9, 3, 70, 2];
    const blocks = series({ name: '', rows, n, orders }, 65521, 4);
    const [before, after] = [0, 0].map(() => new Int32Array(rows));
    const [g, h] = [cpu.create(rows, n, orders), gpu.create(rows, n, orders)];
    expect(h.pieces.length).toBe(5);
    const early = blocks.subarray(0, 7 * rows * n);
    for (const write of [
      (words: Uint32Array, first: number) => cpu.write(g, words, first),
      (words: Uint32Array, first: number) => gpu.write(h, words, first),
    ]) {
      write(early, 0);
      write(blocks.subarray(early.length), 7);
    }
    expect(await gpu.read(h, 5, 40)).toEqual(cpu.read(g, 5, 40));
    const expected = cpu.sigmaBasis(g, before, rhsRows);
    const got = await gpu.sigmaBasis(h, after, rhsRows);
    expect(got.pieces.length).toBeGreaterThan(1);
    expect(after).toEqual(before);
    expect(await gpu.read(got)).toEqual(cpu.read(expected));
    const residuals = [cpu.residual(expected, g, 20, 55), gpu.residual(got, h, 20, 55)] as const;
    expect(await gpu.read(residuals[1])).toEqual(cpu.read(residuals[0]));
    cpu.dispose();
    gpu.dispose();
  });

  test('composes and continues as the CPU does, right-hand rows included', async () => {
    const field = WordPrime.of(65521);
    const [rows, n, rhsRows, first, all] = [9, 3, 2, 40, 90];
    const blocks = series({ name: '', rows, n, orders: all }, 65521, 4);
    const cpu = new PolyEngine(team, field);
    const gpu = new GpuPolyEngine(team, await testGpu(), field, { crossover: 16 });
    const results = await Promise.all(
      [cpu, gpu].map(async (each) => {
        const engine = each as GpuPolyEngine; // the CPU's needs no waiting
        const degrees = new Int32Array(rows).fill(1, 4);
        const g = engine.create(rows, n, all);
        const start = engine.create(rows, n, first);
        engine.write(g, blocks);
        engine.write(start, blocks.subarray(0, rows * n * first));
        const p1 = await engine.sigmaBasis(start, degrees, rhsRows);
        const p2 = await engine.sigmaBasis(engine.residual(p1, g, first, all - first), degrees, rhsRows);
        return { basis: await engine.read(engine.compose(p2, p1)), degrees };
      }),
    );
    expect(results[1]).toEqual(results[0]);
    cpu.dispose();
    gpu.dispose();
  });

  test.each([undefined, 6000])('serves a whole rank, as the threads do, in pieces of %s bytes', async (pieceBytes) => {
    const p = 65521;
    const field = WordPrime.of(p);
    const matrix = SparseMatrix.fromTriplets(
      300,
      260,
      Array.from({ length: 900 }, (_, i) => [(i * 7) % 300, (i * i + i) % 240, 1 + (i % 5)] as const),
    ).residues(p);
    const executor = new CpuExecutor(field, team);
    const device = await testGpu();
    const asked: object[] = [];
    const context = {
      executor,
      seed: 3n,
      orderBasisEngine: () => new PolyEngine(team, field),
      check() {},
      onProgress() {},
    };
    const generatorEngine: RunContext['generatorEngine'] = (_, work) => {
      asked.push(work);
      return new GpuPolyEngine(team, device, field, { crossover: 16, ...(pieceBytes && { pieceBytes }) });
    };
    const options = { block: { m: 8, n: 4 } };
    const { seconds: _, ...onThreads } = await rankOfMatrix(context, matrix, options);
    const { seconds: __, ...onGpu } = await rankOfMatrix({ ...context, generatorEngine }, matrix, options);
    expect(onGpu).toEqual(onThreads);
    expect(onGpu.upperBound).toBe(onGpu.rank);
    expect(asked).toEqual([{ rows: 16, cols: 4, orders: expect.any(Number) }]);
  });

  test('is chosen for hardware, residues and long searches alone', async () => {
    const long = { rows: 80, cols: 16, orders: 8192 };
    const chosen = async (p: number, work: typeof long, software: boolean, name: string): Promise<string> => {
      const field = WordPrime.of(p);
      // What the choice looks at, on the device of the tests.
      const gpu = Object.create(await testGpu(), { software: { value: software } });
      const executor = { name, field, gpu } as unknown as Executor;
      const engines = orderBasisEngines(executor, team);
      const working = new WorkingField(executor, 'block');
      const engine = await generatorEngine({ ...engines, executor } as RunContext, working.field, work);
      engine.dispose?.();
      return engine.constructor.name;
    };
    expect(await chosen(65521, long, false, 'gpu')).toBe('GpuPolyEngine');
    expect(await chosen(65521, long, true, 'gpu')).toBe('PolyEngine');
    expect(await chosen(65521, { ...long, orders: 60 }, false, 'gpu')).toBe('PolyEngine');
    expect(await chosen(3, long, false, 'gpu')).toBe('ExtensionPolyEngine');
    expect(await chosen(65521, long, false, 'cpu')).toBe('PolyEngine');
  });

  test('refuses what has the wrong shape', async () => {
    const gpu = new GpuPolyEngine(team, await testGpu(), WordPrime.of(65521));
    const g = gpu.create(5, 2, 10);
    expect(() => gpu.write(g, new Uint32Array(15))).toThrow('write: expected at most 10 blocks');
    await expect(gpu.sigmaBasis(g, new Int32Array(3))).rejects.toThrow('expected 5 degrees, got 3');
    expect(() => gpu.residual(gpu.create(4, 4, 1), g, 0, 1)).toThrow('expected 5 rows in P, got 4 × 4');
    gpu.dispose();
  });
});
