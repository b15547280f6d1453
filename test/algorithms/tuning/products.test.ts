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
  return { width: 6, otherWidths: [1], budget, now: () => ticks++ / 1000 };
}

test('formats that fit compete at one width, and the choice without a name is timed at the others', async () => {
  const { products, untried } = await tuneProducts(new ReferenceExecutor(WordPrime.of(P)), MATRIX, tuning(100));
  const storages = new Set(products.map(({ storage }) => storage));
  for (const storage of ['auto', 'csr', 'dense'] as const) expect(storages).toContain(storage);
  expect(untried.map(({ storage }) => storage)).toEqual(expect.arrayContaining(['jit', 'coo']));
  expect(products.every(({ repeats, seconds }) => repeats >= 1 && seconds > 0)).toBe(true);
  expect(products.filter(({ storage }) => storage === 'auto').map(({ width }) => width)).toEqual([6, 1]);
});

test('formats that no longer fit into the budget are left out, and said to be', async () => {
  const { products, untried } = await tuneProducts(new ReferenceExecutor(WordPrime.of(P)), MATRIX, tuning(0.001));
  expect(new Set(products.map(({ storage }) => storage))).toEqual(new Set(['auto']));
  expect(untried).toContainEqual({ storage: 'csr', reason: 'no time' });
});

test('a format that is far slower in its first product ends with it', async () => {
  let clock = 0;
  let slow = 0;
  class Slow extends ReferenceExecutor {
    override operator(matrix: ResidueMatrix, options: OperatorOptions = {}) {
      const right = super.operator(matrix, options);
      const apply = async (y: BlockVector, x: BlockVector): Promise<void> => {
        await right.apply(y, x);
        clock += options.storage === 'csr' ? 1 : 0.1;
        if (options.storage === 'csr') slow++;
      };
      return Object.assign(Object.create(right), { rows: 3, cols: 4, apply });
    }
  }
  const asked = { width: 6, budget: 1000, now: () => clock };
  const { products } = await tuneProducts(new Slow(WordPrime.of(P)), MATRIX, asked);
  expect(products.at(-1)).toEqual({ storage: 'csr', width: 6, seconds: expect.closeTo(1), repeats: 1 });
  expect(slow).toBe(2); // the first one may have been a busy moment
});

test('a candidate whose product is wrong is an error that names it', async () => {
  class Wrong extends ReferenceExecutor {
    override operator(matrix: ResidueMatrix, options: OperatorOptions = {}) {
      const right = super.operator(matrix, options);
      if (options.storage !== 'csr') return right;
      const apply = async (y: BlockVector, x: BlockVector): Promise<void> => {
        await right.apply(y, x);
        if (y.width === 6) super.write(y, new Uint32Array(6), 2);
      };
      return Object.assign(Object.create(right), { rows: 3, cols: 4, apply });
    }
  }
  await expect(tuneProducts(new Wrong(WordPrime.of(P)), MATRIX, tuning(100))).rejects.toThrow(
    /storage csr with 6 columns is wrong: expected \d+ in row 2, got 0/,
  );
});
