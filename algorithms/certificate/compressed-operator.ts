/** P·A·Q as an operator, from the three: products one after another, with vectors kept in between. */
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';

/** `qt` is Qᵀ; none of the three is freed with it. */
export class Compression implements Operator {
  readonly rows: number;
  readonly cols: number;
  private readonly executor: Executor;
  private readonly p: Operator;
  private readonly a: Operator;
  private readonly qt: Operator;
  private readonly kept = new Map<number, readonly [BlockVector, BlockVector]>();

  constructor(executor: Executor, p: Operator, a: Operator, qt: Operator) {
    this.executor = executor;
    this.p = p;
    this.a = a;
    this.qt = qt;
    this.rows = p.rows;
    this.cols = qt.rows;
  }

  async apply(y: BlockVector, x: BlockVector, alpha?: number, beta?: number): Promise<void> {
    const [short, long] = this.between(x.width);
    await this.qt.applyTransposed(short, x);
    await this.a.apply(long, short);
    await this.p.apply(y, long, alpha, beta);
  }

  async applyTransposed(y: BlockVector, x: BlockVector, alpha?: number, beta?: number): Promise<void> {
    const [short, long] = this.between(x.width);
    await this.p.applyTransposed(long, x);
    await this.a.applyTransposed(short, long);
    await this.qt.apply(y, short, alpha, beta);
  }

  /** P·A·w */
  async image(w: Uint32Array): Promise<Uint32Array> {
    const [short, long] = this.between(1);
    const y = this.executor.vector(this.rows, 1);
    this.executor.write(short, w);
    await this.a.apply(long, short);
    await this.p.apply(y, long);
    const values = await this.executor.read(y);
    this.executor.release(y);
    return values;
  }

  free(): void {
    for (const pair of this.kept.values()) for (const v of pair) this.executor.release(v);
    this.kept.clear();
  }

  /** Vectors with a row for each column, and for each row, of A; kept from one product to the next. */
  private between(width: number): readonly [BlockVector, BlockVector] {
    const known = this.kept.get(width);
    if (known) return known;
    const made = [this.executor.vector(this.a.cols, width), this.executor.vector(this.a.rows, width)] as const;
    this.kept.set(width, made);
    return made;
  }
}
