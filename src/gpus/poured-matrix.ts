/**
 * A matrix on its way to a process with a GPU, as bytes beside the messages: rowPtr, colIdx, values; and where
 * sequences of its Schur complement are to come the same of the transpose, then the pivots' rows and columns.
 */
import type { SchurParts } from '../../algorithms/block-wiedemann/krylov-columns.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';

export interface PouredSizes {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly pivots: number | null; // whose Schur complement the sequences are of; null: of the matrix
}

export interface PouredMatrix {
  readonly matrix: ResidueMatrix;
  readonly schur: SchurParts | null;
}

export function sizesOf({ rows, cols, colIdx }: ResidueMatrix, schur?: SchurParts): PouredSizes {
  return { rows, cols, nnz: colIdx.length, pivots: schur?.pivots.rows.length ?? null };
}

/** The arrays in their order. */
export function arraysOf(matrix: ResidueMatrix, schur?: SchurParts): Uint32Array[] {
  const own = [matrix.rowPtr, matrix.colIdx, matrix.values];
  return schur ? [...own, ...arraysOf(schur.at), schur.pivots.rows, schur.pivots.cols] : own;
}

/** `read` fills an array with the bytes that come next. */
export function matrixFrom(read: (bytes: Uint8Array) => void, sizes: PouredSizes): PouredMatrix {
  const { rows, cols, nnz, pivots } = sizes;
  const words = (count: number): Uint32Array => {
    const next = new Uint32Array(count);
    read(new Uint8Array(next.buffer));
    return next;
  };
  const compressed = (rows: number, cols: number): ResidueMatrix => {
    return { rows, cols, rowPtr: words(rows + 1), colIdx: words(nnz), values: words(nnz) };
  };
  const matrix = compressed(rows, cols);
  if (pivots === null) return { matrix, schur: null };
  return { matrix, schur: { at: compressed(cols, rows), pivots: { rows: words(pivots), cols: words(pivots) } } };
}
