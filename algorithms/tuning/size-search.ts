/**
 * The sizes of a product that are faster than the usual ones, one after another: each size is chosen with those before
 * it as they have been chosen.
 *
 * What is chosen so far competes with the other values of a size (halving.ts), and is left only for one that gains
 * GAIN in a last round that both were in. The workgroups of a dispatch are raised instead, until they take longer than
 * the number before, and that number competes alone. In the end all that has been chosen has to gain as much over the
 * usual sizes, in turns with these. Every candidate's product is compared with the reference's before it is timed.
 * Source: coordinate search; Bueno 2013 for workgroups up to the first local minimum.
 */
import type { Executor } from '../../kernels/executor.js';
import { describeSizes, type ProductSizes } from '../../kernels/sparse/formats/product-sizes.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { type Candidate, GAIN, type TunedProduct } from './choice.js';
import { ENOUGH, halve, type Timed } from './halving.js';
import type { KnownProduct } from './known-product.js';
import type { Degree } from './sizes.js';
import { productOf, productsFor, type Ready, Stand } from './stand.js';

export interface SizeTuning extends Candidate {
  readonly known: KnownProduct;
  readonly degrees: readonly Degree[];
  readonly budget: number; // seconds
  readonly now: () => number; // seconds
  /** Called before each degree. */
  readonly onDegree?: ((done: number, total: number) => void) | undefined;
}

export interface TunedSizes {
  readonly sizes: ProductSizes; // that are chosen; none where the usual ones stay
  /** By what they were timed with last, those of a size that was tried together. */
  readonly products: readonly TunedProduct[];
}

/** The share of a degree's time in which its candidates are made. */
const MAKING = 0.5;

/** Times as long as what is chosen so far, from which on a first product is no candidate's. */
const FAR = 2;

export async function tuneSizes(executor: Executor, matrix: ResidueMatrix, tuning: SizeTuning): Promise<TunedSizes> {
  const { known, degrees, budget, now, storage, width, onDegree } = tuning;
  const stand = new Stand(executor, matrix, known, now);
  const tried = new Map<string, TunedProduct>(); // by their sizes
  /** The fastest, or the one that is to be beaten. */
  const compete = async (before: Ready, others: readonly Ready[], end: number): Promise<Ready> => {
    const measure = (ready: Ready): Promise<number> => stand.measure(ready);
    const found = await halve([before, ...others], { measure, stays: (ready) => ready === before, now, end });
    for (const product of found.map(productOf)) tried.set(describeSizes(product.sizes ?? {}).join(), product);
    return winner(found, before);
  };
  try {
    const prepare = (sizes?: ProductSizes): Promise<Ready | null> => makeReady(stand, { storage, width, sizes });
    const usual = await prepare();
    if (usual === null) return { sizes: {}, products: [] };
    let chosen: Ready = usual;
    const stop = now() + budget;
    for (const [done, { name, values, isRaised }] of degrees.entries()) {
      onDegree?.(done, degrees.length);
      const [before, begin]: [Ready, number] = [chosen, now()];
      if (begin >= stop) break;
      const share = (stop - begin) / (degrees.length + 1 - done); // one is for the last comparison
      const tries = values(before.sizes ?? {}).map((value) => ({ ...before.sizes, [name]: value }));
      const isLate = (): boolean => now() > begin + MAKING * share;
      const others = isRaised
        ? await raise(stand, tries, prepare, isLate)
        : await makeAll(stand, tries, prepare, isLate, await stand.measure(before));
      if (others.length === 0) continue;
      chosen = await compete(before, others, begin + share);
      for (const each of [before, ...others]) if (each !== chosen && each !== usual) stand.free(each.operator);
    }
    // Of several gains some are noise.
    if (chosen !== usual) chosen = await compete(usual, [chosen], stop);
    tried.delete(''); // the usual ones are known
    return { sizes: chosen.sizes ?? {}, products: [...tried.values()] };
  } finally {
    stand.release();
  }
}

/** Null where there is no such candidate. */
async function makeReady(stand: Stand, candidate: Candidate): Promise<Ready | null> {
  const operator = stand.operator(candidate);
  if (operator === null) return null;
  await stand.check(operator, candidate); // waits for kernels, too
  const seconds = await stand.seconds(operator, candidate.width, 1);
  return { ...candidate, operator, products: productsFor(seconds) };
}

async function makeAll(
  stand: Stand,
  tries: readonly ProductSizes[],
  prepare: (sizes: ProductSizes) => Promise<Ready | null>,
  isLate: () => boolean,
  least: number,
): Promise<Ready[]> {
  const made: Ready[] = [];
  for (const sizes of tries) {
    if (isLate()) break;
    const ready = await prepare(sizes);
    if (ready === null) continue;
    if ((await stand.measure(ready)) > FAR * least) stand.free(ready.operator);
    else made.push(ready);
  }
  return made;
}

/** The one before the first that takes longer; none where there is none. */
async function raise(
  stand: Stand,
  tries: readonly ProductSizes[],
  prepare: (sizes: ProductSizes) => Promise<Ready | null>,
  isLate: () => boolean,
): Promise<Ready[]> {
  let best: Ready | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const sizes of tries) {
    if (isLate()) break;
    const ready = await prepare(sizes);
    if (ready === null) break;
    const seconds = Math.min(await stand.measure(ready), await stand.measure(ready));
    const isLonger = seconds > least;
    const worse = isLonger ? ready : best;
    if (worse !== null) stand.free(worse.operator);
    if (isLonger) break;
    [best, least] = [ready, seconds];
  }
  return best === null ? [] : [best];
}

function winner(found: readonly Timed<Ready>[], before: Ready): Ready {
  const [best] = found;
  const own = found.find(({ candidate }) => candidate === before)!;
  if (Math.min(best!.repeats, own.repeats) < ENOUGH || best!.seconds > (1 - GAIN) * own.seconds) return before;
  return best!.candidate;
}
