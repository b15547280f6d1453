/**
 * The block shape that measured products speak for: what block Wiedemann should take by shape (m, n), m = 2n.
 *
 *   product(w) : seconds of a product with w columns, in the storage that is chosen for them (choice.ts)
 *
 * Only widths that were timed are candidates; a shape counts that beats the usual one by GAIN.
 */
import type { BlockShape } from '../block-wiedemann/block-shape.js';
import { chooseStorage, GAIN, type TunedProduct } from './choice.js';

/** Columns n; fewer leave a product's vectors empty, and the order basis of more costs more than they gain. */
const COLUMNS = [8, 16, 32];

export interface TunedShape {
  readonly block: BlockShape;
  readonly seconds: number; // of the run that is expected
}

/** Seconds of a run of this shape, by the seconds of a product with so many columns. */
export type RunSeconds = (shape: BlockShape, product: (width: number) => number) => number;

/** The usual shape first, then the others whose width was timed; none where the usual one's was not. */
export function timeShapes(
  products: readonly TunedProduct[],
  usual: BlockShape,
  secondsOf: RunSeconds,
  fits: (shape: BlockShape) => boolean = () => true,
): TunedShape[] {
  const widths = products.filter(({ seconds }) => Number.isFinite(seconds)).map(({ width }) => width);
  if (!widths.includes(usual.n)) return [];
  const product = (width: number): number => {
    const timed = Math.min(...widths.filter((each) => each >= width)); // the next one that was
    const storage = chooseStorage(products, timed);
    const line = products.find((each) => each.width === timed && each.storage === storage);
    return line?.seconds ?? Number.POSITIVE_INFINITY;
  };
  const others = COLUMNS.filter((n) => n !== usual.n && widths.includes(n)).map((n) => ({ m: 2 * n, n }));
  const shapes = [usual, ...others.filter(fits)].map((block) => ({ block, seconds: secondsOf(block, product) }));
  return shapes.filter(({ seconds }) => Number.isFinite(seconds));
}

/** The fastest, if it is not the usual one, which comes first. */
export function chooseShape(shapes: readonly TunedShape[]): BlockShape | null {
  const [usual, ...others] = shapes;
  const best = others.toSorted((a, b) => a.seconds - b.seconds)[0];
  return best && best.seconds <= (1 - GAIN) * usual!.seconds ? best.block : null;
}
