/**
 * Steps of numeric refinement on a GPU: r and d stay there, digits come back many steps at a time.
 *
 *   d = round(G·2^s·r)     r ← 2^s·r − A·d     G·r = (C·(r_W − A_WS·D⁻¹·r_S), D⁻¹·r_S)
 *
 * Three dispatches a step: r_i − the columns of S, d_W by C in 32-bit floats, r_i − the columns of W. Residuals and
 * digits are integers of 32 bits that wrap. A step is exact where 2^s·|r| + ρ·|d| < 2^31 for the r before it, with ρ
 * the largest sum of a row's magnitudes: that bounds the new r. The largest |r| and |d| of a run of steps are kept; up
 * to the first step that breaks the bound they are true, so that the bound of the two together holds for every step or
 * for none of the run.
 */
import type { GpuBuffer, GpuDevice, GpuKernel } from '../gpu/device.js';
import { WORKGROUP } from '../gpu/shader.js';

/** A and G in the order W, S of the lines; algorithms/rational/splitting.ts makes them. */
export interface SplitMatrix {
  readonly weak: number; // |W|
  readonly rowPtr: Uint32Array; // rows + 1
  readonly middle: Uint32Array; // where the columns of S begin in a row
  readonly colIdx: Uint32Array;
  readonly values: Float64Array; // integers
  readonly inverse: Float64Array; // C, weak × weak
  readonly diagonal: Float64Array;
}

const LIMIT = 2 ** 31;
const NONE = 0xffffffff;
/** Invocations a row of the first product. */
const SHARES = 8;
/** Bytes of digits that wait on the device. */
const WAITING = 2 ** 22;
/** Steps between two looks at the bound. */
const STEPS = 1024;

export class GpuRefinement {
  private readonly gpu: GpuDevice;
  private readonly split: SplitMatrix;
  private readonly rowSum: number;
  private readonly scale: number;
  private readonly places: readonly number[]; // of the coordinates wanted among the different ones
  private readonly count: number; // of different ones
  private readonly together: number; // steps of a run at most
  private readonly buffers: GpuBuffer[] = [];
  private readonly rows: readonly [bounds: GpuBuffer, columns: GpuBuffer, values: GpuBuffer];
  private readonly inverse: GpuBuffer;
  private readonly lines: GpuBuffer;
  private readonly d: GpuBuffer;
  private readonly r: GpuBuffer;
  private readonly digits: GpuBuffer;
  private readonly largest: GpuBuffer;
  private hasBegun = false;

  /**
   * For right side `right` of integers, `bits` a step, and the digits of the coordinates `wanted`, all in the order of
   * the lines; |right| < 2^31, values below 2^31. MemoryError where the device does not bind a part of it.
   */
  constructor(
    gpu: GpuDevice,
    split: SplitMatrix,
    right: ArrayLike<number>,
    rowSum: number,
    bits: number,
    wanted: readonly number[],
  ) {
    const places = new Map([...new Set(wanted)].map((line, place) => [line, place]));
    [this.gpu, this.split, this.rowSum, this.scale, this.count] = [gpu, split, rowSum, 2 ** bits, places.size];
    this.places = wanted.map((line) => places.get(line)!);
    const n = split.middle.length;
    this.together = Math.max(1, Math.min(STEPS, Math.floor(WAITING / (4 * Math.max(1, this.count)))));
    const upload = (words: Uint32Array): GpuBuffer => this.own(gpu.upload(words));
    const integers = (from: ArrayLike<number>): Uint32Array => new Uint32Array(Int32Array.from(from).buffer);
    const floats = (from: Float64Array): Uint32Array => new Uint32Array(Float32Array.from(from).buffer);
    const lines = new Uint32Array(2 * n);
    for (const [i, word] of floats(split.diagonal).entries()) lines.set([word, NONE], 2 * i);
    for (const [line, place] of places) lines[2 * line + 1] = place;
    try {
      const { rowPtr, middle, colIdx, values } = split;
      const bounds = Uint32Array.from(
        { length: 2 * n + 2 },
        (_, k) => (k % 2 === 1 && k < 2 * n ? middle : rowPtr)[k >> 1]!,
      );
      this.rows = [upload(bounds), upload(colIdx), upload(integers(values))];
      this.inverse = upload(floats(split.inverse));
      this.lines = upload(lines);
      this.r = upload(integers(right));
      this.d = this.own(gpu.buffer(4 * n));
      this.digits = this.own(gpu.buffer(4 * this.count * this.together));
      this.largest = this.own(gpu.buffer(8));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** The digits of the next `steps` steps, a row of the coordinates wanted each; null when a number was too large. */
  async advance(steps: number): Promise<Float64Array[] | null> {
    const found: Float64Array[] = [];
    while (found.length < steps) {
      const now = Math.min(this.together, steps - found.length);
      const words = await this.run(now);
      if (words === null) return null;
      for (let t = 0; t < now; t++)
        found.push(Float64Array.from(this.places, (place) => words[t * this.count + place]!));
    }
    return found;
  }

  /** r, in the order of the lines. */
  async residual(): Promise<Float64Array> {
    const words = await this.gpu.read(this.r, 0, 4 * this.split.middle.length);
    return Float64Array.from(new Int32Array(words.buffer));
  }

  free(): void {
    for (const buffer of this.buffers.splice(0)) this.gpu.free(buffer);
  }

  private own(buffer: GpuBuffer): GpuBuffer {
    this.buffers.push(buffer);
    return buffer;
  }

  private async run(steps: number): Promise<Int32Array | null> {
    const { gpu, scale, rowSum, count } = this;
    const { weak, middle } = this.split;
    const n = middle.length;
    const products = this.kernel('refine-products');
    const inverse = this.kernel('refine-inverse');
    const residual = this.kernel('refine-residual');
    const ends = [...this.rows, this.lines, this.d, this.r, this.digits, this.largest];
    const groups = Math.ceil(n / WORKGROUP);
    if (!this.hasBegun) gpu.run(residual, ends, [n, weak, scale, 1, 0], groups);
    this.hasBegun = true;
    for (let t = 0; t < steps; t++) {
      gpu.run(products, [...this.rows, this.d, this.r], [n, scale], Math.ceil((n * SHARES) / WORKGROUP));
      gpu.run(inverse, [this.inverse, this.r, this.d], [weak], weak);
      gpu.run(residual, ends, [n, weak, scale, 0, t * count], groups);
      await gpu.keepPace();
    }
    const [r, d] = await gpu.read(this.largest, 0, 8);
    if (!(scale * r! + rowSum * d! < LIMIT)) return null;
    const words = await gpu.read(this.digits, 0, 4 * count * steps);
    return new Int32Array(words.buffer, 0, count * steps);
  }

  private kernel(name: 'refine-products' | 'refine-inverse' | 'refine-residual'): GpuKernel {
    return this.gpu.kernel(['launch', name], { WORKGROUP, SHARES });
  }
}
