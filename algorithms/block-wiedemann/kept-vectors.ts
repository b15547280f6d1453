/** Vectors between two products of a chain, kept from one application to the next of the same width. */
import type { BlockVector, Executor } from '../../kernels/executor.js';

export class KeptVectors {
  private readonly executor: Executor;
  private readonly lengths: readonly number[];
  private vectors: BlockVector[] = [];

  constructor(executor: Executor, lengths: readonly number[]) {
    this.executor = executor;
    this.lengths = lengths;
  }

  /** One of each length, with whatever they were left with. Those of another width are given back. */
  of(width: number): readonly BlockVector[] {
    if (this.vectors.length < this.lengths.length || this.vectors[0].width !== width) {
      this.free();
      for (const length of this.lengths) this.vectors.push(this.executor.vector(length, width));
    }
    return this.vectors;
  }

  free(): void {
    for (const v of this.vectors) this.executor.release(v);
    this.vectors = [];
  }
}
