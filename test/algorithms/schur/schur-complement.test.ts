/** The implicit Schur complement against the one that dense elimination leaves, at every prime, both ways round. */

import { describe, expect, test } from 'vitest';
import { blockWiedemannRank } from '../../../algorithms/block-wiedemann/rank.js';
import { overBlockField } from '../../../algorithms/block-wiedemann/working-field.js';
import { reversePivots } from '../../../algorithms/presolve/pattern.js';
import { structuralPivots } from '../../../algorithms/presolve/structural-pivots.js';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { SchurComplement, type SubstitutingExecutor } from '../../../algorithms/schur/schur-complement.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';
import { extremes, filled, matrixOf, PRIMES } from '../../kernels/executors/cases.js';

const EXECUTORS: Record<string, (field: WordPrime) => Promise<SubstitutingExecutor>> = {
  reference: async (field) => new ReferenceExecutor(field),
  cpu: (field) => CpuExecutor.create(field),
};

/** S = A22 − A21·L⁻¹·A12 by eliminating the pivots, one after the other, in a dense matrix. */
function denseComplement(F: WordPrime, a: ResidueMatrix, pivots: { rows: Uint32Array; cols: Uint32Array }): number[][] {
  const dense = Array.from({ length: a.rows }, (_, i) => {
    const row = new Array<number>(a.cols).fill(0);
    for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) row[a.colIdx[k]] = a.values[k];
    return row;
  });
  pivots.rows.forEach((r, k) => {
    const c = pivots.cols[k];
    const inverse = F.inv(dense[r][c]);
    dense.forEach((row, i) => {
      if (i === r || row[c] === 0) return;
      const factor = F.neg(F.mul(row[c], inverse));
      row.forEach((value, j) => {
        row[j] = F.add(value, F.mul(factor, dense[r][j]));
      });
    });
  });
  return dense.filter((_, i) => !pivots.rows.includes(i)).map((row) => row.filter((_, j) => !pivots.cols.includes(j)));
}

/** alpha·S·x + beta·y for rows of `width`. */
function product(F: WordPrime, s: number[][], x: Uint32Array, y: Uint32Array, width: number, [alpha, beta]: number[]) {
  return y.map((value, at) => {
    const [i, c] = [Math.floor(at / width), at % width];
    const sum = s[i].reduce((total, entry, j) => F.add(total, F.mul(entry, x[j * width + c])), 0);
    return F.add(F.mul(alpha, sum), F.mul(beta, value));
  });
}

/** n rows of a triangle and its `more` columns beside, then as many rows that are full. */
function shuffledTriangle(n: number, more: number): SparseMatrix {
  const place = (j: number): number => (37 * j) % (n + more);
  const lengths = Array.from({ length: n + more }, (_, i) => Math.min(n, i + 1));
  const entries = lengths.flatMap((length, i) => {
    const cols = [...Array(length).keys(), ...Array.from({ length: more }, (_, k) => n + k)];
    return cols.map((j): [number, number, number] => [place(i), place(j), 1 + ((i * j) % 5)]);
  });
  return SparseMatrix.fromTriplets(n + more, n + more, entries);
}

const MATRICES: Record<string, (p: number) => ResidueMatrix> = {
  'units, square': (p) => matrixOf(60, 60, p, 'unit', () => 4),
  'values, wide': (p) => matrixOf(40, 90, p, 'general', () => 5, 2),
  'both, tall': (p) => matrixOf(90, 40, p, 'mixed', (i) => 2 + (i % 4), 3),
  'rows without entries': (p) => matrixOf(50, 50, p, 'mixed', (i) => i % 5, 4),
  'no entries': (p) => matrixOf(5, 4, p, 'unit', () => 0),
  'a triangle with long rows, its columns out of order': (p) => shuffledTriangle(90, 4).residues(p),
  'a diagonal: nothing is left': (p) => matrixOf(12, 12, p, 'general', () => 12, 5),
};

/** Keeps the matrices that are stored. */
class KeepingExecutor extends ReferenceExecutor {
  readonly given: ResidueMatrix[] = [];

  override substitution(matrix: ResidueMatrix) {
    this.given.push(matrix);
    return super.substitution(matrix);
  }

  override operator(matrix: ResidueMatrix) {
    this.given.push(matrix);
    return super.operator(matrix);
  }
}

