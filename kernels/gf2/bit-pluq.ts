/**
 * PLUQ over GF(2), in place: rank, pivots' columns (the column rank profile) and rows (independent, not the first
 * ones).
 *
 * Strip by strip of 64 columns: kernels/gf2/bit-pluq.as.ts.
 */

import type { Pluq } from '../dense/pluq.js';
import { type Argument, argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import type { BitMatrix } from './bit-matrix.js';
import * as L from './bit-pluq-layout.js';

const STRIP = 64;

/** Words that one thread adds before another wakes up. */
const SHARED_WORDS = 2 ** 17;

/** Overwrites `a` with its factors. */
export function bitPluq(team: Team, a: BitMatrix): Pluq {
  const { memory } = team;
  const { at, stride, rows, cols } = a;
  const sizes = [4 * rows, 4 * Math.min(rows, cols), 8 * rows, 4, L.TABLE_COUNT * L.TABLE_BYTES * team.threads];
  const places = memory.orNothing(() => sizes.map((bytes) => memory.alloc(bytes)));
  const [numbers, pivots, index, found, tables] = places as [number, number, number, number, number];
  try {
    memory.u32(numbers, rows).set(Uint32Array.from({ length: rows }, (_, i) => i));
    let rank = 0;
    for (let word = 0; word * STRIP < cols && rank < rows; word++) {
      // biome-ignore format: a line a group of words
      const strip: Argument[] = [
        [L.MATRIX, at], [L.STRIDE, stride], [L.ROWS, rows], [L.FIRST, rank], [L.WORD, word], [L.INDEX, index],
      ];
      const panel = argumentList(...strip, [L.PIVOTS, pivots], [L.NUMBERS, numbers], [L.FOUND, found]);
      team.launch('bitPanel', panel, true);
      const count = memory.u32(found, 1)[0]!;
      const below = rows - rank - count;
      const words = stride / 8 - word - 1;
      if (count > 0 && below > 0 && words > 0) {
        const update = argumentList(...strip, [L.COUNT, count], [L.TABLES, tables]);
        team.launch('bitUpdate', update, below * words < SHARED_WORDS);
      }
      rank += count;
    }
    return { rank, pivotRows: memory.u32(numbers, rank).slice(), pivotCols: memory.u32(pivots, rank).slice() };
  } finally {
    for (const place of places) memory.release(place);
  }
}
