/**
 * A binary file format for the reader: how its files begin, where they say what they are, and a function that reads
 * one.
 *
 * A new format is one file with that function, and one line in formats.ts.
 */
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import type { WideEntries } from '../../kernels/sparse/big-entries.js';
import { allocateInt32, allocateUint32, SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { ByteReader } from './byte-reader.js';
import type { HeldSource } from './byte-source.js';

/** `source` is what the bytes come from: a path has neighbours. */
export type ReadBinary = (bytes: ByteReader, source: HeldSource) => Promise<SparseMatrix>;

export interface BinaryFormat {
  readonly name: string;
  /** The first bytes of every file; null where files say nothing about themselves, so that the caller has to. */
  readonly magic: readonly number[] | null;
  /** Loads the reader: most runs need none. */
  load(): Promise<ReadBinary>;
}

/** `size` as one of a matrix, found in a header before byte `end`. */
export function checkSize(size: number, what: string, bytes: ByteReader, end = bytes.offset): number {
  if (size > MAX_SIZE) bytes.fail(`${what} in 0…${MAX_SIZE}`, `${size}`, end);
  return size;
}

/** Entries as a format has read them. */
export interface ReadArrays {
  readonly rows: number;
  readonly cols: number;
  readonly rowIdx: Uint32Array; // in range, as colIdx
  readonly colIdx: Uint32Array;
  readonly values: Int32Array; // 0 where `wide` has the entry
  readonly wide: WideEntries;
}

/** The matrix of these arrays, in memory that threads share. */
export function matrixOf({ rows, cols, rowIdx, colIdx, values, wide }: ReadArrays): SparseMatrix {
  const nnz = values.length;
  const own = { rowIdx: allocateUint32(nnz), colIdx: allocateUint32(nnz), values: allocateInt32(nnz) };
  own.rowIdx.set(rowIdx);
  own.colIdx.set(colIdx);
  own.values.set(values);
  return SparseMatrix.fromPartsUnchecked({ rows, cols, ...own }, wide);
}
