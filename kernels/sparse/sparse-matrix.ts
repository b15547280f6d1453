/**
 * A sparse integer (or rational) matrix on the host, independent of any modulus: coordinate entries in input order.
 *
 * Constructors copy and check whatever they are given (matrix-constructors.ts); only those named Unchecked trust. A
 * matrix does not change: its arrays are for reading.
 */
import { checkModulus, ModulusError } from '../../fields/primality.js';
import { describe } from '../errors/describe.js';
import { MemoryError } from '../errors/memory-error.js';
import { MAX_SIZE, StructureError } from '../errors/structure-error.js';
import { type Entry, EntryError, entryOf, parseEntry, type WideEntries } from './big-entries.js';
import { allocateInt32, allocateUint32, type Coordinates, valuesOf } from './coordinates.js';
import type { CooArrays, CscArrays, CsrArrays, Shaped, SparseMatrixParts, TripletArrays } from './matrix-arrays.js';
import {
  arrayNamed,
  fromCompressedCols,
  fromCompressedRows,
  fromCoordinates,
  fromPlainParts,
  fromRows,
  fromTripletList,
  type Named,
  sizesAndArrays,
} from './matrix-constructors.js';
import * as operations from './matrix-operations.js';
import { type BigResidueMatrix, bigProduct, bigResidues, wordProduct, wordResidues } from './matrix-residues.js';
import { type ResidueMatrix, transpose } from './residue-matrix.js';

export type { CooArrays, CscArrays, CsrArrays, Shaped, SparseMatrixParts, TripletArrays };
export { allocateInt32, allocateUint32, type BigResidueMatrix, type Entry, EntryError, type ResidueMatrix, transpose };

/** Numbers of a product at most: bigints take much memory. */
const LONGEST_PRODUCT = 2 ** 24;

export class SparseMatrix implements SparseMatrixParts {
  readonly rows: number;
  readonly cols: number;
  readonly rowIdx: Uint32Array; // nnz rows, each < rows
  readonly colIdx: Uint32Array; // nnz columns, each < cols
  readonly values: Int32Array; // nnz values; 0 where the entry is in `wide`
  readonly wide: WideEntries;
  #origin: SparseMatrix = this; // whose places messages name
  #canonical: SparseMatrix | undefined;

  private constructor(parts: Coordinates) {
    this.rows = parts.rows;
    this.cols = parts.cols;
    this.rowIdx = parts.rowIdx;
    this.colIdx = parts.colIdx;
    this.values = parts.values;
    this.wide = parts.wide;
  }

  /** The number of stored entries: repeats count each time, and so do explicit zeros. */
  get nnz(): number {
    return this.values.length;
  }

  /**
   * A matrix from entries [row, column, value] or from three arrays; indices are 0-based, repeated positions add up.
   * StructureError for sizes beyond 0…2³¹−1, arrays of unequal length, an index outside the matrix; EntryError for what
   * is no integer and no fraction.
   */
  static fromTriplets(
    rows: number,
    cols: number,
    entries: Iterable<readonly [number, number, Entry]> | TripletArrays,
  ): SparseMatrix {
    const who = 'fromTriplets';
    if (typeof entries === 'object' && entries !== null) {
      if ('rowIdx' in entries) return new SparseMatrix(fromCoordinates(who, rows, cols, entries as unknown as Named));
      if (Symbol.iterator in entries) return new SparseMatrix(fromTripletList(who, rows, cols, entries));
    }
    throw new StructureError(`${who}: expected entries [row, column, value] or three arrays, got ${describe(entries)}`);
  }

  /** A matrix from coordinates: (rows, cols, arrays), or one object with its sizes. Errors as fromTriplets. */
  static fromCoo(arrays: CooArrays & Shaped): SparseMatrix;
  static fromCoo(rows: number, cols: number, arrays: CooArrays): SparseMatrix;
  static fromCoo(...given: [CooArrays & Shaped] | [number, number, CooArrays]): SparseMatrix {
    return new SparseMatrix(fromCoordinates('fromCoo', ...sizesAndArrays('fromCoo', given)));
  }

  /** A matrix from compressed rows: (rows, cols, arrays), or one object with its sizes. Errors as fromTriplets. */
  static fromCsr(arrays: CsrArrays & Shaped): SparseMatrix;
  static fromCsr(rows: number, cols: number, arrays: CsrArrays): SparseMatrix;
  static fromCsr(...given: [CsrArrays & Shaped] | [number, number, CsrArrays]): SparseMatrix {
    return new SparseMatrix(fromCompressedRows('fromCsr', ...sizesAndArrays('fromCsr', given)));
  }

  /** A matrix from compressed columns: (rows, cols, arrays), or one object with its sizes. Errors as fromTriplets. */
  static fromCsc(arrays: CscArrays & Shaped): SparseMatrix;
  static fromCsc(rows: number, cols: number, arrays: CscArrays): SparseMatrix;
  static fromCsc(...given: [CscArrays & Shaped] | [number, number, CscArrays]): SparseMatrix {
    return new SparseMatrix(fromCompressedCols('fromCsc', ...sizesAndArrays('fromCsc', given)));
  }

