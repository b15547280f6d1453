/**
 * Sliced ELLPACK with diagonals: slices of 32 rows, each with diagonals that have one offset and no columns, and the
 * other entries of its rows with a column each.
 *
 *   slices[2·s], slices[2·s + 1]   words of `indices` and diagonals before slice s
 *   D, L          diagonals of a slice; its rows' most other entries           r : a row's number in its slice
 *   indices       of each slice D offsets j − i, increasing, then 32·L columns: entry t of r at 32·t + r behind them
 *   values        of each slice 32·(D + L): of diagonal d at 32·d + r, 0 where there is no entry; then as the columns
 *
 * A diagonal is one where it lies in the matrix in all rows of the slice and saves words: a value a row and one offset
 * are fewer than a value and a column an entry. It holds all value classes together, since zeros are values.
 * Source: Monakov, Velesevich, Platonov, Avetisyan 2013.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkPlaces, checkResidues, checkSizes } from './check.js';
import type { Csr } from './csr.js';
import { type Format, requireValues, type Visit } from './format.js';
import { countUp, WALKS } from './layout.js';

export interface DiagonalSlices {
  readonly kind: 'slices-dia';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly slices: Uint32Array; // as above, and of the end
  readonly lengths: Uint32Array; // of row i, entries that are on no diagonal of its slice
  readonly indices: Uint32Array; // columns strictly increasing within a row, on no diagonal; any at free places
  readonly values: Uint32Array; // canonical; not 0 beside diagonals, but at free places
}

/** Rows of a slice; the walks know it. */
const HEIGHT = 32;

interface Slice {
  readonly offsets: Int32Array;
  readonly columns: number; // where they begin among the indices
  readonly values: number; // where they begin
  readonly most: number; // L
}

function sliceAt({ slices, indices }: Pick<DiagonalSlices, 'slices' | 'indices'>, s: number): Slice {
  const [at, before, next, after] = slices.subarray(2 * s, 2 * s + 4);
  const diagonals = after - before;
  return {
    offsets: Int32Array.from(indices.subarray(at, at + diagonals)),
    columns: at + diagonals,
    values: at - before + HEIGHT * before,
    most: (next - at - diagonals) / HEIGHT,
  };
}

/** Checks every claim above for residues mod p. */
function check(part: DiagonalSlices, p: number): void {
  const { kind, rows, cols, nnz, slices, lengths, indices, values } = part;
  checkSizes(kind, rows, cols);
  const count = Math.ceil(rows / HEIGHT);
  if (slices.length !== 2 * count + 2 || lengths.length !== rows || slices[0] !== 0 || slices[1] !== 0) {
    throw new StructureError(`${kind}: expected ${count} slices of ${rows} rows`);
  }
  const [words, diagonals] = slices.subarray(2 * count);
  if (indices.length !== words || values.length !== words - diagonals + HEIGHT * diagonals) {
    throw new StructureError(`${kind}: expected ${words} indices and their values, got ${indices.length}`);
  }
  checkResidues(kind, values, p);
  for (let s = 0; s < count; s++) {
    const { offsets, most } = sliceAt(part, s);
    const [first, end] = [s * HEIGHT, Math.min(rows, (s + 1) * HEIGHT)];
    const longest = lengths.subarray(first, end).reduce((a, b) => Math.max(a, b), 0);
    if (slices[2 * s + 3] < slices[2 * s + 1] || most !== longest) {
      throw new StructureError(`${kind}: expected slice ${s} as long as its longest row, ${longest}, got ${most}`);
    }
    offsets.forEach((offset, d) => {
      if (first + offset < 0 || end - 1 + offset >= cols || (d > 0 && offset <= offsets[d - 1])) {
        throw new StructureError(`${kind}: expected diagonals in order within the matrix, got ${offset} in slice ${s}`);
      }
    });
  }
  const lasts = new Int32Array(rows).fill(-1);
  let entries = 0;
  visitEntries(part, (i, j, v) => {
    if (j >= cols || j <= lasts[i] || v === 0) {
      throw new StructureError(`${kind}: expected columns in order below ${cols}, got ${j} in row ${i}, value ${v}`);
    }
    lasts[i] = j;
    entries++;
  });
  if (entries !== nnz) throw new StructureError(`${kind}: expected ${nnz} entries, got ${entries}`);
}

/** A row's diagonals and other entries, merged by columns. */
function visitEntries(part: DiagonalSlices, visit: Visit): void {
  const { rows, lengths, indices, values } = part;
  for (let s = 0; s * HEIGHT < rows; s++) {
    const slice = sliceAt(part, s);
    const { offsets } = slice;
    for (let i = s * HEIGHT, r = 0; r < HEIGHT && i < rows; i++, r++) {
      for (let d = 0, t = 0; d < offsets.length || t < lengths[i]; ) {
        const column = t < lengths[i] ? indices[slice.columns + HEIGHT * t + r] : Number.POSITIVE_INFINITY;
        if (d < offsets.length && i + offsets[d] <= column) {
          const value = values[slice.values + HEIGHT * d + r];
          if (value > 0) visit(i, i + offsets[d], value);
          d++;
        } else {
          visit(i, column, values[slice.values + HEIGHT * (offsets.length + t) + r]);
          t++;
        }
      }
    }
  }
}

