/**
 * Polynomial matrices on a GPU, in the layout of the CPU's (kernels/poly/poly-matrix.ts): they travel without
 * repacking. Blocks, a coefficient row by row each, are repacked on the device, whose memory is faster than the host's.
 *
 * Storage comes from a pool, as an order basis makes and drops hundreds of matrices of few sizes. Work recorded for a
 * buffer runs before all that its next owner records, so a matrix may be released as soon as its last use is recorded.
 */

import type { GpuBuffer, GpuDevice } from '../gpu/device.js';
import { WORKGROUP } from '../gpu/shader.js';
import { groupsOf, type PolyShape, PolyShapeError } from './poly-matrix.js';

const VECTOR_BYTES = 16;
const SMALLEST = 2 ** 16;
const IDLE_BYTES = 2 ** 32; // kept for later owners

export interface GpuPolyMatrix extends PolyShape {
  readonly buffer: GpuBuffer;
  readonly first: number; // vector of coefficient 0 of entry (0, 0)
  readonly stride: number; // vectors between two groups, ≥ length
}

export class GpuPolyMemory {
  readonly gpu: GpuDevice;
  private readonly idle = new Map<number, GpuBuffer[]>(); // by bytes
  private readonly used = new Set<GpuBuffer>();
  private idleBytes = 0;

  constructor(gpu: GpuDevice) {
    this.gpu = gpu;
  }

  /** A matrix with undefined contents. */
  matrix(rows: number, cols: number, length: number): GpuPolyMatrix {
    const buffer = this.take(Math.max(1, rows * groupsOf(cols) * length) * VECTOR_BYTES);
    return { rows, cols, length, buffer, first: 0, stride: length };
  }

  zeroMatrix(rows: number, cols: number, length: number): GpuPolyMatrix {
    const matrix = this.matrix(rows, cols, length);
    this.gpu.clear(matrix.buffer);
    return matrix;
  }

  /** a ← its coefficients, one block after another. */
  write(a: GpuPolyMatrix, blocks: Uint32Array): void {
    if (blocks.length === 0) return;
    const given = this.take(blocks.byteLength);
    this.gpu.write(given, blocks);
    this.repack(a, given, false);
    this.give(given);
  }

  /** Its coefficients, one block after another. */
  read(a: GpuPolyMatrix): Promise<Uint32Array> {
    const bytes = 4 * a.rows * a.cols * a.length;
    const blocks = this.take(bytes);
    this.repack(a, blocks, true);
    const reading = this.gpu.read(blocks, 0, bytes);
    this.give(blocks); // its next owner records behind the copy
    return reading;
  }

  private repack(a: GpuPolyMatrix, blocks: GpuBuffer, toBlocks: boolean): void {
    const vectors = a.rows * groupsOf(a.cols) * a.length;
    const kernel = this.gpu.kernel(['launch', 'poly-blocks'], { WORKGROUP, TO_BLOCKS: toBlocks ? 1 : 0 });
    const buffers = toBlocks ? [a.buffer, blocks] : [blocks, a.buffer];
    this.gpu.run(kernel, buffers, [vectors, a.rows, a.cols, a.first, a.stride], Math.ceil(vectors / WORKGROUP));
  }

  /** At least `bytes` bytes with undefined contents. */
  take(bytes: number): GpuBuffer {
    const most = Math.floor(this.gpu.maxBindingBytes / VECTOR_BYTES) * VECTOR_BYTES;
    const size = Math.max(bytes, Math.min(sizeClass(bytes), most));
    const buffer = this.idle.get(size)?.pop();
    if (buffer) this.idleBytes -= buffer.bytes;
    const taken = buffer ?? this.gpu.buffer(size);
    this.used.add(taken);
    return taken;
  }

  give(buffer: GpuBuffer): void {
    if (!this.used.delete(buffer)) return;
    if (this.idleBytes + buffer.bytes > IDLE_BYTES) {
      this.gpu.free(buffer);
      return;
    }
    this.idleBytes += buffer.bytes;
    const same = this.idle.get(buffer.bytes);
    if (same) same.push(buffer);
    else this.idle.set(buffer.bytes, [buffer]);
  }

  release(matrix: GpuPolyMatrix): void {
    this.give(matrix.buffer);
  }

  dispose(): void {
    for (const buffer of [...this.used, ...[...this.idle.values()].flat()]) this.gpu.free(buffer);
    this.used.clear();
    this.idle.clear();
    this.idleBytes = 0;
  }
}

/** Coefficients first … first + count − 1 as a matrix of its own, on the same storage. */
export function gpuCoefficients(a: GpuPolyMatrix, first: number, count: number): GpuPolyMatrix {
  if (first < 0 || count < 0 || first + count > a.length) {
    throw new PolyShapeError(`coefficients ${first} … ${first + count - 1}: expected within 0 … ${a.length - 1}`);
  }
  return { ...a, first: a.first + first, length: count };
}

/** Rows first … first + count − 1 as a matrix of its own, on the same storage. */
export function gpuRows(a: GpuPolyMatrix, first: number, count: number): GpuPolyMatrix {
  if (first < 0 || count < 0 || first + count > a.rows) {
    throw new PolyShapeError(`rows ${first} … ${first + count - 1}: expected within 0 … ${a.rows - 1}`);
  }
  return { ...a, first: a.first + first * groupsOf(a.cols) * a.stride, rows: count };
}

/** The next of 1, 1.25, 1.5, 1.75 times a power of two: a quarter is wasted at most. */
function sizeClass(bytes: number): number {
  const step = Math.max(SMALLEST, 2 ** Math.floor(Math.log2(bytes))) / 4;
  return Math.ceil(Math.max(bytes, SMALLEST) / step) * step;
}
