/**
 * A dense matrix over F_p in the kernels' memory: row-major canonical residues, u16 for p < 2^16 and u32 above.
 *
 * Rows are padded with zero columns to whole panels of 16, and so that rows do not all begin in the same cache sets.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { KernelMemory } from '../threads/memory.js';

/** Columns that the kernels eliminate together (kernels/dense/pluq-panel.as.ts). */
export const PANEL = 16;

const PAGE = 4096;
const LINE = 64;

export class DenseMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly bytes: 2 | 4; // of a residue
  readonly stride: number; // bytes of a row
  readonly at: number;
  private readonly memory: KernelMemory;

  /** A matrix of zeros; throws MemoryError when there is no room. */
  constructor(memory: KernelMemory, field: WordPrime, rows: number, cols: number) {
    this.memory = memory;
    this.rows = rows;
    this.cols = cols;
    this.bytes = field.isU16 ? 2 : 4;
    const bytes = Math.ceil((this.bytes * PANEL * Math.ceil(cols / PANEL)) / LINE) * LINE;
    this.stride = bytes % PAGE === 0 ? bytes + LINE : bytes;
    this.at = memory.allocZeroed(Math.max(1, rows * this.stride));
  }

  /** Bytes that such a matrix takes. */
  static bytesOf(field: WordPrime, rows: number, cols: number): number {
    return rows * (cols + PANEL) * (field.isU16 ? 2 : 4);
  }

  /** Row i, all columns; the view ends with the next allocation. */
  row(i: number): Uint16Array | Uint32Array {
    const at = this.at + i * this.stride;
    return this.bytes === 2 ? this.memory.u16(at, this.cols) : this.memory.u32(at, this.cols);
  }

  /** All rows with what fills them up, `stride` bytes a row; the view ends with the next allocation. */
  residues(): Uint16Array | Uint32Array {
    const count = (this.rows * this.stride) / this.bytes;
    return this.bytes === 2 ? this.memory.u16(this.at, count) : this.memory.u32(this.at, count);
  }

  release(): void {
    this.memory.release(this.at);
  }
}
