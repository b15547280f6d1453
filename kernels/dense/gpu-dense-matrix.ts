/**
 * A dense matrix over F_p on a GPU: rows of vectors of four words, two residues a word for p < 2^16 and one above.
 *
 * Rows are padded with zero columns to whole panels (gpu-pluq.ts). They come from the kernels' memory.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { GpuBuffer, GpuDevice } from '../gpu/device.js';
import { MappedUploads } from '../gpu/mapped-uploads.js';
import type { DenseMatrix } from './dense-matrix.js';
import { rowBytes } from './gpu-pluq-sizes.js';

const VECTOR_BYTES = 16;

/** Bytes handed over at a time. */
const PART = 2 ** 23;

export class GpuDenseMatrix {
  readonly cols: number;
  /** Rows that there is room for, and how many there are. */
  readonly room: number;
  rows = 0;
  readonly residuesOfVector: 8 | 4;
  readonly stride: number; // vectors of a row
  readonly buffer: GpuBuffer;
  private readonly gpu: GpuDevice;
  private readonly uploads: MappedUploads;
  private readonly atOnce: number; // rows

  /** Throws MemoryError when the device cannot bind it as a whole. */
  constructor(gpu: GpuDevice, field: WordPrime, room: number, cols: number) {
    this.gpu = gpu;
    this.room = room;
    this.cols = cols;
    this.residuesOfVector = field.isU16 ? 8 : 4;
    const bytes = rowBytes(field, cols);
    this.stride = bytes / VECTOR_BYTES;
    this.buffer = gpu.buffer(room * bytes);
    this.atOnce = Math.max(1, Math.min(room, Math.floor(PART / bytes)));
    this.uploads = new MappedUploads(gpu, this.atOnce * bytes);
  }

  /** All rows of `from` behind those that are there. */
  async append(from: DenseMatrix): Promise<void> {
    if (from.cols !== this.cols || this.rows + from.rows > this.room) {
      throw new RangeError(
        `append: expected at most ${this.room - this.rows} rows of ${this.cols}, got ${from.rows} of ${from.cols}`,
      );
    }
    const bytes = this.stride * VECTOR_BYTES;
    const residues = bytes / from.bytes; // of a row
    for (let first = 0; first < from.rows; first += this.atOnce) {
      const count = Math.min(this.atOnce, from.rows - first);
      await this.uploads.fill(this.buffer, this.rows * bytes, count * bytes, (memory) => {
        const rows = from.bytes === 2 ? new Uint16Array(memory) : new Uint32Array(memory);
        for (let i = 0; i < count; i++) {
          rows.set(from.row(first + i), i * residues);
          rows.fill(0, i * residues + this.cols, (i + 1) * residues);
        }
      });
      this.rows += count;
    }
  }

  release(): void {
    this.uploads.release();
    this.gpu.free(this.buffer);
  }
}
