/**
 * Rows so long that a product pays for walking them by panels of columns: A = short rows + Σ panels, each panel the
 * entries of long rows in a range of columns.
 *
 *   panel      columns whose rows of X, of a block of 16, fill PANEL_BYTES: they stay in a core's own caches
 *   long row   entries in two panels or more, and at least WORTH for each
 *
 * A row of thousands of entries spread over all columns sweeps X, and drives out of the caches what the next such row
 * needs. A panel's rows of X are read many times before the next panel's. What it costs is the end of a row, once a
 * panel: hence WORTH. Measured: test/bench/RESULTS.md#formats. Source: Nishtala, Vuduc, Demmel, Yelick 2007 (cache
 * blocking).
 */
import { type CooS, cooSUnchecked } from './formats/coo-s.js';
import type { ResidueMatrix } from './formats/csr.js';
import type { ProductSizes } from './formats/product-sizes.js';
import { VALUE_CLASSES, type ValueClass } from './unit-split.js';

/** A width that most products have. */
const WIDTH = 16;
const PANEL_BYTES = 160 * 2 ** 10;
const WORTH = 48;
/** The share of all entries that long rows have at least. */
const SHARE = 1 / 8;

export interface LongRows {
  readonly short: ResidueMatrix; // as many rows; long ones are empty
  readonly count: number; // long rows
  readonly panels: number;
  readonly columns: number; // of a panel
  /** By value class, the panels' entries: those of a panel in lists of the same rows. */
  readonly classes: Readonly<Record<ValueClass, readonly CooS[]>>;
}

/** Null where rows are as well off whole; of a cut that is asked for, where there is none to be made. */
export function cutLongRows(a: ResidueMatrix, p: number, sizes: ProductSizes = {}): LongRows | null {
  const columns = columnsOf(p, sizes);
  const panels = Math.ceil(a.cols / columns);
  const isLong = new Uint8Array(a.rows);
  const entries = findLongRows(a, columns, sizes, isLong);
  if (entries === 0) return null;
  const count = isLong.reduce((sum, is) => sum + is, 0);
  const classes = { plus: [] as CooS[], minus: [] as CooS[], general: [] as CooS[] };
  const rows = Uint32Array.from({ length: count });
  for (let i = 0, at = 0; i < a.rows; i++) if (isLong[i]) rows[at++] = i;
  const next = rows.map((i) => a.rowPtr[i]); // the first entry of each long row that no panel has taken
  for (let q = 1; q <= panels; q++) {
    const panel = cutPanel(a, p, rows, next, q * columns);
    for (const name of VALUE_CLASSES) if (panel[name].nnz > 0) classes[name].push(panel[name]);
  }
  return { short: dropRows(a, isLong, entries), count, panels, columns, classes };
}

/** The entries that go by panels; 0 where none do. */
export function entriesByPanels(a: ResidueMatrix, p: number, sizes: ProductSizes): number {
  return findLongRows(a, columnsOf(p, sizes), sizes, new Uint8Array(a.rows));
}

/** Of a panel. */
function columnsOf(p: number, { panelBytes = PANEL_BYTES }: ProductSizes): number {
  return Math.max(1, Math.floor(panelBytes / (WIDTH * (p < 2 ** 16 ? 2 : 4))));
}

/** The entries of rows that are long enough, and many enough as a rule; else 0. */
function findLongRows(a: ResidueMatrix, columns: number, { cut }: ProductSizes, isLong: Uint8Array): number {
  if (a.cols <= columns) return 0;
  const entries = markLongRows(a.rowPtr, a.colIdx, columns, cut ?? WORTH, isLong);
  return cut === undefined && entries < SHARE * a.colIdx.length ? 0 : entries;
}

