/** Vectors between two products of a chain, which serve all applications of one width. */
import type { BlockVector, Executor } from '../../kernels/executor.js';

export class KeptVectors {
  private readonly executor: Executor;
  private readonly lengths: readonly number[];
  private vectors: BlockVector[] = [];

  constructor(executor: Executor, lengths: readonly number[]) {
    this.executor = executor;
    this.lengths = lengths;
  }

  /** One of each length, with old contents. Vectors of another width are released. */
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
