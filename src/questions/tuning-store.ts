/** Where choices of `tune` are kept, and the form in which they are. */
import type { TunedLine } from '../../algorithms/tuning/choice.js';
import type { Storage } from '../../algorithms/tuning/formats.js';
import { isFormatName } from '../../kernels/sparse/formats/index.js';
import { checkProductSizes, type ProductSizes } from '../../kernels/sparse/formats/product-sizes.js';
import { userStore } from '../io/user-store.js';

/** Texts by key; a `Map` is one. */
export interface TuningStore {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  set(key: string, text: string): unknown;
  delete(key: string): unknown;
}

/** Raised where an older choice may no longer be good: with formats and their kernels, or with the form of a choice. */
const VERSION = 2;

/** A choice for a device, a field class and a pattern class, which are its key. */
export interface KeptChoice {
  readonly storage: Storage;
  readonly sizes: ProductSizes; // of that storage
  readonly threads: number;
  /** Of block Wiedemann, [m, n]; where it is the usual one, none. */
  readonly block?: readonly [m: number, n: number] | undefined;
  readonly products: readonly TunedLine[];
}

/** The store of a question: the one given, or the user's, which `tune` makes and others use where it is. */
export function storeOf(tuning: boolean | TuningStore | undefined, makes: boolean): TuningStore | null {
  if (tuning === false) return null;
  if (typeof tuning === 'object') return tuning;
  const store = userStore(`tune-${VERSION}`);
  return store !== null && (makes || store.isUsed) ? store : null;
}

export function stringifyChoice(key: string, { storage, sizes, threads, block, products }: KeptChoice): string {
  const timed = products.filter(({ seconds }) => Number.isFinite(seconds));
  return `${JSON.stringify({ version: VERSION, key, storage, sizes, threads, block, products: timed })}\n`;
}

/** The choice that a text has for `key`; null where the text is torn, of another version, or is another one. */
export function parseChoice(key: string, text: string): KeptChoice | null {
  let kept: Partial<KeptChoice & { readonly version: number; readonly key: string }> | null;
  try {
    kept = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof kept !== 'object' || kept?.version !== VERSION || kept.key !== key) return null;
  const { storage, sizes, threads, block, products } = kept;
  if (!areSizes(sizes)) return null;
  if (!isStorage(storage) || !isCount(threads) || !Array.isArray(products) || !products.every(isLine)) return null;
  if (block !== undefined && !(Array.isArray(block) && block.length === 2 && block.every(isColumns))) return null;
  return { storage, sizes, threads, ...(block && { block }), products };
}

/** `tune` chooses no compiled rows, whose encoder is loaded only where a question asks for them. */
function isStorage(name: unknown): name is Storage {
  return name === 'auto' || (isFormatName(name) && name !== 'jit');
}

function areSizes(sizes: unknown): sizes is ProductSizes {
  if (typeof sizes !== 'object' || sizes === null) return false;
  try {
    checkProductSizes(sizes);
    return true;
  } catch {
    return false;
  }
}

function isCount(number: unknown): number is number {
  return Number.isSafeInteger(number) && (number as number) >= 1;
}

/** Columns that `tune` times are no more. */
const MOST_COLUMNS = 64;

function isColumns(count: unknown): boolean {
  return isCount(count) && (count as number) <= MOST_COLUMNS;
}

function isLine(line: Partial<TunedLine> | null): line is TunedLine {
  if (typeof line !== 'object' || line === null) return false;
  const { storage, width, threads, sizes = {}, seconds, repeats } = line;
  if (!isStorage(storage) || !areSizes(sizes)) return false;
  return [width, threads, repeats].every(isCount) && typeof seconds === 'number' && seconds > 0;
}
