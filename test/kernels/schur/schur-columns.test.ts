/**
 * Products with unit vectors as rows of dense matrices, against those of the executor, around blocks of 32 and groups
 * of 16.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WordPrime } from '../../../fields/word-prime.js';
import { DenseMatrix } from '../../../kernels/dense/dense-matrix.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { BitMatrix } from '../../../kernels/gf2/bit-matrix.js';
import { SchurColumns } from '../../../kernels/schur/schur-columns.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import type { CpuOperator } from '../../../kernels/spmm/cpu-operator.js';
import type { CpuSubstitution } from '../../../kernels/spmm/triangular-solve.js';
import { Team } from '../../../kernels/threads/team.js';
import { matrixOf } from '../executors/cases.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

/** What of `matrix` is left of the diagonal that begins behind `given` columns. */
function triangular(matrix: ResidueMatrix, given: number): ResidueMatrix {
  const kept: number[] = [];
  const rowPtr = new Uint32Array(matrix.rows + 1);
  for (let i = 0; i < matrix.rows; i++) {
    for (let k = matrix.rowPtr[i]; k < matrix.rowPtr[i + 1]; k++) if (matrix.colIdx[k] < given + i) kept.push(k);
    rowPtr[i + 1] = kept.length;
  }
  const [colIdx, values] = [matrix.colIdx, matrix.values].map((words) => Uint32Array.from(kept, (k) => words[k]));
  return { ...matrix, rowPtr, colIdx, values };
}

describe('products with unit vectors', () => {
  test.each([2, 3, 65521, 65537, 2147483647])('are the executor’s, mod %i', async (p) => {
    const F = WordPrime.of(p);
    const executor = new CpuExecutor(F, team);
    for (const [given, steps, length] of [
      [1, 0, 1],
      [5, 9, 31],
      [40, 60, 64],
      [70, 30, 33],
    ] as const) {
      const t = triangular(
        matrixOf(steps, given + steps, p, 'mixed', (i) => 3 + (i % 5)),
        given,
      );
      const substitution = executor.substitution(t);
      const others = executor.operator(
        matrixOf(length, given + steps, p, 'mixed', (i) => i % 7),
        { use: 'apply', onePass: true },
      );
      // y = B·v for all unit vectors at once
      const [x, v, y] = [given, given + steps, length].map((rows) => executor.vector(rows, given));
      executor.write(
        x,
        Uint32Array.from({ length: given * given }, (_, k) => Number(k % (given + 1) === 0)),
      );
      await substitution.run(v, x);
      await others.apply(y, v, 1, 1); // y is 0; the products must not care for what was asked before
      const expected = await executor.read(y);
      const products = new SchurColumns(team, F, substitution as CpuSubstitution, others as CpuOperator);
      for (const bits of p === 2 ? [false, true] : [false]) {
        const rows = given + 2;
        const a = bits ? new BitMatrix(team.memory, rows, length) : new DenseMatrix(team.memory, F, rows, length);
        const half = given >> 1;
        products.rows(half, given - half, a, 1 + half);
        products.rows(0, half, a, 1);
        for (let r = 0; r < rows; r++) {
          const row = a.row(r);
          const got = Array.from({ length }, (_, j) => (bits ? (row[j >> 5] >>> (j & 31)) & 1 : row[j]));
          const inside = r > 0 && r <= given;
          expect(got).toEqual(Array.from({ length }, (_, j) => (inside ? expected[j * given + r - 1] : 0)));
        }
        expect(() => products.rows(0, 1, a, rows)).toThrow('unit products: expected');
        expect(() => products.rows(given, 1, a, 0)).toThrow('unit products: expected');
        a.release();
      }
      products.release();
      substitution.free?.();
      others.free?.();
      for (const each of [x, v, y]) executor.release(each);
    }
    executor.dispose();
  });
});
