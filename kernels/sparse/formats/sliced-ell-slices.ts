/**
 * The short rows of a matrix in slices: rows in order of their length, C (as a rule 32) side by side, entry after
 * entry.
 *
 *   unit     an entry ±1, one u32: column·2 + sign (1 for −1)
 *   pair     two general entries of a row: two columns and two values, these in one u32 for p < 2^16, else in two, so
 *            that it has 3 or 4 words; an odd entry has a partner of value 0
 *   slot     a place in the order of rows, by (unit, general) entries within windows of rows, one u32:
 *            row within its window + 2^14·unit + 2^22·general entries; VACANT, as the last ones of a window with long
 *            rows
 *   slices[s] = where units and pairs of slots C·s … begin
 *   unit t of slot C·s + r stands at begin + C·t + r, word w of pair t at begin + C·(words·t + w) + r
 *
 * Invocations next to each other then read indices next to each other and make loops of equal length. The order is
 * stable, so rows of equal length stay neighbours, with what their columns have in common. A slice is as long as its
 * longest row: numbers of units only fall from slice to slice, so their padding in a window is at most C times the
 * largest; general entries fall among rows of equally many units, so theirs is at most as much for each such number. A
 * matrix beyond one binding is cut into pieces by slots, each with arrays of its own.
 */
import { StructureError } from '../../errors/structure-error.js';
import { LONG, SLICE, VACANT, WINDOW } from './slice-rows-layout.js';

export { LONG, SLICE, VACANT, WINDOW };

export interface SliceSizes {
  readonly slice: number; // rows side by side: a power of two, at most `window`
  readonly window: number; // rows sorted together: a power of two, at most WINDOW
}

export interface RowPiece extends SliceSizes {
  readonly first: number; // its first slot, a multiple of `slice`
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
export function pairWords(p: number): number {
  return p < 2 ** 16 ? 3 : 4;
}

interface Slot {
  readonly row: number;
  readonly units: number;
  readonly generals: number;
}

/** Null where it is vacant. */
function slotAt({ first, window, slots }: RowPiece, place: number): Slot | null {
  const slot = slots[place];
  if (slot === VACANT) return null;
  const at = first + place;
  return { row: at - (at % window) + (slot % window), units: (slot >>> 14) & 0xff, generals: slot >>> 22 };
}

/** The rows that have a slot, in the order of slots. */
export function forEachSlicedRow(pieces: readonly RowPiece[], p: number, visit: VisitRow): void {
  const [size, packed] = [pairWords(p), p < 2 ** 16];
  for (const piece of pieces) {
    const { slice, slots, slices, units, pairs } = piece;
    for (let place = 0; place < slots.length; place++) {
      const slot = slotAt(piece, place);
      if (slot === null) continue;
      const [s, r] = [Math.floor(place / slice), place % slice];
      const word = (t: number, w: number): number => pairs[slices[2 * s + 1] + slice * (size * (t >> 1) + w) + r];
      const value = (t: number): number => (packed ? (word(t, 2) >>> (16 * (t % 2))) & 0xffff : word(t, 2 + (t % 2)));
      visit(
        slot.row,
        Uint32Array.from({ length: slot.units }, (_, t) => units[slices[2 * s] + slice * t + r]),
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
    const { first, slice, window, slots, slices, units, pairs } = piece;
    if (slice !== pieces[0].slice || window !== pieces[0].window || window % slice !== 0 || WINDOW % window !== 0) {
      throw new StructureError(`${who}: expected slices and windows of one size, got ${slice} and ${window}`);
    }
    if (first !== next || first % slice !== 0 || slices.length !== 2 * Math.ceil(slots.length / slice)) {
      throw new StructureError(`${who}: expected a piece from slot ${next} on, a slice each ${slice}, got ${first}`);
    }
    let [unitEnd, pairEnd] = [0, 0];
    for (let s = 0; 2 * s < slices.length; s++) {
      if (slices[2 * s] !== unitEnd || slices[2 * s + 1] !== pairEnd) {
        throw new StructureError(
          `${who}: expected slice ${s} at ${unitEnd} and ${pairEnd}, got ${slices[2 * s]} and ${slices[2 * s + 1]}`,
        );
      }
      let [longestUnits, longestGenerals] = [0, 0];
      for (let place = slice * s; place < Math.min(slice * (s + 1), slots.length); place++) {
        const slot = slotAt(piece, place);
        if ((first + place) % window !== 0 && !follows(before, slot)) {
          throw new StructureError(`${who}: expected falling lengths within a window, got a rise at ${first + place}`);
        }
        if (slot !== null && slot.units + slot.generals > LONG) {
          throw new StructureError(`${who}: expected rows of up to ${LONG} entries, got more at slot ${first + place}`);
        }
        before = slot;
        longestUnits = Math.max(longestUnits, slot?.units ?? 0);
        longestGenerals = Math.max(longestGenerals, slot?.generals ?? 0);
      }
      unitEnd += slice * longestUnits;
      pairEnd += slice * pairWords(p) * Math.ceil(longestGenerals / 2);
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
