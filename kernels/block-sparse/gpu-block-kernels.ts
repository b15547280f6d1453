/**
 * The kernels on a batch by a GPU: products by residues of the result, factors and solutions by a workgroup a problem.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { Constants, GpuBuffer, GpuDevice, GpuKernel } from '../gpu/device.js';
import { fieldConstants } from '../gpu/field-constants.js';
import { type WgslName, WORKGROUP } from '../gpu/shader.js';
import {
  type BlockBatch,
  type BlockKernels,
  checkBatch,
  checkDiagonal,
  checkWidth,
  type ProductOptions,
  type TallBlock,
  transposedLists,
} from './block-batch.js';
import type { Sign } from './reference.js';

/** The bodies of the kernels. */
export const BLOCK_KERNELS = ['multiply', 'axpy-batch', 'dot-batch', 'dot-sum', 'factor', 'substitute'] as const;

/** Rows that a workgroup sums up for a dot product at least, and parts of a problem at most. */
const [PART_ROWS, MOST_PARTS] = [256, 64];

/** The files of a kernel. */
export function blockKernelFiles(isU16: boolean, body: (typeof BLOCK_KERNELS)[number]): WgslName[] {
  return ['launch', 'words-1', isU16 ? 'u16' : 'u32', 'inverse', 'block-sums', `block-${body}`];
}

interface GpuTall extends TallBlock {
  readonly buffer: GpuBuffer;
}

interface Lists {
  readonly ptr: GpuBuffer;
  readonly places: GpuBuffer;
  readonly others: GpuBuffer;
}

interface Factors {
  readonly diagonal: GpuBuffer;
  readonly values: GpuBuffer;
  readonly inverses: GpuBuffer;
  readonly singular: GpuBuffer;
}

export class GpuBlockKernels implements BlockKernels {
  readonly #gpu: GpuDevice;
  readonly #isU16: boolean;
  readonly #constants: Constants;
  readonly #batch: BlockBatch;
  readonly #owned = new Set<GpuBuffer>();
  readonly #starts: GpuBuffer;
  readonly #values: GpuBuffer;
  readonly #rows: Lists;
  #columns: Lists | null = null; // of the transpose
  #factors: Factors | null = null;

  /** Throws MemoryError where the device cannot bind a part as a whole. */
  constructor(gpu: GpuDevice, field: WordPrime, batch: BlockBatch) {
    checkBatch(batch);
    [this.#gpu, this.#isU16, this.#batch] = [gpu, field.isU16, batch];
    this.#constants = { ...fieldConstants(field), SIDE: batch.b };
    const { pattern, values, starts } = batch;
    try {
      this.#starts = this.#upload(starts);
      this.#values = this.#upload(values);
      const places = Uint32Array.from(pattern.colIdx.keys());
      this.#rows = {
        ptr: this.#upload(pattern.rowPtr),
        places: this.#upload(places),
        others: this.#upload(pattern.colIdx),
      };
    } catch (error) {
      this.free();
      throw error;
    }
  }

