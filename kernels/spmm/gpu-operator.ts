/** A sparse matrix as an operator of the gpu executor: A and its transpose, each in its own storage. */
import type { GpuContext } from '../blocks/gpu-context.js';
import type { GpuForms } from '../blocks/gpu-forms.js';
import { type GpuVector, gpuVector } from '../blocks/gpu-vector.js';
import * as shapes from '../checks.js';
import type { Awaitable, BlockVector, Operator } from '../executor.js';

/** One way to hold a matrix on the device. */
export interface StoredMatrix {
  readonly isStreamed?: boolean; // held on the host
  /** y ← alpha·A·x + beta·y; both vectors are of one form, and their rows begin at words. */
  multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): Awaitable<void>;
  free(): void;
}

export class GpuOperator implements Operator {
  readonly rows: number;
  readonly cols: number;
  private readonly context: GpuContext;
  private readonly forms: GpuForms;
  private readonly stored: StoredMatrix | null;
  private readonly storedTransposed: StoredMatrix | null;
  private isReleased = false;

  constructor(
    context: GpuContext,
    forms: GpuForms,
    { rows, cols }: { readonly rows: number; readonly cols: number },
    stored: StoredMatrix | null,
    storedTransposed: StoredMatrix | null,
  ) {
    this.context = context;
    this.forms = forms;
    this.rows = rows;
    this.cols = cols;
    this.stored = stored;
    this.storedTransposed = storedTransposed;
  }

  get isStreamed(): boolean | undefined {
    return (this.stored ?? this.storedTransposed)?.isStreamed;
  }

  apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Awaitable<void> {
    return this.multiply(false, y, x, alpha, beta);
  }

  applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Awaitable<void> {
    return this.multiply(true, y, x, alpha, beta);
  }

  free(): void {
    this.isReleased = true;
    this.stored?.free();
    this.storedTransposed?.free();
  }

  private multiply(transposed: boolean, y: BlockVector, x: BlockVector, alpha: number, beta: number): Awaitable<void> {
    const { gpu, field } = this.context;
    const who = transposed ? 'applyTransposed' : 'apply';
    if (this.isReleased) throw new shapes.ShapeError(`${who}: expected an operator, got one that was released`);
    shapes.checkApply(who, this, transposed, y, x, gpuVector(y).buffer === gpuVector(x).buffer);
    shapes.checkCanonical(who, Uint32Array.of(alpha, beta), field.p);
    const matrix = shapes.requireStored(who, transposed ? this.storedTransposed : this.stored);
    if (y.length === 0 || y.width === 0) return undefined;
    const product = this.forms.align([y, x], [y], ([to, from]) => matrix.multiply(to, from, alpha, beta));
    return product ?? gpu.keepPace();
  }
}
