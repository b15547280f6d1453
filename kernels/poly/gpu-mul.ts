/**
 * Products of polynomial matrices over F_p on a GPU: any range of the coefficients of a·b.
 *
 * Residues → values modulo one to three primes (ntt-forward.wgsl) → products of matrices at every point
 * (pointwise.wgsl) → back (ntt-inverse.wgsl) → mod p by Garner's digits (crt-lift.wgsl), in one dispatch each for
 * all entries, pieces (gpu-mul-plan.ts) and primes. The host waits for nothing. Rows of a, and pieces or
 * groups of columns of b, come in blocks where their values would not fit one binding.
 *
 * Sources: Pollard 1971; Hanrot, Quercia, Zimmermann 2004 (middle product); Gentleman and Sande 1966 for the
 * butterflies.
 */
import { coefficientBound } from '../../fields/transform-bounds.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { MemoryError } from '../errors/memory-error.js';
import type { Constants, GpuBuffer, GpuDevice, GpuKernel } from '../gpu/device.js';
import { fieldConstants } from '../gpu/field-constants.js';
import { type WgslName, WORKGROUP } from '../gpu/shader.js';
import { type GpuSchedule, gpuSchedule } from './gpu-mul-plan.js';
import { liftConstants, PRIME_CONSTANTS, RootTable, transformPrimesFor } from './gpu-ntt-primes.js';
import { type GpuPolyMatrix, type GpuPolyMemory, gpuCoefficients, gpuRows } from './gpu-poly-matrix.js';
import { groupsOf, PolyShapeError } from './poly-matrix.js';

/** The files of each kernel. */
export const POLY_KERNELS = {
  load: ['launch', 'ntt-prime', 'coefficients', 'ntt-load'],
  forward: ['launch', 'ntt-prime', 'coefficients', 'ntt-forward'],
  level: ['launch', 'ntt-prime', 'ntt-level'],
  inverse: ['launch', 'ntt-prime', 'ntt-inverse'],
  pointwise: ['launch', 'ntt-prime', 'pointwise'],
  lift: ['launch', 'ntt-prime', 'crt-lift'],
  move: ['launch', 'add-range'],
  direct: ['launch', 'words-4', 'u32', 'u32-sums', 'workgroup-sum', 'poly-direct'],
  directU16: ['launch', 'words-4', 'u16', 'workgroup-sum', 'poly-direct'],
} as const satisfies Record<string, readonly WgslName[]>;

/**
 * Values that a workgroup transforms in its own memory: 16 KB, which WebGPU grants everywhere, or less for short
 * transforms.
 */
const LARGEST_TILE = 4096;
const SMALLEST_TILE = 1024;
/** Values of a tile for one invocation: few invocations meet faster than many. */
const SHARE = 16;
/** Coefficients that are computed by the definition, and length of a factor up to which all are. */
const FEW = 4;
/** Vectors of a for one coefficient that one invocation takes by itself. */
const MOST_ALONE = 128;
/** Bytes of values of one kind at a time. */
const BLOCK_BYTES = 2 ** 30;

export interface GpuPolyOptions {
  /** Less than BLOCK_BYTES, so that small cases take the paths of large ones. */
  readonly blockBytes?: number;
}

/** One block of a product. */
interface Block extends GpuSchedule {
  readonly primes: number;
  readonly from: number;
  readonly count: number; // of the whole range
  readonly firstPiece: number;
  readonly pieceCount: number; // pieces of this block
  readonly firstGroup: number;
  readonly groups: number;
}

export class GpuPolyProduct {
  readonly memory: GpuPolyMemory;
  readonly field: WordPrime;
  private readonly gpu: GpuDevice;
  private readonly roots: RootTable;
  private readonly blockBytes: number;

  constructor(memory: GpuPolyMemory, field: WordPrime, options: GpuPolyOptions = {}) {
    this.memory = memory;
    this.gpu = memory.gpu;
    this.field = field;
    this.roots = new RootTable(memory.gpu);
    this.blockBytes = Math.min(options.blockBytes ?? BLOCK_BYTES, memory.gpu.maxBindingBytes);
  }

  dispose(): void {
    this.roots.dispose();
  }

  /** Coefficients from … from + count − 1 of a·b, whose coefficients from `total` on vanish. */
  range(
    a: GpuPolyMatrix,
    b: GpuPolyMatrix,
    from: number,
    count: number,
    total = a.length + b.length - 1,
  ): GpuPolyMatrix {
    if (a.cols !== b.rows) throw new PolyShapeError(`product: expected ${a.cols} rows in b, got ${b.rows}`);
    const empty = a.length === 0 || b.length === 0 || a.cols === 0 || a.rows === 0 || b.cols === 0;
    const real = empty ? 0 : Math.max(0, Math.min(count, total - from, a.length + b.length - 1 - from));
    const out =
      real < count ? this.memory.zeroMatrix(a.rows, b.cols, count) : this.memory.matrix(a.rows, b.cols, count);
    if (real > 0) this.rangeInto(gpuCoefficients(out, 0, real), a, b, from, total);
    return out;
  }

