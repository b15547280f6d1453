/** The implicit Schur complement against the one that dense elimination leaves, at every prime, both ways round. */
import { describe, expect, test } from 'vitest';
import { reversed } from '../../../algorithms/elimination/pattern.js';
import { structuralPivots } from '../../../algorithms/elimination/structural-pivots.js';
import { SchurComplement, type SubstitutingExecutor } from '../../../algorithms/hybrid/schur-complement.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/cpu.js';
import { ReferenceExecutor } from '../../../kernels/reference.js';
import { type ResidueMatrix, transposed } from '../../../kernels/sparse-matrix.js';
import { extremes, filled, matrixOf, PRIMES } from '../../kernels/cases.js';

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

const MATRICES: Record<string, (p: number) => ResidueMatrix> = {
  'units, square': (p) => matrixOf(60, 60, p, 'unit', () => 4),
  'values, wide': (p) => matrixOf(40, 90, p, 'general', () => 5, 2),
  'both, tall': (p) => matrixOf(90, 40, p, 'mixed', (i) => 2 + (i % 4), 3),
  'rows without entries': (p) => matrixOf(50, 50, p, 'mixed', (i) => i % 5, 4),
  'no entries': (p) => matrixOf(5, 4, p, 'unit', () => 0),
  'a diagonal: nothing is left': (p) => matrixOf(12, 12, p, 'general', () => 12, 5),
};

describe.each(Object.entries(EXECUTORS))('%s', (_, make) => {
  describe.each(PRIMES)('p = %d', (p) => {
    test.each(Object.entries(MATRICES))('%s', async (_name, matrix) => {
      const a = matrix(p);
      const at = transposed(a);
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
  const at = transposed(a);
  const { pivots } = structuralPivots(a, at);
  const [s, st] = [
    new SchurComplement(executor, a, at, pivots),
    new SchurComplement(executor, at, a, { ...pivots, ...reversed(pivots) }),
  ];
  const x = filled(executor, s.cols, 3, 1);
  const [y, z] = [executor.vector(s.rows, 3), executor.vector(s.rows, 3)];
  await s.apply(y, x);
  await st.applyTransposed(z, x);
  expect(await executor.read(z)).toEqual(await executor.read(y));
});
