/**
 * The storage of a matrix on a GPU: rows in order of their length, in slices of 32 whose entries lie side by side.
 *
 *   unit     an entry ±1, one u32: column·2 + sign (1 for −1)
 *   couple   two general entries of a row: two columns and two values, these in one u32 for p < 2^16, else in two, so that
 *            it has 3 or 4 words; an odd entry has a partner of value 0
 *   slot     a place in the order of rows, by (unit, general) entries within windows of rows, one u32:
 *            row within its window + 2^14·unit + 2^22·general entries; VACANT, as the last ones of a window with long rows
 *   slices[s] = where units and couples of slots 32·s … begin
 *   unit t of slot 32·s + r stands at begin + 32·t + r, word w of couple t at begin + 32·(words·t + w) + r
 *
 * Invocations next to each other then read indices next to each other and make loops of equal length. The order is stable,
 * so rows of equal length stay neighbours, with what their columns have in common. A slice is as long as its longest row:
 * numbers of units only fall from slice to slice, so their padding in a window is at most 32 times the largest; general
 * entries fall among rows of equally many units, so theirs is at most as much for each such number.
 * Rows longer than LONG are cut into segments, a workgroup each, and listed apart, their general entries as (column, value).
 * What one binding cannot hold is cut into pieces by slots, or by segments, each with arrays of its own.
 * Source: sliced ELLPACK with sorted rows, Monakov, Lokhmotov, Avetisyan 2010; Kreutzer et al. 2014 (SELL-C-sigma).
 */
import type { ResidueMatrix } from './csr.js';
import { GrowingWords } from './growing-words.js';

export const SLICE = 32;
/**
 * Rows that are sorted together. Long enough that few slices mix lengths, and short enough that what neighbours in storage
 * read and write lies close together. Windows of 64 rows, whose part of Y a workgroup then reads and writes in order, took
 * 10 to 40 % more time on random matrices in panels as they are (H200, 2026-11-21).
 */
export const WINDOW = 2 ** 14;
/** Entries of a row beyond which a workgroup, not an invocation, sums it; no prime's sums are folded before. */
export const LONG = 255;
/** Entries of a segment at most: 32 for each of 256 invocations. */
export const SEGMENT = 8192;
/** A slot without a row. */
export const VACANT = 2 ** 30;

export interface RowPiece {
  readonly first: number; // its first slot, a multiple of SLICE
  readonly slots: Uint32Array;
  readonly slices: Uint32Array; // pairs
  readonly units: Uint32Array;
  readonly couples: Uint32Array;
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
  const order = new Uint32Array(rows).fill(VACANT);
  for (let first = 0; first < rows; first += WINDOW) {
    let count = first;
    for (let i = first; i < Math.min(first + WINDOW, rows); i++) {
      if (units[i] + generals[i] > LONG) long.push(i);
      else order[count++] = i;
    }
    order.set(fallingBy(units, fallingBy(generals, order.subarray(first, count))), first);
  }
  return { order, long };
}

function fallingBy(key: Uint32Array, items: Uint32Array): Uint32Array {
  const next = new Uint32Array(LONG + 2);
  for (const i of items) next[LONG - key[i] + 1]++;
  for (let c = 0; c <= LONG; c++) next[c + 1] += next[c];
  const out = new Uint32Array(items.length);
  for (const i of items) out[next[LONG - key[i]]++] = i;
  return out;
}

/** Words of a couple. */
function coupleWords(p: number): number {
  return p < 2 ** 16 ? 3 : 4;
}

interface Slice {
  readonly rows: Uint32Array; // without vacant slots, which come last
  readonly units: number; // of its longest rows
  readonly couples: number;
}

/** Slots first … first + SLICE − 1. */
function sliceAt(order: Uint32Array, first: number, { units, generals }: ClassLengths): Slice {
  let end = Math.min(first + SLICE, order.length);
  while (end > first && order[end - 1] === VACANT) end--;
  const rows = order.subarray(first, end);
  let [longestUnits, longestGenerals] = [0, 0];
  for (const i of rows) {
    longestUnits = Math.max(longestUnits, units[i]);
    longestGenerals = Math.max(longestGenerals, generals[i]);
  }
  return { rows, units: longestUnits, couples: Math.ceil(longestGenerals / 2) };
}

function rowPieces(
  a: ResidueMatrix,
  p: number,
  lengths: ClassLengths,
  order: Uint32Array,
  maxBytes: number,
): RowPiece[] {
  const pieces: RowPiece[] = [];
  for (let first = 0; first < order.length; ) {
    // As many slices as fit.
    const slices: Slice[] = [];
    let [end, units, couples] = [first, 0, 0]; // words
    while (end < order.length) {
      const slice = sliceAt(order, end, lengths);
      const [moreUnits, moreCouples] = [units + SLICE * slice.units, couples + SLICE * coupleWords(p) * slice.couples];
      const stop = Math.min(end + SLICE, order.length);
      if (end > first && 4 * Math.max(moreUnits, moreCouples, stop - first) > maxBytes) break;
      slices.push(slice);
      [end, units, couples] = [stop, moreUnits, moreCouples];
    }
    pieces.push(filledPiece(a, p, lengths, first, end, slices));
    first = end;
  }
  return pieces;
}

function filledPiece(
  a: ResidueMatrix,
  p: number,
  lengths: ClassLengths,
  first: number,
  end: number,
  sliceList: readonly Slice[],
): RowPiece {
  const [size, packed] = [coupleWords(p), p < 2 ** 16];
  const slots = new Uint32Array(end - first).fill(VACANT);
  const slices = new Uint32Array(2 * sliceList.length);
  let [unitEnd, coupleEnd] = [0, 0];
  sliceList.forEach((slice, s) => {
    slices[2 * s] = unitEnd;
    slices[2 * s + 1] = coupleEnd;
    unitEnd += SLICE * slice.units;
    coupleEnd += SLICE * size * slice.couples;
  });
  const units = new Uint32Array(unitEnd);
  const couples = new Uint32Array(coupleEnd);
  sliceList.forEach(({ rows }, s) => {
    rows.forEach((i, r) => {
      let [unit, couple, second] = [slices[2 * s] + r, slices[2 * s + 1] + r, 0];
      for (let k = a.rowPtr[i], rowEnd = a.rowPtr[i + 1]; k < rowEnd; k++) {
        const value = a.values[k];
        if (isUnit(value, p)) {
          units[unit] = unitEntry(a.colIdx[k], value);
          unit += SLICE;
        } else {
          couples[couple + SLICE * second] = a.colIdx[k];
          if (packed) couples[couple + SLICE * 2] |= value << (16 * second);
          else couples[couple + SLICE * (2 + second)] = value;
          couple += SLICE * size * second;
          second = 1 - second;
        }
      }
      slots[SLICE * s + r] = (i % WINDOW) + 2 ** 14 * lengths.units[i] + 2 ** 22 * lengths.generals[i];
    });
  });
  return { first, slots, slices, units, couples };
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
