/**
 * The directions of a Schur complement that a team brings into a GPU's storage: the products of the reference executor,
 * whatever the team's memory is used for afterwards.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PivotPlaces } from '../../../algorithms/presolve/pattern.js';
import { structuralPivots } from '../../../algorithms/presolve/structural-pivots.js';
import { SchurComplement, type SubstitutingExecutor } from '../../../algorithms/schur/schur-complement.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { type ResidueMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';
import { KernelMemory } from '../../../kernels/threads/memory.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { concat, filled, matrixOf } from '../../kernels/executors/cases.js';

/** The first ones, which are pivots by themselves. */
function firstPivots(a: ResidueMatrix, at: ResidueMatrix, count: number): PivotPlaces {
  const { rows, cols } = structuralPivots(a, at).pivots;
  return { rows: rows.slice(0, count), cols: cols.slice(0, count) };
}

/** S·x and Sᵀ·x by the widths; `between` two of them something else happens. */
async function products(
  executor: SubstitutingExecutor,
  [a, at, pivots]: readonly [ResidueMatrix, ResidueMatrix, PivotPlaces],
  directions: readonly boolean[],
  widths: readonly number[],
  between: () => void = () => {},
): Promise<Uint32Array> {
  const s = new SchurComplement(executor, a, at, pivots);
  const found: Uint32Array[] = [];
  for (const width of widths) {
    for (const transposed of directions) {
      const x = filled(executor, transposed ? s.rows : s.cols, width, 1);
      const y = filled(executor, transposed ? s.cols : s.rows, width, 2);
      if (transposed) await s.applyTransposed(y, x);
      else await s.apply(y, x);
      found.push(await executor.read(y));
      between();
    }
  }
  s.free();
  return concat(...found);
}

describe.skipIf(gpuMissing)('on a GPU', () => {
  let team: Team;
  beforeAll(async () => {
    team = await Team.create(1);
  });
  afterAll(() => team.dispose());

  /** Everything that nobody owns. */
  const soil = (): void => {
    const at = team.memory.alloc(2 ** 24);
    team.memory.u32(at, 2 ** 22).fill(0x01010101);
    team.memory.release(at);
  };

  test.each([2, 65521, 2147483647])('both directions mod %d', async (p) => {
    const field = WordPrime.of(p);
    const executor = new GpuExecutor(field, await testGpu(), false, team);
    for (const [rows, cols, length] of [
      [60, 60, (i: number) => 2 + (i % 4)],
      [90, 40, (i: number) => (i % 9 === 0 ? 39 : 3)],
      [5, 4, () => 0],
    ] as const) {
      const a = matrixOf(rows, cols, p, 'mixed', length, 3);
      const at = transpose(a);
      const used = [a, at, firstPivots(a, at, 30)] as const;
      const expected = await products(new ReferenceExecutor(field), used, [false, true], [1, 8]);
      expect(await products(executor, used, [false, true], [1, 8], soil)).toEqual(expected);
    }
    executor.dispose();
  });

  // X is long enough for panels at width 8, which are cut from rows that are taken once more.
  test('panels of columns come later', async () => {
    const field = WordPrime.of(65521);
    const a = matrixOf(3000, 1_200_000, 65521, 'mixed', () => 12);
    const at = transpose(a);
    const used = [a, at, firstPivots(a, at, 1500)] as const;
    const executor = new GpuExecutor(field, await testGpu(), false, team);
    const taken: [number, number][] = [];
    const take = executor.takeRows.bind(executor);
    executor.takeRows = (taking, first, end) => {
      taken.push([first, end]);
      return take(taking, first, end);
    };
    const expected = await products(new ReferenceExecutor(field), used, [false], [1, 8]);
    expect(await products(executor, used, [false], [1, 8], soil)).toEqual(expected);
    expect(taken).toEqual([
      [0, 3000],
      [0, 1500],
      [1500, 3000],
    ]);
    executor.dispose();
  });

  test('without room in kernel memory this thread does it', async () => {
    const small = await Team.create(1, new KernelMemory(8));
    const field = WordPrime.of(65521);
    const executor = new GpuExecutor(field, await testGpu(), false, small);
    const a = matrixOf(9000, 9000, 65521, 'mixed', () => 12);
    const at = transpose(a);
    const used = [a, at, firstPivots(a, at, 2000)] as const;
    const taking = { a, rowOrder: a.rowPtr.subarray(0, 9000), place: a.colIdx, given: 0, pivots: 0, rowPtr: a.rowPtr };
    expect(executor.takeRows(taking, 0, 9000)).toBeNull();
    const expected = await products(new ReferenceExecutor(field), used, [false, true], [4]);
    expect(await products(executor, used, [false, true], [4])).toEqual(expected);
    executor.dispose();
    await small.dispose();
  });
});
