/** The times of products that a tuner compares, by a clock of its own. */
import { expect, test } from 'vitest';
import { KnownProduct } from '../../../algorithms/tuning/known-product.js';
import { Stand } from '../../../algorithms/tuning/stand.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { BlockVector, SmallBlocks } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const P = 65521;
const MATRIX = SparseMatrix.fromDense([
  [1, 0, 2],
  [0, -1, 3],
]).residues(P);

/** A device of which a product takes `product` seconds, and the wait for it `wait`. */
async function standOn(product: number, wait: number) {
  let clock = 0;
  class Device extends ReferenceExecutor {
    override readBlocks(blocks: SmallBlocks, first: number, count: number) {
      clock += wait;
      return super.readBlocks(blocks, first, count);
    }
  }
  const executor = new Device(WordPrime.of(P));
  const known = await KnownProduct.of(executor, MATRIX);
  const stand = new Stand(executor, MATRIX, known, () => clock);
  const right = stand.operator({ storage: 'auto' })!;
  const apply = async (y: BlockVector, x: BlockVector): Promise<void> => {
    clock += product;
    await right.apply(y, x);
  };
  return { stand, operator: Object.assign(Object.create(right), { rows: 2, cols: 3, apply }) };
}

test.each([1, 2, 8])('the wait for a device is no part of its products, of %i in a row', async (products) => {
  const { stand, operator } = await standOn(0.25, 1);
  expect(await stand.seconds(operator, 4, products)).toBeCloseTo(0.25);
});

test('products that are short beside the wait count as a share of all', async () => {
  const { stand, operator } = await standOn(0.001, 1);
  expect(await stand.seconds(operator, 4, 1)).toBeCloseTo(1.001 / 16);
});
