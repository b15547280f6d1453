import { describe, expect, test } from 'vitest';
import { WorkingField } from '../../algorithms/block-wiedemann/working-field.js';
import { type DeterminantResult, determinant } from '../../algorithms/determinant.js';
import { denseDeterminant } from '../../algorithms/reference/dense-elimination.js';
import { sparseRows } from '../../algorithms/reference/rows.js';
import { eliminateSparse } from '../../algorithms/reference/sparse-elimination.js';
import { triangularPreconditioner } from '../../algorithms/wiedemann/triangular-preconditioner.js';
import { WordPrime } from '../../fields/word-prime.js';
import { ReferenceExecutor } from '../../kernels/executors/reference.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { EXPECTED, noise } from './expected/matrices.js';

const PRIMES = [2, 3, 5, 7, 101, 2039, 32749, 65521, 65537, 2147483629, 2147483647];

function determinantOf(matrix: SparseMatrix, p: number, seed = 1n): Promise<DeterminantResult> {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const context = { executor, seed, check() {}, onProgress() {} };
  return determinant(context, executor.operator(matrix.residues(p)));
}

describe('determinants computed by PARI/GP', () => {
  for (const { shape, p, det } of EXPECTED.filter((e) => BigInt(e.p) < 2n ** 31n)) {
    test(`n = ${shape[0]}, fill ${shape[1]}, mod ${p}`, async () => {
      for (const seed of [1n, 2n]) {
        const result = await determinantOf(noise(shape), Number(p), seed);
        expect(result).toMatchObject({ determinant: Number(det), errorLog2: Number.NEGATIVE_INFINITY });
        if (det !== '0') expect(result.by).toBe('characteristic polynomial');
      }
    });
  }
});

describe('matrices made to be difficult', () => {
  const permutation = (n: number, to: (i: number) => number): SparseMatrix =>
    SparseMatrix.fromTriplets(
      n,
      n,
      Array.from({ length: n }, (_, i) => [i, to(i), 1] as const),
    );
  const SHAPES: Record<string, SparseMatrix> = {
    '0 x 0': SparseMatrix.fromTriplets(0, 0, []),
    '1 x 1': SparseMatrix.fromTriplets(1, 1, [[0, 0, 3]]),
    'zero 5 x 5': SparseMatrix.fromTriplets(5, 5, []),
    'identity, where A·D alone has repeated eigenvalues': permutation(150, (i) => i),
    'odd permutation': permutation(8, (i) => [1, 0, 2, 3, 4, 5, 6, 7][i]),
    'cyclic permutation of even length, sign −1': permutation(10, (i) => (i + 1) % 10),
    'nilpotent shift': SparseMatrix.fromTriplets(
      12,
      12,
      Array.from({ length: 11 }, (_, i) => [i, i + 1, 1] as const),
    ),
    'the same block six times': SparseMatrix.fromTriplets(
      12,
      12,
      Array.from(
        { length: 6 },
        (_, b) =>
          [
            [2 * b, 2 * b, 2],
            [2 * b, 2 * b + 1, 3],
            [2 * b + 1, 2 * b, 1],
          ] as const,
      ).flat() as [number, number, number][],
    ),
    'two equal rows': SparseMatrix.fromTriplets(4, 4, [
      [0, 0, 1],
      [0, 1, 2],
      [1, 0, 1],
      [1, 1, 2],
      [2, 2, 1],
      [3, 3, 5],
      [2, 3, 1],
    ]),
    'upper triangular': SparseMatrix.fromTriplets(
      20,
      20,
      Array.from(
        { length: 20 },
        (_, i) =>
          [
            [i, i, i + 2],
            [i, 19, 1],
          ] as const,
      ).flat() as [number, number, number][],
    ),
  };
  for (const [name, matrix] of Object.entries(SHAPES)) {
    test(name, async () => {
      for (const p of PRIMES) {
        const F = WordPrime.of(p);
        const expected = eliminateSparse(F, sparseRows(F, matrix.residues(p)), matrix.cols).determinant;
        expect(await determinantOf(matrix, p), `p = ${p}`).toMatchObject({ determinant: expected });
      }
    });
  }
});

test('the mixing factor has the determinant it states, and its transpose is its transpose', async () => {
  for (const p of [2, 7, 65521]) {
    const field = WordPrime.of(p);
    const executor = new ReferenceExecutor(field);
    const working = new WorkingField(executor, 'column');
    const N = 6;
    const c = triangularPreconditioner(executor, N, working, 5n);
    const columns = async (apply: typeof c.apply): Promise<number[][]> => {
      const images: number[][] = [];
      for (let j = 0; j < N; j++) {
        const x = executor.vector(N, working.k);
        const y = executor.vector(N, working.k);
        const unit = new Uint32Array(N);
        unit[j] = 1;
        executor.write(x, working.toResidues(unit, 1));
        await apply(y, x);
        const data = await executor.read(y);
        images.push(
          Array.from({ length: N }, (_, i) =>
            data.subarray(i * working.k, (i + 1) * working.k).reduceRight((code, digit) => code * p + digit, 0),
          ),
        );
      }
      return images;
    };
    const matrix = await columns((v, y) => c.apply(v, y)); // row j holds C·e_j: the transpose of C
    expect(denseDeterminant(working.elements, matrix)).toBe(c.determinant);
    if (working.k === 1) {
      const transposed = await columns((z, x) => c.applyTransposed(z, x));
      expect(transposed).toEqual(matrix.map((_, i) => matrix.map((row) => row[i])));
    }
  }
});

test('an unlucky end is said, not guessed', async () => {
  // An operator that is not linear: it answers differently each time, so that no recurrence can be right.
  const executor = new ReferenceExecutor(WordPrime.of(65521));
  const a = executor.operator(noise([16, 30, 4]).residues(65521));
  let calls = 0;
  const unsteady = {
    rows: 16,
    cols: 16,
    apply: (y: Parameters<typeof a.apply>[0], x: Parameters<typeof a.apply>[1]) => a.apply(y, x, 1 + (calls++ % 3)),
    applyTransposed: () => {
      throw new Error('not needed');
    },
  };
  const result = await determinant({ executor, seed: 1n, check() {}, onProgress() {} }, unsteady, { maxAttempts: 2 });
  expect(result).toMatchObject({ determinant: null, by: null, errorLog2: null, attempts: 2 });
  expect(result.reason).toContain('the recurrence');
});

test('a matrix that is not square is refused', async () => {
  await expect(determinantOf(SparseMatrix.fromTriplets(2, 3, []), 5)).rejects.toThrow(
    'det: expected a square matrix, got 2 x 3',
  );
});
