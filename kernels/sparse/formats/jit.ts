/**
 * Rows that are compiled: a WebAssembly module with a matrix's columns and values as constants (kernels/jit/).
 *
 * The part is compressed rows of all value classes, from which executors other than the CPU's, and info, read entries.
 * The CPU compiles them for each width of vectors, and walks them where residues are codes of GF(2^k).
 */
import { type Csr, csr } from './csr.js';

export interface JitRows extends Omit<Csr, 'kind'> {
  readonly kind: 'jit';
}

/** A `Format` (format.ts). No GPU has it. */
export const JIT = {
  fromRows: (a: Csr): readonly JitRows[] => [{ ...a, kind: 'jit' }],
  forEachEntry(
    { rows, rowPtr, colIdx, values }: JitRows,
    unit: number,
    visit: (i: number, j: number, v: number) => void,
  ): void {
    for (let i = 0; i < rows; i++) {
      for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) visit(i, colIdx[k], values ? values[k] : unit);
    }
  },
  check: (part: JitRows, p: number): Csr => csr(part, p),
  arrays: ({ rowPtr, colIdx, values }: JitRows): readonly (Uint32Array | null)[] => [rowPtr, colIdx, values],
  whole: true,
};
