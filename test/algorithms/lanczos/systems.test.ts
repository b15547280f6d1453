import { beforeEach, describe, expect, test } from 'vitest';
import { multiply, vanishesOn } from '../../../algorithms/factor/products.js';
import { randomKernel, solveByLanczos } from '../../../algorithms/lanczos/systems.js';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { denseRows } from '../../../algorithms/reference/rows.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { projectivePlane } from '../../../data/families/projective-plane.js';
import { random } from '../../../data/families/random.js';
import type { Triplets } from '../../../data/triplets.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { skipOf, testGpu } from '../../gpu.js';

const PRIMES = [2, 3, 7, 101, 65521, 2147483629];

const fromFamily = (triplets: Triplets): SparseMatrix =>
  SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets);

const MATRICES: readonly [string, (p: number) => SparseMatrix][] = [
  ['1 x 1', () => SparseMatrix.fromDense([[1]])],
  ['1 x 1, zero', () => SparseMatrix.fromTriplets(1, 1, [])],
  ['0 x 5', () => SparseMatrix.fromTriplets(0, 5, [])],
  ['5 x 0', () => SparseMatrix.fromTriplets(5, 0, [])],
  ['tall', (p) => fromFamily(random(60, 25, 4, p, 1))],
  ['wide', (p) => fromFamily(random(25, 60, 4, p, 2))],
  ['square', (p) => fromFamily(random(45, 45, 5, p, 3))],
  ['square of low rank', (p) => fromFamily(random(50, 50, 4, p, 4, 20))],
  [
    'the identity',
    () =>
      SparseMatrix.fromTriplets(
        60,
        60,
        Array.from({ length: 60 }, (_, i) => [i, i, 1]),
      ),
  ],
  ['points of a plane, orthogonal to each other mod 7', () => fromFamily(projectivePlane(7))],
];

function contextOf(executor: Executor, seed = 3n) {
  return {
    ...{ executor, seed, check: () => {}, onProgress: () => {} },
    orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
  };
}

async function kernelOf(executor: Executor, matrix: SparseMatrix, count: number) {
  const { p } = executor.field;
  const kernel = randomKernel(contextOf(executor), matrix.residues(p), count);
  const rows: Uint32Array[] = [];
  for await (const batch of kernel.batches()) {
    for (let k = 0; k < batch.count; k++) {
      const row = new Uint32Array(matrix.cols);
      for (let at = batch.ptr[k]; at < batch.ptr[k + 1]; at++) row[batch.index[at]] = batch.values[at];
      rows.push(row);
    }
  }
  return { rows, bound: kernel.rankBound() };
}

describe.each(PRIMES)('mod %d', (p) => {
  const F = WordPrime.of(p);

  test.each(MATRICES)('%s: systems as elimination has them', async (_, make) => {
    const a = make(p).residues(p);
    const rank = denseRank(F, denseRows(F, a));
    const executor = new ReferenceExecutor(F);
    const s = 3;
    const x = new CounterRandom(7n, 1).fillResidues(new Uint32Array(a.cols * s), p);
    const b = multiply(F, a, x, s);
    for (const random of [false, true]) {
      const found = await solveByLanczos(contextOf(executor), a, b, s, random);
      expect(found.reason).toBeUndefined();
      expect(multiply(F, a, found.solution!, s)).toEqual(b);
      if (rank === a.cols) expect(found.solution).toEqual(x);
    }
    if (rank === a.rows) return;
    // One right side outside the column space, by elimination: the last of the three.
    const outside = Array.from({ length: a.rows }, (_, i) => i).find((i) => {
      const rows = denseRows(F, a).map((row, k) => [...row, k === i ? 1 : 0]);
      return denseRank(F, rows) > rank;
    })!;
    b[outside * s + 2] = F.add(b[outside * s + 2], 1);
    const { solution, inconsistent } = await solveByLanczos(contextOf(executor), a, b, s, false);
    expect(solution).toBeNull();
    const { column, certificate } = inconsistent!;
    expect(column).toBe(2);
    expect(vanishesOn(F, certificate, a)).toBe(true);
    expect(certificate.reduce((sum, u, i) => F.add(sum, F.mul(u, b[i * s + 2])), 0)).not.toBe(0);
  });

  test.each(MATRICES)('%s: as many random vectors as the kernel has dimensions span most of it', async (_, make) => {
    const matrix = make(p);
    const a = matrix.residues(p);
    const rank = denseRank(F, denseRows(F, a));
    // 40 more than the dimension: all of them lie in a proper subspace with probability below 2^-40.
    const count = a.cols - rank + 40;
    const { rows, bound } = await kernelOf(new ReferenceExecutor(F), matrix, count);
    expect(rows.length).toBe(count);
    for (const v of rows) expect(multiply(F, a, v, 1).every((value) => value === 0)).toBe(true);
    expect(
      denseRank(
        F,
        rows.map((row) => [...row]),
      ),
    ).toBe(a.cols - rank);
    expect(bound).toBe(rank);
  });
});

test('where every block is orthogonal to itself nothing is claimed, after four runs', async () => {
  class Orthogonal extends ReferenceExecutor {
    override blockDot(): void {} // leaves 0
  }
  const matrix = fromFamily(random(20, 20, 3, 65521, 1, 4));
  const executor = new Orthogonal(WordPrime.of(65521));
  const a = matrix.residues(65521);
  const b = multiply(executor.field, a, new Uint32Array(20).fill(1), 1);
  const found = await solveByLanczos(contextOf(executor), a, b, 1, false);
  expect(found).toMatchObject({ solution: null, inconsistent: null, reason: 'lanczos: no solution found in 4 runs' });
  expect(found.explanation[1]).toContain('runs that they ended 4');
  expect(await kernelOf(executor, matrix, 2)).toEqual({ rows: [], bound: 0 });
});

const DEVICES: readonly [string, (F: WordPrime) => Promise<Executor>][] = [
  ['cpu', (F) => CpuExecutor.create(F)],
  ['gpu', async (F) => GpuExecutor.create(F, { device: await testGpu() })],
];

describe.each(DEVICES)('%s', (name, create) => {
  beforeEach(skipOf(name));

  test.each(name === 'cpu' ? PRIMES : [2, 101, 65521])('mod %d: the integers of the reference', async (p) => {
    const F = WordPrime.of(p);
    for (const [, make] of name === 'cpu' ? MATRICES : MATRICES.slice(5, 8)) {
      const matrix = make(p);
      const a = matrix.residues(p);
      const x = new CounterRandom(7n, 1).fillResidues(new Uint32Array(a.cols), p);
      const executors = [new ReferenceExecutor(F), await create(F)];
      const found = [];
      for (const executor of executors) {
        const { solution, explanation } = await solveByLanczos(contextOf(executor), a, multiply(F, a, x, 1), 1, true);
        found.push({ solution, explanation, kernel: (await kernelOf(executor, matrix, 3)).rows });
        executor.dispose();
      }
      expect(found[1]).toEqual(found[0]);
    }
  });
});
