/**
 * The kernels on a batch by a GPU: products by four residues of the result, factors and solutions by a workgroup a
 * problem.
 *
 * Residues mod p < 2^16 stand two in a word. A call writes nothing but what it is about: factors of the host travel
 * with the submission, and sums between two dispatches stay.
 */
import { gpuDigitTermsBeforeFolding } from '../../fields/reduction.js';
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
} from './block-batch.js';
import { EACH, GpuBlockLists } from './gpu-block-lists.js';
import type { Sign } from './reference.js';

/**
 * Invocations that fill any device. Products of several rows each take less time there, and more where fewer are left;
 * A·X mod p > 2^16 does not gain (test/bench/RESULTS.md#rows-of-a-product).
 */
const FILLED = 2 ** 18;

/** The bodies of the kernels. */
export const BLOCK_KERNELS = ['multiply', 'axpy-batch', 'dot-batch', 'dot-sum', 'factor', 'substitute'] as const;

/** Rows that a workgroup sums up for a dot product at least, and parts of a problem at most. */
const [PART_ROWS, MOST_PARTS] = [256, 64];

type Body = (typeof BLOCK_KERNELS)[number];

/** The files of a kernel. */
export function blockKernelFiles(isU16: boolean, body: Body): WgslName[] {
  const isByProblem = body === 'factor' || body === 'substitute';
  const words = isByProblem ? 'words-1' : isU16 ? 'words-2' : 'words-4';
  const prelude: WgslName[] = isU16 ? ['u16x2'] : ['u32', 'u32-digits'];
  return ['launch', words, ...prelude, 'inverse', 'block-sums', `block-${body}`];
}

interface GpuTall extends TallBlock {
  readonly buffer: GpuBuffer;
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
  readonly #filled: number;
  readonly #longest: number; // rows of the largest problem
  readonly #kernels = new Map<string, GpuKernel>(); // by body and workgroup
  readonly #owned = new Set<GpuBuffer>();
  readonly #starts: GpuBuffer;
  readonly #problems: GpuBuffer; // k of each block row
  readonly #values: GpuBuffer;
  readonly #lists: GpuBlockLists;
  #factors: Factors | null = null;
  readonly #sums: GpuBuffer[] = []; // of dot products: of parts, and of problems

