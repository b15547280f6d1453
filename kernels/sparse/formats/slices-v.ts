/**
 * Sliced ELLPACK with slices of variable height: rows in their own order, cut where their lengths change. Entry t of
 * row i is at place firsts[i] + heights[i]·t; the rows of a slice follow each other and share one height.
 *
 * The cut makes the least of Σ (height·longest row + BEGIN) over slices of up to MOST rows, by a dynamic programme over
 * the ends of slices: linear in the rows, for each end has at most MOST beginnings. Without BEGIN it would cut at every
 * change of length, into compressed rows with places no longer side by side. Free places are not looked at.
 * Source: Monakov, Lokhmotov, Avetisyan 2010.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkColumns, checkOffsets, checkSizes, checkValues } from './check.js';
import type { Csr } from './csr.js';
import type { Format } from './format.js';
import { WALKS } from './layout.js';

export interface VariableSlices {
  readonly kind: 'slices-v';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly firsts: Uint32Array; // of row i, where its entries begin; one more at the end
  readonly offsets: Uint32Array; // entries before row i; one more at the end
  readonly heights: Uint32Array; // of the slice of row i, 1…MOST
  readonly colIdx: Uint32Array; // columns, strictly increasing within a row; any at free places
  readonly values: Uint32Array | null; // canonical residues, never 0 but at free places; null: all entries are one
}

/** Rows of the highest slice: as many as a GPU runs in step. */
const MOST = 32;

/** What a slice costs beside its places, in places: a line of 64 bytes, of which it and the one before use a part. */
const BEGIN = 16;

/** Checks every claim above for residues mod p. */
function check(part: VariableSlices, p: number): void {
  const { kind, rows, cols, nnz, firsts, offsets, heights, colIdx, values } = part;
  checkSizes(kind, rows, cols);
  checkOffsets(kind, offsets, rows, nnz);
  if (firsts.length !== rows + 1 || heights.length !== rows) {
    throw new StructureError(
      `${kind}: expected ${rows} heights and a place more, got ${heights.length}, ${firsts.length}`,
    );
  }
  let places = 0;
  for (let s = 0; s < rows; s += heights[s]) {
    const height = heights[s];
    if (height < 1 || height > MOST || s + height > rows) {
      throw new StructureError(`${kind}: expected a slice of 1 to ${MOST} rows at row ${s}, got ${height}`);
    }
    let longest = 0;
    for (let i = s; i < s + height; i++) {
      if (heights[i] !== height || firsts[i] !== places + i - s) {
        throw new StructureError(`${kind}: expected row ${i} in the slice of row ${s}`);
      }
      longest = Math.max(longest, offsets[i + 1] - offsets[i]);
    }
    places += height * longest;
  }
  if (firsts[rows] !== places || colIdx.length !== places || (values && values.length !== places)) {
    throw new StructureError(`${kind}: expected ${places} places, got ${colIdx.length}`);
  }
  for (let i = 0; i < rows; i++) {
    const length = offsets[i + 1] - offsets[i];
    const take = (from: Uint32Array): Uint32Array =>
      Uint32Array.from({ length }, (_, t) => from[firsts[i] + heights[i] * t]);
    checkColumns(kind, take(colIdx), cols, i);
    if (values) checkValues(kind, take(values), p);
  }
}

export const SLICES_V: Format<VariableSlices> = {
  fromRows: (a) => [toVariableSlices(a)],
  forEachEntry({ rows, firsts, offsets, heights, colIdx, values }, unit, visit) {
    for (let i = 0; i < rows; i++) {
      for (let t = 0, k = firsts[i]; t < offsets[i + 1] - offsets[i]; t++, k += heights[i]) {
        visit(i, colIdx[k], values ? values[k] : unit);
      }
    }
  },
  check,
  layout: ({ firsts, offsets, heights, colIdx, values }) => ({
    ...{ walk: WALKS.variableSlices, columns: colIdx, values, words: [firsts, offsets, heights], offsets },
  }),
  arrays: ({ firsts, offsets, heights, colIdx, values }) => [firsts, offsets, heights, colIdx, values],
  gpu: {
    prelude: 'slices-v',
    arrays: ({ firsts, offsets, heights, colIdx, values }) => ({
      indices: [firsts, offsets, heights, colIdx],
      ...{ values, extent: 0 },
    }),
  },
};

function toVariableSlices({ rows, cols, nnz, rowPtr, colIdx: columns, values: from }: Csr): VariableSlices {
  const heights = chooseHeights(rowPtr);
  const firsts = new Uint32Array(rows + 1);
  let places = 0;
  for (let s = 0; s < rows; s += heights[s]) {
    let longest = 0;
    for (let i = s; i < s + heights[s]; i++) {
      firsts[i] = places + i - s;
      longest = Math.max(longest, rowPtr[i + 1] - rowPtr[i]);
    }
    places += heights[s] * longest;
  }
  firsts[rows] = places;
  const put = (words: Uint32Array): Uint32Array => {
    const out = new Uint32Array(places);
    deal(rowPtr, firsts, heights, words, out);
    return out;
  };
  const [colIdx, values] = [put(columns), from && put(from)];
  return { kind: 'slices-v', rows, cols, nnz, firsts, offsets: rowPtr, heights, colIdx, values };
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** Of each row, the height of its slice in the cheapest cut. */
function chooseHeights(rowPtr: Uint32Array): Uint32Array {
  const rows = rowPtr.length - 1;
  const costs = new Float64Array(rows + 1); // of the rows before `end`
  const last = new Uint8Array(rows + 1); // height of their last slice
  for (let end = 1; end <= rows; end++) {
    let [best, longest] = [Number.POSITIVE_INFINITY, 0];
    for (let height = 1; height <= Math.min(MOST, end); height++) {
      const i = end - height;
      longest = Math.max(longest, rowPtr[i + 1] - rowPtr[i]);
      const cost = costs[i] + height * longest + BEGIN;
      if (cost < best) {
        best = cost;
        last[end] = height;
      }
    }
    costs[end] = best;
  }
  const heights = new Uint32Array(rows);
  for (let end = rows; end > 0; end -= last[end]) heights.fill(last[end], end - last[end], end);
  return heights;
}

function deal(
  rowPtr: Uint32Array,
  firsts: Uint32Array,
  heights: Uint32Array,
  from: Uint32Array,
  to: Uint32Array,
): void {
  for (let i = 0; i < heights.length; i++) {
    for (let k = rowPtr[i], at = firsts[i], end = rowPtr[i + 1]; k < end; k++, at += heights[i]) to[at] = from[k];
  }
}