export const SLICES_DIA: Format<DiagonalSlices> = {
  whole: true,
  fromRows: (a) => [toDiagonalSlices(a)],
  forEachEntry: (part, _unit, visit) => visitEntries(part, visit),
  check,
  layout: ({ cols, slices, lengths, indices, values }) => ({
    ...{ walk: WALKS.diagonalSlices, columns: countUp(cols), values, words: [slices, lengths, indices] },
  }),
  arrays: ({ slices, lengths, indices, values }) => [slices, lengths, indices, values],
  gpu: {
    prelude: 'slices-dia',
    arrays: ({ slices, lengths, indices, values }) => ({ indices: [slices, lengths, indices], values, extent: 0 }),
  },
};

function toDiagonalSlices(a: Csr): DiagonalSlices {
  const { rows, cols, nnz, rowPtr, colIdx } = a;
  const from = requireValues('slices-dia', a);
  const lengths = new Uint32Array(rows);
  const chosen: Int32Array[] = [];
  const slices = new Uint32Array(2 * Math.ceil(rows / HEIGHT) + 2);
  const counts = new Uint32Array(rows + cols); // of offset o at o + rows; 0 again behind each slice
  let [words, diagonals] = [0, 0];
  for (let s = 0; s * HEIGHT < rows; s++) {
    const [first, end] = [s * HEIGHT, Math.min(rows, (s + 1) * HEIGHT)];
    const offsets = chooseDiagonals(rowPtr, colIdx, first, end, cols, counts, lengths);
    chosen.push(offsets);
    diagonals += offsets.length;
    words += offsets.length + HEIGHT * lengths.subarray(first, end).reduce((most, length) => Math.max(most, length), 0);
    slices.set([words, diagonals], 2 * s + 2);
  }
  checkPlaces('slices-dia', words + HEIGHT * diagonals);
  const [indices, values] = [new Uint32Array(words), new Uint32Array(words - diagonals + HEIGHT * diagonals)];
  chosen.forEach((offsets, s) => {
    indices.set(Uint32Array.from(offsets), slices[2 * s]);
    const slice = sliceAt({ slices, indices }, s);
    const end = Math.min(rows, (s + 1) * HEIGHT);
    fillSlice(rowPtr, colIdx, from, s * HEIGHT, end, slice.offsets, slice.columns, slice.values, indices, values);
  });
  return { kind: 'slices-dia', rows, cols, nnz, slices, lengths, indices, values };
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** The offsets of a slice's diagonals; `lengths` becomes what else its rows have. */
function chooseDiagonals(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  first: number,
  end: number,
  cols: number,
  counts: Uint32Array,
  lengths: Uint32Array,
): Int32Array {
  const rows = rowPtr.length - 1;
  const full: number[] = [];
  const height = end - first;
  for (let i = first; i < end; i++) {
    for (let k = rowPtr[i], stop = rowPtr[i + 1]; k < stop; k++) {
      const offset = colIdx[k] - i;
      const count = ++counts[offset + rows];
      // Once each: the count passes the bound by one at a time.
      const isFull = 2 * count > HEIGHT + 1 && 2 * (count - 1) <= HEIGHT + 1;
      if (isFull && first + offset >= 0 && first + height - 1 + offset < cols) full.push(offset);
    }
  }
  const offsets = Int32Array.from(full).sort();
  const isChosen = new Set(full);
  for (let i = first; i < end; i++) {
    lengths[i] = 0;
    for (let k = rowPtr[i], stop = rowPtr[i + 1]; k < stop; k++) {
      counts[colIdx[k] - i + rows] = 0;
      if (!isChosen.has(colIdx[k] - i)) lengths[i]++;
    }
  }
  return offsets;
}

function fillSlice(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  from: Uint32Array,
  first: number,
  end: number,
  offsets: Int32Array,
  columnsAt: number,
  valuesAt: number,
  indices: Uint32Array,
  values: Uint32Array,
): void {
  const D = offsets.length;
  for (let i = first; i < end; i++) {
    // Columns increase and so do offsets: one merge.
    for (let k = rowPtr[i], stop = rowPtr[i + 1], d = 0, t = 0; k < stop; k++) {
      const offset = colIdx[k] - i;
      while (d < D && offsets[d] < offset) d++;
      if (d < D && offsets[d] === offset) values[valuesAt + HEIGHT * d + i - first] = from[k];
      else {
        indices[columnsAt + HEIGHT * t + i - first] = colIdx[k];
        values[valuesAt + HEIGHT * (D + t++) + i - first] = from[k];
      }
    }
  }
}
