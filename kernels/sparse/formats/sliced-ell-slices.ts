/**
 * The short rows of a matrix in slices: rows in order of their length, 32 side by side, entry after entry.
 *
 *   unit     an entry ±1, one u32: column·2 + sign (1 for −1)
 *   pair     two general entries of a row: two columns and two values, these in one u32 for p < 2^16, else in two, so
 *            that it has 3 or 4 words; an odd entry has a partner of value 0
 *   slot     a place in the order of rows, by (unit, general) entries within windows of rows, one u32:
 *            row within its window + 2^14·unit + 2^22·general entries; VACANT, as the last ones of a window with long
 *            rows
 *   slices[s] = where units and pairs of slots 32·s … begin
 *   unit t of slot 32·s + r stands at begin + 32·t + r, word w of pair t at begin + 32·(words·t + w) + r
 *
 * Invocations next to each other then read indices next to each other and make loops of equal length. The order is
 * stable, so rows of equal length stay neighbours, with what their columns have in common. A slice is as long as its
 * longest row: numbers of units only fall from slice to slice, so their padding in a window is at most 32 times the
 * largest; general entries fall among rows of equally many units, so theirs is at most as much for each such number. A
 * matrix beyond one binding is cut into pieces by slots, each with arrays of its own.
 */
import { StructureError } from '../../errors/structure-error.js';
import type { ResidueMatrix } from './csr.js';

export const SLICE = 32;
/**
 * Rows that are sorted together. Long enough that few slices mix lengths, and short enough that what neighbours in
 * storage read and write lies close together. Windows of 64 rows are slower (test/bench/RESULTS.md#gpu-spmm).
 */
export const WINDOW = 2 ** 14;
/** Entries of a row beyond which a workgroup, not an invocation, sums it; no prime's sums are folded before. */
export const LONG = 255;
/**
 * Where rows beyond TIMES the mean and beyond SHORT have few of all entries, they are long ones: an invocation that
 * sums one of them would end long after the others (test/bench/RESULTS.md#formats).
 */
const [TIMES, SHORT, FEW] = [4, 32, 1 / 4];
/** A slot without a row. */
export const VACANT = 2 ** 30;

export interface RowPiece {
  readonly first: number; // its first slot, a multiple of SLICE
  readonly slots: Uint32Array; // by falling (unit, general) entries within a window, VACANT last
  readonly slices: Uint32Array; // (first unit, first word of the first pair) each, as long as their longest rows
  readonly units: Uint32Array; // columns increase along a row
  readonly pairs: Uint32Array; // columns increase along a row; values canonical, neither 0 nor ±1
}

/** The entries of a row, or of a segment of one: units as they are stored, columns and values of general ones. */
export type VisitRow = (i: number, units: Uint32Array, columns: Uint32Array, values: Uint32Array) => void;

export function isUnit(value: number, p: number): boolean {
  return value === 1 || value === p - 1;
}

/** −1 and +1 are one for p = 2. */
export function unitEntry(column: number, value: number): number {
  return column * 2 + (value === 1 ? 0 : 1);
}

/** Words of a pair. */
function pairWords(p: number): number {
  return p < 2 ** 16 ? 3 : 4;
}

/** `long`: rows that have no slot, among them those of more than LONG entries. */
export function sliceRows(a: ResidueMatrix, p: number, maxBytes: number): { pieces: RowPiece[]; long: number[] } {
  const counts = countEntries(a, p);
  const { order, long } = orderByLength(a.rows, counts, longestShort(a));
  return { pieces: cutIntoPieces(a, p, counts, order, maxBytes), long };
}

/** The most entries of a row that has a slot. */
function longestShort({ rows, rowPtr }: ResidueMatrix): number {
  const most = Math.min(LONG, Math.max(SHORT, Math.ceil((TIMES * rowPtr[rows]) / Math.max(rows, 1))));
  let entries = 0; // of rows beyond `most` that might have a slot
  for (let i = 0; i < rows; i++) {
    const length = rowPtr[i + 1] - rowPtr[i];
    if (length > most && length <= LONG) entries += length;
  }
  return entries <= FEW * rowPtr[rows] ? most : LONG;
}

/** By row. */
interface EntryCounts {
  readonly units: Uint32Array;
  readonly generals: Uint32Array;
}

function countEntries(a: ResidueMatrix, p: number): EntryCounts {
  const units = new Uint32Array(a.rows);
  const generals = new Uint32Array(a.rows);
  const { rowPtr, values } = a;
  for (let i = 0; i < units.length; i++) {
    let count = 0;
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) if (isUnit(values[k], p)) count++;
    units[i] = count;
    generals[i] = rowPtr[i + 1] - rowPtr[i] - count;
  }
  return { units, generals };
}

