/** The library's `spy`: the pattern of a matrix as counts of entries by cell and value class. */
import { checkModulus } from '../../fields/primality.js';
import { describe } from '../../kernels/errors/describe.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import { checkOptionNames } from '../option-names.js';
import { batchesOf, classifyInto } from './entry-classes.js';
import { countInto, emptyRaster, MOST_CELLS, type Raster } from './raster.js';

export interface SpyOptions {
  /** Cells across and down at most, 512 by default; a smaller matrix has a cell for each of its places. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** A prime by which entries are +1, −1 or 0; without it their integers are. */
  readonly mod?: number | bigint | undefined;
}

const USUAL = 512;

/**
 * Where the entries of a matrix are: repeats count each for itself, zeros not at all. OptionError for a size that is
 * none, EntryError where `mod` divides a denominator.
 */
export function spy(matrix: SparseMatrix, options: SpyOptions = {}): Raster {
  if (!(matrix instanceof SparseMatrix))
    throw new StructureError(`spy: expected a SparseMatrix, got ${describe(matrix)}`);
  checkOptionNames('spy', options, ['width', 'height', 'mod']);
  const { width = USUAL, height = USUAL, mod } = options;
  for (const [name, size] of Object.entries({ width, height })) {
    if (!(Number.isInteger(size) && size >= 1))
      throw new OptionError(`spy: expected ${name} to be a number of cells from 1 on, got ${describe(size)}`);
  }
  if (width * height > MOST_CELLS)
    throw new OptionError(`spy: expected at most ${MOST_CELLS} cells, got ${width} x ${height}`);
  if (mod !== undefined) checkModulus(mod);
  const raster = emptyRaster(matrix.rows, matrix.cols, width, height);
  let classOf = new Uint8Array(0);
  for (const batch of batchesOf(matrix)) {
    const count = batch.values.length;
    if (classOf.length < count) classOf = new Uint8Array(count);
    classifyInto(classOf, batch, BigInt(mod ?? 0));
    countInto(raster, batch.rowIdx, batch.colIdx, classOf, count);
  }
  return raster;
}
