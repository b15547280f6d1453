/**
 * Rows of a matrix on an executor: a device's side of a split (split-rows.ts).
 *
 *   A_d·X or A_dᵀ·X : X comes from the host, the product goes there
 */
import type { WordPrime } from '../../fields/word-prime.js';
import * as shapes from '../checks.js';
import type { BitColumns, BlockVector, Executor, Operator } from '../executor.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import type { RowDevice } from './row-split.js';

export class ExecutorRows implements RowDevice {
  private readonly executor: Executor;
  private columns: BitColumns | null = null;
  private operator: Operator | null = null;
  private vectors: { readonly width: number; readonly long: BlockVector; readonly short: BlockVector } | null = null;

  /** The executor stays the caller's. */
  constructor(executor: Executor) {
    this.executor = executor;
  }

  async holdRows(rows: ResidueMatrix, field: WordPrime, areBits: boolean): Promise<void> {
    if (field.p !== this.executor.field.p) throw new shapes.ShapeError('holdRows: expected the field of the executor');
    this.free();
    if (areBits) this.columns = this.executor.bitColumns!()!;
    this.operator = (this.columns ?? this.executor).operator(rows);
  }

  async multiply(transposed: boolean, x: Uint32Array, width: number): Promise<Uint32Array> {
    const { operator } = this;
    if (operator === null) throw new shapes.ShapeError('multiply: expected rows to be held before');
    const { long, short } = this.vectorsOf(operator, width);
    const [to, from] = transposed ? [short, long] : [long, short];
    const on = this.columns ?? this.executor;
    on.write(from, x);
    await (transposed ? operator.applyTransposed(to, from) : operator.apply(to, from));
    return on.read(to);
  }

  free(): void {
    this.release();
    this.operator?.free?.();
    this.columns?.dispose();
    [this.operator, this.columns] = [null, null];
  }

  /** A vector of A_d's rows and one of its columns; those of another width are released. */
  private vectorsOf({ rows, cols }: Operator, width: number) {
    if (this.vectors?.width === width) return this.vectors;
    this.release();
    const { columns, executor } = this;
    const vector = (length: number): BlockVector => (columns ? columns.vector(length) : executor.vector(length, width));
    this.vectors = { width, long: vector(rows), short: vector(cols) };
    return this.vectors;
  }

  private release(): void {
    if (this.vectors === null) return;
    const on: { release(v: BlockVector): void } = this.columns ?? this.executor;
    for (const v of [this.vectors.long, this.vectors.short]) on.release(v);
    this.vectors = null;
  }
}
