/**
 * What pictures of a matrix are made of, from one look at each entry: the raster of its pattern, entries a row and a
 * column, and how many there are of each value class.
 *
 * An entry counts as it stands in the file: repeats each for itself, zeros not at all. Memory is the raster's and that
 * of a count a line; entries pass.
 */

import { megabytes } from '../../kernels/errors/megabytes.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import type { WideParts } from '../../kernels/sparse/big-entries.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { EntrySink, Symmetry } from '../io/entry-list.js';
import { batchesOf, classifyInto } from './entry-classes.js';
import { LineCounts } from './line-counts.js';
import { ABSENT, CLASSES, countInto, emptyRaster, type Raster } from './raster.js';

/** The class of an image that is its own original: no zero, either. */
const NO_ENTRY = ABSENT + 1;

export interface SketchRules {
  /** Cells across and down, of a matrix of these sizes. */
  readonly size: (rows: number, cols: number) => readonly [width: number, height: number];
  /** The prime by which entries are classed; 0 for their integers. */
  readonly mod?: bigint | undefined;
  /** Bytes that raster and counts may take. */
  readonly maxMemory?: number | undefined;
}

/** Everything that a sketch knows once the entries have passed. */
export interface Sketched {
  readonly raster: Raster;
  readonly rowCounts: LineCounts; // by value class
  readonly colCounts: LineCounts; // all classes together
  readonly totals: Float64Array; // entries of each class, and of zeros
}

export class Sketch implements EntrySink {
  readonly #rules: SketchRules;
  #sketched: Sketched | null = null; // null until the sizes are known
  #symmetry: Symmetry = 'general';
  #classOf = new Uint8Array(0);
  #isThere = new Uint8Array(0);

  constructor(rules: SketchRules) {
    this.#rules = rules;
  }

  begin(rows: number, cols: number, symmetry: Symmetry): void {
    const { size } = this.#rules;
    const [width, height] = size(rows, cols);
    const cells = Math.min(width, cols) * Math.min(height, rows);
    const bytes = 12 * cells + LineCounts.bytes(rows, CLASSES) + LineCounts.bytes(cols, 1);
    this.#check(bytes);
    this.#symmetry = symmetry;
    try {
      this.#sketched = {
        raster: emptyRaster(rows, cols, width, height),
        rowCounts: new LineCounts(rows, CLASSES),
        colCounts: new LineCounts(cols, 1),
        totals: new Float64Array(CLASSES + 1),
      };
    } catch {
      throw new MemoryError(`a picture: the host refused counts of ${megabytes(bytes)} MB`);
    }
  }

  #check(bytes: number): void {
    const { maxMemory = Infinity } = this.#rules;
    if (bytes > maxMemory)
      throw new MemoryError(
        `a picture: expected counts of at most ${megabytes(maxMemory)} MB, got ${megabytes(bytes)} MB`,
      );
  }

  take(rowIdx: Uint32Array, colIdx: Uint32Array, values: Int32Array, wide: WideParts): void {
    const count = values.length;
    if (this.#classOf.length < count) {
      this.#classOf = new Uint8Array(count);
      this.#isThere = new Uint8Array(count);
    }
    const classOf = this.#classOf;
    const { mod = 0n } = this.#rules;
    classifyInto(classOf, { rowIdx, colIdx, values, wide }, mod);
    this.#count(rowIdx, colIdx, count);
    if (this.#symmetry === 'general') return;
    mirrorClasses(rowIdx, colIdx, classOf, count, this.#symmetry === 'skew-symmetric' && mod !== 2n);
    this.#count(colIdx, rowIdx, count);
  }

  #count(rowIdx: Uint32Array, colIdx: Uint32Array, count: number): void {
    const { raster, rowCounts, colCounts, totals } = this.finish();
    countInto(raster, rowIdx, colIdx, this.#classOf, count);
    rowCounts.add(rowIdx, this.#classOf, count);
    for (let k = 0; k < count; k++) {
      const c = this.#classOf[k];
      this.#isThere[k] = c < CLASSES ? 0 : ABSENT;
      if (c !== NO_ENTRY) totals[c]++;
    }
    colCounts.add(colIdx, this.#isThere, count);
    // Counts of few of many lines grow.
    this.#check(12 * raster.width * raster.height + rowCounts.bytes + colCounts.bytes);
  }

  /** The counts of all that has passed; the sizes are known. */
  finish(): Sketched {
    return this.#sketched!;
  }
}

/** The sketch of a matrix in memory. */
export function sketchMatrix(matrix: SparseMatrix, rules: SketchRules): Sketched {
  const sketch = new Sketch(rules);
  sketch.begin(matrix.rows, matrix.cols, 'general');
  for (const { rowIdx, colIdx, values, wide } of batchesOf(matrix)) sketch.take(rowIdx, colIdx, values, wide);
  return sketch.finish();
}

/** The classes of the mirror images: none on the diagonal, ±1 exchanged where the sign changes. */
function mirrorClasses(
  rowIdx: Uint32Array,
  colIdx: Uint32Array,
  classOf: Uint8Array,
  count: number,
  isNegated: boolean,
): void {
  for (let k = 0; k < count; k++) {
    if (rowIdx[k] === colIdx[k]) classOf[k] = NO_ENTRY;
    else if (isNegated && classOf[k] < 2) classOf[k] = 1 - classOf[k];
  }
}
