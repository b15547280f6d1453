/** The slices of slice-rows.ts made on a team (slice-rows.as.ts). */
import { MemoryError } from '../../errors/memory-error.js';
import { argumentList } from '../../threads/argument-list.js';
import type { Team } from '../../threads/team.js';
import type { ProductSizes } from './product-sizes.js';
import type { RowRuns } from './row-runs.js';
import { cutSlices, longestShort, longRows, type SlicedRows, sliceSizes } from './slice-rows.js';
import * as L from './slice-rows-layout.js';
import type { RowPiece } from './sliced-ell-slices.js';

/** Entries that are copied to the threads at one time: the first touch of memory takes longer than the copy. */
const BATCH = 2 ** 22;

/** In arrays that stand in kernel memory until `release`; null where that has no room. */
export function sliceRowsOnTeam(
  team: Team,
  a: RowRuns,
  p: number,
  maxBytes: number,
  sizes: ProductSizes = {},
  batch = BATCH,
): (SlicedRows & { release(): void }) | null {
  const { memory, threads } = team;
  const { slice, window } = sliceSizes(sizes);
  const most = longestShort(a, sizes);
  const held: number[] = [];
  const release = (): void => {
    for (const at of held.splice(0)) memory.release(at);
  };
  const alloc = (words: number): number => {
    const at = memory.alloc(4 * words);
    held.push(at);
    return at;
  };
  const copy = (words: Uint32Array, at: number): number => {
    memory.u32(at, words.length).set(words);
    return at;
  };
  try {
    const count = Math.ceil(a.rows / slice);
    const [slotsAt, slicesAt] = [alloc(a.rows), alloc(2 * count)];
    const work = alloc((threads << L.LOG_WORK) / 4);
    const [starts, ends] = [a.starts, a.ends].map((words) => copy(words, alloc(words.length))) as [number, number];
    const places = [a.values, a.colIdx].map((words) => memory.placeOf(words));
    const isHere = !places.includes(null);
    const stretches = isHere ? [{ first: 0, end: a.rows, begin: 0, stop: 0 }] : cutStretches(a, window, batch);
    const longest = isHere ? 0 : stretches.reduce((most, { begin, stop }) => Math.max(most, stop - begin), 0);
    const [values, colIdx] = places.map((place) => (isHere ? place : alloc(longest))) as [number, number];
    /** Where entry 0 would stand, mod 2^32. */
    const bring = (words: Uint32Array, at: number, begin: number, stop: number): number =>
      isHere ? at : (copy(words.subarray(begin, stop), at) - 4 * begin) | 0;
    for (const { first, end, begin, stop } of stretches) {
      // biome-ignore format: a line a group of words
      team.launch('sliceWindows', argumentList(
        [L.STARTS, starts + 4 * first], [L.ENDS, ends + 4 * first], [L.VALUES, bring(a.values, values, begin, stop)],
        [L.MODULUS, p], [L.SLOTS, slotsAt + 4 * first], [L.SLICES, slicesAt + (8 * first) / slice],
        [L.SLOT_COUNT, end - first], [L.MOST, most], [L.WORK, work], [L.WINDOW_ROWS, window], [L.SLICE_ROWS, slice],
      ), false);
    }
    const cuts = cutSlices(memory.u32(slicesAt, 2 * count), memory.u32(slotsAt, a.rows), slice, maxBytes);
    const pieces = cuts.map(({ first, slots, slices, unitWords, pairWords }): RowPiece => {
      const [units, pairs] = [alloc(unitWords), alloc(pairWords)];
      const arrays = { units: memory.u32(units, unitWords), pairs: memory.u32(pairs, pairWords) };
      return { first, slice, window, slots, slices, ...arrays };
    });
    for (const { first, end, begin, stop } of stretches) {
      const entries = [
        [L.VALUES, bring(a.values, values, begin, stop)],
        [L.COL_IDX, bring(a.colIdx, colIdx, begin, stop)],
      ] as const;
      for (const { first: firstSlot, slots, slices, units, pairs } of pieces) {
        const [low, high] = [Math.max(first, firstSlot), Math.min(end, firstSlot + slots.length)];
        if (low >= high) continue;
        const next = (2 * (high - firstSlot)) / slice; // behind the last slice of this stretch, if it is of the piece
        const isLast = high === firstSlot + slots.length;
        // biome-ignore format: a line a group of words
        team.launch('sliceEntries', argumentList(
          ...entries, [L.STARTS, starts], [L.ENDS, ends], [L.MODULUS, p],
          [L.FIRST, low], [L.SLOT_COUNT, high - low], [L.WINDOW_ROWS, window], [L.SLICE_ROWS, slice],
          [L.SLOTS, slotsAt + 4 * low], [L.SLICES, slicesAt + (8 * low) / slice],
          [L.UNITS, units.byteOffset], [L.UNIT_WORDS, isLast ? units.length : slices[next]],
          [L.PAIRS, pairs.byteOffset], [L.PAIR_WORDS, isLast ? pairs.length : slices[next + 1]],
        ), false);
      }
    }
    return { pieces, long: longRows(a, most), release };
  } catch (error) {
    release();
    if (error instanceof MemoryError) return null;
    throw error;
  }
}

/** Whole windows of rows with up to `batch` entries, or one window; they own entries begin … stop − 1. */
function cutStretches(
  { rows, starts, ends }: RowRuns,
  window: number,
  batch: number,
): { first: number; end: number; begin: number; stop: number }[] {
  const stretches: { first: number; end: number; begin: number; stop: number }[] = [];
  for (let first = 0, end = 0; first < rows; first = end) {
    const begin = starts[first];
    const after = (end: number): number => Math.min(end + window, rows);
    end = after(first);
    while (end < rows && ends[after(end) - 1] - begin <= batch) end = after(end);
    stretches.push({ first, end, begin, stop: ends[end - 1] });
  }
  return stretches;
}