test.each(Object.entries(MATRICES))('what is stored has rows by increasing columns: %s', (_name, matrix) => {
  const a = matrix(65521);
  const executor = new KeepingExecutor(WordPrime.of(65521));
  const s = new SchurComplement(executor, a, transpose(a), structuralPivots(a, transpose(a)).pivots);
  for (const transposed of [false, true]) s.direction(transposed);
  expect(executor.given.length).toBeGreaterThanOrEqual(4);
  for (const { rows, rowPtr, colIdx } of executor.given) {
    for (let i = 0; i < rows; i++) {
      const row = [...colIdx.subarray(rowPtr[i], rowPtr[i + 1])];
      expect(row).toEqual([...new Set(row)].sort((j, k) => j - k));
    }
  }
});

describe.each(Object.entries(EXECUTORS))('%s', (_, make) => {
  describe.each(PRIMES)('p = %d', (p) => {
    test.each(Object.entries(MATRICES))('%s', async (_name, matrix) => {
      const a = matrix(p);
      const at = transpose(a);
      const { matching, pivots } = structuralPivots(a, at);
      const field = WordPrime.of(p);
      const truth = denseComplement(field, a, pivots);
      const truthTransposed = (truth[0] ?? []).map((_value, j) => truth.map((row) => row[j]));
      const executor = await make(field);
      const s = new SchurComplement(executor, a, at, pivots);
      expect([s.rows, s.cols]).toEqual([a.rows - matching.size, a.cols - matching.size]);
      for (const width of [1, 7, 16]) {
        for (const scalars of [
          [1, 0],
          [p - 1, 1],
          [p >> 1, p - 1],
        ]) {
          const [x, y] = [filled(executor, s.cols, width, 1), filled(executor, s.rows, width, 2)];
          const [xValues, yValues] = [extremes(s.cols * width, p, 1), extremes(s.rows * width, p, 2)];
          await s.apply(y, x, ...scalars);
          expect(await executor.read(y)).toEqual(product(field, truth, xValues, yValues, width, scalars));
          executor.write(y, yValues);
          await s.applyTransposed(x, y, ...scalars);
          // Without rows there is nothing to transpose, and Sᵀ·y = 0.
          const rows = s.rows === 0 ? Array.from({ length: s.cols }, () => []) : truthTransposed;
          expect(await executor.read(x)).toEqual(product(field, rows, yValues, xValues, width, scalars));
        }
      }
      s.free();
      executor.dispose();
    });
  });
});

test('pivots of the transpose make the transpose', async () => {
  const field = WordPrime.of(65521);
  const executor = new ReferenceExecutor(field);
  const a = matrixOf(30, 45, 65521, 'mixed', () => 4);
  const at = transpose(a);
  const { pivots } = structuralPivots(a, at);
  const [s, st] = [
    new SchurComplement(executor, a, at, pivots),
    new SchurComplement(executor, at, a, { ...pivots, ...reversePivots(pivots) }),
  ];
  const x = filled(executor, s.cols, 3, 1);
  const [y, z] = [executor.vector(s.rows, 3), executor.vector(s.rows, 3)];
  await s.apply(y, x);
  await st.applyTransposed(z, x);
  expect(await executor.read(z)).toEqual(await executor.read(y));
});

test.each([2, 3, 65521])(
  'block Wiedemann mod %d on it, over the field of its random choices, finds its rank',
  async (p) => {
    const field = WordPrime.of(p);
    // Half of the columns are there twice, so that S is far from full rank.
    const half = matrixOf(120, 45, p, 'mixed', () => 5, 7);
    const entries: [number, number, number][] = [];
    for (let i = 0; i < half.rows; i++) {
      for (let k = half.rowPtr[i]; k < half.rowPtr[i + 1]; k++) {
        for (const shift of [0, 45]) entries.push([i, half.colIdx[k] + shift, half.values[k]]);
      }
    }
    const a = SparseMatrix.fromTriplets(120, 90, entries).residues(p);
    const at = transpose(a);
    const { pivots } = structuralPivots(a, at);
    const expected = denseRank(field, denseComplement(field, a, pivots));
    expect(expected).toBeGreaterThan(0);
    const hooks = { check: () => {}, onProgress: () => {} };
    for (const make of Object.values(EXECUTORS)) {
      const executor = await make(field);
      const s = new SchurComplement(executor, a, at, pivots);
      const run = await overBlockField({ executor }, async ({ executor }) => {
        const over = s.on(executor);
        const context = {
          ...{ executor, seed: 5n, ...hooks },
          orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
        };
        try {
          return { codes: executor.extension ? 1 : 0, ...(await blockWiedemannRank(context, over)) };
        } finally {
          if (over !== s) over.free();
        }
      });
      const codes = p === 2 || (p < 2 ** 8 && executor.name === 'reference') ? 1 : 0;
      expect(run).toMatchObject({ rank: expected, upperBound: expected, codes });
      s.free();
      executor.dispose();
    }
  },
);
