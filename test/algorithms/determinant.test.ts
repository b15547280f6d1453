import { describe, expect, test } from 'vitest';
import { type OperatorDeterminant, operatorDeterminant } from '../../algorithms/block-wiedemann/determinant.js';
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { triangularPreconditioner } from '../../algorithms/block-wiedemann/triangular-preconditioner.js';
import { WorkingField } from '../../algorithms/block-wiedemann/working-field.js';
import { type DeterminantMethod, determinant, determinantOfMatrix } from '../../algorithms/determinant.js';
import { denseDeterminant } from '../../algorithms/reference/dense-elimination.js';
import { sparseRows } from '../../algorithms/reference/rows.js';
import { eliminateSparse } from '../../algorithms/reference/sparse-elimination.js';
import { NaiveEngine } from '../../algorithms/sigma-basis/naive.js';
import { CounterRandom } from '../../fields/random.js';
import { WordPrime } from '../../fields/word-prime.js';
import type { Executor } from '../../kernels/executor.js';
import { CpuExecutor } from '../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../kernels/executors/reference.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { EXPECTED, noise } from './expected/matrices.js';

const PRIMES = [2, 3, 5, 7, 101, 2039, 32749, 65521, 65537, 2147483629, 2147483647];

function contextOf(executor: Executor, seed = 1n): RunContext {
  return { executor, seed, check() {}, onProgress() {}, orderBasisEngine: (field) => new NaiveEngine(field) };
}

function determinantOf(matrix: SparseMatrix, p: number, seed = 1n): Promise<OperatorDeterminant> {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  return operatorDeterminant(contextOf(executor, seed), executor.operator(matrix.residues(p)));
}

