/** The right sides of a system: a vector, or the columns of a matrix, copied at the call. */
import { describe } from '../../kernels/errors/describe.js';
import { type Entry, SparseMatrix, type SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';

/**
 * b with an element for each row of A: numbers, bigints, or strings that may be fractions; or B with a row for each,
 * a matrix or its parts, whose columns are right sides.
 */
export type RightSides = ArrayLike<Entry> | SparseMatrix | SparseMatrixParts;

/** Throws OptionError for what is neither; StructureError and EntryError for a matrix or a number that is none. */
export function prepareRightSides(b: RightSides): SparseMatrixParts {
  if (b instanceof SparseMatrix) return structuredClone(b.toParts());
  if (typeof b === 'object' && b !== null) {
    if ('wide' in b) return structuredClone(SparseMatrix.fromParts(b).toParts());
    if (Array.isArray(b) || (ArrayBuffer.isView(b) && 'length' in b)) return columnOf(b).toParts();
  }
  throw new OptionError(`b: expected an array of numbers or a matrix, got ${describe(b)}`);
}

/** The matrix with this one column. */
function columnOf(b: ArrayLike<Entry>): SparseMatrix {
  const rowIdx: number[] = [];
  const values: Entry[] = [];
  for (let i = 0; i < b.length; i++) {
    if (b[i] === 0 || b[i] === 0n) continue;
    rowIdx.push(i);
    values.push(b[i]!);
  }
  return SparseMatrix.fromTriplets(b.length, 1, { rowIdx, colIdx: new Uint32Array(rowIdx.length), values });
}
