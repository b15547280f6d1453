/** The slices of slice-rows.ts made on a team (slice-rows.as.ts). */
import { MemoryError } from '../../errors/memory-error.js';
import { argumentList } from '../../threads/argument-list.js';
import type { Team } from '../../threads/team.js';
import type { RowRuns } from './row-runs.js';
import { cutSlices, longestShort, longRows, type SlicedRows } from './slice-rows.js';
import * as L from './slice-rows-layout.js';
import { type RowPiece, SLICE } from './sliced-ell-slices.js';

/** In arrays that stand in kernel memory until `release`; null where that has no room. */
export function sliceRowsOnTeam(
  team: Team,
  a: RowRuns,
  p: number,
  maxBytes: number,
): (SlicedRows & { release(): void }) | null {
  const { memory, threads } = team;
  const most = longestShort(a);
  const held: number[] = [];
  const release = (): void => {
    for (const at of held.splice(0)) memory.release(at);
  };
  const alloc = (words: number): number => {
    const at = memory.alloc(4 * words);
    held.push(at);
    return at;
  };
  const put = (words: Uint32Array): number => {
    const known = memory.placeOf(words);
    if (known !== null) return known;
    const at = alloc(words.length);
    memory.u32(at, words.length).set(words);
    return at;
  };
  try {
    const count = Math.ceil(a.rows / SLICE);
    const [slotsAt, slicesAt] = [alloc(a.rows), alloc(2 * count)];
    const work = alloc((threads << L.LOG_WORK) / 4);
    const [starts, ends, values] = [put(a.starts), put(a.ends), put(a.values)];
    const rows = [
      [L.STARTS, starts],
      [L.ENDS, ends],
      [L.VALUES, values],
      [L.MODULUS, p],
    ] as const;
    // biome-ignore format: a line a group of words
    team.launch('sliceWindows', argumentList(
      ...rows, [L.SLOTS, slotsAt], [L.SLICES, slicesAt], [L.SLOT_COUNT, a.rows], [L.MOST, most], [L.WORK, work],
    ), false);
    const cuts = cutSlices(memory.u32(slicesAt, 2 * count), memory.u32(slotsAt, a.rows), maxBytes);
    const colIdx = put(a.colIdx);
    const pieces = cuts.map(({ first, slots, slices, unitWords, pairWords }): RowPiece => {
      const [units, pairs] = [alloc(unitWords), alloc(pairWords)];
      // biome-ignore format: a line a group of words
      team.launch('sliceEntries', argumentList(
        ...rows, [L.COL_IDX, colIdx], [L.FIRST, first], [L.SLOT_COUNT, slots.length],
        [L.SLOTS, slotsAt + 4 * first], [L.SLICES, slicesAt + (8 * first) / SLICE],
        [L.UNITS, units], [L.UNIT_WORDS, unitWords], [L.PAIRS, pairs], [L.PAIR_WORDS, pairWords],
      ), false);
      return { first, slots, slices, units: memory.u32(units, unitWords), pairs: memory.u32(pairs, pairWords) };
    });
    return { pieces, long: longRows(a, most), release };
  } catch (error) {
    release();
    if (error instanceof MemoryError) return null;
    throw error;
  }
}