  /**
   * Throws MemoryError where the device cannot bind a part as a whole. `groups`: lists of equal length together. Those
   * of columns read blocks that lie apart: where residues take 32 bits that costs what it saves
   * (test/bench/RESULTS.md#rows-of-unequal-length). `filled`: invocations from which on they have several rows each.
   */
  constructor(
    gpu: GpuDevice,
    field: WordPrime,
    batch: BlockBatch,
    { groups = { rows: true, columns: field.isU16 }, filled = FILLED } = {},
  ) {
    checkBatch(batch);
    [this.#gpu, this.#isU16, this.#batch, this.#filled] = [gpu, field.isU16, batch, filled];
    const digits = field.isU16 ? {} : { TERMS: gpuDigitTermsBeforeFolding() };
    this.#constants = { ...fieldConstants(field), ...digits, SIDE: batch.b };
    this.#longest = longestOf(batch);
    const { values, starts } = batch;
    try {
      this.#starts = this.#upload(starts);
      this.#problems = this.#upload(problemsOf(batch));
      this.#values = this.#uploadResidues(values);
      this.#lists = new GpuBlockLists(batch, (words) => this.#upload(words), groups);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  tall(width: number, data?: Uint32Array): TallBlock {
    checkWidth(width);
    const tall: GpuTall = {
      width,
      buffer: data ? this.#uploadResidues(data) : this.#buffer(this.#bytes(this.#residues(width))),
    };
    return tall;
  }

  read(x: TallBlock): Promise<Uint32Array> {
    return this.#readResidues(bufferOf(x), this.#residues(x.width));
  }

  release(x: TallBlock): void {
    this.#release(bufferOf(x));
  }

  addTallProduct(y: TallBlock, x: TallBlock, m: Uint32Array, sign: Sign): void {
    const { buffer, offset } = this.#gpu.operand(m, this.#isU16 ? 2 : 4);
    const first = offset / this.#bytes(EACH);
    const parameters = [this.#residues(x.width) / EACH, x.width / EACH, Number(sign < 0), first];
    const buffers = [this.#problems, buffer, bufferOf(x), bufferOf(y)];
    this.#gpu.run(this.#kernel('axpy-batch', WORKGROUP), buffers, parameters, this.#groups(x.width));
  }

  async dotTall(x: TallBlock, z: TallBlock): Promise<Uint32Array> {
    const units = x.width ** 2 / EACH;
    const all = this.#count * units;
    const partRows = Math.max(PART_ROWS, Math.ceil(this.#longest / MOST_PARTS));
    const parts = Math.max(1, Math.ceil(this.#longest / partRows));
    const bytes = 4 * EACH * all;
    const out = this.#sumsOf(0, bytes);
    const sums = parts === 1 ? out : this.#sumsOf(1, bytes * parts);
    const buffers = [this.#starts, bufferOf(x), bufferOf(z), sums];
    const kernel = this.#kernel('dot-batch', WORKGROUP);
    this.#gpu.run(kernel, buffers, [this.#count, x.width / EACH, parts, partRows], this.#count * parts);
    if (parts > 1) {
      const groups = Math.ceil(all / WORKGROUP);
      this.#gpu.run(this.#kernel('dot-sum', WORKGROUP), [sums, out], [all, units, parts], groups);
    }
    return this.#gpu.read(out, 0, bytes);
  }

  addBlockProduct(y: TallBlock, x: TallBlock, { sign, transposed, diagonal }: ProductOptions): void {
    const { ptr, places, others, rows } = this.#lists.of(transposed, x.width);
    const flags = [sign < 0, !diagonal].map(Number);
    const buffers = [ptr, places, others, rows ?? ptr, this.#values, bufferOf(x), bufferOf(y)];
    const words = this.#residues(x.width) / EACH;
    const each = this.#rowsEach(transposed, words);
    const parameters = [words / each, x.width / EACH, ...flags];
    const constants = { TRANSPOSED: Number(transposed), GROUPED: Number(rows !== null), ROWS: each };
    const kernel = this.#kernel('multiply', WORKGROUP, constants);
    this.#gpu.run(kernel, buffers, parameters, Math.ceil(words / each / WORKGROUP));
  }

  /** Rows of Y that an invocation of a product has, where so many are left that they fill the device. */
  #rowsEach(transposed: boolean, words: number): number {
    const each = transposed ? 4 : this.#isU16 ? 2 : 1;
    return words / each < this.#filled ? 1 : each;
  }

  async factor(): Promise<Int32Array> {
    checkDiagonal(this.#batch);
    const { b, values } = this.#batch;
    const made = this.#roomOfFactors();
    this.#gpu.copy(made.values, this.#values, this.#bytes(values.length));
    const { ptr, others } = this.#lists.rows;
    const buffers = [this.#starts, ptr, others, made.diagonal, made.values, made.inverses, made.singular];
    // One for each residue of a block, of which barriers of few warps wait for less.
    const invocations = Math.min(WORKGROUP, Math.max(32, b * b));
    this.#gpu.run(this.#kernel('factor', invocations), buffers, [this.#count], this.#count);
    return new Int32Array(await this.#gpu.read(made.singular, 0, 4 * this.#count));
  }

  substitute(x: TallBlock): void {
    const { diagonal, values, inverses, singular } = this.#factors!;
    const { ptr, others } = this.#lists.rows;
    const buffers = [this.#starts, ptr, others, diagonal, values, inverses, singular, bufferOf(x)];
    const lanes = this.#bytes(x.width) / 4;
    // One for each word of a block row of X.
    const invocations = Math.min(WORKGROUP, Math.max(32, this.#batch.b * lanes));
    this.#gpu.run(this.#kernel('substitute', invocations), buffers, [this.#count, lanes], this.#count);
  }

  free(): void {
    for (const buffer of this.#owned) this.#release(buffer);
  }

  get #count(): number {
    return this.#batch.starts.length - 1;
  }

  #residues(width: number): number {
    return this.#batch.pattern.n * this.#batch.b * width;
  }

  /** Of so many residues. */
  #bytes(residues: number): number {
    return (this.#isU16 ? 2 : 4) * residues;
  }

  #groups(width: number): number {
    return Math.ceil(this.#residues(width) / EACH / WORKGROUP);
  }

  /** Room that is kept from call to call. */
  #sumsOf(place: 0 | 1, bytes: number): GpuBuffer {
    const kept = this.#sums[place];
    if (kept && kept.bytes >= bytes) return kept;
    if (kept) this.#release(kept);
    const made = this.#buffer(bytes);
    this.#sums[place] = made;
    return made;
  }

  /** Kept from call to call, too: a device clears what is new. */
  #roomOfFactors(): Factors {
    const { b, pattern, values } = this.#batch;
    this.#factors ??= {
      diagonal: this.#upload(new Uint32Array(pattern.diagonal)),
      values: this.#buffer(this.#bytes(values.length)),
      inverses: this.#buffer(this.#bytes(pattern.n * b * b)),
      singular: this.#buffer(4 * this.#count),
    };
    return this.#factors;
  }

  #kernel(body: Body, workgroup: number, more: Constants = {}): GpuKernel {
    const key = `${body} ${workgroup} ${Object.values(more)}`;
    let kernel = this.#kernels.get(key);
    if (!kernel) {
      const constants = { ...this.#constants, ...more, WORKGROUP: workgroup };
      kernel = this.#gpu.kernel(blockKernelFiles(this.#isU16, body), constants);
      this.#kernels.set(key, kernel);
    }
    return kernel;
  }

  async #readResidues(buffer: GpuBuffer, count: number): Promise<Uint32Array> {
    const words = await this.#gpu.read(buffer, 0, this.#bytes(count));
    return this.#isU16 ? new Uint32Array(new Uint16Array(words.buffer)) : words;
  }

  #uploadResidues(residues: Uint32Array): GpuBuffer {
    if (!this.#isU16) return this.#upload(residues);
    const buffer = this.#buffer(this.#bytes(residues.length));
    this.#gpu.write(buffer, new Uint16Array(residues));
    return buffer;
  }

  #buffer(bytes: number): GpuBuffer {
    const buffer = this.#gpu.buffer(bytes);
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

/** The problem of each block row. */
function problemsOf({ starts, pattern }: BlockBatch): Uint32Array {
  const problems = new Uint32Array(pattern.n);
  for (let k = 1; k < starts.length; k++) problems.fill(k - 1, starts[k - 1]!, starts[k]!);
  return problems;
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
