/**
 * How the slices of sliced-ell-slices.ts are made: slots window by window, slices as long as their longest rows, pieces
 * of as many slices as one binding holds, then the entries.
 */
import type { ProductSizes } from './product-sizes.js';
import { countEntries, type RowRuns } from './row-runs.js';
import {
  isUnit,
  LONG,
  pairWords,
  type RowPiece,
  SLICE,
  type SliceSizes,
  unitEntry,
  VACANT,
  WINDOW,
} from './sliced-ell-slices.js';

/**
 * Where rows beyond TIMES the mean and beyond SHORT have few of all entries, they are long ones: an invocation that
 * sums one of them would end long after the others (test/bench/RESULTS.md#formats).
 */
const [TIMES, SHORT, FEW] = [4, 32, 1 / 4];

export interface SlicedRows {
  readonly pieces: readonly RowPiece[];
  readonly long: readonly number[]; // rows that have no slot, among them those of more than LONG entries
}

export function sliceRows(a: RowRuns, p: number, maxBytes: number, sizes: ProductSizes = {}): SlicedRows {
  const { starts, ends, colIdx, values } = a;
  const { slice, window } = sliceSizes(sizes);
  const most = longestShort(a, sizes);
  const slots = new Uint32Array(a.rows).fill(VACANT);
  fillSlots(starts, ends, values, p, window, most, slots);
  const slices = new Uint32Array(2 * Math.ceil(a.rows / slice));
  measureSlices(slots, slice, pairWords(p), slices);
  const pieces = cutSlices(slices, slots, slice, maxBytes).map((cut): RowPiece => {
    const { first, slots, slices, unitWords, pairWords } = cut;
    const [units, pairs] = [new Uint32Array(unitWords), new Uint32Array(pairWords)];
    fillSlices(starts, ends, colIdx, values, p, slice, window, first, slots, slices, units, pairs);
    return { first, slice, window, slots, slices, units, pairs };
  });
  return { pieces, long: longRows(a, most) };
}

/** Those of slices, checked. */
export function sliceSizes({ slice = SLICE, window = WINDOW }: ProductSizes): SliceSizes {
  if (window > WINDOW) throw new RangeError(`sliced-ell: expected windows of up to ${WINDOW} rows, got ${window}`);
  if (slice > window) throw new RangeError(`sliced-ell: expected slices of up to ${window} rows, got ${slice}`);
  return { slice, window };
}

/** The most entries of a row that has a slot. */
export function longestShort(a: RowRuns, { cut }: ProductSizes = {}): number {
  if (cut !== undefined) return Math.min(LONG, cut);
  const { rows, starts, ends } = a;
  const nnz = countEntries(a);
  const most = Math.min(LONG, Math.max(SHORT, Math.ceil((TIMES * nnz) / Math.max(rows, 1))));
  let entries = 0; // of rows beyond `most` that might have a slot
  for (let i = 0; i < rows; i++) {
    const length = ends[i] - starts[i];
    if (length > most && length <= LONG) entries += length;
  }
  return entries <= FEW * nnz ? most : LONG;
}

/** Those of more than `most` entries. */
export function longRows({ rows, starts, ends }: RowRuns, most: number): number[] {
  const long: number[] = [];
  for (let i = 0; i < rows; i++) if (ends[i] - starts[i] > most) long.push(i);
  return long;
}

/** A piece without its entries, of which it has so many words. */
interface Cut extends Pick<RowPiece, 'first' | 'slots' | 'slices'> {
  readonly unitWords: number;
  readonly pairWords: number;
}

