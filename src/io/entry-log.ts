/**
 * The entries of a matrix mod p on the disk, in the order they came in, and then as pieces of its rows.
 *
 *   an entry is three words: row, column, residue; where there are more columns than rows, of the transpose, which has
 *   the same rank
 *
 * Memory holds a count a line, and of the entries one batch. Lines without entries are left out. Entries that came in
 * the order of their rows are cut where they stand; others are dealt out to the pieces first, in runs of one file.
 */

import { megabytes } from '../../kernels/errors/megabytes.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import type { Scratch, ScratchFile } from '../../kernels/platform/scratch.js';
import { WideEntries, type WideParts } from '../../kernels/sparse/big-entries.js';
import { residuesOf } from '../../kernels/sparse/matrix-residues.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { EntrySink, Symmetry } from './entry-list.js';

export const WORDS = 3;
const BATCH = 1 << 16;

export interface LoggedEntries {
  readonly file: ScratchFile;
  readonly count: number;
  readonly rowCounts: Uint32Array;
  readonly colCounts: Uint32Array;
  readonly isOrdered: boolean; // by rows
}

export class EntryLog implements EntrySink {
  readonly #scratch: Scratch;
  readonly p: number;
  readonly #maxBytes: number;
  #symmetry: Symmetry = 'general';
  #isTurned = false;
  #file: ScratchFile | null = null;
  #rowCounts = new Uint32Array(0);
  #colCounts = new Uint32Array(0);
  readonly #batch = new Uint32Array(WORDS * BATCH);
  #used = 0; // entries of the batch
  #count = 0;
  #last = 0; // row
  #isOrdered = true;
  rows = 0; // as the input has them
  cols = 0;
  /** Entries as the input has them, zeros and mirror images among them. */
  nnz = 0;

  /** Residues mod p; the counts of lines take at most so many bytes. */
  constructor(scratch: Scratch, p: number, maxBytes: number) {
    this.#scratch = scratch;
    this.p = p;
    this.#maxBytes = maxBytes;
  }

  get hasBegun(): boolean {
    return this.#file !== null;
  }

  begin(rows: number, cols: number, symmetry: Symmetry): void {
    const bytes = 4 * (rows + cols);
    if (bytes > this.#maxBytes) {
      const [takes, allowed] = [bytes, this.#maxBytes].map(megabytes);
      throw new MemoryError(`scratch: the counts of ${rows} + ${cols} lines take ${takes} MB, allowed are ${allowed}`);
    }
    [this.rows, this.cols] = [rows, cols];
    this.#symmetry = symmetry;
    this.#isTurned = cols > rows;
    this.#rowCounts = new Uint32Array(Math.max(rows, cols));
    this.#colCounts = new Uint32Array(Math.min(rows, cols));
    this.#file = this.#scratch.file();
  }

  take(rowIdx: Uint32Array, colIdx: Uint32Array, values: Int32Array, wide: WideParts): void {
    const where = (k: number): string => `(${rowIdx[k]! + 1}, ${colIdx[k]! + 1})`;
    const residues = residuesOf({ values, wide: new WideEntries(wide) }, this.p, where);
    const [I, J] = this.#isTurned ? [colIdx, rowIdx] : [rowIdx, colIdx];
    this.#put(I, J, residues, 0);
    if (this.#symmetry !== 'general') this.#put(J, I, residues, this.#symmetry === 'symmetric' ? 1 : -1);
  }

  /** The entries of a matrix in memory. */
  takeMatrix({ rows, cols, rowIdx, colIdx, values, wide }: SparseMatrix): void {
    this.begin(rows, cols, 'general');
    let w = 0;
    for (let from = 0; from < values.length; from += BATCH) {
      const to = Math.min(values.length, from + BATCH);
      const own = new WideEntries();
      for (; w < wide.size && wide.positions[w] < to; w++) own.push(wide.positions[w] - from, wide.entries[w]);
      this.take(rowIdx.subarray(from, to), colIdx.subarray(from, to), values.subarray(from, to), own);
    }
  }

  /** All that has come; the file is the caller's from now on. */
  finish(): LoggedEntries {
    this.#drain();
    const file = this.#file!;
    this.#file = null;
    return {
      ...{ file, count: this.#count, isOrdered: this.#isOrdered },
      ...{ rowCounts: this.#rowCounts, colCounts: this.#colCounts },
    };
  }

  /** Gives the room on the disk back. */
  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  /** `mirror`: 0 for the entries themselves, or the sign of their images off the diagonal. */
  #put(rowIdx: Uint32Array, colIdx: Uint32Array, residues: Uint32Array, mirror: 0 | 1 | -1): void {
    const batch = this.#batch;
    for (let k = 0; k < residues.length; k++) {
      const [i, j, value] = [rowIdx[k], colIdx[k], residues[k]];
      if (mirror !== 0 && i === j) continue;
      this.nnz++;
      if (value === 0) continue;
      if (this.#used === BATCH) this.#drain();
      const at = WORDS * this.#used++;
      batch[at] = i;
      batch[at + 1] = j;
      batch[at + 2] = mirror === -1 ? this.p - value : value;
      this.#rowCounts[i]++;
      this.#colCounts[j]++;
      // A count of 32 bits begins anew.
      if (this.#rowCounts[i] === 0 || this.#colCounts[j] === 0)
        throw new MemoryError('scratch: a line has 2^32 entries or more');
      if (i < this.#last) this.#isOrdered = false;
      this.#last = i;
    }
  }

  #drain(): void {
    if (this.#used === 0) return;
    const words = this.#batch.subarray(0, WORDS * this.#used);
    this.#file!.append(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
    this.#count += this.#used;
    this.#used = 0;
  }
}
