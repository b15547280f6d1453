/**
 * The products Y = A·X of a matrix on a device, by format and width.
 *
 *   A : rows × cols over F_p      X : cols × n      width n
 *
 * Formats compete at one width, and the one that wins there stands beside the choice without a name at the others. They
 * are made in their order (formats.ts) for as long as a share of the budget lasts; one that is far slower in its first
 * product ends with that, the rest are halved (halving.ts). Every candidate's product is compared with the reference's
 * before it is timed; one that differs is an error.
 */
import { MemoryError } from '../../kernels/errors/memory-error.js';
import type { BlockVector, Executor, Operator, SmallBlocks } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { type Candidate, chooseStorage, type TunedProduct } from './choice.js';
import { type SearchOrder, type Storage, searchOrder, type Untried } from './formats.js';
import { halve, type Timed } from './halving.js';
import { KnownProduct } from './known-product.js';

export interface TuningOptions {
  /** The width at which formats compete, and those for which the winner is timed, too. */
  readonly width: number;
  readonly otherWidths?: readonly number[];
  readonly budget: number; // seconds
  readonly now: () => number; // seconds
  readonly order?: SearchOrder;
  /** Called before each format is made. */
  readonly onFormat?: (done: number, total: number) => void;
}

export interface TunedProducts {
  /** At each width the fastest of the last round first, then those of the rounds before. */
  readonly products: readonly TunedProduct[];
  readonly untried: readonly Untried[];
}

/** A measurement repeats its product until it takes about so many seconds. */
const LEAST_SECONDS = 0.002;

/** Shares of the budget: for formats to be made, to compete, and for other widths; each has its own at the least. */
const MAKING = 0.5;
const COMPETING = 0.3;
const OTHERS = 0.2;

/** Times the fastest first product from which on a format is far slower. */
const FAR = 2;

interface Ready extends Candidate {
  readonly operator: Operator;
  readonly products: number; // in a measurement
}

export async function tuneProducts(
  executor: Executor,
  matrix: ResidueMatrix,
  { width, otherWidths = [], budget, now, order = searchOrder(matrix, executor), onFormat }: TuningOptions,
): Promise<TunedProducts> {
  const stand = new Stand(executor, matrix, await KnownProduct.of(executor, matrix), now);
  const untried: Untried[] = [...order.leftOut];
  const ended: TunedProduct[] = [];
  const ready: Ready[] = [];
  let start = now();
  try {
    let best = Number.POSITIVE_INFINITY;
    for (const [done, storage] of order.storages.entries()) {
      onFormat?.(done, order.storages.length);
      const isLate = ready.length > 0 && now() - start > MAKING * budget;
      const operator = isLate ? null : stand.operator(storage);
      if (operator === null) {
        if (storage !== 'auto') untried.push({ storage, reason: isLate ? 'no time' : 'no room' });
        continue;
      }
      let seconds = await stand.check(operator, { storage, width });
      // The very first product waits for kernels; and a busy moment is no reason.
      if (ready.length === 0 || seconds > FAR * best) {
        seconds = Math.min(seconds, await stand.seconds(operator, width, 1));
      }
      if (seconds > FAR * best) {
        ended.push({ storage, width, seconds, repeats: 1 });
        stand.free(operator);
        continue;
      }
      best = Math.min(best, seconds);
      if (ready.length === 0) start = now(); // every run makes the first one
      ready.push({ storage, width, operator, products: productsFor(seconds) });
    }
    const measure = (c: Ready): Promise<number> => stand.seconds(c.operator, c.width, c.products);
    const share = otherWidths.length > 0 ? COMPETING : COMPETING + OTHERS;
    const end = Math.max(start + MAKING * budget, now()) + share * budget;
    const stays = ({ storage }: Ready): boolean => storage === 'auto';
    const found = (await halve(ready, { measure, stays, now, end })).map(productOf);
    ended.sort((a, b) => a.seconds - b.seconds);
    const winners: Storage[] = [...new Set<Storage>(['auto', chooseStorage(found, width)])];
    const others: Ready[] = [];
    const last = Math.max(start + budget, now() + OTHERS * budget);
    for (const width of otherWidths) {
      for (const { storage, operator } of ready.filter((each) => winners.includes(each.storage))) {
        const isLate = now() >= last;
        const seconds = isLate ? LEAST_SECONDS : await stand.check(operator, { storage, width });
        others.push({ storage, width, operator, products: productsFor(seconds) });
      }
    }
    const beside = await halve(others, { measure, stays: () => true, now, end: last });
    return { products: [...found, ...ended, ...beside.map(productOf)], untried };
  } finally {
    stand.release();
  }
}

function productsFor(seconds: number): number {
  return Math.min(1000, Math.max(1, Math.ceil(LEAST_SECONDS / seconds)));
}

function productOf({ candidate: { storage, width }, seconds, repeats }: Timed<Ready>): TunedProduct {
  return { storage, width, seconds, repeats };
}

/** A matrix on an executor, with vectors of each width that is asked for. */
class Stand {
  readonly #executor: Executor;
  readonly #matrix: ResidueMatrix;
  readonly #known: KnownProduct;
  readonly #now: () => number;
  readonly #fence: SmallBlocks;
  readonly #vectors = new Map<number, { readonly x: BlockVector; readonly y: BlockVector }>();
  readonly #operators = new Set<Operator>();

  constructor(executor: Executor, matrix: ResidueMatrix, known: KnownProduct, now: () => number) {
    [this.#executor, this.#matrix, this.#known, this.#now] = [executor, matrix, known, now];
    this.#fence = executor.blocks(1, 1, 1);
  }

  /** null where a format does not fit beside those that are there. */
  operator(storage: Storage): Operator | null {
    try {
      const options = storage === 'auto' ? {} : { storage };
      const operator = this.#executor.operator(this.#matrix, { use: 'apply', ...options });
      this.#operators.add(operator);
      return operator;
    } catch (error) {
      if (storage !== 'auto' && error instanceof MemoryError) return null;
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
  async check(operator: Operator, { storage, width }: Candidate): Promise<number> {
    const { y } = this.vectors(width);
    this.#executor.fill(y, 1); // whatever stood there before is no product
    const seconds = await this.seconds(operator, width, 1);
    const fault = this.#known.fault(await this.#executor.read(y), width);
    if (fault === null) return seconds;
    throw new Error(`tune: the product of storage ${storage} with ${width} columns is wrong: ${fault}`);
  }

  /** Seconds of a product, of so many in a row. */
  async seconds(operator: Operator, width: number, products: number): Promise<number> {
    const { x, y } = this.vectors(width);
    const before = this.#now();
    for (let k = 0; k < products; k++) await operator.apply(y, x);
    await this.#executor.readBlocks(this.#fence, 0, 1); // the device has done what was asked for
    return (this.#now() - before) / products;
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
