/**
 * The storage of a matrix on a GPU: rows in order of their length, in slices of 32 whose entries lie side by side.
 *
 *   unit    an entry ±1, one u32: column·2 + sign (1 for −1)          general    (column, value), two u32
 *   slot    a place in the order of rows, by (unit, general) entries within windows of rows    order[slot]  its row
 *   counts[slot] = unit + 2^16·general entries        slices[s] = where units and generals of slots 32·s … begin
 *   entry t of slot 32·s + r stands at begin + 32·t + r
 *
 * Invocations next to each other then read indices next to each other and make loops of equal length. The order is stable,
 * so rows of equal length stay neighbours, with what their columns have in common. A slice is as long as its longest row;
 * lengths only fall from slice to slice, so all padding of a window is at most 32 times its longest row.
 * Rows longer than LONG are cut into segments, a workgroup each, and listed apart. What one binding cannot hold is cut
 * into pieces by slots, or by segments, each with arrays of its own.
 * Source: sliced ELLPACK with sorted rows, Monakov, Lokhmotov, Avetisyan 2010; Kreutzer et al. 2014 (SELL-C-sigma).
 */
import type { ResidueMatrix } from '../residue-matrix.js';
import { GrowingWords } from './growing-words.js';

export const SLICE = 32;
/**
 * Rows that are sorted together. Long enough that few slices mix lengths, and short enough that what neighbours in storage
 * read and write lies close together.
 */
const WINDOW = 2 ** 14;
/** Entries of a row beyond which a workgroup, not an invocation, sums it; no prime's sums are folded before. */
export const LONG = 255;
/** Entries of a segment at most: 32 for each of 256 invocations. */
export const SEGMENT = 8192;

export interface RowPiece {
  readonly slots: number;
  readonly order: Uint32Array;
  readonly counts: Uint32Array;
  readonly slices: Uint32Array; // pairs
  readonly units: Uint32Array;
  readonly generals: Uint32Array; // pairs
}

export interface SegmentPiece {
  readonly first: number; // its first segment, among all
  readonly count: number;
  readonly segments: Uint32Array; // (unit begin, end, general begin, end) each
  readonly units: Uint32Array;
  readonly generals: Uint32Array; // pairs
}

export interface SlicedRows {
  readonly rows: number;
  readonly cols: number;
  readonly pieces: readonly RowPiece[];
  readonly longRows: Uint32Array; // (row, first segment) each, and one more pair at the end
  readonly segmentCount: number;
  readonly segmentPieces: readonly SegmentPiece[];
}

/** `maxBytes` is what one array of the result may take. */
export function slicedRows(a: ResidueMatrix, p: number, maxBytes: number): SlicedRows {
  const lengths = classLengths(a, p);
  const { order, long } = orderByLength(a.rows, lengths);
  return {
    rows: a.rows,
    cols: a.cols,
    pieces: rowPieces(a, p, lengths, order, maxBytes),
    ...segmentsOf(a, p, long, maxBytes),
  };
}

interface ClassLengths {
  readonly units: Uint32Array;
  readonly generals: Uint32Array;
}

function classLengths(a: ResidueMatrix, p: number): ClassLengths {
  const units = new Uint32Array(a.rows);
  const generals = new Uint32Array(a.rows);
  for (let i = 0; i < a.rows; i++) {
    let count = 0;
    for (let k = a.rowPtr[i], end = a.rowPtr[i + 1]; k < end; k++) if (isUnit(a.values[k], p)) count++;
    units[i] = count;
    generals[i] = a.rowPtr[i + 1] - a.rowPtr[i] - count;
  }
  return { units, generals };
}

function isUnit(value: number, p: number): boolean {
  return value === 1 || value === p - 1;
}

/** −1 and +1 are one for p = 2. */
function unitEntry(column: number, value: number): number {
  return column * 2 + (value === 1 ? 0 : 1);
}

/** Rows up to LONG, window by window by falling (units, generals), stable: two counting sorts; and the others as they come. */
function orderByLength(rows: number, { units, generals }: ClassLengths): { order: Uint32Array; long: number[] } {
  const long: number[] = [];
  const order = new Uint32Array(rows);
  let count = 0;
  for (let first = 0; first < rows; first += WINDOW) {
    const begin = count;
    for (let i = first; i < Math.min(first + WINDOW, rows); i++) {
      if (units[i] + generals[i] > LONG) long.push(i);
      else order[count++] = i;
    }
    order.set(fallingBy(units, fallingBy(generals, order.subarray(begin, count))), begin);
  }
  return { order: order.subarray(0, count), long };
}

function fallingBy(key: Uint32Array, items: Uint32Array): Uint32Array {
  const next = new Uint32Array(LONG + 2);
  for (const i of items) next[LONG - key[i] + 1]++;
  for (let c = 0; c <= LONG; c++) next[c + 1] += next[c];
  const out = new Uint32Array(items.length);
  for (const i of items) out[next[LONG - key[i]]++] = i;
  return out;
}

