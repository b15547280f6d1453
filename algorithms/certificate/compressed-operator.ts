/** P·A·Q over GF(q) as an operator, from the three: products one after another, with vectors kept in between. */
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import { KeptVectors } from '../block-wiedemann/kept-vectors.js';
import type { LeftFactor } from '../block-wiedemann/sparse-factor.js';

/** P and Qᵀ have `size` rows; none of the three is freed with the product. */
export class Compression implements Operator {
  readonly rows: number;
  readonly cols: number;
  readonly recordable: boolean;
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
    this.recordable = [p, a, qt].every(({ recordable }) => recordable === true);
    this.between = new KeptVectors(executor, [a.cols, a.rows]);
  }

  /** y ← P·A·Q·x, and nothing but that: those who ask for systems want no more. */
  async apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    checkPlain(alpha, beta);
    const [short, long] = this.between.of(x.width);
    await this.qt.applyTransposed(short, x);
    await this.a.apply(long, short);
    await this.p.apply(y, long);
  }

  async applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    checkPlain(alpha, beta);
    const [short, long] = this.between.of(x.width);
    await this.p.applyTransposed(long, x);
    await this.a.applyTransposed(short, long);
    await this.qt.apply(y, short);
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

function checkPlain(alpha: number, beta: number): void {
  if (alpha !== 1 || beta !== 0)
    throw new RangeError(`compression: expected alpha 1 and beta 0, got ${alpha}, ${beta}`);
}
