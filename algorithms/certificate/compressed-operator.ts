/** P·A·Q over GF(q) as an operator, from the three: products one after another, with vectors kept in between. */
import type { BlockVector, Call, Executor, Operator } from '../../kernels/executor.js';
import { performAll } from '../../kernels/executors/interpreter.js';
import { KeptVectors } from '../block-wiedemann/kept-vectors.js';
import type { LeftFactor } from '../block-wiedemann/sparse-factor.js';

/** P and Qᵀ have `size` rows; none of the three is freed with the product. */
export class Compression implements Operator {
  readonly rows: number;
  readonly cols: number;
  private readonly executor: Executor;
  private readonly p: LeftFactor;
  private readonly a: Operator;
  private readonly qt: LeftFactor;
  private readonly between: KeptVectors; // with a row for each column, and for each row, of A

  constructor(executor: Executor, p: LeftFactor, a: Operator, qt: LeftFactor, size: number) {
    this.p = p;
    this.a = a;
    this.qt = qt;
    this.rows = size;
    this.cols = size;
    this.executor = executor;
    this.between = new KeptVectors(executor, [a.cols, a.rows]);
  }

  /** y ← P·A·Q·x, and nothing but that: those who ask for systems want no more. */
  calls(y: BlockVector, x: BlockVector, transposed: boolean, alpha = 1, beta = 0): Call[] {
    if (alpha !== 1 || beta !== 0)
      throw new RangeError(`compression: expected alpha 1 and beta 0, got ${alpha}, ${beta}`);
    const [short, long] = this.between.of(x.width);
    // Qᵀ is what is stored.
    const [before, first, second, behind] = transposed
      ? [this.p, long, short, this.qt]
      : [this.qt, short, long, this.p];
    return [
      { do: 'apply', map: before, y: first, x, transposed: true },
      { do: 'apply', map: this.a, y: second, x: first, transposed },
      { do: 'apply', map: behind, y, x: second },
    ];
  }

  async apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    await performAll(this.executor, this.calls(y, x, false, alpha, beta));
  }

  async applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    await performAll(this.executor, this.calls(y, x, true, alpha, beta));
  }

  /** y ← P·A·w */
  async image(y: BlockVector, w: BlockVector): Promise<void> {
    const [, long] = this.between.of(w.width);
    await this.a.apply(long, w);
    await this.p.apply(y, long);
  }

  free(): void {
    this.between.free();
  }
}
