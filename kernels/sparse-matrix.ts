/**
 * A sparse integer (or rational) matrix on the host, independent of any modulus: coordinate entries in input order.
 *
 *   rows × cols, both below 2³¹; entry k sits at (rowIdx[k], colIdx[k]), 0-based, and is values[k],
 *   or in `wide` where 32 bits do not hold it. Entries at one position add up.
 *
 * The arrays live in shared memory where the platform has it, so that workers see them without a copy.
 */
import { compressed, merged, type ResidueMatrix, transposed } from './residue-matrix.js';
import { type Entry, EntryError, parseEntry, WideEntries, type WideParts } from './wide-entries.js';

export { type Entry, EntryError, type ResidueMatrix, transposed };

/** A size or an index that no matrix here can have. */
export class StructureError extends Error {
  override readonly name = 'StructureError';
}

/** Sizes stay below 2³¹ so that every index fits an i32, in WebAssembly and in shaders. */
export const MAX_SIZE = 0x7fffffff;

/** Indices and values as flat arrays, 0-based. */
export interface TripletArrays {
  readonly rowIdx: ArrayLike<number>;
  readonly colIdx: ArrayLike<number>;
  readonly values: ArrayLike<Entry>;
}

/** A matrix as plain data: structured cloning carries it to a worker, sharing the arrays. */
export interface SparseMatrixParts {
  readonly rows: number;
  readonly cols: number;
  readonly rowIdx: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly values: Int32Array;
  readonly wide: WideParts;
}

/** Compressed sparse rows over the integers modulo a modulus of any size: what the reference executor reads. */
export interface BigResidueMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: Uint32Array; // rows + 1 offsets
  readonly colIdx: Uint32Array; // strictly increasing within a row
  readonly values: bigint[]; // canonical, never 0
}

export class SparseMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly rowIdx: Uint32Array; // nnz rows, each < rows
  readonly colIdx: Uint32Array; // nnz columns, each < cols
  readonly values: Int32Array; // nnz values; 0 where the entry is in `wide`
  readonly wide: WideEntries;
  #origin: SparseMatrix = this; // whose places messages name

  private constructor(parts: Omit<SparseMatrixParts, 'wide'>, wide: WideEntries) {
    this.rows = parts.rows;
    this.cols = parts.cols;
    this.rowIdx = parts.rowIdx;
    this.colIdx = parts.colIdx;
    this.values = parts.values;
    this.wide = wide;
  }

  /** The number of stored entries: repeats count each time, and so do explicit zeros. */
  get nnz(): number {
    return this.values.length;
  }

  /** A matrix from entries [row, column, value] or from three arrays; indices are 0-based. */
  static fromTriplets(
    rows: number,
    cols: number,
    entries: Iterable<readonly [number, number, Entry]> | TripletArrays,
  ): SparseMatrix {
    checkSizes('fromTriplets', rows, cols);
    if ('rowIdx' in entries) return fromArrays(rows, cols, entries);
    const [rowIdx, colIdx, values]: [number[], number[], Entry[]] = [[], [], []];
    for (const [i, j, entry] of entries) {
      rowIdx.push(i);
      colIdx.push(j);
      values.push(entry);
    }
    return fromArrays(rows, cols, { rowIdx, colIdx, values });
  }

  /** A matrix from compressed rows: row i owns entries rowPtr[i] … rowPtr[i+1] − 1. */
  static fromCsr(
    rows: number,
    cols: number,
    csr: { rowPtr: ArrayLike<number>; colIdx: ArrayLike<number>; values: ArrayLike<Entry> },
  ): SparseMatrix {
    checkSizes('fromCsr', rows, cols);
    const { rowPtr, colIdx, values } = csr;
    const nnz = colIdx.length;
    if (rowPtr.length !== rows + 1 || rowPtr[0] !== 0 || rowPtr[rows] !== nnz) {
      throw new StructureError(
        `fromCsr: expected ${rows + 1} offsets from 0 to ${nnz}, got ${rowPtr.length} from ${rowPtr[0]} to ${rowPtr[rowPtr.length - 1]}`,
      );
    }
    const rowIdx = new Uint32Array(nnz);
    for (let i = 0; i < rows; i++) {
      if (rowPtr[i + 1] < rowPtr[i])
        throw new StructureError(`fromCsr: expected offsets in order, got a fall at row ${i}`);
      rowIdx.fill(i, rowPtr[i], rowPtr[i + 1]);
    }
    return fromArrays(rows, cols, { rowIdx, colIdx, values });
  }

  /** A matrix from its rows; zeros are not stored. `cols` is needed only when there are no rows to count. */
  static fromDense(matrix: readonly ArrayLike<Entry>[], cols = matrix[0]?.length ?? 0): SparseMatrix {
    return SparseMatrix.fromTriplets(matrix.length, cols, denseEntries(matrix, cols));
  }

  /** A matrix whose arrays the caller has just built, in range and in shared memory where there is one. */
  static fromPartsUnchecked(parts: Omit<SparseMatrixParts, 'wide'>, wide: WideEntries): SparseMatrix {
    return new SparseMatrix(parts, wide);
  }

  static fromParts(parts: SparseMatrixParts): SparseMatrix {
    return new SparseMatrix(parts, WideEntries.fromParts(parts.wide));
  }

  /** The same entries at other places, in range; messages go on naming the places they came with. */
  movedUnchecked(rows: number, cols: number, rowIdx: Uint32Array, colIdx: Uint32Array): SparseMatrix {
    const moved = new SparseMatrix({ rows, cols, rowIdx, colIdx, values: this.values }, this.wide);
    moved.#origin = this.#origin;
    return moved;
  }

  toParts(): SparseMatrixParts {
    const { rows, cols, rowIdx, colIdx, values } = this;
    return { rows, cols, rowIdx, colIdx, values, wide: this.wide.toParts() };
  }

  /**
   * The matrix mod a prime p < 2³¹: duplicates summed, zeros dropped. EntryError where p divides a denominator, MemoryError for more
   * than 2²⁴ rows of which 15 of 16 are empty (withoutIdleLines drops those).
   */
  residues(p: number): ResidueMatrix {
    if (!Number.isInteger(p) || p < 2 || p > MAX_SIZE) {
      throw new StructureError(`residues: expected a modulus in 2…${MAX_SIZE}, got ${p}`);
    }
    const { values, wide } = this;
    const residues = new Uint32Array(values.length);
    reduce(values, p, residues);
    wide.residues(BigInt(p), this.#where).forEach((residue, w) => {
      residues[wide.positions[w]] = Number(residue);
    });
    const sum = (x: number, y: number): number => (x + y) % p; // below 2^32
    return merged(compressed(this.rows, this.cols, this.rowIdx, this.colIdx, residues), sum);
  }

  /** The matrix mod p of any size, slowly: the entries stay bigints. Errors as for `residues`. */
  residuesBig(p: bigint): BigResidueMatrix {
    const { rows, cols, values, wide } = this;
    const residues = Array.from(values, (v) => ((BigInt(v) % p) + p) % p);
    wide.residues(p, this.#where).forEach((residue, w) => {
      residues[wide.positions[w]] = residue;
    });
    const order = compressed(rows, cols, this.rowIdx, this.colIdx, Uint32Array.from(residues.keys()));
    const rowPtr = new Uint32Array(rows + 1);
    const outIdx: number[] = [];
    const outValues: bigint[] = [];
    for (let i = 0; i < rows; i++) {
      for (let k = order.rowPtr[i]; k < order.rowPtr[i + 1]; ) {
        const j = order.colIdx[k];
        let sum = 0n;
        for (; k < order.rowPtr[i + 1] && order.colIdx[k] === j; k++) sum += residues[order.values[k]];
        if (sum % p === 0n) continue;
        outIdx.push(j);
        outValues.push(sum % p);
      }
      rowPtr[i + 1] = outIdx.length;
    }
    return { rows, cols, rowPtr, colIdx: Uint32Array.from(outIdx), values: outValues };
  }

  #where = (k: number): string => `(${this.#origin.rowIdx[k] + 1}, ${this.#origin.colIdx[k] + 1})`;
}

