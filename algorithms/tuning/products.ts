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
import type { Executor } from '../../kernels/executor.js';
import type { ProductSizes } from '../../kernels/sparse/formats/product-sizes.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { chooseStorage, type TunedProduct } from './choice.js';
import { type SearchOrder, type Storage, searchOrder, type Untried } from './formats.js';
import { halve } from './halving.js';
import { KnownProduct } from './known-product.js';
import { LEAST_SECONDS, productOf, productsFor, type Ready, Stand } from './stand.js';

export interface TuningOptions {
  /** The width at which formats compete, and those for which the winner is timed, too. */
  readonly width: number;
  readonly otherWidths?: readonly number[];
  readonly budget: number; // seconds
  readonly now: () => number; // seconds
  readonly order?: SearchOrder;
  /** Of every candidate; the usual ones where they are absent. */
  readonly sizes?: ProductSizes | undefined;
  /** The product of this matrix, where it is known. */
  readonly known?: KnownProduct;
  /** Called before each format is made. */
  readonly onFormat?: (done: number, total: number) => void;
}

export interface TunedProducts {
  /** At each width the fastest of the last round first, then those of the rounds before. */
  readonly products: readonly TunedProduct[];
  readonly untried: readonly Untried[];
}

/** Shares of the budget: for formats to be made, to compete, and for other widths; each has its own at the least. */
const MAKING = 0.5;
const COMPETING = 0.3;
const OTHERS = 0.2;

/** Times the fastest first product from which on a format is far slower. */
const FAR = 2;

export async function tuneProducts(
  executor: Executor,
  matrix: ResidueMatrix,
  { width, otherWidths = [], budget, now, order = searchOrder(matrix, executor), sizes, ...more }: TuningOptions,
): Promise<TunedProducts> {
  const { known = await KnownProduct.of(executor, matrix), onFormat } = more;
  const stand = new Stand(executor, matrix, known, now);
  const untried: Untried[] = [...order.leftOut];
  const ended: TunedProduct[] = [];
  const ready: Ready[] = [];
  let start = now();
  try {
    let best = Number.POSITIVE_INFINITY;
    for (const [done, storage] of order.storages.entries()) {
      onFormat?.(done, order.storages.length);
      const isLate = ready.length > 0 && now() - start > MAKING * budget;
      const operator = isLate ? null : stand.operator({ storage, sizes });
      if (operator === null) {
        if (storage !== 'auto') untried.push({ storage, reason: isLate ? 'no time' : 'no room' });
        continue;
      }
      let seconds = await stand.check(operator, { storage, width, sizes });
      // The very first product waits for kernels; and a busy moment is no reason.
      if (ready.length === 0 || seconds > FAR * best) {
        seconds = Math.min(seconds, await stand.seconds(operator, width, 1));
      }
      if (seconds > FAR * best) {
        ended.push({ storage, width, ...(sizes && { sizes }), seconds, repeats: 1 });
        stand.free(operator);
        continue;
      }
      best = Math.min(best, seconds);
      if (ready.length === 0) start = now(); // every run makes the first one
      ready.push({ storage, width, sizes, operator, products: productsFor(seconds) });
    }
    const measure = (ready: Ready): Promise<number> => stand.measure(ready);
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
        const seconds = isLate ? LEAST_SECONDS : await stand.check(operator, { storage, width, sizes });
        others.push({ storage, width, sizes, operator, products: productsFor(seconds) });
      }
    }
    const beside = await halve(others, { measure, stays: () => true, now, end: last });
    return { products: [...found, ...ended, ...beside.map(productOf)], untried };
  } finally {
    stand.release();
  }
}