/**
 * Rows up to `most`, window by window by falling (units, generals), stable: two counting sorts; and the others as they
 * come.
 */
function orderByLength(
  rows: number,
  { units, generals }: EntryCounts,
  most: number,
): { order: Uint32Array; long: number[] } {
  const long: number[] = [];
  const order = new Uint32Array(rows).fill(VACANT);
  for (let first = 0; first < rows; first += WINDOW) {
    let count = first;
    for (let i = first; i < Math.min(first + WINDOW, rows); i++) {
      if (units[i] + generals[i] > most) long.push(i);
      else order[count++] = i;
    }
    order.set(sortFalling(units, sortFalling(generals, order.subarray(first, count))), first);
  }
  return { order, long };
}

function sortFalling(key: Uint32Array, items: Uint32Array): Uint32Array {
  const next = new Uint32Array(LONG + 2);
  for (const i of items) next[LONG - key[i] + 1]++;
  for (let c = 0; c <= LONG; c++) next[c + 1] += next[c];
  const out = new Uint32Array(items.length);
  for (const i of items) out[next[LONG - key[i]]++] = i;
  return out;
}

interface Slice {
  readonly rows: Uint32Array; // without vacant slots, which come last
  readonly units: number; // of its longest rows
  readonly pairs: number;
}

/** Slots first … first + SLICE − 1. */
function sliceAt(order: Uint32Array, first: number, { units, generals }: EntryCounts): Slice {
  let end = Math.min(first + SLICE, order.length);
  while (end > first && order[end - 1] === VACANT) end--;
  const rows = order.subarray(first, end);
  let [longestUnits, longestGenerals] = [0, 0];
  for (const i of rows) {
    longestUnits = Math.max(longestUnits, units[i]);
    longestGenerals = Math.max(longestGenerals, generals[i]);
  }
  return { rows, units: longestUnits, pairs: Math.ceil(longestGenerals / 2) };
}

/** As many slices a piece as one binding holds. */
function cutIntoPieces(
  a: ResidueMatrix,
  p: number,
  counts: EntryCounts,
  order: Uint32Array,
  maxBytes: number,
): RowPiece[] {
  const pieces: RowPiece[] = [];
  for (let first = 0; first < order.length; ) {
    const slices: Slice[] = [];
    let [end, units, pairs] = [first, 0, 0]; // words
    while (end < order.length) {
      const slice = sliceAt(order, end, counts);
      const [moreUnits, morePairs] = [units + SLICE * slice.units, pairs + SLICE * pairWords(p) * slice.pairs];
      const stop = Math.min(end + SLICE, order.length);
      if (end > first && 4 * Math.max(moreUnits, morePairs, stop - first) > maxBytes) break;
      slices.push(slice);
      [end, units, pairs] = [stop, moreUnits, morePairs];
    }
    pieces.push(fillPiece(a, p, counts, first, end, slices));
    first = end;
  }
  return pieces;
}

function fillPiece(
  a: ResidueMatrix,
  p: number,
  counts: EntryCounts,
  first: number,
  end: number,
  sliceList: readonly Slice[],
): RowPiece {
  const [size, packed] = [pairWords(p), p < 2 ** 16];
  const slots = new Uint32Array(end - first).fill(VACANT);
  const slices = new Uint32Array(2 * sliceList.length);
  let [unitEnd, pairEnd] = [0, 0];
  sliceList.forEach((slice, s) => {
    slices[2 * s] = unitEnd;
    slices[2 * s + 1] = pairEnd;
    unitEnd += SLICE * slice.units;
    pairEnd += SLICE * size * slice.pairs;
  });
  const units = new Uint32Array(unitEnd);
  const pairs = new Uint32Array(pairEnd);
  const { rowPtr, colIdx, values } = a;
  sliceList.forEach(({ rows }, s) => {
    rows.forEach((i, r) => {
      let [unit, pair, second] = [slices[2 * s] + r, slices[2 * s + 1] + r, 0];
      for (let k = rowPtr[i], rowEnd = rowPtr[i + 1]; k < rowEnd; k++) {
        const value = values[k];
        if (isUnit(value, p)) {
          units[unit] = unitEntry(colIdx[k], value);
          unit += SLICE;
        } else {
          pairs[pair + SLICE * second] = colIdx[k];
          if (packed) pairs[pair + SLICE * 2] |= value << (16 * second);
          else pairs[pair + SLICE * (2 + second)] = value;
          pair += SLICE * size * second;
          second = 1 - second;
        }
      }
      slots[SLICE * s + r] = (i % WINDOW) + 2 ** 14 * counts.units[i] + 2 ** 22 * counts.generals[i];
    });
  });
  return { first, slots, slices, units, pairs };
}

