/**
 * The executor of WGSL kernels on a GPU: calls are recorded in order, and only `read…` waits for the device.
 *
 * Residues below 2^16 stand two a word in vectors of even width, else one a word (blocks/gpu-vector.ts). An operation on a
 * view whose rows do not begin at words works on a copy, one residue a word, and writes it back.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { GpuDense, pairsOf } from '../blocks/gpu-block-ops.js';
import { GpuContext, WORKGROUP } from '../blocks/gpu-context.js';
import { GpuBlocks, GpuVector, gpuVector } from '../blocks/gpu-vector.js';
import * as shapes from '../checks.js';
import type {
  Awaitable,
  BlockVector,
  Executor,
  Operator,
  OperatorOptions,
  Projection,
  SmallBlocks,
} from '../executor.js';
import { GpuDevice } from '../gpu/device.js';
import { slicedRows } from '../sparse/formats/sliced-ell.js';
import { planOf } from '../sparse/plan.js';
import { type ResidueMatrix, transposed } from '../sparse/residue-matrix.js';
import { GpuPanels, isScattered, panelCount } from '../spmm/gpu-column-panels.js';
import { GpuRows, type StoredMatrix } from '../spmm/gpu-operator.js';
import { GpuFormats } from '../spmm/gpu-plain-formats.js';

export interface GpuOptions {
  /** A device that stays the caller's; opened, and ended with the executor, when absent. */
  readonly device?: GpuDevice;
}

export class GpuExecutor implements Executor {
  readonly name = 'gpu';
  readonly device: string;
  readonly threads = 1;
  readonly field: WordPrime;
  readonly gpu: GpuDevice;
  private readonly ownsDevice: boolean;
  private readonly context: GpuContext;
  private readonly dense: GpuDense;

  constructor(field: WordPrime, gpu: GpuDevice, ownsDevice = false) {
    this.field = field;
    this.gpu = gpu;
    this.ownsDevice = ownsDevice;
    this.device = `gpu: ${gpu.name}`;
    this.context = new GpuContext(gpu, field);
    this.dense = new GpuDense(this.context);
  }

  static async create(field: WordPrime, { device }: GpuOptions = {}): Promise<GpuExecutor> {
    return new GpuExecutor(field, device ?? (await GpuDevice.open()), device === undefined);
  }

  vector(length: number, width: number): BlockVector {
    shapes.checkSize('vector', length, width);
    return this.made(length, width, this.field.isU16 && width % 2 === 0 ? 'pairs' : 'words');
  }

  view(v: BlockVector, length: number, width: number): BlockVector {
    shapes.checkView(v, length, width);
    return gpuVector(v).view(length, width);
  }

  write(v: BlockVector, data: Uint32Array, firstRow = 0): void {
    shapes.checkWrite(v, data, firstRow);
    shapes.checkCanonical('write', data, this.field.p);
    this.aligned([v], [v], ([to]) => {
      const first = firstRow * to.width;
      if (to.form === 'pairs') this.gpu.write(to.buffer, pairsOf(data), 2 * first);
      else this.gpu.write(to.buffer, data, 4 * first);
    });
  }

  async read(v: BlockVector): Promise<Uint32Array> {
    const { buffer, bytes, size, form } = gpuVector(v);
    const words = await this.gpu.read(buffer, 0, bytes);
    return form === 'pairs' ? Uint32Array.from(new Uint16Array(words.buffer, 0, size)) : words;
  }

  copy(to: BlockVector, from: BlockVector): void {
    shapes.checkSameShape('copy', to, from);
    const [target, source] = [gpuVector(to), gpuVector(from)];
    if (target.buffer === source.buffer) return;
    if (target.form === source.form) this.gpu.copy(target.buffer, source.buffer, source.bytes);
    else this.repack(target, source);
  }

  fill(v: BlockVector, value: number): void {
    shapes.checkCanonical('fill', Uint32Array.of(value), this.field.p);
    const { buffer, bytes, form } = gpuVector(v);
    const words = bytes / 4;
    const word = form === 'pairs' ? value * 0x10001 : value;
    this.gpu.run(this.context.plainKernel('fill'), [buffer], [words, word], Math.ceil(words / WORKGROUP));
  }

  release(v: BlockVector): void {
    this.context.releaseVector(gpuVector(v).retire());
  }

  operator(matrix: ResidueMatrix, options: OperatorOptions = {}): Operator {
    const { use = 'both' } = options;
    const stored = use === 'transposed' ? null : this.stored(matrix, options);
    const storedTransposed = use === 'apply' ? null : this.stored(transposed(matrix), options);
    return new GpuOperator(this, matrix.rows, matrix.cols, stored, storedTransposed);
  }

  scale(v: BlockVector, d: BlockVector): void {
    shapes.checkScale(v, d);
    const factors = this.inWords(d);
    this.aligned([v], [v], ([to]) => this.dense.scale(to, factors));
    if (factors !== d) this.release(factors);
  }

  blockAxpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    shapes.checkAxpy(y, x, a, gpuVector(y).buffer === gpuVector(x).buffer);
    shapes.checkCanonical('blockAxpy', a, this.field.p);
    this.aligned([y], [y], ([to]) => this.dense.blockAxpy(to, gpuVector(x), a));
  }

  expand(y: BlockVector, u: Projection, c: Uint32Array): void {
    shapes.checkExpand(y, u, c);
    shapes.checkCanonical('expand', c, this.field.p);
    this.aligned([y], [y], ([to]) => this.dense.expand(to, u, c));
  }

  blocks(count: number, rows: number, cols: number): SmallBlocks {
    shapes.checkSize('blocks', count, rows, cols);
    return new GpuBlocks(count, rows, cols, this.context.buffer(4 * count * rows * cols));
  }

  blockDot(out: SmallBlocks, index: number, x: BlockVector, z: BlockVector): void {
    shapes.checkDot(out, index, x, z);
    this.aligned([z], [], ([right]) => this.dense.blockDot(out as GpuBlocks, index, gpuVector(x), right));
  }

  project(out: SmallBlocks, index: number, u: Projection, z: BlockVector): void {
    shapes.checkProjection('project', u, z.length);
    shapes.checkBlock('project', out, index, u.rows * u.layers, z.width);
    this.aligned([z], [], ([right]) => this.dense.project(out as GpuBlocks, index, u, right));
  }

  readBlocks(out: SmallBlocks, first: number, count: number): Promise<Uint32Array> {
    shapes.checkBlockRange(out, first, count);
    this.dense.settle(out as GpuBlocks);
    const bytes = 4 * out.rows * out.cols;
    return this.gpu.read((out as GpuBlocks).buffer, first * bytes, count * bytes);
  }

  releaseBlocks(out: SmallBlocks): void {
    this.dense.releaseBlocks(out as GpuBlocks);
  }

  dispose(): void {
    if (this.ownsDevice) this.gpu.dispose();
    else this.context.freeAll();
  }

  /**
   * Runs `work` on vectors of one form whose rows begin at words: `vectors` themselves, or copies of them, one residue a
   * word, of which those in `changed` are written back.
   */
  aligned(
    vectors: readonly BlockVector[],
    changed: readonly BlockVector[],
    work: (vectors: GpuVector[]) => void,
  ): void {
    const given = vectors.map(gpuVector);
    if (given.every((v) => v.aligned && v.form === given[0].form)) {
      work(given);
      return;
    }
    const copies = given.map((v) => this.inWords(v));
    work(copies);
    copies.forEach((copy, i) => {
      if (copy === given[i]) return;
      if (changed.includes(vectors[i])) this.repack(given[i], copy);
      this.release(copy);
    });
  }

  /** v, or a copy of it, one residue a word. */
  private inWords(v: BlockVector): GpuVector {
    const given = gpuVector(v);
    if (given.form === 'words') return given;
    const copy = this.made(given.length, given.width, 'words');
    this.repack(copy, given);
    return copy;
  }

  private made(length: number, width: number, form: 'pairs' | 'words'): GpuVector {
    const bytes = (form === 'pairs' ? 2 : 4) * length * width;
    return new GpuVector(length, width, { buffer: this.context.vectorBuffer(bytes), form });
  }

  private repack(to: GpuVector, from: GpuVector): void {
    const pairs = to.size / 2;
    const kernel = this.context.plainKernel('repack', { TO_PAIRS: to.form === 'pairs' ? 1 : 0 });
    this.gpu.run(kernel, [from.buffer, to.buffer], [pairs], Math.ceil(pairs / WORKGROUP));
  }

  private stored(matrix: ResidueMatrix, options: OperatorOptions): StoredMatrix {
    const { p } = this.field;
    if (options.storage !== undefined) return new GpuFormats(this.context, planOf(matrix, p, options));
    // No panels at any width: the matrix itself need not be kept.
    const { rows, cols, colIdx } = matrix;
    if (ROW_BYTES.some((bytes) => panelCount(rows, cols, colIdx.length, bytes) > 1) && isScattered(matrix))
      return new GpuPanels(this.context, matrix);
    return new GpuRows(this.context, slicedRows(matrix, p, this.gpu.maxBindingBytes));
  }
}

/** Of vectors of the usual widths. */
const ROW_BYTES = [4, 8, 16, 32, 64, 128, 256];

class GpuOperator implements Operator {
  readonly rows: number;
  readonly cols: number;
  private readonly executor: GpuExecutor;
  private readonly stored: StoredMatrix | null;
  private readonly storedTransposed: StoredMatrix | null;

  constructor(
    executor: GpuExecutor,
    rows: number,
    cols: number,
    stored: StoredMatrix | null,
    storedTransposed: StoredMatrix | null,
  ) {
    this.executor = executor;
    this.rows = rows;
    this.cols = cols;
    this.stored = stored;
    this.storedTransposed = storedTransposed;
  }

  apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Awaitable<void> {
    return this.multiply(false, this.stored, y, x, alpha, beta);
  }

  applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Awaitable<void> {
    return this.multiply(true, this.storedTransposed, y, x, alpha, beta);
  }

  free(): void {
    this.stored?.free();
    this.storedTransposed?.free();
  }

  private multiply(
    transposed: boolean,
    stored: StoredMatrix | null,
    y: BlockVector,
    x: BlockVector,
    alpha: number,
    beta: number,
  ): Awaitable<void> {
    const { executor } = this;
    const who = transposed ? 'applyTransposed' : 'apply';
    shapes.checkApply(who, this, transposed, y, x, gpuVector(y).buffer === gpuVector(x).buffer);
    shapes.checkCanonical(who, Uint32Array.of(alpha, beta), executor.field.p);
    const matrix = shapes.stored(who, stored);
    if (y.length === 0 || y.width === 0) return undefined;
    executor.aligned([y, x], [y], ([to, from]) => matrix.multiply(to, from, alpha, beta));
    return executor.gpu.settled();
  }
}
