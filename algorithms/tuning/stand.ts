/** A matrix on an executor, with vectors of each width that is asked for: products of it are compared, and timed. */
import { MemoryError } from '../../kernels/errors/memory-error.js';
import type { BlockVector, Executor, Operator, SmallBlocks } from '../../kernels/executor.js';
import { describeSizes } from '../../kernels/sparse/formats/product-sizes.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Candidate, TunedProduct } from './choice.js';
import type { Timed } from './halving.js';
import type { KnownProduct } from './known-product.js';

/** A measurement repeats its product until it takes about so many seconds. */
export const LEAST_SECONDS = 0.002;

/**
 * Of a measurement that the wait for the device leaves at least: with less than that the wait, which wanders, would be
 * what is compared.
 */
const LEFT = 1 / 16;

/** A candidate whose product is right. */
export interface Ready extends Candidate {
  readonly operator: Operator;
  readonly products: number; // in a measurement
}

export class Stand {
  readonly #executor: Executor;
  readonly #matrix: ResidueMatrix;
  readonly #known: KnownProduct;
  readonly #now: () => number;
  readonly #fence: SmallBlocks;
  readonly #vectors = new Map<number, { readonly x: BlockVector; readonly y: BlockVector }>();
  readonly #operators = new Set<Operator>();
  #wait: number | undefined; // seconds for a device that has nothing to do

  constructor(executor: Executor, matrix: ResidueMatrix, known: KnownProduct, now: () => number) {
    [this.#executor, this.#matrix, this.#known, this.#now] = [executor, matrix, known, now];
    this.#fence = executor.blocks(1, 1, 1);
  }

  /** null where a storage does not fit beside those that are there, or the device has no such sizes. */
  operator({ storage, sizes }: Omit<Candidate, 'width'>): Operator | null {
    const isUsual = storage === 'auto' && sizes === undefined;
    try {
      const options = { ...(storage !== 'auto' && { storage }), ...(sizes && { sizes }) };
      const operator = this.#executor.operator(this.#matrix, { use: 'apply', ...options });
      this.#operators.add(operator);
      return operator;
    } catch (error) {
      if (!isUsual && error instanceof MemoryError) return null;
      if (sizes && error instanceof RangeError) return null;
      throw error;
    }
  }

  vectors(width: number): { readonly x: BlockVector; readonly y: BlockVector } {
    const there = this.#vectors.get(width);
    if (there) return there;
    const { rows, cols } = this.#matrix;
    const made = { x: this.#executor.vector(cols, width), y: this.#executor.vector(rows, width) };
    this.#executor.write(made.x, this.#known.input(width));
    this.#vectors.set(width, made);
    return made;
  }

  /** Seconds of the first product, which is compared with the reference's. */
  async check(operator: Operator, { storage, width, sizes }: Candidate): Promise<number> {
    const { y } = this.vectors(width);
    this.#executor.fill(y, 1); // whatever stood there before is no product
    const seconds = await this.seconds(operator, width, 1);
    const fault = this.#known.fault(await this.#executor.read(y), width);
    if (fault === null) return seconds;
    const what = [storage, ...describeSizes(sizes ?? {})].join(', ');
    throw new Error(`tune: the product of storage ${what} with ${width} columns is wrong: ${fault}`);
  }

  /** Seconds of a product, of so many in a row, without the wait: a GPU's is as long as several products. */
  async seconds(operator: Operator, width: number, products: number): Promise<number> {
    const { x, y } = this.vectors(width);
    const elapsed = async (products: number): Promise<number> => {
      const before = this.#now();
      for (let k = 0; k < products; k++) await operator.apply(y, x);
      await this.#executor.readBlocks(this.#fence, 0, 1); // the device has done what was asked for
      return this.#now() - before;
    };
    this.#wait ??= Math.min(await elapsed(0), await elapsed(0), await elapsed(0));
    const all = await elapsed(products);
    return Math.max(all - this.#wait, LEFT * all) / products;
  }

  /** Seconds of a product in one measurement. */
  measure({ operator, width, products }: Ready): Promise<number> {
    return this.seconds(operator, width, products);
  }

  free(operator: Operator): void {
    this.#operators.delete(operator);
    operator.free?.();
  }

  release(): void {
    for (const operator of this.#operators) this.free(operator);
    for (const { x, y } of this.#vectors.values()) for (const v of [x, y]) this.#executor.release(v);
    this.#executor.releaseBlocks(this.#fence);
  }
}

/** Of products that take so many seconds. */
export function productsFor(seconds: number): number {
  return Math.min(1000, Math.max(1, Math.ceil(LEAST_SECONDS / seconds)));
}

export function productOf({ candidate: { storage, width, sizes }, seconds, repeats }: Timed<Ready>): TunedProduct {
  return { storage, width, ...(sizes && { sizes }), seconds, repeats };
}