  /** to ← to + from, or from alone; from may have fewer coefficients. */
  addInto(to: GpuPolyMatrix, from: GpuPolyMatrix): void {
    this.move(to, from, true);
  }

  copyInto(to: GpuPolyMatrix, from: GpuPolyMatrix): void {
    this.move(to, from, false);
  }

  private move(to: GpuPolyMatrix, from: GpuPolyMatrix, add: boolean): void {
    if (to.rows !== from.rows || to.cols !== from.cols || to.length < from.length) {
      throw new PolyShapeError(
        `${add ? 'add' : 'copy'}: expected at most ${to.rows} × ${to.cols} × ${to.length}, got ${from.rows} × ${from.cols} × ${from.length}`,
      );
    }
    const vectors = to.rows * groupsOf(to.cols);
    const parameters = [vectors, from.length, this.field.p, to.first, to.stride, from.first, from.stride];
    this.spread('move', { ADD: add ? 1 : 0 }, [from.buffer, to.buffer], parameters, vectors * from.length);
  }

  private rangeInto(out: GpuPolyMatrix, a: GpuPolyMatrix, b: GpuPolyMatrix, from: number, total: number): void {
    const groups = groupsOf(b.cols);
    if (Math.min(out.length, a.length, b.length) <= FEW) {
      this.directInto(out, a, b, from);
      return;
    }
    const inner = 4 * groupsOf(a.cols);
    const bound = coefficientBound(this.field.modulus, a.cols * Math.min(a.length, b.length), 'classical');
    const primes = transformPrimesFor(bound);
    const shape = { rows: a.rows, inner, columns: 4 * groups, left: a.length, right: b.length };
    const plan = gpuSchedule({ ...shape, from, count: out.length, total });
    if (plan === null || primes === Infinity) {
      throw new MemoryError(`device gpu: a product of ${a.length} by ${b.length} coefficients is too long`);
    }
    const bytes = primes * 4 * 2 ** plan.logPoints; // of one entry
    const rowsAtOnce = Math.min(a.rows, wholeFours(this.blockBytes / (inner * bytes)));
    const unit = Math.max(b.rows, rowsAtOnce) * 4 * bytes; // of one group of columns in one piece
    const units = Math.max(1, Math.floor(this.blockBytes / unit));
    const groupsAtOnce = Math.min(groups, units);
    const piecesAtOnce = Math.min(plan.pieces, Math.max(1, Math.floor(units / groups)));
    for (let row = 0; row < a.rows; row += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, a.rows - row);
      const left = this.leftValues(gpuRows(a, row, rows), primes, plan.logPoints);
      for (let firstPiece = 0; firstPiece < plan.pieces; firstPiece += piecesAtOnce) {
        const pieceCount = Math.min(piecesAtOnce, plan.pieces - firstPiece);
        for (let firstGroup = 0; firstGroup < groups; firstGroup += groupsAtOnce) {
          const some = Math.min(groupsAtOnce, groups - firstGroup);
          const block = { ...plan, primes, from, count: out.length, firstPiece, pieceCount, firstGroup, groups: some };
          this.blockInto(gpuRows(out, row, rows), left, a, b, block);
        }
      }
      this.memory.give(left);
    }
  }

  /** Coefficients from … of a·b, as many as out has. */
  private directInto(out: GpuPolyMatrix, a: GpuPolyMatrix, b: GpuPolyMatrix, from: number): void {
    const [aGroups, bGroups] = [groupsOf(a.cols), groupsOf(b.cols)];
    const tasks = a.rows * bGroups * out.length;
    const isShared = aGroups * Math.min(a.length, b.length) > MOST_ALONE;
    const constants = { ...fieldConstants(this.field), WORKGROUP, SHARED: isShared ? 1 : 0 };
    const kernel = this.gpu.kernel(POLY_KERNELS[this.field.isU16 ? 'directU16' : 'direct'], constants);
    const parameters = [
      ...[tasks, a.cols, from, out.length],
      ...[aGroups, a.first, a.stride, a.length],
      ...[bGroups, b.first, b.stride, b.length],
      ...[out.first, out.stride],
    ];
    this.gpu.run(kernel, [a.buffer, b.buffer, out.buffer], parameters, isShared ? tasks : Math.ceil(tasks / WORKGROUP));
  }

  /** The values of all of a. */
  private leftValues(a: GpuPolyMatrix, primes: number, logPoints: number): GpuBuffer {
    const groups = groupsOf(a.cols);
    const all = { logPoints, piece: a.length, pieces: 1, primes, from: 0, count: a.length };
    return this.forward(a, 1, { ...all, firstPiece: 0, pieceCount: 1, firstGroup: 0, groups });
  }

  /** Some pieces and groups of columns of out ← those of a·b, from the values of a. */
  private blockInto(out: GpuPolyMatrix, left: GpuBuffer, a: GpuPolyMatrix, b: GpuPolyMatrix, block: Block): void {
    const { logPoints, primes, pieceCount, groups, firstGroup, firstPiece, piece, from, count } = block;
    const columns = pieceCount * groups; // in groups
    const right = this.forward(b, a.length, block);
    const entries = 4 * out.rows * columns;
    const product = this.memory.take((primes * entries * 4) << logPoints);
    const tasks = primes * Math.ceil(out.rows / 4) * columns;
    const shape = [logPoints, primes, out.rows, a.cols, 4 * groupsOf(a.cols), columns];
    this.spread('pointwise', {}, [left, right, product], shape, tasks * 2 ** logPoints);
    this.memory.give(right);
    this.inverse(product, entries, primes, logPoints);
    const place = [groupsOf(out.cols), firstGroup, groups, out.stride, out.first];
    const window = [a.length, from, piece, count, firstPiece, pieceCount];
    const parameters = [
      ...liftConstants(this.field, 2 ** logPoints),
      ...[this.field.p, primes, logPoints, out.rows],
      ...place,
      ...window,
    ];
    this.spread('lift', {}, [product, out.buffer], parameters, out.rows * columns * piece);
    this.memory.give(product);
  }

  /** The values of some pieces and groups of columns of x, `left` coefficients of the other factor meeting each. */
  private forward(x: GpuPolyMatrix, left: number, block: Block): GpuBuffer {
    const { logPoints, primes, groups, firstGroup, firstPiece, pieceCount, from, piece, count } = block;
    const n = 2 ** logPoints;
    const entries = 4 * x.rows * pieceCount * groups;
    const values = this.memory.take(primes * entries * n * 4);
    const { buffer: roots, size } = this.roots.for(n);
    const tile = tileOf(n);
    const tiles = Math.ceil((entries * n) / tile);
    const place = [groupsOf(x.cols), firstGroup, groups, x.stride, x.first];
    // Lanes that stand together and fall into one tile.
    const logSpread = Math.min(2, Math.max(0, Math.log2(tile / n)));
    const parameters = [
      logPoints,
      entries,
      tiles,
      primes,
      ...place,
      left,
      x.length,
      from,
      piece,
      count,
      firstPiece,
      pieceCount,
      size,
      logSpread,
    ];
    const loaded = n > tile;
    if (loaded) {
      this.spread('load', {}, [x.buffer, values], parameters, primes * entries * n);
      for (let half = n / 2; half >= tile; half /= 2) this.level(values, entries, primes, logPoints, half, false);
    }
    const constants = { ...tileConstants(tile), LOADED: loaded ? 1 : 0 };
    this.gpu.run(this.kernel('forward', constants), [x.buffer, roots, values], parameters, tiles * primes);
    return values;
  }

  private inverse(values: GpuBuffer, entries: number, primes: number, logPoints: number): void {
    const n = 2 ** logPoints;
    const { buffer: roots, size } = this.roots.for(n);
    const tile = tileOf(n);
    const tiles = Math.ceil((entries * n) / tile);
    const kernel = this.kernel('inverse', tileConstants(tile));
    this.gpu.run(kernel, [roots, values], [logPoints, entries, tiles, primes, size], tiles * primes);
    for (let half = tile; half < n; half *= 2) this.level(values, entries, primes, logPoints, half, true);
  }

  private level(
    values: GpuBuffer,
    entries: number,
    primes: number,
    logPoints: number,
    half: number,
    inverse: boolean,
  ): void {
    const { buffer: roots, size } = this.roots.for(2 ** logPoints);
    const butterflies = primes * entries * 2 ** (logPoints - 1);
    const constants = { INVERSE: inverse ? 1 : 0 };
    this.spread('level', constants, [roots, values], [logPoints, entries, primes, half, size], butterflies);
  }

  /** One dispatch with an invocation for each of `tasks`. */
  private spread(
    name: keyof typeof POLY_KERNELS,
    constants: Constants,
    buffers: readonly GpuBuffer[],
    parameters: readonly number[],
    tasks: number,
  ): void {
    this.gpu.run(this.kernel(name, constants), buffers, parameters, Math.ceil(tasks / WORKGROUP));
  }

  private kernel(name: keyof typeof POLY_KERNELS, constants: Constants): GpuKernel {
    return this.gpu.kernel(POLY_KERNELS[name], { ...PRIME_CONSTANTS, WORKGROUP, ...constants });
  }
}

function tileOf(n: number): number {
  return Math.min(LARGEST_TILE, Math.max(SMALLEST_TILE, n));
}

function tileConstants(tile: number): Constants {
  return { TILE: tile, WORKGROUP: tile / SHARE };
}

/** A multiple of 4 up to x, or 4: rows of a are multiplied by fours. */
function wholeFours(x: number): number {
  return Math.max(4, Math.floor(x / 4) * 4);
}
