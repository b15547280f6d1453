/**
 * Whether rows Y are W·A: Y·X against W·(A·X), which a wrong Y passes with probability q^−w.
 *
 *   W : s × m, Y : s × N      X : N × w uniform
 *
 * The blocks T = Y·B^i·V bound a rank only if Y lies in the row space of A, and no other check sees whether it does
 * (sequence-check.ts): its vectors are made of the same Y.
 */
import type { BlockVector, Executor, Operator, Program, SmallBlocks } from '../../kernels/executor.js';
import type { Projections } from './projections.js';

export class RowSpaceCheck {
  private readonly product: SmallBlocks; // W·(A·X), then Y·X
  private readonly executor: Executor;
  private readonly a: Operator;
  private readonly w: BlockVector;
  private readonly y: BlockVector;
  private readonly x: BlockVector;
  private right = new Uint32Array(0); // W·(A·X)
  private dot: Program | null = null; // of Y·X; while it lives, a device keeps Y as the factor that it is

  private constructor(executor: Executor, a: Operator, w: BlockVector, y: BlockVector, x: BlockVector) {
    [this.executor, this.a, this.w, this.y, this.x] = [executor, a, w, y, x];
    this.product = executor.blocks(2, w.width, x.width);
  }

  /** null where Y is given, and is nothing's product. */
  static create(executor: Executor, a: Operator, { w, y }: Projections, x: BlockVector): RowSpaceCheck | null {
    return w && y ? new RowSpaceCheck(executor, a, w, y, x) : null;
  }

  /** With X as it is now; Y is made once more where it is wrong. Whether it is right then, and how often it was not. */
  async begin(): Promise<{ readonly isRight: boolean; readonly failed: number }> {
    const { executor, a, product, w, x } = this;
    const ax = executor.vector(a.rows, x.width);
    try {
      for (let failed = 0; ; failed++) {
        await a.apply(ax, x);
        executor.blockDot(product, 0, w, ax);
        this.right = new Uint32Array(await executor.readBlocks(product, 0, 1));
        const isRight = await this.holds();
        if (isRight || failed > 0) return { isRight, failed: isRight ? failed : failed + 1 };
        await this.remake();
      }
    } finally {
      executor.release(ax);
    }
  }

  /** Y once more. */
  async remake(): Promise<void> {
    this.freeDot();
    await this.a.applyTransposed(this.y, this.w);
  }

  /** Whether Y is right still. */
  async holds(): Promise<boolean> {
    const { executor, product, y, x } = this;
    this.dot ??= executor.compile([{ do: 'blockDot', out: product, x: y, z: x }]);
    await this.dot.run(1, 2);
    return (await executor.readBlocks(product, 1, 1)).every((value, i) => value === this.right[i]);
  }

  free(): void {
    this.freeDot();
    this.executor.releaseBlocks(this.product);
  }

  private freeDot(): void {
    this.dot?.free();
    this.dot = null;
  }
}