  tall(width: number, data?: Uint32Array): TallBlock {
    checkWidth(width);
    const tall: GpuTall = { width, buffer: data ? this.#upload(data) : this.#buffer(this.#words(width)) };
    return tall;
  }

  read(x: TallBlock): Promise<Uint32Array> {
    return this.#gpu.read(bufferOf(x), 0, 4 * this.#words(x.width));
  }

  release(x: TallBlock): void {
    this.#release(bufferOf(x));
  }

  addTallProduct(y: TallBlock, x: TallBlock, m: Uint32Array, sign: Sign): void {
    const factors = this.#upload(m);
    const parameters = [this.#words(x.width), x.width, Number(sign < 0), this.#count];
    const buffers = [this.#starts, factors, bufferOf(x), bufferOf(y)];
    this.#gpu.run(this.#kernel('axpy-batch', WORKGROUP), buffers, parameters, this.#groups(x.width));
    this.#release(factors);
  }

  async dotTall(x: TallBlock, z: TallBlock): Promise<Uint32Array> {
    const cells = x.width * x.width;
    const words = this.#count * cells;
    const rows = longestOf(this.#batch);
    const partRows = Math.max(PART_ROWS, Math.ceil(rows / MOST_PARTS));
    const parts = Math.max(1, Math.ceil(rows / partRows));
    const [sums, out] = [this.#buffer(words * parts), this.#buffer(words)];
    const buffers = [this.#starts, bufferOf(x), bufferOf(z), sums];
    const kernel = this.#kernel('dot-batch', WORKGROUP);
    this.#gpu.run(kernel, buffers, [this.#count, x.width, parts, partRows], this.#count * parts);
    const groups = Math.ceil(words / WORKGROUP);
    this.#gpu.run(this.#kernel('dot-sum', WORKGROUP), [sums, out], [words, cells, parts], groups);
    const products = await this.#gpu.read(out, 0, 4 * words);
    for (const buffer of [sums, out]) this.#release(buffer);
    return products;
  }

  addBlockProduct(y: TallBlock, x: TallBlock, { sign, transposed, diagonal }: ProductOptions): void {
    const { ptr, places, others } = transposed ? this.#transposed() : this.#rows;
    const flags = [sign < 0, transposed, !diagonal].map(Number);
    const buffers = [ptr, places, others, this.#values, bufferOf(x), bufferOf(y)];
    const parameters = [this.#words(x.width), x.width, ...flags];
    this.#gpu.run(this.#kernel('multiply', WORKGROUP), buffers, parameters, this.#groups(x.width));
  }

  async factor(): Promise<Int32Array> {
    checkDiagonal(this.#batch);
    const { b, pattern, values } = this.#batch;
    for (const buffer of Object.values(this.#factors ?? {})) this.#release(buffer);
    this.#factors = null;
    const made: Factors = {
      diagonal: this.#upload(new Uint32Array(pattern.diagonal)),
      values: this.#buffer(values.length),
      inverses: this.#buffer(pattern.n * b * b),
      singular: this.#buffer(this.#count),
    };
    this.#gpu.copy(made.values, this.#values, 4 * values.length);
    const { ptr, others } = this.#rows;
    const buffers = [this.#starts, ptr, others, made.diagonal, made.values, made.inverses, made.singular];
    this.#gpu.run(this.#kernel('factor', this.#workgroup), buffers, [this.#count], this.#count);
    this.#factors = made;
    return new Int32Array(await this.#gpu.read(made.singular, 0, 4 * this.#count));
  }

  substitute(x: TallBlock): void {
    const { diagonal, values, inverses, singular } = this.#factors!;
    const { ptr, others } = this.#rows;
    const buffers = [this.#starts, ptr, others, diagonal, values, inverses, singular, bufferOf(x)];
    this.#gpu.run(this.#kernel('substitute', this.#workgroup), buffers, [this.#count, x.width], this.#count);
  }

  free(): void {
    for (const buffer of this.#owned) this.#release(buffer);
  }

  get #count(): number {
    return this.#batch.starts.length - 1;
  }

  /** Invocations for a step of one block: those of a small block are few. */
  get #workgroup(): number {
    return Math.min(WORKGROUP, 16 * this.#batch.b);
  }

  #words(width: number): number {
    return this.#batch.pattern.n * this.#batch.b * width;
  }

  #groups(width: number): number {
    return Math.ceil(this.#words(width) / WORKGROUP);
  }

  #transposed(): Lists {
    if (this.#columns === null) {
      const { ptr, places, rows } = transposedLists(this.#batch.pattern);
      this.#columns = { ptr: this.#upload(ptr), places: this.#upload(places), others: this.#upload(rows) };
    }
    return this.#columns;
  }

  #kernel(body: (typeof BLOCK_KERNELS)[number], workgroup: number): GpuKernel {
    return this.#gpu.kernel(blockKernelFiles(this.#isU16, body), { ...this.#constants, WORKGROUP: workgroup });
  }

  #buffer(words: number): GpuBuffer {
    const buffer = this.#gpu.buffer(4 * words);
    this.#owned.add(buffer);
    return buffer;
  }

  #upload(words: Uint32Array): GpuBuffer {
    const buffer = this.#gpu.upload(words);
    this.#owned.add(buffer);
    return buffer;
  }

  #release(buffer: GpuBuffer): void {
    this.#owned.delete(buffer);
    this.#gpu.free(buffer);
  }
}

/** Rows of the largest problem. */
function longestOf({ starts, b }: BlockBatch): number {
  let most = 0;
  for (let k = 1; k < starts.length; k++) most = Math.max(most, starts[k]! - starts[k - 1]!);
  return most * b;
}

function bufferOf(x: TallBlock): GpuBuffer {
  return (x as GpuTall).buffer;
}
