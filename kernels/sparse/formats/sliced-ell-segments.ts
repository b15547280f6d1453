/**
 * The long rows of a matrix in segments: runs of entries of one row, of which a team of invocations sums one at a time.
 *
 * Rows of one small segment stand before the others, each in their order: a few invocations sum one. A segment's
 * entries ±1 stand together as column·2 + sign (1 for −1), its general ones as (column, value). What one binding cannot
 * hold is cut into pieces by segments, each with arrays of its own.
 */
import { StructureError } from '../../errors/structure-error.js';
import { GrowingWords } from './growing-words.js';
import type { RowRuns } from './row-runs.js';
import { isUnit, unitEntry, type VisitRow } from './sliced-ell-slices.js';

/** Entries of a segment at most: 8 for each of 256 invocations, or for each of 32 where it is small. */
export const SEGMENT = 2048;
const SMALL = 256;

export interface SegmentPiece {
  readonly first: number; // its first segment, among all
  readonly count: number;
  readonly small: number; // the first ones, of up to 256 entries
  readonly segments: Uint32Array; // (first unit, end, first general entry, end) each, one after another from 0 on
  readonly units: Uint32Array; // columns increase along a segment
  readonly generals: Uint32Array; // (column, value): columns increase along a segment, values are neither 0 nor ±1
}

export interface LongRows {
  readonly longRows: Uint32Array; // (row, first segment) each, and one more pair at the end
  readonly segmentCount: number;
  readonly segmentPieces: readonly SegmentPiece[];
}

export function cutIntoSegments(a: RowRuns, p: number, long: readonly number[], maxBytes: number): LongRows {
  const longRows = new Uint32Array(2 * long.length + 2);
  const segmentPieces: SegmentPiece[] = [];
  let [total, first] = [0, 0];
  const isSmall = (i: number): boolean => a.ends[i] - a.starts[i] <= SMALL;
  const smallRows = long.filter(isSmall);
  const [units, generals, segments] = [new GrowingWords(), new GrowingWords(), new GrowingWords()];
  const close = (): void => {
    if (total === first) return;
    const words = { segments: segments.take(), units: units.take(), generals: generals.take() };
    const small = Math.max(0, Math.min(smallRows.length, total) - first);
    segmentPieces.push({ first, count: total - first, small, ...words });
    first = total;
  };
  [...smallRows, ...long.filter((i) => !isSmall(i))].forEach((i, r) => {
    longRows[2 * r] = i;
    longRows[2 * r + 1] = total;
    for (let k = a.starts[i]; k < a.ends[i]; total++) {
      const end = Math.min(k + SEGMENT, a.ends[i]);
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

/** Segment by segment; a row comes as often as it has segments. */
export function forEachSegment({ longRows, segmentPieces }: LongRows, visit: VisitRow): void {
  let r = 0;
  for (const { first, count, segments, units, generals } of segmentPieces) {
    for (let s = 0; s < count; s++) {
      while (longRows[2 * r + 3] <= first + s) r++;
      const [unit, unitEnd, general, generalEnd] = segments.subarray(4 * s, 4 * s + 4);
      const entries = generals.subarray(2 * general, 2 * generalEnd);
      const row = longRows[2 * r];
      visit(
        row,
        units.subarray(unit, unitEnd),
        entries.filter((_, k) => k % 2 === 0),
        entries.filter((_, k) => k % 2 === 1),
      );
    }
  }
}

/** That every long row has segments, and segments follow each other without a gap. */
export function checkSegments(who: string, { longRows, segmentCount, segmentPieces }: LongRows): void {
  const rows = longRows.length / 2 - 1;
  const fits = longRows.length >= 2 && longRows.length % 2 === 0 && longRows[2 * rows + 1] === segmentCount;
  if (!fits || (rows > 0 && longRows[1] !== 0)) {
    throw new StructureError(`${who}: expected long rows with segments from 0 to ${segmentCount}`);
  }
  const small = segmentPieces.reduce((sum, piece) => sum + piece.small, 0);
  for (let r = 0; r < rows; r++) {
    const falls = r > 0 && r !== small && longRows[2 * r] <= longRows[2 * r - 2];
    if (longRows[2 * r + 3] <= longRows[2 * r + 1] || falls) {
      throw new StructureError(`${who}: expected long rows in order, with segments, got row ${longRows[2 * r]}`);
    }
  }
  let next = 0;
  for (const { first, count, small, segments, units, generals } of segmentPieces) {
    if (first !== next || segments.length !== 4 * count) {
      throw new StructureError(`${who}: expected a piece from segment ${next} on, got ${first}`);
    }
    let [unitEnd, generalEnd] = [0, 0];
    for (let s = 0; s < count; s++) {
      const [unit, nextUnit, general, nextGeneral] = segments.subarray(4 * s, 4 * s + 4);
      const most = s < small ? SMALL : SEGMENT;
      const size = nextUnit - unit + nextGeneral - general;
      if (unit !== unitEnd || general !== generalEnd || nextUnit < unit || nextGeneral < general || size > most) {
        throw new StructureError(`${who}: expected up to ${most} entries behind the last, got segment ${first + s}`);
      }
      [unitEnd, generalEnd] = [nextUnit, nextGeneral];
    }
    if (units.length !== unitEnd || generals.length !== 2 * generalEnd) {
      throw new StructureError(
        `${who}: expected ${unitEnd} units and ${2 * generalEnd} words, got ${units.length} and ${generals.length}`,
      );
    }
    next += count;
  }
  if (next !== segmentCount) throw new StructureError(`${who}: expected ${segmentCount} segments, got ${next}`);
}
