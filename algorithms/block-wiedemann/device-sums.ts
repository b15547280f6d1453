/**
 * Σ_i E_i·S_i of blocks on the host by a dot product of a device whose calls are done at once: with E_iᵀ and S_i one
 * below the other, it is xᵀ·z.
 */
import type { BlockVector, Executor, Program, SmallBlocks } from '../../kernels/executor.js';
import { transposeBlock } from './combine.js';
import { areBelow, type SumShape } from './sum-products.js';
import type { WorkingField } from './working-field.js';

export class DeviceSums {
  private readonly executor: Executor;
  private readonly shape: SumShape;
  private readonly order: number;
  private readonly vectors: BlockVector[] = [];
  private readonly z: BlockVector;
  private readonly out: SmallBlocks;
  private readonly program: Program;

  /** `factors` are E_0, E_1, … one after another, `count` of them. */
  constructor(executor: Executor, working: WorkingField, factors: Uint32Array, shape: SumShape) {
    const { count, rows, inner, cols } = shape;
    [this.executor, this.shape, this.order] = [executor, shape, working.q];
    this.out = executor.blocks(1, rows, cols);
    try {
      for (const width of [rows, cols]) this.vectors.push(executor.vector(count * inner, width));
    } catch (error) {
      this.release();
      throw error;
    }
    const [x, z] = this.vectors;
    for (let i = 0; i < count; i++) {
      const block = factors.subarray(i * rows * inner, (i + 1) * rows * inner);
      executor.write(x, transposeBlock(block, rows, inner), i * inner);
    }
    this.z = z;
    this.program = executor.compile([{ do: 'blockDot', out: this.out, x, z }]);
  }

  /** null where a device has a queue of its own, in which a sum would wait for steps, or vectors have no codes. */
  static create(executor: Executor, working: WorkingField, factors: Uint32Array, shape: SumShape): DeviceSums | null {
    if (executor.name === 'gpu' || working.k > 1) return null;
    return new DeviceSums(executor, working, factors, shape);
  }

  /** Of all E_i; null where a word is no code. */
  async sum(blockAt: (i: number) => Uint32Array): Promise<Uint32Array | null> {
    const { executor, shape, order, z, out } = this;
    for (let i = 0; i < shape.count; i++) {
      const block = blockAt(i);
      if (!areBelow(block, order)) return null;
      executor.write(z, block, i * shape.inner);
    }
    await this.program.run(0, 1);
    return executor.readBlocks(out, 0, 1);
  }

  free(): void {
    this.program.free();
    this.release();
  }

  private release(): void {
    for (const v of this.vectors) this.executor.release(v);
    this.executor.releaseBlocks(this.out);
  }
}