/** The entries of rows that are long. */
function markLongRows(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  columns: number,
  worth: number,
  isLong: Uint8Array,
): number {
  let entries = 0;
  for (let i = 0; i < isLong.length; i++) {
    const length = rowPtr[i + 1] - rowPtr[i];
    if (length < 2 * worth) continue;
    let [touched, end] = [0, 0]; // panels, and the first column behind the last of them
    for (let k = rowPtr[i], last = rowPtr[i + 1]; k < last; k++) {
      if (colIdx[k] < end) continue;
      touched++;
      end = colIdx[k] - (colIdx[k] % columns) + columns;
    }
    if (touched < 2 || length < worth * touched) continue;
    isLong[i] = 1;
    entries += length;
  }
  return entries;
}

/** The entries of the given rows before column `end`, which are taken. */
function cutPanel(
  { rows: height, cols, rowPtr, colIdx, values }: ResidueMatrix,
  p: number,
  rows: Uint32Array,
  next: Uint32Array,
  end: number,
): Record<ValueClass, CooS> {
  const first = next.slice();
  const counts = new Uint32Array(3);
  const listed = rows.slice(0, advance(rows, rowPtr, colIdx, values, p, end, next, counts));
  // next has moved: rows whose entries it has passed are listed.
  const ptrs = VALUE_CLASSES.map(() => new Uint32Array(listed.length + 1));
  const columns = VALUE_CLASSES.map((_, c) => new Uint32Array(counts[c]));
  const general = new Uint32Array(counts[2]);
  dealPanel(rows, first, next, colIdx, values, p, listed, ptrs, columns, general);
  const part = (c: number): CooS =>
    cooSUnchecked({
      ...{ rows: height, cols, rowIdx: listed, rowPtr: ptrs[c], colIdx: columns[c] },
      values: c === 2 ? general : null,
    });
  return { plus: part(0), minus: part(1), general: part(2) };
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** Moves `next` to the first entry from column `end` on; returns how many rows it has moved in. */
function advance(
  rows: Uint32Array,
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  p: number,
  end: number,
  next: Uint32Array,
  counts: Uint32Array,
): number {
  let moved = 0;
  for (let at = 0; at < rows.length; at++) {
    const begin = next[at];
    let k = begin;
    for (const last = rowPtr[rows[at] + 1]; k < last && colIdx[k] < end; k++) counts[classOf(values[k], p)]++;
    next[at] = k;
    if (k > begin) moved++;
  }
  return moved;
}

function dealPanel(
  rows: Uint32Array,
  first: Uint32Array,
  next: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  p: number,
  listed: Uint32Array,
  ptrs: readonly Uint32Array[],
  columns: readonly Uint32Array[],
  general: Uint32Array,
): void {
  const to = new Uint32Array(3);
  for (let at = 0, r = 0; at < rows.length; at++) {
    if (next[at] === first[at]) continue;
    for (let k = first[at]; k < next[at]; k++) {
      const c = classOf(values[k], p);
      if (c === 2) general[to[c]] = values[k];
      columns[c][to[c]++] = colIdx[k];
    }
    listed[r++] = rows[at];
    for (let c = 0; c < 3; c++) ptrs[c][r] = to[c];
  }
}

/** The index in VALUE_CLASSES; all of F_2 is +1. */
function classOf(value: number, p: number): 0 | 1 | 2 {
  return value === 1 ? 0 : value === p - 1 ? 1 : 2;
}

function dropRows({ rows, cols, rowPtr, colIdx, values }: ResidueMatrix, isLong: Uint8Array, entries: number) {
  const left = colIdx.length - entries;
  const [ptr, columns, kept] = [new Uint32Array(rows + 1), new Uint32Array(left), new Uint32Array(left)];
  keepRows(rowPtr, colIdx, values, isLong, ptr, columns, kept);
  return { rows, cols, rowPtr: ptr, colIdx: columns, values: kept };
}

function keepRows(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  isLong: Uint8Array,
  outPtr: Uint32Array,
  outIdx: Uint32Array,
  outValues: Uint32Array,
): void {
  for (let i = 0, next = 0; i < isLong.length; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end && isLong[i] === 0; k++) {
      outIdx[next] = colIdx[k];
      outValues[next++] = values[k];
    }
    outPtr[i + 1] = next;
  }
}