  /** A matrix from its rows; zeros are not stored. `cols` is needed only when there are no rows to count. */
  static fromDense(matrix: readonly ArrayLike<Entry>[], cols: number = matrix?.[0]?.length ?? 0): SparseMatrix {
    return new SparseMatrix(fromRows('fromDense', matrix, cols));
  }

  /** A matrix from plain parts, its own or a structured clone's: all of them, checked, in arrays of its own. */
  static fromParts(parts: SparseMatrixParts): SparseMatrix {
    if (typeof parts !== 'object' || parts === null)
      throw new StructureError(`fromParts: expected the parts of a matrix, got ${describe(parts)}`);
    return new SparseMatrix(fromPlainParts('fromParts', parts as unknown as Named));
  }

  /** A matrix whose arrays the caller has just built, in range and in shared memory where there is one. */
  static fromPartsUnchecked(parts: Omit<Coordinates, 'wide'>, wide: WideEntries): SparseMatrix {
    return new SparseMatrix({ ...parts, wide });
  }

  /** The same entries at other places, in range; messages go on naming the places they came with. */
  moveUnchecked(rows: number, cols: number, rowIdx: Uint32Array, colIdx: Uint32Array): SparseMatrix {
    const moved = new SparseMatrix({ rows, cols, rowIdx, colIdx, values: this.values, wide: this.wide });
    moved.#origin = this.#origin;
    return moved;
  }

  /** Plain data for structured cloning; the arrays are the matrix's own. */
  toParts(): SparseMatrixParts {
    const { rows, cols, rowIdx, colIdx, values, wide } = this;
    return { rows, cols, rowIdx, colIdx, values, wide: { positions: wide.positions, entries: wide.entries } };
  }

  /** The stored entries [row, column, value] in their order: repeats each for itself, explicit zeros too. */
  *entries(): Generator<[row: number, column: number, value: Entry]> {
    let k = 0;
    for (const value of valuesOf(this)) yield [this.rowIdx[k], this.colIdx[k++], entryOf(value)];
  }

  /** The entry at row i, column j, 0-based: 0 where none is stored, a sum where several are. StructureError outside. */
  get(i: number, j: number): Entry {
    if (!(Number.isInteger(i) && Number.isInteger(j) && i >= 0 && i < this.rows && j >= 0 && j < this.cols)) {
      throw new StructureError(
        `get: expected a place inside ${this.rows} x ${this.cols}, got (${describe(i)}, ${describe(j)})`,
      );
    }
    const a = this.#inOrder();
    const k = operations.findEntry(a, i, j);
    if (k < 0) return 0;
    const w = a.wide.positions.indexOf(k);
    return entryOf(w < 0 ? a.values[k] : a.wide.entries[w]);
  }

