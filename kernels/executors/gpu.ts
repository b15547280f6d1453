/**
 * The executor of WGSL kernels on a GPU: calls are recorded in order, and only `read…` waits for the device.
 *
 * Residues below 2^16 stand two a word in vectors of even width, else one a word (blocks/gpu-vector.ts). An operation
 * on a view whose rows do not begin at words works on a copy, one residue a word, and writes it back.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { GpuBlockOps } from '../blocks/gpu-block-ops.js';
import { GpuContext } from '../blocks/gpu-context.js';
import { GpuForms } from '../blocks/gpu-forms.js';
import { GpuBlocks, gpuVector } from '../blocks/gpu-vector.js';
import * as shapes from '../checks.js';
import { DeviceError } from '../errors/device-error.js';
import type {
  BitColumns,
  BlockVector,
  ColumnShare,
  Executor,
  Operator,
  OperatorOptions,
  Program,
  Projection,
  SmallBlocks,
  Step,
  Substitution,
} from '../executor.js';
import { checkGpuWords, FLOAT_STORAGE } from '../float-words/gpu-words.js';
import { GpuBitColumns } from '../gf2/gpu-bit-columns.js';
import { GpuDevice } from '../gpu/device.js';
import { WORKGROUP } from '../gpu/shader.js';
import { isFloat } from '../residues/words.js';
import { isBcsr } from '../sparse/formats/bcsr.js';
import { checkProductSizes } from '../sparse/formats/product-sizes.js';
import { wholeRows } from '../sparse/formats/row-runs.js';
import { planOf } from '../sparse/plan.js';
import { type ResidueMatrix, transpose } from '../sparse/residue-matrix.js';
import type { TakenRows, Taking } from '../sparse/take-rows.js';
import { takeRowsOnTeam } from '../sparse/take-rows-team.js';
import { chooseGpuFormat, GpuBcsr } from '../spmm/gpu-bcsr.js';
import { storeSliced } from '../spmm/gpu-column-panels.js';
import { GpuColumns } from '../spmm/gpu-columns.js';
import { GpuOperator, type StoredMatrix } from '../spmm/gpu-operator.js';
import { GpuRows } from '../spmm/gpu-rows.js';
import { GpuStreamed } from '../spmm/gpu-streamed.js';
import { GpuSubstitution } from '../spmm/gpu-substitution.js';
import type { Team } from '../threads/team.js';
import { interpret } from './interpreter.js';

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
  private readonly forms: GpuForms;
  private readonly blockOps: GpuBlockOps;

  /** `team`: threads that bring matrices into their storage; without it, this thread does. */
  constructor(field: WordPrime, gpu: GpuDevice, ownsDevice = false, team?: Team) {
    this.field = field;
    this.gpu = gpu;
    this.ownsDevice = ownsDevice;
    this.device = `gpu: ${gpu.name}`;
    this.context = new GpuContext(gpu, field, team);
    this.forms = new GpuForms(this.context);
    this.blockOps = new GpuBlockOps(this.context);
  }

  static async create(field: WordPrime, { device }: GpuOptions = {}): Promise<GpuExecutor> {
    return new GpuExecutor(field, device ?? (await GpuDevice.open()), device === undefined);
  }

  /** Another executor on the same device, with buffers of its own, which end with it. */
  another(): GpuExecutor {
    return new GpuExecutor(this.field, this.gpu, false, this.context.team);
  }

  vector(length: number, width: number): BlockVector {
    shapes.checkSize('vector', length, width);
    return this.forms.vector(length, width);
  }

  bitColumns(): BitColumns | null {
    return this.field.p === 2 ? new GpuBitColumns(this.context) : null;
  }

  view(v: BlockVector, length: number, width: number): BlockVector {
    shapes.checkView(v, length, width);
    return gpuVector(v).view(length, width);
  }

  write(v: BlockVector, data: Uint32Array, firstRow = 0): void {
    shapes.checkWrite(v, data, firstRow);
    shapes.checkCanonical('write', data, this.field.p);
    this.forms.align([v], [v], ([to]) => {
      const first = firstRow * to.width;
      if (to.form === 'pairs') this.gpu.write(to.buffer, new Uint16Array(data), 2 * first);
      else this.gpu.write(to.buffer, data, 4 * first);
    });
  }

  async read(v: BlockVector): Promise<Uint32Array> {
    const { buffer, bytes, size, form } = gpuVector(v);
    if (form !== 'pairs') return this.gpu.read(buffer, 0, bytes);
    return (await this.gpu.read(buffer, 0, bytes, 2)).subarray(0, size);
  }

  copy(to: BlockVector, from: BlockVector): void {
    shapes.checkSameShape('copy', to, from);
    const [target, source] = [gpuVector(to), gpuVector(from)];
    if (target.buffer !== source.buffer) this.forms.copy(target, source);
  }

  fill(v: BlockVector, value: number): void {
    shapes.checkCanonical('fill', Uint32Array.of(value), this.field.p);
    const { buffer, bytes, form } = gpuVector(v);
    const words = bytes / 4;
    const word = form === 'pairs' ? value * 0x10001 : value;
    this.gpu.run(this.context.plainKernel('fill'), [buffer], [words, word], Math.ceil(words / WORKGROUP));
  }

  random(v: BlockVector, seed: bigint, stream: number, share: ColumnShare = { first: 0, of: v.width }): void {
    shapes.checkShare(v, share);
    const { buffer, bytes, form } = gpuVector(v);
    const { p } = this.field;
    const kernel = this.context.plainKernel('random', { P: p, PAIRS: form === 'pairs' ? 1 : 0 });
    const words = bytes / 4;
    const key = [Number(seed & 0xffffffffn), Number(seed >> 32n)];
    const params = [words, v.width, share.of, share.first, ...key, stream, 2 ** 32 - (2 ** 32 % p) - 1];
    this.gpu.run(kernel, [buffer], params, Math.ceil(words / WORKGROUP));
  }

  release(v: BlockVector): void {
    this.forms.release(v);
  }

  operator(matrix: ResidueMatrix, options: OperatorOptions = {}): Operator {
    const { use = 'both', storage, words, sizes = {} } = options;
    checkProductSizes(sizes);
    if (words !== undefined) checkGpuWords(words, this.field.p, storage);
    if (storage === 'jit') throw new DeviceError('storage jit: expected the CPU, since a GPU runs no WebAssembly');
    const stored = use === 'transposed' ? null : this.store(matrix, options);
    try {
      const storedTransposed = use === 'apply' ? null : this.store(transpose(matrix), options);
      return new GpuOperator(this.context, this.forms, matrix, stored, storedTransposed);
    } catch (error) {
      stored?.free();
      throw error;
    }
  }

  substitution(matrix: ResidueMatrix): Substitution {
    const { context, forms } = this;
    return new GpuSubstitution(context, forms, matrix, (runs) => {
      return new GpuOperator(context, forms, runs, storeSliced(context, runs), null);
    });
  }

  takeRows(taking: Taking, first: number, end: number): TakenRows | null {
    const { team } = this.context;
    return team ? takeRowsOnTeam(team, this.field, taking, first, end) : null;
  }

  scale(v: BlockVector, d: BlockVector): void {
    shapes.checkScale(v, d);
    const factors = this.forms.inWords(d);
    this.forms.align([v], [v], ([to]) => this.blockOps.scale(to, factors));
    if (factors !== d) this.release(factors);
  }

  blockAxpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    shapes.checkAxpy(y, x, a, gpuVector(y).buffer === gpuVector(x).buffer);
    shapes.checkCanonical('blockAxpy', a, this.field.p);
    this.forms.align([y], [y], ([to]) => this.blockOps.blockAxpy(to, gpuVector(x), a));
  }

  expand(y: BlockVector, u: Projection, c: Uint32Array): void {
    shapes.checkExpand(y, u, c);
    shapes.checkCanonical('expand', c, this.field.p);
    this.forms.align([y], [y], ([to]) => this.blockOps.expand(to, u, c));
  }

  blocks(count: number, rows: number, cols: number): SmallBlocks {
    shapes.checkSize('blocks', count, rows, cols);
    return new GpuBlocks(count, rows, cols, this.context.buffer(4 * count * rows * cols));
  }

  blockDot(out: SmallBlocks, index: number, x: BlockVector, z: BlockVector): void {
    shapes.checkDot(out, index, x, z);
    this.forms.align([z], [], ([right]) => this.blockOps.blockDot(out as GpuBlocks, index, gpuVector(x), right));
  }

  project(out: SmallBlocks, index: number, u: Projection, z: BlockVector): void {
    shapes.checkProjection('project', u, z.length);
    shapes.checkBlock('project', out, index, u.rows * u.layers, z.width);
    this.forms.align([z], [], ([right]) => this.blockOps.project(out as GpuBlocks, index, u, right));
  }

  readBlocks(out: SmallBlocks, first: number, count: number): Promise<Uint32Array> {
    shapes.checkBlockRange(out, first, count);
    this.blockOps.settle(out as GpuBlocks);
    const bytes = 4 * out.rows * out.cols;
    return this.gpu.read((out as GpuBlocks).buffer, first * bytes, count * bytes);
  }

  releaseBlocks(out: SmallBlocks): void {
    this.blockOps.releaseBlocks(out as GpuBlocks);
  }

  compile(step: Step): Program {
    return interpret(this, step);
  }

  dispose(): void {
    if (this.ownsDevice) this.gpu.dispose();
    else this.context.freeAll();
  }

  private store(matrix: ResidueMatrix, { storage, sizes, words, streamBytes }: OperatorOptions): StoredMatrix {
    const { context, field, gpu } = this;
    if (streamBytes !== undefined) return new GpuStreamed(context, matrix, streamBytes);
    if (words !== undefined && isFloat(words)) {
      return new GpuRows(context, planOf(matrix, field.p, { storage: storage ?? FLOAT_STORAGE, sizes }), sizes, words);
    }
    const name = storage ?? chooseGpuFormat(matrix, field, gpu.maxBindingBytes);
    if (name === 'sliced-ell') return storeSliced(context, wholeRows(matrix), sizes);
    const plan = planOf(matrix, field.p, { storage: name, sizes });
    if (name === 'csc') return new GpuColumns(context, plan);
    const [part] = plan.parts.flatMap(({ formats }) => formats);
    if (!part || !isBcsr(part)) return new GpuRows(context, plan, sizes);
    return new GpuBcsr(context, part, sizes);
  }
}
