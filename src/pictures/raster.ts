/**
 * The pattern of a matrix as a raster of counts: how many entries of each value class lie in each cell.
 *
 *   cell (x, y) : columns j with ⌊j·width/cols⌋ = x, rows i with ⌊i·height/rows⌋ = y
 *   class       : 0 for +1, 1 for −1, 2 for any other value; ABSENT for 0
 *
 * A raster has no more cells than the matrix has places: of a small matrix each cell is one place. Quotients are exact,
 * as j·width < 2⁵³ and a quotient below an integer is further from it than a rounding error.
 */
import { VALUE_CLASSES } from '../../kernels/sparse/unit-split.js';

export const CLASSES = VALUE_CLASSES.length;

/** The class of what is not drawn. */
export const ABSENT = 3;

/** Cells of a raster at most: 12 bytes each. */
export const MOST_CELLS = 2 ** 26;

export interface Raster {
  readonly rows: number; // of the matrix
  readonly cols: number;
  readonly width: number; // cells across, at most `cols`
  readonly height: number; // cells down, at most `rows`
  readonly plus: Uint32Array; // entries +1 by cell, row by row: width·height counts
  readonly minus: Uint32Array; // entries −1
  readonly general: Uint32Array; // other entries that are not 0
}

/** A raster without entries, of at most width × height cells. */
export function emptyRaster(rows: number, cols: number, width: number, height: number): Raster {
  const [w, h] = [Math.min(width, cols), Math.min(height, rows)];
  const plane = (): Uint32Array => new Uint32Array(w * h);
  return { rows, cols, width: w, height: h, plus: plane(), minus: plane(), general: plane() };
}

/** Counts entry k at (rowIdx[k], colIdx[k]), of class classOf[k], for k below `count`. */
export function countInto(
  raster: Raster,
  rowIdx: Uint32Array,
  colIdx: Uint32Array,
  classOf: Uint8Array,
  count: number,
): void {
  const { rows, cols, width, height, plus, minus, general } = raster;
  countCells(rowIdx, colIdx, classOf, count, rows, cols, width, height, plus, minus, general);
}

/** A loop of its own: kernels/sparse/residue-matrix.ts. */
function countCells(
  rowIdx: Uint32Array,
  colIdx: Uint32Array,
  classOf: Uint8Array,
  count: number,
  rows: number,
  cols: number,
  width: number,
  height: number,
  plus: Uint32Array,
  minus: Uint32Array,
  general: Uint32Array,
): void {
  for (let k = 0; k < count; k++) {
    const c = classOf[k];
    const cell = Math.floor((rowIdx[k] * height) / rows) * width + Math.floor((colIdx[k] * width) / cols);
    if (c === 0) plus[cell]++;
    else if (c === 1) minus[cell]++;
    else if (c === 2) general[cell]++;
  }
}

/** The first line of each of `cells` cells, and `lines` behind the last. */
export function cellStarts(lines: number, cells: number): Float64Array {
  return Float64Array.from({ length: cells + 1 }, (_, x) => Math.ceil((x * lines) / cells));
}
