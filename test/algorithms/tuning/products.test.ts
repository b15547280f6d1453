/** Products that a tuner compares and times, on the reference executor itself. */
import { expect, test } from 'vitest';
import { tuneProducts } from '../../../algorithms/tuning/products.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { BlockVector, OperatorOptions } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const P = 65521;
const MATRIX = SparseMatrix.fromTriplets(3, 4, {
  rowIdx: [0, 0, 1, 2, 2],
  colIdx: [0, 3, 1, 0, 2],
  values: [1, -1, 5, 7, 1],
}).residues(P);

function tuning(budget: number) {
  let ticks = 0;
  return { widths: [1, 6], budget, now: () => ticks++ / 1000 };
}

test('all formats that fit are compared and timed, and the choice without a name is among them', async () => {
  const found = await tuneProducts(new ReferenceExecutor(WordPrime.of(P)), MATRIX, tuning(100));
  const storages = new Set(found.map(({ storage }) => storage));
  for (const storage of ['auto', 'csr', 'ell', 'dense'] as const) expect(storages).toContain(storage);
  expect(storages).not.toContain('jit');
  expect(found.every(({ repeats, seconds }) => repeats >= 1 && seconds > 0)).toBe(true);
});

test('formats that no longer fit into the budget are left out', async () => {
  const found = await tuneProducts(new ReferenceExecutor(WordPrime.of(P)), MATRIX, tuning(0.001));
  expect(new Set(found.map(({ storage }) => storage))).toEqual(new Set(['auto']));
});

test('a candidate whose product is wrong is an error that names it', async () => {
  class Wrong extends ReferenceExecutor {
    override operator(matrix: ResidueMatrix, options: OperatorOptions = {}) {
      const right = super.operator(matrix, options);
      if (options.storage !== 'coo') return right;
      const apply = async (y: BlockVector, x: BlockVector): Promise<void> => {
        await right.apply(y, x);
        if (y.width === 6) super.write(y, new Uint32Array(6), 2);
      };
      return Object.assign(Object.create(right), { rows: 3, cols: 4, apply });
    }
  }
  await expect(tuneProducts(new Wrong(WordPrime.of(P)), MATRIX, tuning(100))).rejects.toThrow(
    /storage coo with 6 columns is wrong: expected \d+ in row 2, got 0/,
  );
});
