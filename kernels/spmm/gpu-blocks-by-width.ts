/**
 * A matrix of dense blocks, stored by the width of its products: as blocks, and where it is small for one vector as
 * slices, which are then the faster ones (test/bench/RESULTS.md#formats).
 *
 * A block's rows share what they read of X, of which one vector has little; but slices have an index an entry, and
 * a large matrix's come from memory. The first product with one vector stores the slices. Where the device has no room
 * for both the blocks serve all widths: the integers are the same.
 */
import type { GpuContext } from '../blocks/gpu-context.js';
import type { GpuVector } from '../blocks/gpu-vector.js';
import { MemoryError } from '../errors/memory-error.js';
import type { Awaitable } from '../executor.js';
import type { Bcsr } from '../sparse/formats/bcsr.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { GpuBcsr } from './gpu-bcsr.js';
import { storeSliced } from './gpu-column-panels.js';
import type { StoredMatrix } from './gpu-operator.js';

/** Entries of slices up to which their indices stay in the cache of a large GPU. */
const MOST_SLICED = 6e6;

export class GpuBlocksByWidth implements StoredMatrix {
  private readonly context: GpuContext;
  private readonly blocks: GpuBcsr;
  private matrix: ResidueMatrix | null; // until it is stored as slices; null where it is not
  private slices: StoredMatrix | null = null;

  constructor(context: GpuContext, matrix: ResidueMatrix, blocks: Bcsr) {
    this.context = context;
    this.blocks = new GpuBcsr(context, blocks); // a matrix that does not fit fails here
    this.matrix = matrix.colIdx.length <= MOST_SLICED ? matrix : null;
  }

  multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): Awaitable<void> {
    return this.storedFor(x.width).multiply(y, x, alpha, beta);
  }

  /** The kind of storage that takes products of this width. */
  storedFor(width: number): StoredMatrix {
    if (width > 1) return this.blocks;
    if (this.matrix !== null) {
      this.slices = this.store(this.matrix);
      this.matrix = null;
    }
    return this.slices ?? this.blocks;
  }

  free(): void {
    this.blocks.free();
    this.slices?.free();
  }

  private store(matrix: ResidueMatrix): StoredMatrix | null {
    try {
      return storeSliced(this.context, matrix);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      return null;
    }
  }
}
