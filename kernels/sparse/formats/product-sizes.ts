/**
 * Sizes of a storage and of the launch of its kernels. Each has a usual value where it is used; any other one in its
 * range gives the same product, in another time. A size that a storage does not have is not looked at.
 *
 *   window      σ: rows that are sorted by length together; of csr-sorted, sell-4, sell-32, sliced-ell on a GPU
 *   slice       C: rows that are stored side by side; of sliced-ell on a GPU, at most a window
 *   cut         what parts long rows from the main format: on a GPU those of more entries are cut into segments, of a
 *               choice for threads those with as many entries a panel go by panels of columns
 *   panelBytes  of the rows of X that a panel of columns reads; on threads of those of 16 columns
 *   workgroup   invocations of a workgroup, on a GPU
 *   rowsEach    rows that an invocation takes one after another, on a GPU
 *   groups      workgroups of a dispatch at most, whose invocations then take further rows, on a GPU
 *   chunks      runs of rows for each thread, of several threads
 */

interface Range {
  readonly least: number;
  readonly most: number;
  readonly isPower?: boolean; // of two
}

const RANGES = {
  window: { least: 32, most: 2 ** 20, isPower: true },
  slice: { least: 4, most: 256, isPower: true },
  cut: { least: 1, most: 2 ** 31 },
  panelBytes: { least: 2 ** 8, most: 2 ** 40 },
  workgroup: { least: 32, most: 1024, isPower: true },
  rowsEach: { least: 1, most: 64 },
  groups: { least: 1, most: 2 ** 24 },
  chunks: { least: 1, most: 1024 },
} satisfies Record<string, Range>;

export type SizeName = keyof typeof RANGES;

export type ProductSizes = { readonly [name in SizeName]?: number | undefined };

/** Throws RangeError where a size is none of a product. */
export function checkProductSizes(sizes: ProductSizes): void {
  for (const [name, size] of Object.entries(sizes)) {
    const range: Range | undefined = Object.hasOwn(RANGES, name) ? RANGES[name as SizeName] : undefined;
    if (range === undefined) throw new RangeError(`sizes: expected ${Object.keys(RANGES).join(', ')}, got ${name}`);
    if (size !== undefined && !isWithin(size, range)) {
      const kind = range.isPower ? 'a power of two' : 'an integer';
      throw new RangeError(`${name}: expected ${kind} from ${range.least} to ${range.most}, got ${size}`);
    }
  }
}

function isWithin(size: number, { least, most, isPower = false }: Range): boolean {
  return Number.isInteger(size) && size >= least && size <= most && !(isPower && !Number.isInteger(Math.log2(size)));
}

/** Those that are named, in words. */
export function describeSizes(sizes: ProductSizes): string[] {
  return Object.entries(sizes).flatMap(([name, size]) => (size === undefined ? [] : [`${name} ${size}`]));
}
