/**
 * A dense matrix over F_p on a GPU: rows of vectors of four words, two residues a word for p < 2^16 and one above.
 *
 * Rows are padded with zero columns to whole panels (gpu-pluq.ts). They come from the kernels' memory a part at a time, since
 * Dawn's binding for Node takes no shared memory.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { DenseMatrix } from '../dense-matrix.js';
import type { GpuBuffer, GpuDevice } from './gpu-device.js';

/** Columns that are eliminated together: a block of PANEL² residues is 16 for each of 256 invocations. */
export const PANEL = 64;

const VECTOR_BYTES = 16;

/** Bytes copied at a time: they stay in the cache until they are handed on. */
const PART = 2 ** 22;

export class GpuDenseMatrix {
  readonly cols: number;
  /** Rows that there is room for, and how many there are. */
  readonly room: number;
  rows = 0;
  readonly residuesOfVector: 8 | 4;
  readonly stride: number; // vectors of a row
  readonly buffer: GpuBuffer;
  private readonly gpu: GpuDevice;

  /** Throws MemoryError when the device cannot bind it as a whole. */
  constructor(gpu: GpuDevice, field: WordPrime, room: number, cols: number) {
    this.gpu = gpu;
    this.room = room;
    this.cols = cols;
    this.residuesOfVector = field.narrow ? 8 : 4;
    this.stride = (PANEL * Math.ceil(cols / PANEL)) / this.residuesOfVector;
    this.buffer = gpu.buffer(room * this.stride * VECTOR_BYTES);
  }

  /** Bytes of a row. */
  static bytesOfRow(field: WordPrime, cols: number): number {
    return PANEL * Math.ceil(cols / PANEL) * (field.narrow ? 2 : 4);
  }

  /** All rows of `from` behind those that are there. */
  append(from: DenseMatrix): void {
    if (from.cols !== this.cols || this.rows + from.rows > this.room) {
      throw new RangeError(
        `append: expected at most ${this.room - this.rows} rows of ${this.cols}, got ${from.rows} of ${from.cols}`,
      );
    }
    const bytes = this.stride * VECTOR_BYTES;
    const atOnce = Math.max(1, Math.min(from.rows, Math.floor(PART / bytes)));
    const residues = bytes / from.bytes; // of a row
    const part = from.bytes === 2 ? new Uint16Array(atOnce * residues) : new Uint32Array(atOnce * residues);
    for (let first = 0; first < from.rows; first += atOnce) {
      const count = Math.min(atOnce, from.rows - first);
      for (let i = 0; i < count; i++) part.set(from.row(first + i), i * residues);
      this.gpu.write(this.buffer, part.subarray(0, count * residues), this.rows * bytes);
      this.rows += count;
    }
  }

  release(): void {
    this.gpu.free(this.buffer);
  }
}