/** As many slices a piece as one binding holds. `slices` are words of units and pairs, and become offsets. */
export function cutSlices(slices: Uint32Array, slots: Uint32Array, slice: number, maxBytes: number): Cut[] {
  const cuts: Cut[] = [];
  for (let begin = 0; 2 * begin < slices.length; ) {
    const first = slice * begin;
    let [end, units, pairs] = [begin, 0, 0];
    for (; 2 * end < slices.length; end++) {
      const [moreUnits, morePairs] = [units + slices[2 * end], pairs + slices[2 * end + 1]];
      const count = Math.min(slice * (end + 1), slots.length) - first;
      if (end > begin && 4 * Math.max(moreUnits, morePairs, count) > maxBytes) break;
      slices[2 * end] = units;
      slices[2 * end + 1] = pairs;
      [units, pairs] = [moreUnits, morePairs];
    }
    cuts.push({
      ...{ first, slots: slots.subarray(first, slice * end), slices: slices.subarray(2 * begin, 2 * end) },
      ...{ unitWords: units, pairWords: pairs },
    });
    begin = end;
  }
  return cuts;
}

// Loops of their own: kernels/sparse/residue-matrix.ts. On a team: slice-rows.as.ts.

/** Rows up to `most`, window by window by falling (units, generals), stable: two counting sorts. */
function fillSlots(
  starts: Uint32Array,
  ends: Uint32Array,
  values: Uint32Array,
  p: number,
  window: number,
  most: number,
  slots: Uint32Array,
): void {
  const [some, others] = [new Uint32Array(window), new Uint32Array(window)];
  for (let first = 0; first < starts.length; first += window) {
    let count = 0;
    for (let i = first, last = Math.min(first + window, starts.length); i < last; i++) {
      const length = ends[i] - starts[i];
      if (length > most) continue;
      let units = 0;
      for (let k = starts[i], end = ends[i]; k < end; k++) if (isUnit(values[k], p)) units++;
      some[count++] = i - first + 2 ** 14 * units + 2 ** 22 * (length - units);
    }
    sortFalling(some, others, count, 22);
    sortFalling(others, some, count, 14);
    slots.set(some.subarray(0, count), first);
  }
}

/** By the eight bits from `shift` on. */
function sortFalling(from: Uint32Array, to: Uint32Array, count: number, shift: number): void {
  const next = new Uint32Array(LONG + 2);
  for (let k = 0; k < count; k++) next[LONG - ((from[k] >>> shift) & LONG) + 1]++;
  for (let c = 0; c <= LONG; c++) next[c + 1] += next[c];
  for (let k = 0; k < count; k++) to[next[LONG - ((from[k] >>> shift) & LONG)]++] = from[k];
}

/** Words of units and of pairs that each slice has. */
function measureSlices(slots: Uint32Array, slice: number, pairWords: number, slices: Uint32Array): void {
  for (let s = 0; 2 * s < slices.length; s++) {
    let [units, generals] = [0, 0];
    for (let at = slice * s, end = Math.min(at + slice, slots.length); at < end && slots[at] !== VACANT; at++) {
      units = Math.max(units, (slots[at] >>> 14) & LONG);
      generals = Math.max(generals, slots[at] >>> 22);
    }
    slices[2 * s] = slice * units;
    slices[2 * s + 1] = slice * pairWords * Math.ceil(generals / 2);
  }
}

/** Slot 0 is slot `first` of all; `units` and `pairs` hold zeros. */
function fillSlices(
  starts: Uint32Array,
  ends: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  p: number,
  slice: number,
  window: number,
  first: number,
  slots: Uint32Array,
  slices: Uint32Array,
  units: Uint32Array,
  pairs: Uint32Array,
): void {
  const [size, packed] = [pairWords(p), p < 2 ** 16];
  for (let at = 0; at < slots.length; at++) {
    if (slots[at] === VACANT) continue;
    const i = first + at - ((first + at) % window) + (slots[at] % window);
    const s = Math.floor(at / slice);
    let [unit, pair, second] = [slices[2 * s] + (at % slice), slices[2 * s + 1] + (at % slice), 0];
    for (let k = starts[i], end = ends[i]; k < end; k++) {
      const value = values[k];
      if (isUnit(value, p)) {
        units[unit] = unitEntry(colIdx[k], value);
        unit += slice;
      } else {
        pairs[pair + slice * second] = colIdx[k];
        if (packed) pairs[pair + slice * 2] |= value << (16 * second);
        else pairs[pair + slice * (2 + second)] = value;
        pair += slice * size * second;
        second = 1 - second;
      }
    }
  }
}
