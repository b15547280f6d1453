/** Block Wiedemann with blocks of vectors beyond a binding: the sequence, the rank and its proof of whole blocks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { columnsAtOnce, inPanels } from '../../../algorithms/block-wiedemann/column-panels.js';
import { startSequence } from '../../../algorithms/block-wiedemann/krylov-columns.js';
import { rankOfMatrix, tallOperator } from '../../../algorithms/block-wiedemann/rank.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { minpolyOfMatrix } from '../../../algorithms/minpoly.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { fakeGpu, gpuMissing, limitedGpu } from '../../gpu.js';
import { contextOn } from '../methods/context.js';

function matrixOf(family: Parameters<typeof generate>[0], args: number[], p: number) {
  const { rows, cols, ...entries } = generate(family, args);
  return SparseMatrix.fromTriplets(rows, cols, entries).residues(p);
}

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

test('columns at once are those that a binding has room for, in whole lanes', () => {
  const [small, large, three] = [65521, 2147483629, 3].map((p) => WordPrime.of(p));
  const limit = 2 ** 31 - 4;
  // A block of GL7d19's shape has room for hundreds of columns.
  expect(columnsAtOnce(small!, 1_955_309, 1, limit)).toBe(544);
  expect(columnsAtOnce(small!, 100_000_000, 1, limit)).toBe(8);
  expect(columnsAtOnce(small!, 300_000_000, 1, limit)).toBe(2);
  expect(columnsAtOnce(large!, 300_000_000, 1, limit)).toBe(1);
  expect(columnsAtOnce(large!, 600_000_000, 1, limit)).toBe(0);
  expect(columnsAtOnce(three!, 10_000_000, 5, limit)).toBe(8);
});

/** Vectors on threads, for whoever asks for the limits of a GPU. */
function likeGpu(executor: CpuExecutor, maxBindingBytes: number): Executor {
  const device = { name: 'gpu', gpu: fakeGpu({ maxBindingBytes }), columnRank: undefined, over: undefined };
  return Object.assign(Object.create(executor), device);
}

test.each([
  [65521, 7000],
  [2147483629, 7000],
  [3, 30_000], // five coordinates an element
])('the rank, the bounds and the minimal polynomial mod %i are those of whole blocks', async (p, limit) => {
  const executor = new CpuExecutor(WordPrime.of(p), team);
  const matrix = matrixOf('ex', [2], p); // 560 x 560
  const options = { block: { m: 24, n: 12 } };
  const ask = async (maxBindingBytes: number) => {
    const context = { ...contextOn(executor), executor: likeGpu(executor, maxBindingBytes), selfChecks: true };
    const { seconds: _, explanation, ...result } = await rankOfMatrix(context, matrix, options);
    const { coefficients } = await minpolyOfMatrix(context, matrix);
    return { result, explanation, coefficients };
  };
  const [whole, pieces] = [await ask(2 ** 31), await ask(limit)];
  expect(pieces.result).toEqual(whole.result);
  expect(pieces.coefficients).toEqual(whole.coefficients);
  expect(whole.explanation).toEqual([]);
  expect(pieces.explanation).toEqual([
    expect.stringMatching(/^blocks of 12 columns in [2-6] pieces, since a GPU takes 0\.0\d+ MB in one$/),
  ]);
  executor.dispose();
});

describe.skipIf(gpuMissing)('on a GPU that binds a mebibyte', () => {
  test('the sequence is that of whole blocks on threads', async () => {
    const field = WordPrime.of(65521);
    const L = 18_000; // of blocks of 1.15 MB
    const triplets = Array.from({ length: 2 * L }, (_, i) => [i % L, (131 * i + (i >> 3)) % 190, 1 + (i % 9)] as const);
    const matrix = SparseMatrix.fromTriplets(L, 190, [...triplets]).residues(65521);
    const onGpu = new GpuExecutor(field, await limitedGpu({ maxBindingBytes: 2 ** 20 }));
    const onThreads = new CpuExecutor(field, team);
    const shape = { m: 64, n: 32, s: 4, shift: 1 as const };
    const task = { preconditioner: 'hash' as const, shape, seed: 5n, length: 4, moments: 2 };
    const found = [];
    for (const executor of [onThreads, onGpu]) {
      const { executor: own, explanation } = inPanels(executor, L, 1, shape.n);
      const operator = tallOperator(own.operator(matrix));
      const { krylov } = await startSequence(own, operator, new WorkingField(own, 'block'), task);
      const nothing = (): void => {};
      await krylov.extend(task.length, task.moments, nothing, nothing);
      found.push({ adjoint: krylov.adjoint, s: krylov.s.copy(0), t: krylov.t.copy(0) });
      expect(explanation).toEqual(
        executor === onGpu ? [expect.stringMatching(/^blocks of 32 columns in 2 pieces/)] : [],
      );
      executor.dispose();
    }
    expect(found[1]).toEqual(found[0]);
    expect(found[0]!.adjoint).toBe(true);
    expect(found[0]!.s.length).toBe(4 * 64 * 32);
  });
});
