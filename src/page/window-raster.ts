/**
 * The raster of a part of a matrix: what a picture shows that has been zoomed into.
 *
 *   cell (x, y) : as in pictures/raster.ts, for the submatrix of rows top … top + rows − 1 and columns likewise
 */
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { batchesOf, classifyInto } from '../pictures/entry-classes.js';
import { paint } from '../pictures/paint.js';
import { countInto, emptyRaster, type Raster } from '../pictures/raster.js';
import type { RasterAnswer, RasterWish, Window } from './messages.js';

/** The window as pixels of four bytes. */
export function windowImage(matrix: SparseMatrix, wish: RasterWish): RasterAnswer {
  const { width, height, mod, palette } = wish;
  const raster = windowRaster(matrix, wish, width, height, BigInt(mod));
  const image = new ImageData(width, height);
  const pixels = paint(raster, width, height, palette);
  for (let from = 0, to = 0; from < pixels.length; from += 3, to += 4) {
    image.data[to] = pixels[from];
    image.data[to + 1] = pixels[from + 1];
    image.data[to + 2] = pixels[from + 2];
    image.data[to + 3] = 255;
  }
  const sum = (counts: Uint32Array): number => counts.reduce((a, b) => a + b, 0);
  return { image, plus: sum(raster.plus), minus: sum(raster.minus), general: sum(raster.general) };
}

/** At most width × height cells; `mod` is a prime by which entries are classed, or 0 for their integers. */
export function windowRaster(matrix: SparseMatrix, window: Window, width: number, height: number, mod: bigint): Raster {
  const { top, left, rows, cols } = window;
  const raster = emptyRaster(rows, cols, width, height);
  let [classOf, atRow, atCol] = [new Uint8Array(0), new Uint32Array(0), new Uint32Array(0)];
  for (const batch of batchesOf(matrix)) {
    const count = batch.values.length;
    if (classOf.length < count)
      [classOf, atRow, atCol] = [new Uint8Array(count), new Uint32Array(count), new Uint32Array(count)];
    classifyInto(classOf, batch, mod);
    const inside = keepInside(batch.rowIdx, batch.colIdx, classOf, count, top, left, rows, cols, atRow, atCol);
    countInto(raster, atRow, atCol, classOf, inside);
  }
  return raster;
}

/** Writes the entries inside to the front of the arrays, and counts them. A loop of its own, as in raster.ts. */
function keepInside(
  rowIdx: Uint32Array,
  colIdx: Uint32Array,
  classOf: Uint8Array,
  count: number,
  top: number,
  left: number,
  rows: number,
  cols: number,
  atRow: Uint32Array,
  atCol: Uint32Array,
): number {
  let inside = 0;
  for (let k = 0; k < count; k++) {
    const [i, j] = [rowIdx[k] - top, colIdx[k] - left];
    if (i < 0 || i >= rows || j < 0 || j >= cols) continue;
    atRow[inside] = i;
    atCol[inside] = j;
    classOf[inside++] = classOf[k];
  }
  return inside;
}