function rowPieces(
  a: ResidueMatrix,
  p: number,
  { units, generals }: ClassLengths,
  order: Uint32Array,
  maxBytes: number,
): RowPiece[] {
  const pieces: RowPiece[] = [];
  for (let first = 0; first < order.length; ) {
    // As many slices as fit: 4 bytes a unit place, 8 a general one, and 4 or 8 a slot or slice.
    let [end, unitPlaces, generalPlaces] = [first, 0, 0];
    while (end < order.length) {
      let [longestUnits, longestGenerals] = [0, 0];
      const stop = Math.min(end + SLICE, order.length);
      for (let slot = end; slot < stop; slot++) {
        longestUnits = Math.max(longestUnits, units[order[slot]]);
        longestGenerals = Math.max(longestGenerals, generals[order[slot]]);
      }
      const [moreUnits, moreGenerals] = [unitPlaces + SLICE * longestUnits, generalPlaces + SLICE * longestGenerals];
      const largest = Math.max(4 * moreUnits, 8 * moreGenerals, 4 * (stop - first));
      if (end > first && largest > maxBytes) break;
      [end, unitPlaces, generalPlaces] = [stop, moreUnits, moreGenerals];
    }
    const slots = order.subarray(first, end);
    pieces.push(filledPiece(a, p, units, generals, slots, unitPlaces, generalPlaces));
    first = end;
  }
  return pieces;
}

function filledPiece(
  a: ResidueMatrix,
  p: number,
  units: Uint32Array,
  generals: Uint32Array,
  order: Uint32Array,
  unitPlaces: number,
  generalPlaces: number,
): RowPiece {
  const slots = order.length;
  const counts = new Uint32Array(slots);
  const slices = new Uint32Array(2 * Math.ceil(slots / SLICE));
  const [unitWords, generalWords] = [new Uint32Array(unitPlaces), new Uint32Array(2 * generalPlaces)];
  let [unitBegin, generalBegin] = [0, 0];
  for (let slice = 0; slice * SLICE < slots; slice++) {
    slices[2 * slice] = unitBegin;
    slices[2 * slice + 1] = generalBegin;
    let [longestUnits, longestGenerals] = [0, 0];
    for (let r = 0; r < SLICE && slice * SLICE + r < slots; r++) {
      const slot = slice * SLICE + r;
      const i = order[slot];
      let [u, g] = [unitBegin + r, generalBegin + r];
      for (let k = a.rowPtr[i], end = a.rowPtr[i + 1]; k < end; k++) {
        const value = a.values[k];
        if (isUnit(value, p)) {
          unitWords[u] = unitEntry(a.colIdx[k], value);
          u += SLICE;
        } else {
          generalWords[2 * g] = a.colIdx[k];
          generalWords[2 * g + 1] = value;
          g += SLICE;
        }
      }
      counts[slot] = units[i] + 65536 * generals[i];
      longestUnits = Math.max(longestUnits, units[i]);
      longestGenerals = Math.max(longestGenerals, generals[i]);
    }
    unitBegin += SLICE * longestUnits;
    generalBegin += SLICE * longestGenerals;
  }
  return { slots, order, counts, slices, units: unitWords, generals: generalWords };
}

function segmentsOf(
  a: ResidueMatrix,
  p: number,
  long: readonly number[],
  maxBytes: number,
): Pick<SlicedRows, 'longRows' | 'segmentCount' | 'segmentPieces'> {
  const longRows = new Uint32Array(2 * long.length + 2);
  const segmentPieces: SegmentPiece[] = [];
  let [total, first] = [0, 0];
  const [units, generals, segments] = [new GrowingWords(), new GrowingWords(), new GrowingWords()];
  const close = (): void => {
    if (total === first) return;
    const words = { segments: segments.taken(), units: units.taken(), generals: generals.taken() };
    segmentPieces.push({ first, count: total - first, ...words });
    first = total;
  };
  long.forEach((i, r) => {
    longRows[2 * r] = i;
    longRows[2 * r + 1] = total;
    for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; total++) {
      const end = Math.min(k + SEGMENT, a.rowPtr[i + 1]);
      if (4 * Math.max(units.length, generals.length) + 8 * SEGMENT > maxBytes) close();
      const [unitBegin, generalBegin] = [units.length, generals.length / 2];
      for (; k < end; k++) {
        const value = a.values[k];
        if (isUnit(value, p)) units.push(unitEntry(a.colIdx[k], value));
        else {
          generals.push(a.colIdx[k]);
          generals.push(value);
        }
      }
      for (const at of [unitBegin, units.length, generalBegin, generals.length / 2]) segments.push(at);
    }
  });
  longRows[2 * long.length + 1] = total;
  close();
  return { longRows, segmentCount: total, segmentPieces };
}