/** `length` unsigned 32-bit places in shared memory, or in ordinary memory where the platform shares none. */
export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(sharedBuffer(4 * length));
}

/** `length` signed 32-bit places in shared memory, or in ordinary memory where the platform shares none. */
export function sharedInt32(length: number): Int32Array {
  return new Int32Array(sharedBuffer(4 * length));
}

function sharedBuffer(bytes: number): ArrayBufferLike {
  return typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
}

function checkSizes(who: string, rows: number, cols: number): void {
  for (const size of [rows, cols]) {
    if (!Number.isInteger(size) || size < 0 || size > MAX_SIZE) {
      throw new StructureError(`${who}: expected sizes in 0…${MAX_SIZE}, got ${rows} x ${cols}`);
    }
  }
}

function reduce(values: Int32Array, p: number, residues: Uint32Array): void {
  for (let k = 0; k < values.length; k++) {
    const v = values[k];
    if (v >= 0) {
      residues[k] = v < p ? v : v % p;
    } else {
      const r = v > -p ? v : v % p;
      residues[k] = r < 0 ? r + p : 0;
    }
  }
}

/** Copies three arrays into shared memory, refusing an index out of range and a value that is no entry. */
function fromArrays(rows: number, cols: number, from: TripletArrays): SparseMatrix {
  const nnz = from.values.length;
  if (from.rowIdx.length !== nnz || from.colIdx.length !== nnz) {
    throw new StructureError(
      `fromTriplets: expected three arrays of one length, got ${from.rowIdx.length}, ${from.colIdx.length} and ${nnz}`,
    );
  }
  const [rowIdx, colIdx, values] = [sharedUint32(nnz), sharedUint32(nnz), sharedInt32(nnz)];
  const wide = new WideEntries();
  for (let k = 0; k < nnz; k++) {
    const [i, j, v] = [from.rowIdx[k], from.colIdx[k], from.values[k]];
    if (!(i >= 0 && i < rows && j >= 0 && j < cols && Number.isInteger(i) && Number.isInteger(j))) {
      throw new StructureError(
        `fromTriplets: expected indices inside ${rows} x ${cols}, got (${i}, ${j}) at entry ${k}`,
      );
    }
    rowIdx[k] = i;
    colIdx[k] = j;
    const value = typeof v === 'number' && (v | 0) === v ? v : parseEntry(v);
    if (typeof value === 'number') values[k] = value;
    else wide.push(k, value);
  }
  return SparseMatrix.fromPartsUnchecked({ rows, cols, rowIdx, colIdx, values }, wide);
}

function* denseEntries(matrix: readonly ArrayLike<Entry>[], cols: number): Generator<[number, number, Entry]> {
  for (let i = 0; i < matrix.length; i++) {
    if (matrix[i].length !== cols) {
      throw new StructureError(`fromDense: expected ${cols} entries in row ${i}, got ${matrix[i].length}`);
    }
    for (let j = 0; j < cols; j++) {
      const entry = matrix[i][j];
      if (entry !== 0 && entry !== 0n && entry !== '0') yield [i, j, entry];
    }
  }
}
