/**
 * Vectors of the gpu executor in the form that a kernel wants: pairs where the width allows, words where rows would
 * begin inside of words.
 */
import type { Awaitable, BlockVector } from '../executor.js';
import { WORKGROUP } from '../gpu/shader.js';
import type { GpuContext } from './gpu-context.js';
import { type Form, GpuVector, gpuVector } from './gpu-vector.js';

export class GpuForms {
  private readonly context: GpuContext;

  constructor(context: GpuContext) {
    this.context = context;
  }

  /** A vector of zeros in the shorter form that its width allows. */
  vector(length: number, width: number): GpuVector {
    return this.make(length, width, this.context.field.isU16 && width % 2 === 0 ? 'pairs' : 'words');
  }

  release(v: BlockVector): void {
    this.context.releaseVector(gpuVector(v).retire());
  }

  copy(to: GpuVector, from: GpuVector): void {
    if (to.form === from.form) this.context.gpu.copy(to.buffer, from.buffer, from.bytes);
    else this.repack(to, from);
  }

  /** v, or a copy of it, one residue a word. */
  inWords(v: BlockVector): GpuVector {
    const given = gpuVector(v);
    if (given.form === 'words') return given;
    const copy = this.make(given.length, given.width, 'words');
    this.repack(copy, given);
    return copy;
  }

  /**
   * Runs `work` on vectors of one form whose rows begin at words: `vectors` themselves, or copies of them, one residue
   * a word, of which those in `changed` are written back. A promise only where `work` makes one.
   */
  align<T extends Awaitable<void>>(
    vectors: readonly BlockVector[],
    changed: readonly BlockVector[],
    work: (vectors: GpuVector[]) => T,
  ): T {
    const given = vectors.map(gpuVector);
    if (given.every((v) => v.aligned && v.form === given[0].form)) return work(given);
    const copies = given.map((v) => this.inWords(v));
    const end = (): void => {
      copies.forEach((copy, i) => {
        if (copy === given[i]) return;
        if (changed.includes(vectors[i])) this.repack(given[i], copy);
        this.release(copy);
      });
    };
    const working = work(copies);
    return (working === undefined ? end() : working.then(end)) as T;
  }

  private make(length: number, width: number, form: Form): GpuVector {
    const bytes = (form === 'pairs' ? 2 : 4) * length * width;
    return new GpuVector(length, width, { buffer: this.context.vectorBuffer(bytes), form });
  }

  private repack(to: GpuVector, from: GpuVector): void {
    const pairs = to.size / 2;
    const kernel = this.context.plainKernel('repack', { TO_PAIRS: to.form === 'pairs' ? 1 : 0 });
    this.context.gpu.run(kernel, [from.buffer, to.buffer], [pairs], Math.ceil(pairs / WORKGROUP));
  }
}
