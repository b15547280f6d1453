/**
 * A sparse matrix as flat arrays of coordinate entries, and the memory such arrays live in.
 *
 *   rows × cols, both below 2³¹; entry k sits at (rowIdx[k], colIdx[k]), 0-based, and is values[k],
 *   or in `wide` where 32 bits do not hold it. Entries at one position add up.
 *
 * The arrays live in shared memory where the platform has it, so that workers see them without a copy.
 */
import { describe } from '../errors/describe.js';
import { MemoryError } from '../errors/memory-error.js';
import { MAX_SIZE, StructureError } from '../errors/structure-error.js';
import type { WideEntries, WideValue } from './big-entries.js';

export interface Coordinates {
  readonly rows: number;
  readonly cols: number;
  readonly rowIdx: Uint32Array; // nnz rows, each < rows
  readonly colIdx: Uint32Array; // nnz columns, each < cols
  readonly values: Int32Array; // nnz values; 0 where the entry is in `wide`
  readonly wide: WideEntries;
}

/** Entries k = 0, 1, … of `c` in turn, wide ones among them. */
export function* valuesOf({ values, wide }: Pick<Coordinates, 'values' | 'wide'>): Generator<number | WideValue> {
  let w = 0;
  for (let k = 0; k < values.length; k++) yield wide.positions[w] === k ? wide.entries[w++] : values[k];
}

/** Throws StructureError, in the name of `who`, for what is no size of a matrix. */
export function checkSizes(who: string, rows: unknown, cols: unknown): void {
  for (const size of [rows, cols]) {
    if (!Number.isInteger(size) || (size as number) < 0 || (size as number) > MAX_SIZE) {
      throw new StructureError(`${who}: expected sizes in 0…${MAX_SIZE}, got ${describe(rows)} x ${describe(cols)}`);
    }
  }
}

/** Offsets of compressed rows are of 32 bits; more entries wait in pieces (matrix-pieces.ts), each below it. */
export const MOST_ENTRIES = 2 ** 32 - 1;

/** `length` unsigned 32-bit places in shared memory, or in ordinary memory where the platform shares none. */
export function allocateUint32(length: number): Uint32Array {
  return new Uint32Array(allocateShared(4 * length));
}

/** `length` signed 32-bit places in shared memory, or in ordinary memory where the platform shares none. */
export function allocateInt32(length: number): Int32Array {
  return new Int32Array(allocateShared(4 * length));
}

function allocateShared(bytes: number): ArrayBufferLike {
  if (bytes > 4 * MOST_ENTRIES)
    throw new MemoryError(`a matrix: expected fewer than 2^32 entries in memory, got ${bytes / 4}`);
  try {
    return typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
  } catch {
    throw new MemoryError(`a matrix: the host refused an array of ${bytes} bytes`);
  }
}