describe('determinants computed by PARI/GP', () => {
  for (const { shape, p, det } of EXPECTED.filter((e) => BigInt(e.p) < 2n ** 31n)) {
    test(`n = ${shape[0]}, fill ${shape[1]}, mod ${p}`, async () => {
      for (const seed of [1n, 2n]) {
        const result = await determinantOf(noise(shape), Number(p), seed);
        expect(result).toMatchObject({ determinant: Number(det) });
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

describe('of matrices, by every method, as dense elimination has it', () => {
  const METHODS: DeterminantMethod[] = ['auto', 'elimination', 'hybrid', 'wiedemann'];
  /** Rows of `r` entries; with `deficiency` the last rows are sums of two others; in an order of its own. */
  const made = (n: number, r: number, p: number, deficiency: number): SparseMatrix => {
    const random = new CounterRandom(BigInt(n + r + deficiency), 0);
    let at = 0;
    const draw = (below: number): number => random.residueAt(at++, below);
    const rows = Array.from({ length: n }, () => new Map<number, number>());
    rows.forEach((row, i) => {
      for (let t = 0; t < r; t++) row.set(draw(n), 1 + draw(p - 1));
      if (i < n - deficiency) return;
      row.clear();
      for (const other of [rows[draw(n - deficiency)], rows[draw(n - deficiency)]])
        for (const [j, x] of other) row.set(j, ((row.get(j) ?? 0) + x) % p);
    });
    const entries = rows.flatMap((row, i) => [...row].map(([j, x]) => [i, j, x] as [number, number, number]));
    return SparseMatrix.fromTriplets(n, n, entries);
  };
  const CASES: readonly [n: number, r: number, deficiency: number][] = [
    [1, 1, 0],
    [2, 2, 0],
    [40, 2, 0],
    [40, 4, 0],
    [90, 3, 0],
    [90, 6, 0],
    [90, 6, 1],
    [120, 20, 0],
    [120, 20, 5],
  ];
  for (const p of [2, 3, 5, 7, 101, 65521, 2147483629]) {
    test(`mod ${p}`, async () => {
      const field = WordPrime.of(p);
      const executor = await CpuExecutor.create(field, { threads: 2 });
      try {
        const context = { ...contextOf(executor), team: executor.team };
        const seen = new Set<number>();
        for (const [n, r, deficiency] of CASES) {
          const matrix = made(n, r, p, deficiency).residues(p);
          const expected = eliminateSparse(field, sparseRows(field, matrix), n).determinant;
          seen.add(expected);
          for (const method of METHODS) {
            const found = await determinantOfMatrix(context, matrix, { method });
            expect(found.determinant, `${n}, ${r}, ${deficiency} by ${method}`).toBe(expected);
            expect(found.errorLog2).toBe(Number.NEGATIVE_INFINITY);
          }
        }
        expect(seen.size).toBeGreaterThan(1);
      } finally {
        executor.dispose();
      }
    });
  }

  test('in rounds of sparse Schur complements: blocks L·U of known determinant, their lines dealt out anew', async () => {
    const [width, blocks] = [14, 285];
    const n = width * blocks;
    for (const p of [7, 101, 2147483629]) {
      const field = WordPrime.of(p);
      const random = new CounterRandom(BigInt(p), 0);
      let at = 0;
      const draw = (below: number): number => random.residueAt(at++, below);
      let expected = 1;
      // Every transposition of two lines is a change of sign.
      const dealt = (): number[] => {
        const lines = Array.from({ length: n }, (_, i) => i);
        for (let i = n - 1; i > 0; i--) {
          const j = draw(i + 1);
          if (i !== j) expected = field.neg(expected);
          [lines[i], lines[j]] = [lines[j], lines[i]];
        }
        return lines;
      };
      const [rowOf, colOf] = [dealt(), dealt()];
      const entries: [number, number, number][] = [];
      for (let b = 0; b < n; b += width) {
        const square = (entry: (i: number, j: number) => number): number[][] =>
          Array.from({ length: width }, (_, i) => Array.from({ length: width }, (_, j) => entry(i, j)));
        const l = square((i, j) => (i === j ? 1 : j < i ? draw(p) : 0));
        const u = square((i, j) => (i === j ? 1 + draw(p - 1) : j > i ? draw(p) : 0));
        for (let i = 0; i < width; i++) {
          expected = field.mul(expected, u[i][i]);
          for (let j = 0; j < width; j++) {
            const x = l[i].reduce((sum, y, k) => field.add(sum, field.mul(y, u[k][j])), 0);
            if (x !== 0) entries.push([rowOf[b + i], colOf[b + j], x]);
          }
        }
      }
      const executor = await CpuExecutor.create(field, { threads: 2 });
      const matrix = SparseMatrix.fromTriplets(n, n, entries).residues(p);
      const context = { ...contextOf(executor), team: executor.team };
      const found = await determinantOfMatrix(context, matrix, { method: 'elimination' });
      executor.dispose();
      expect(found.determinant, `p = ${p}`).toBe(expected);
      expect(found.explanation.filter((line) => line.startsWith('Schur complement')).length).toBeGreaterThan(1);
    }
  });

  test('of permutations: the sign', async () => {
    const executor = await CpuExecutor.create(WordPrime.of(65521), { threads: 1 });
    const context = { ...contextOf(executor), team: executor.team };
    for (const n of [2, 3, 10, 11, 64]) {
      // One cycle of length n.
      const cycle = SparseMatrix.fromTriplets(
        n,
        n,
        Array.from({ length: n }, (_, i) => [i, (i + 1) % n, 1] as const),
      );
      for (const method of METHODS) {
        const { determinant } = await determinantOfMatrix(context, cycle.residues(65521), { method });
        expect(determinant, `${n} by ${method}`).toBe(n % 2 === 1 ? 1 : 65520);
      }
    }
    executor.dispose();
  });
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
  const result = await operatorDeterminant(contextOf(executor), unsteady, 2);
  expect(result).toMatchObject({ determinant: null, by: null });
  expect(result.reason).toMatch(/the operator is not linear|no generator|not reduced|shows no null vector/);
  expect(await determinant(contextOf(executor), unsteady)).toMatchObject({ determinant: null, errorLog2: null });
});

test('a matrix that is not square is refused', async () => {
  const executor = new ReferenceExecutor(WordPrime.of(5));
  const matrix = SparseMatrix.fromTriplets(2, 3, []).residues(5);
  const message = 'det: expected a square matrix, got 2 x 3';
  await expect(determinant(contextOf(executor), executor.operator(matrix))).rejects.toThrow(message);
  await expect(determinantOfMatrix(contextOf(executor), matrix)).rejects.toThrow(message);
});