  /** Whether `other` has the same sizes and the same entry everywhere, however both are stored. */
  equals(other: SparseMatrix): boolean {
    return operations.areEqual(this.#inOrder(), checkMatrix('equals', other).#inOrder());
  }

  /** The matrix of f(value, row, column) for the entries that are not 0, by rows; the others stay 0. */
  map(f: (value: Entry, row: number, column: number) => Entry): SparseMatrix {
    if (typeof f !== 'function') throw new StructureError(`map: expected a function, got ${describe(f)}`);
    return new SparseMatrix(
      operations.mapEntries(this.#inOrder(), (value, i, j) => parseEntry(f(entryOf(value), i, j))),
    );
  }

  /** Aᵀ, cols × rows, which shares the arrays. */
  transpose(): SparseMatrix {
    const { rows, cols, rowIdx, colIdx, values, wide } = this;
    return new SparseMatrix({ rows: cols, cols: rows, rowIdx: colIdx, colIdx: rowIdx, values, wide });
  }

  /** Matrices of one width below one another (`along` 'rows', the default) or of one height side by side ('cols'). */
  static stack(matrices: readonly SparseMatrix[], along: 'rows' | 'cols' = 'rows'): SparseMatrix {
    if (!Array.isArray(matrices)) throw new StructureError(`stack: expected matrices, got ${describe(matrices)}`);
    if (along !== 'rows' && along !== 'cols')
      throw new StructureError(`stack: expected 'rows' or 'cols', got ${describe(along)}`);
    for (const matrix of matrices) checkMatrix('stack', matrix);
    const made = operations.stack('stack', matrices, along);
    if (made.rows > MAX_SIZE || made.cols > MAX_SIZE)
      throw new StructureError(`stack: expected sizes in 0…${MAX_SIZE}, got ${made.rows} x ${made.cols}`);
    return new SparseMatrix(made);
  }

  /** The matrix of the given rows and columns, 0-based, distinct, in the given order; null takes all. */
  submatrix(rows: ArrayLike<number> | null, cols: ArrayLike<number> | null): SparseMatrix {
    return new SparseMatrix(operations.select('submatrix', this, rows, cols));
  }

  /**
   * A·x for a vector x of cols entries, or A·X for a block of `width` columns: X is cols × width, row-major, the
   * product rows × width. Over the integers bigints come back; mod a prime `mod` residues, a Uint32Array below 2³¹ and
   * bigints above. StructureError for a wrong length, MemoryError for a product of more than 2^24 numbers, EntryError
   * for a fraction without `mod`, ModulusError for what is no prime.
   */
  multiply(x: ArrayLike<number | bigint>, options?: { width?: number; mod?: undefined }): bigint[];
  multiply(x: ArrayLike<number | bigint>, options: { width?: number; mod: number }): Uint32Array;
  multiply(
    x: ArrayLike<number | bigint>,
    options: { width?: number; mod?: number | bigint | undefined },
  ): Uint32Array | bigint[];
  multiply(
    x: ArrayLike<number | bigint>,
    options: { width?: number; mod?: number | bigint | undefined } = {},
  ): Uint32Array | bigint[] {
    const { width = 1, mod } = options ?? {};
    if (!Number.isInteger(width) || width < 1)
      throw new StructureError(`multiply: expected a width of 1 or more, got ${describe(width)}`);
    const length = arrayNamed('multiply', { x }, ['x']).length;
    if (length !== this.cols * width)
      throw new StructureError(`multiply: expected ${this.cols} x ${width} numbers, got ${length}`);
    if (this.rows * width > LONGEST_PRODUCT)
      throw new MemoryError(
        `multiply: expected a product of at most ${LONGEST_PRODUCT} numbers, got ${this.rows * width}`,
      );
    const given = Array.from(x, (value, k) => {
      if (typeof value === 'bigint' || Number.isSafeInteger(value)) return BigInt(value);
      throw new EntryError(`multiply: expected integers, got ${describe(value)} at ${k}`);
    });
    if (mod === undefined) return operations.exactProduct('multiply', this, given, width);
    if (typeof mod !== 'number' && typeof mod !== 'bigint')
      throw new ModulusError(`modulus: expected a prime, got ${describe(mod)}`);
    checkModulus(mod);
    if (BigInt(mod) > BigInt(MAX_SIZE)) return bigProduct(this.residuesBig(BigInt(mod)), given, width, BigInt(mod));
    return wordProduct(this.residues(Number(mod)), given, width, Number(mod));
  }

  /**
   * The entries as compressed rows, columns ascending, repeats added up, no zeros; `values` are 32-bit where all fit.
   */
  toCsr(): { rows: number; cols: number; rowPtr: Uint32Array; colIdx: Uint32Array; values: Int32Array | Entry[] } {
    const { rows, cols, rowIdx, colIdx, values } = this.toCoo();
    return { rows, cols, rowPtr: operations.offsetsOf(rowIdx, rows), colIdx, values };
  }

  /** The entries as compressed columns, rows ascending, repeats added up, no zeros. */
  toCsc(): { rows: number; cols: number; colPtr: Uint32Array; rowIdx: Uint32Array; values: Int32Array | Entry[] } {
    const { rowPtr, colIdx, values } = this.transpose().toCsr();
    return { rows: this.rows, cols: this.cols, colPtr: rowPtr, rowIdx: colIdx, values };
  }

  /** The entries as coordinates by rows, columns ascending, repeats added up, no zeros. */
  toCoo(): { rows: number; cols: number; rowIdx: Uint32Array; colIdx: Uint32Array; values: Int32Array | Entry[] } {
    const a = this.#inOrder();
    const [rowIdx, colIdx] = [Uint32Array.from(a.rowIdx), Uint32Array.from(a.colIdx)];
    return { rows: a.rows, cols: a.cols, rowIdx, colIdx, values: operations.plainValues(a, entryOf) };
  }

  #inOrder(): SparseMatrix {
    if (this.#canonical === undefined) {
      const made = operations.canonical(this);
      this.#canonical = made === this ? this : new SparseMatrix(made);
    }
    return this.#canonical;
  }

  /**
   * The matrix mod a prime p < 2³¹: duplicates summed, zeros dropped; the columns may be the matrix's own array.
   * EntryError where p divides a denominator, MemoryError for more than 2²⁴ rows of which 15 of 16 are empty
   * (withoutIdleLines drops those).
   */
  residues(p: number): ResidueMatrix {
    if (!Number.isInteger(p) || p < 2 || p > MAX_SIZE) {
      throw new StructureError(`residues: expected a modulus in 2…${MAX_SIZE}, got ${describe(p)}`);
    }
    return wordResidues(this, p, this.#where);
  }

  /** The matrix mod p of any size, slowly: the entries stay bigints. Errors as for `residues`. */
  residuesBig(p: bigint): BigResidueMatrix {
    return bigResidues(this, p, this.#where);
  }

  #where = (k: number): string => `(${this.#origin.rowIdx[k] + 1}, ${this.#origin.colIdx[k] + 1})`;
}

function checkMatrix(who: string, matrix: unknown): SparseMatrix {
  if (matrix instanceof SparseMatrix) return matrix;
  throw new StructureError(`${who}: expected a SparseMatrix, got ${describe(matrix)}`);
}
