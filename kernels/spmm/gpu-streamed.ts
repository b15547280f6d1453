/**
 * A matrix in sliced ELLPACK that waits on the host: at every product each piece goes to one place on the device, when
 * its turn comes. The queue's order makes it safe to use the place for the next.
 *
 * The places are the context's: a product of either direction, or of another matrix, uses the same ones, and must
 * have ended before the next begins.
 *
 * Words on their way wait in memory that nobody counts, so that the host is ahead of the device by a few pieces only.
 */
import type { GpuContext } from '../blocks/gpu-context.js';
import type { GpuVector } from '../blocks/gpu-vector.js';
import { ShapeError } from '../checks.js';
import type { GpuBuffer } from '../gpu/device.js';
import { toSlicedEll } from '../sparse/formats/sliced-ell.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import type { StoredMatrix } from './gpu-operator.js';
import { GpuSlicedEll } from './gpu-sliced-ell.js';

/** Those in which a product is under way. */
const busy = new WeakSet<GpuContext>();

export class GpuStreamed implements StoredMatrix {
  readonly isStreamed = true;
  private readonly context: GpuContext;
  private readonly matrix: GpuSlicedEll;

  /** In pieces whose arrays take so many bytes each. */
  constructor(context: GpuContext, matrix: ResidueMatrix, bytes: number) {
    this.context = context;
    const pieces = toSlicedEll(matrix, context.field.p, Math.min(bytes, context.gpu.maxBindingBytes));
    this.matrix = new GpuSlicedEll(
      context,
      pieces,
      {},
      (arrays) => () => arrays.map((words, at) => this.place(words, at)),
    );
  }

  async multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): Promise<void> {
    const { context, matrix } = this;
    if (busy.has(context))
      throw new ShapeError(
        'a matrix read in pieces: expected one product at a time, got a second before the first ended',
      );
    busy.add(context);
    try {
      for (const _ of matrix.record(y, x, alpha, beta)) await context.gpu.keepPace();
    } finally {
      busy.delete(context);
    }
  }

  free(): void {
    this.matrix.free();
  }

  /** The words in the place of all arrays of this number. */
  private place(words: Uint32Array, at: number): GpuBuffer {
    const place = this.context.scratch(`streamed ${at}`, words.byteLength);
    this.context.gpu.write(place, words);
    return place;
  }
}
