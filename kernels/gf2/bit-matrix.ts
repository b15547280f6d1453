/**
 * A dense matrix over GF(2) in the kernels' memory, a bit an entry: column c is bit c mod 32 of word c / 32 of its row.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix } from '../dense/dense-matrix.js';
import type { KernelMemory } from '../threads/memory.js';

const VECTOR = 16;
const LINE = 64;
const PAGE = 4096;

export class BitMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly bytes = 0; // of a residue: less than one
  readonly stride: number; // bytes of a row: whole vectors, zeros behind the last column
  readonly at: number;
  private readonly memory: KernelMemory;

  /** A matrix of zeros; throws MemoryError when there is no room. */
  constructor(memory: KernelMemory, rows: number, cols: number) {
    this.memory = memory;
    this.rows = rows;
    this.cols = cols;
    const bytes = Math.ceil(cols / (8 * VECTOR)) * VECTOR;
    // Rows that begin in the same cache sets would evict each other.
    this.stride = bytes > 0 && bytes % PAGE === 0 ? bytes + LINE : bytes;
    this.at = memory.allocZeroed(Math.max(1, rows * this.stride));
  }

  /** Bytes that such a matrix takes. */
  static bytesOf(rows: number, cols: number): number {
    return rows * (Math.ceil(cols / 8) + LINE);
  }

  /** Row i; the view ends with the next allocation. */
  row(i: number): Uint32Array {
    return this.memory.u32(this.at + i * this.stride, this.stride / 4);
  }

  release(): void {
    this.memory.release(this.at);
  }
}

/** Bytes of a dense row mod p, padding included: bits mod 2, residues else. */
export function bytesOfRow(field: WordPrime, cols: number): number {
  return field.p === 2 ? BitMatrix.bytesOf(1, cols) : DenseMatrix.bytesOf(field, 1, cols);
}