interface Slot {
  readonly row: number;
  readonly units: number;
  readonly generals: number;
}

/** Null where it is vacant. */
function slotAt({ first, slots }: RowPiece, place: number): Slot | null {
  const slot = slots[place];
  if (slot === VACANT) return null;
  const at = first + place;
  return { row: at - (at % WINDOW) + (slot % WINDOW), units: (slot >>> 14) & 0xff, generals: slot >>> 22 };
}

/** The rows that have a slot, in the order of slots. */
export function forEachSlicedRow(pieces: readonly RowPiece[], p: number, visit: VisitRow): void {
  const [size, packed] = [pairWords(p), p < 2 ** 16];
  for (const piece of pieces) {
    const { slots, slices, units, pairs } = piece;
    for (let place = 0; place < slots.length; place++) {
      const slot = slotAt(piece, place);
      if (slot === null) continue;
      const [s, r] = [Math.floor(place / SLICE), place % SLICE];
      const word = (t: number, w: number): number => pairs[slices[2 * s + 1] + SLICE * (size * (t >> 1) + w) + r];
      const value = (t: number): number => (packed ? (word(t, 2) >>> (16 * (t % 2))) & 0xffff : word(t, 2 + (t % 2)));
      visit(
        slot.row,
        Uint32Array.from({ length: slot.units }, (_, t) => units[slices[2 * s] + SLICE * t + r]),
        Uint32Array.from({ length: slot.generals }, (_, t) => word(t, t % 2)),
        Uint32Array.from({ length: slot.generals }, (_, t) => value(t)),
      );
    }
  }
}

/** That `rows` slots, in order within their windows, have what their slices hold, and nothing stands between slices. */
export function checkSlices(who: string, pieces: readonly RowPiece[], rows: number, p: number): void {
  let next = 0;
  let before: Slot | null = null;
  for (const piece of pieces) {
    const { first, slots, slices, units, pairs } = piece;
    if (first !== next || first % SLICE !== 0 || slices.length !== 2 * Math.ceil(slots.length / SLICE)) {
      throw new StructureError(`${who}: expected a piece from slot ${next} on, a slice each ${SLICE}, got ${first}`);
    }
    let [unitEnd, pairEnd] = [0, 0];
    for (let s = 0; 2 * s < slices.length; s++) {
      if (slices[2 * s] !== unitEnd || slices[2 * s + 1] !== pairEnd) {
        throw new StructureError(
          `${who}: expected slice ${s} at ${unitEnd} and ${pairEnd}, got ${slices[2 * s]} and ${slices[2 * s + 1]}`,
        );
      }
      let [longestUnits, longestGenerals] = [0, 0];
      for (let place = SLICE * s; place < Math.min(SLICE * (s + 1), slots.length); place++) {
        const slot = slotAt(piece, place);
        if ((first + place) % WINDOW !== 0 && !follows(before, slot)) {
          throw new StructureError(`${who}: expected falling lengths within a window, got a rise at ${first + place}`);
        }
        if (slot !== null && slot.units + slot.generals > LONG) {
          throw new StructureError(`${who}: expected rows of up to ${LONG} entries, got more at slot ${first + place}`);
        }
        before = slot;
        longestUnits = Math.max(longestUnits, slot?.units ?? 0);
        longestGenerals = Math.max(longestGenerals, slot?.generals ?? 0);
      }
      unitEnd += SLICE * longestUnits;
      pairEnd += SLICE * pairWords(p) * Math.ceil(longestGenerals / 2);
    }
    if (units.length !== unitEnd || pairs.length !== pairEnd) {
      throw new StructureError(
        `${who}: expected ${unitEnd} units and ${pairEnd} words of pairs, got ${units.length} and ${pairs.length}`,
      );
    }
    next += slots.length;
  }
  if (next !== rows) throw new StructureError(`${who}: expected ${rows} slots, got ${next}`);
}

function follows(before: Slot | null, slot: Slot | null): boolean {
  if (slot === null || before === null) return slot === null;
  return slot.units < before.units || (slot.units === before.units && slot.generals <= before.generals);
}
