/**
 * The options that measured products speak for: storage and threads of block Wiedemann, whose vectors are of one width.
 *
 * A storage counts that beats the plan's own choice by GAIN at that width, in a last round that both were in. Of the
 * numbers of threads the least counts that is within GAIN of the best: what gains less is noise, and a thread that
 * gains nothing holds up other work.
 */
import type { ProductSizes } from '../../kernels/sparse/formats/product-sizes.js';
import type { Storage } from './formats.js';
import { ENOUGH } from './halving.js';

export interface Candidate {
  readonly storage: Storage;
  readonly width: number;
  readonly sizes?: ProductSizes | undefined; // that are not the usual ones
}

export interface TunedProduct extends Candidate {
  readonly seconds: number; // of a product; Infinity where the budget has ended before
  readonly repeats: number;
}

/** A product, and the threads that it was timed on. */
export interface TunedLine extends TunedProduct {
  readonly threads: number;
}

/** What gains less is noise. */
export const GAIN = 0.05;

/** The storage for products with `width` vectors; `products` as `tuneProducts` gives them. */
export function chooseStorage(products: readonly TunedProduct[], width: number): Storage {
  const there = products.filter((product) => product.width === width);
  const [best] = there;
  const own = there.find(({ storage }) => storage === 'auto');
  if (best === undefined || own === undefined || Math.min(best.repeats, own.repeats) < ENOUGH) return 'auto';
  return best.seconds > (1 - GAIN) * own.seconds ? 'auto' : best.storage;
}

/** The threads for one product, timed on several numbers of them; the most where nothing was timed. */
export function chooseThreads(lines: readonly TunedLine[]): number {
  const best = Math.min(...lines.map(({ seconds }) => seconds));
  if (!Number.isFinite(best)) return Math.max(...lines.map(({ threads }) => threads));
  const near = lines.filter(({ seconds }) => seconds <= (1 + GAIN) * best);
  return Math.min(...near.map(({ threads }) => threads));
}
