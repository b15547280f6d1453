/** What `tune` finds: the products of a matrix by storage, width and threads, and the options that they speak for. */
import type { TunedLine } from '../../algorithms/tuning/choice.js';
import type { Untried } from '../../algorithms/tuning/formats.js';
import { describeSizes, type ProductSizes } from '../../kernels/sparse/formats/product-sizes.js';
import type { Storage } from './options.js';

/** One product Y = A·X, X of `width` columns; `sizes` are those of it that are not the usual ones. */
export type TunedProduct = TunedLine;

/** Options of `rank`, `minpoly` and `det` for the matrix that was tuned. */
export interface TunedOptions {
  readonly device: 'cpu' | 'gpu';
  readonly storage: Storage;
  readonly threads?: number; // on a CPU
}

/** What block Wiedemann should take by block shape, on the most threads that were tried. */
export interface TunedRun {
  readonly block: readonly [m: number, n: number];
  readonly seconds: number;
}

export type Tuned = TunedData & { toJSON(): Readonly<Record<string, unknown>> };

/** The same as it crosses threads. */
export interface TunedData {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number; // stored entries
  readonly mod: bigint;
  /** Whether the products are those of the transpose: block Wiedemann takes the one that has no fewer rows. */
  readonly transposed: boolean;
  /** Nonzero residues, which a product multiplies each `width` times. */
  readonly residues: number;
  readonly device: 'cpu' | 'gpu';
  readonly adapter: string | null; // the GPU's name
  readonly threads: number; // the most that were tried
  /** Seconds that `rank` should take by itself; null where a budget was given. */
  readonly expected: number | null;
  /** Seconds of timing; 0, and no products, where the run that is expected is too short to be tuned. */
  readonly budget: number;
  /**
   * At the width of the usual blocks the fastest of the last round first, then those of the rounds before; then other
   * widths, then sizes, each with what it competes with, then fewer threads. `seconds` is Infinity where the budget had
   * ended before.
   */
  readonly products: readonly TunedProduct[];
  /** The formats that were not tried. */
  readonly untried: readonly Untried[];
  readonly options: TunedOptions;
  /** Sizes of the products that are taken with a kept choice; none where the usual ones are. */
  readonly sizes: ProductSizes;
  /** The usual shape first; one of a matrix too small for a choice, or of an extension of F_p. */
  readonly runs: readonly TunedRun[];
  /** The shape for `rank`: the one of these that is taken. */
  readonly block: readonly [m: number, n: number];
  /** Warnings beside the answer, a line each. */
  readonly warnings: readonly string[];
  readonly seconds: Readonly<Record<string, number>>; // by phase, and `total`
}

const HEAD = ['storage', 'width', 'threads', 'µs', 'Gop/s', 'repeats'];
const SIZES = 'sizes';

/** The products of a matrix of so many residues as lines of a table. */
export function tableOf(products: readonly TunedProduct[], residues: number): string[] {
  const rows = [HEAD, ...products.map((line) => cellsOf(line, residues))];
  const widths = HEAD.map((_, c) => Math.max(...rows.map((row) => row[c]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, c) => (c === 0 ? cell.padEnd(widths[c]!) : cell.padStart(widths[c]!))).join('   ');
  const sizes = products.map((product) => describeSizes(product.sizes ?? {}).join(', '));
  if (sizes.every((each) => each === '')) return rows.map(line);
  return rows.map((row, r) => `${line(row)}   ${r === 0 ? SIZES : sizes[r - 1]}`.trimEnd());
}

/** The formats that were not tried, by reason, as a line; null where all were. */
export function lineOfUntried(untried: readonly Untried[]): string | null {
  if (untried.length === 0) return null;
  const reasons = [...new Set(untried.map(({ reason }) => reason))].map((reason) => {
    const names = untried.filter((each) => each.reason === reason).map(({ storage }) => storage);
    return `${names.join(', ')} (${reason})`;
  });
  return `not tried: ${reasons.join('; ')}`;
}

/** An entry is two operations a column. */
function cellsOf({ storage, width, threads, seconds, repeats }: TunedProduct, residues: number): string[] {
  const isTimed = Number.isFinite(seconds);
  const speeds = isTimed ? [(seconds * 1e6).toFixed(1), ((2e-9 * residues * width) / seconds).toFixed(2)] : ['-', '-'];
  return [storage, `${width}`, `${threads}`, ...speeds, `${repeats}`];
}
