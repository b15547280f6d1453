/** Sizes that a tuner finds, on the reference executor by a clock that planted times move. */
import { expect, test } from 'vitest';
import { KnownProduct } from '../../../algorithms/tuning/known-product.js';
import { tuneSizes } from '../../../algorithms/tuning/size-search.js';
import type { Degree } from '../../../algorithms/tuning/sizes.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { BlockVector, OperatorOptions } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import type { ProductSizes, SizeName } from '../../../kernels/sparse/formats/product-sizes.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const MATRIX = SparseMatrix.fromTriplets(3, 4, {
  rowIdx: [0, 0, 1, 2, 2],
  colIdx: [0, 3, 1, 0, 2],
  values: [1, -1, 5, 7, 1],
}).residues(65521);

type Plan = (sizes: ProductSizes) => number;

/** Products take what is planted for their sizes; `made` are the sizes of all operators. */
class Planted extends ReferenceExecutor {
  clock = 0;
  readonly made: ProductSizes[] = [];
  readonly #seconds: Plan;
  readonly #isWrong: (sizes: ProductSizes) => boolean;

  constructor(seconds: Plan, isWrong: (sizes: ProductSizes) => boolean = () => false) {
    super(WordPrime.of(65521));
    [this.#seconds, this.#isWrong] = [seconds, isWrong];
  }

  override operator(matrix: ResidueMatrix, options: OperatorOptions = {}) {
    const { sizes = {} } = options;
    const right = super.operator(matrix, options);
    this.made.push(sizes);
    const apply = async (y: BlockVector, x: BlockVector): Promise<void> => {
      await right.apply(y, x);
      this.clock += this.#seconds(sizes);
      if (this.#isWrong(sizes)) super.write(y, new Uint32Array(6), 2);
    };
    return Object.assign(Object.create(right), { rows: 3, cols: 4, apply });
  }
}

const degree = (name: SizeName, values: readonly number[], isRaised = false): Degree => ({
  ...{ name, isRaised },
  values: () => values,
});

async function search(executor: Planted, degrees: readonly Degree[], budget = 1e6) {
  const known = await KnownProduct.of(executor, MATRIX);
  const now = (): number => executor.clock;
  return tuneSizes(executor, MATRIX, { storage: 'csr', width: 6, known, degrees, budget, now });
}

test('the better size of each degree is taken, with those before it as they were taken', async () => {
  const executor = new Planted(
    ({ window, chunks }) => (window === 64 ? 0.5 : 1) * (chunks === 4 ? (window ? 0.5 : 2) : 1),
  );
  const degrees = [degree('window', [32, 64, 128]), degree('chunks', [1, 4])];
  const { sizes, products } = await search(executor, degrees);
  expect(sizes).toEqual({ window: 64, chunks: 4 });
  expect(executor.made).not.toContainEqual({ chunks: 4 });
  expect(products.find((line) => line.sizes?.chunks === 4)).toMatchObject({ storage: 'csr', width: 6, seconds: 0.25 });
});

test('a gain below 5 % is none, and what is no better changes nothing', async () => {
  const by = (gain: number) =>
    search(new Planted(({ window }) => (window === 64 ? 1 - gain : 1)), [degree('window', [64])]);
  expect((await by(0.049)).sizes).toEqual({});
  expect((await by(0.051)).sizes).toEqual({ window: 64 });
  expect((await by(-0.5)).sizes).toEqual({});
});

test('what has been chosen is compared with the usual sizes once more', async () => {
  let calls = 0;
  const lucky = new Planted(({ window }) => (window === 64 ? (calls++ < 10 ? 0.5 : 1) : 1));
  const { sizes, products } = await search(lucky, [degree('window', [64])]);
  expect(sizes).toEqual({});
  expect(products).toMatchObject([{ sizes: { window: 64 }, seconds: 1 }]);
});

test('workgroups are raised until the first local minimum', async () => {
  const seconds: Record<number, number> = { 32: 4, 64: 2, 128: 3, 256: 0.1 };
  const executor = new Planted(({ groups }) => (groups ? seconds[groups]! : 2.5));
  const degrees = [degree('groups', [32, 64, 128, 256], true)];
  expect((await search(executor, degrees)).sizes).toEqual({ groups: 64 });
  expect(executor.made.map(({ groups }) => groups)).toEqual([undefined, 32, 64, 128]);
  const worse = new Planted(({ groups }) => (groups ? seconds[groups]! : 1.9));
  expect((await search(worse, degrees)).sizes).toEqual({});
});

test('sizes that the device does not have are passed over', async () => {
  class Small extends Planted {
    override operator(matrix: ResidueMatrix, options: OperatorOptions = {}) {
      if (options.sizes?.workgroup === 512) throw new RangeError('workgroup: expected up to 256 invocations, got 512');
      return super.operator(matrix, options);
    }
  }
  const executor = new Small(({ workgroup }) => (workgroup === 64 ? 0.5 : 1));
  expect((await search(executor, [degree('workgroup', [512, 64])])).sizes).toEqual({ workgroup: 64 });
});

test('nothing is taken without a last round, or after the budget', async () => {
  const executor = new Planted(() => 1);
  expect(await search(executor, [degree('window', [64])], 0)).toEqual({ sizes: {}, products: [] });
  const short = new Planted(({ window }) => (window === 64 ? 0.5 : 1));
  expect((await search(short, [degree('window', [64])], 9)).sizes).toEqual({});
});

test('a product that is wrong is an error that names the sizes', async () => {
  const wrong = new Planted(
    () => 1,
    ({ window }) => window === 64,
  );
  await expect(search(wrong, [degree('window', [32, 64])])).rejects.toThrow(
    /^tune: the product of storage csr, window 64 with 6 columns is wrong: expected \d+ in row 2, got 0$/,
  );
});
