/** Block Lanczos over GF(q) with an executor's products, block DOT and block AXPY: vectors of n columns of elements. */
import type { BlockVector, Executor, SmallBlocks } from '../../kernels/executor.js';
import type { WorkingField } from '../block-wiedemann/working-field.js';
import { type BlockAlgebra, FieldAlgebra } from './block-algebra.js';
import type { NormalOperator } from './normal-operator.js';
import type { LanczosSpace } from './space.js';

export class FieldSpace implements LanczosSpace {
  readonly size: number;
  readonly algebra: BlockAlgebra;
  private readonly executor: Executor;
  private readonly b: NormalOperator;
  private readonly working: WorkingField;
  private readonly s: number;
  private readonly square: SmallBlocks;
  private readonly right: SmallBlocks;

  /** C and Z have s columns. The operator stays the caller's. */
  constructor(executor: Executor, b: NormalOperator, working: WorkingField, n: number, s: number) {
    const { k } = working;
    this.size = b.size;
    this.algebra = new FieldAlgebra(working.elements, n);
    this.executor = executor;
    this.b = b;
    this.working = working;
    this.s = s;
    this.square = executor.blocks(2, k * n, k * n);
    this.right = executor.blocks(1, k * n, k * s);
  }

  vector(): BlockVector {
    return this.executor.vector(this.size, this.working.k * this.algebra.n);
  }

  release(v: BlockVector): void {
    this.executor.release(v);
  }

  apply(y: BlockVector, x: BlockVector): Promise<void> {
    return this.b.apply(y, x);
  }

  /** The three products are read together. */
  async products(
    v: BlockVector,
    image: BlockVector,
    c: BlockVector,
  ): Promise<Readonly<Record<'g' | 'h' | 'r', Uint32Array>>> {
    const { executor, working, s, square, right } = this;
    const { n } = this.algebra;
    executor.blockDot(square, 0, v, image);
    executor.blockDot(square, 1, image, image);
    executor.blockDot(right, 0, v, c);
    const [squares, r] = await Promise.all([executor.readBlocks(square, 0, 2), executor.readBlocks(right, 0, 1)]);
    const half = squares.length / 2;
    return {
      g: working.combine(squares.subarray(0, half), n, n, false),
      h: working.combine(squares.subarray(half), n, n, false),
      r: working.combine(r, n, s, false),
    };
  }

  axpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    const { n } = this.algebra;
    this.executor.blockAxpy(y, x, this.working.blockFactors(a, n, a.length / n));
  }

  copy(to: BlockVector, from: BlockVector): void {
    this.executor.copy(to, from);
  }

  async read(v: BlockVector): Promise<Uint32Array> {
    return this.executor.read(v);
  }

  write(v: BlockVector, words: Uint32Array): void {
    this.executor.write(v, words);
  }

  free(): void {
    this.executor.releaseBlocks(this.square);
    this.executor.releaseBlocks(this.right);
  }
}
