/** A matrix of dense blocks on the device: one dispatch of spmm-blocks.wgsl, a `Words` of a row at a time. */

import type { WordPrime } from '../../fields/word-prime.js';
import type { GpuContext } from '../blocks/gpu-context.js';
import { type GpuVector, layoutOf } from '../blocks/gpu-vector.js';
import type { GpuBuffer } from '../gpu/device.js';
import { findBlocks } from '../sparse/block-fill.js';
import { type Bcsr, countBlocks } from '../sparse/formats/bcsr.js';
import type { FormatName } from '../sparse/formats/index.js';
import type { ProductSizes } from '../sparse/formats/product-sizes.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import type { StoredMatrix } from './gpu-operator.js';
import { RowLaunch } from './row-launch.js';

/** Places an entry up to which blocks are worth their zeros. */
const MOST_PLACES = 2;
/** Entries up to which slices with their indices stay in the cache of a large GPU (test/bench/RESULTS.md#formats). */
const MOST_SLICED = 6e6;

export class GpuBcsr implements StoredMatrix {
  private readonly context: GpuContext;
  private readonly launch: RowLaunch;
  private readonly rows: number;
  private readonly b: number;
  private readonly owned: GpuBuffer[] = []; // in the order of the bindings

  constructor(context: GpuContext, a: Bcsr, sizes: ProductSizes = {}) {
    this.context = context;
    this.launch = new RowLaunch(context.gpu, sizes);
    this.rows = a.rows;
    this.b = a.b;
    try {
      for (const words of [a.blockPtr, a.colIdx, pairValues(a, context.field.isU16)]) {
        this.owned.push(context.upload(words));
      }
    } catch (error) {
      this.free();
      throw error;
    }
  }

  multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): void {
    const { context, rows, b } = this;
    const layout = layoutOf(y.form, y.width);
    const { groups, constants } = this.launch.over(rows * layout.count);
    const own = { LANES: layout.count, B: b, ...constants };
    const kernel = context.kernel(['spmm-blocks', 'each-word'], layout, own);
    context.gpu.run(kernel, [...this.owned, x.buffer, y.buffer], [rows, alpha, beta], groups);
  }

  free(): void {
    for (const buffer of this.owned) this.context.free(buffer);
  }
}

/**
 * BCSR where A is large, consists of dense blocks, p < 2^16 and one binding holds the values; else sliced ELLPACK. A
 * block has one index, slices have one an entry, which a large matrix reads from memory; a small one's do not, and then
 * slices have more invocations at work. Values of two words a pair outweigh the indices.
 */
export function chooseGpuFormat(
  a: ResidueMatrix,
  { isU16 }: WordPrime,
  maxBytes: number,
  mostSliced = MOST_SLICED,
): FormatName {
  const b = isU16 && a.colIdx.length > mostSliced ? findBlocks(a) : null;
  if (b === null) return 'sliced-ell';
  const blocks = countBlocks(a, b); // of all rows, not of a sample
  const isFull = blocks * b * b <= MOST_PLACES * a.colIdx.length;
  return isFull && 4 * pairedWords(blocks, b, isU16) <= maxBytes ? `bcsr-${b}` : 'sliced-ell';
}

/** Words of the values as pairs. */
function pairedWords(blocks: number, b: number, isU16: boolean): number {
  return blocks * Math.ceil(b / 2) * b * (isU16 ? 1 : 2);
}

/** Columns 2c and 2c + 1 of a row of a block: in one word for p < 2^16, else in two, b words apart. */
function pairValues({ b, colIdx, values }: Bcsr, isU16: boolean): Uint32Array {
  const out = new Uint32Array(pairedWords(colIdx.length, b, isU16));
  for (let block = 0, to = 0, from = 0; block < colIdx.length; block++, from += b * b) {
    for (let c = 0; c < b; c += 2) {
      for (let r = 0; r < b; r++, to++) {
        const second = c + 1 < b ? values[from + (c + 1) * b + r] : 0;
        out[to] = values[from + c * b + r];
        if (isU16) out[to] |= second << 16;
        else out[to + b] = second;
      }
      if (!isU16) to += b;
    }
  }
  return out;
}
