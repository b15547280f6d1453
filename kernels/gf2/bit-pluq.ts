/**
 * PLUQ over GF(2), in place: rank, pivots' columns (the column rank profile) and rows (independent, not the first
 * ones).
 *
 * Strip by strip of 64 columns: kernels/gf2/bit-pluq.as.ts.
 */

import type { Pluq } from '../dense/pluq.js';
import type { Team } from '../threads/team.js';
import type { BitMatrix } from './bit-matrix.js';

const STRIP = 64;

/** Bytes of the tables of a thread: 8 tables of 256 rows of 2048 columns. */
const TABLES = 8 * 256 * 256;

/** Words that one thread adds while another would wake up. */
const SHARED_WORDS = 2 ** 17;

/** Overwrites `a` with its factors. */
export function bitPluq(team: Team, a: BitMatrix): Pluq {
  const { memory } = team;
  const { at, stride, rows, cols } = a;
  const sizes = [4 * rows, 4 * Math.min(rows, cols), 8 * rows, 4, TABLES * team.threads];
  const places = memory.orNothing(() => sizes.map((bytes) => memory.alloc(bytes)));
  const [numbers, pivots, index, found, tables] = places as [number, number, number, number, number];
  try {
    memory.u32(numbers, rows).set(Uint32Array.from({ length: rows }, (_, i) => i));
    let rank = 0;
    for (let word = 0; word * STRIP < cols && rank < rows; word++) {
      team.runAlone('bitPanel', at, stride, rows, rank, word, pivots, numbers, index, found);
      const count = memory.u32(found, 1)[0]!;
      const below = rows - rank - count;
      const words = stride / 8 - word - 1;
      if (count > 0 && below > 0 && words > 0) {
        const args = [at, stride, rows, rank, word, 0, 0, index, 0, count, tables];
        if (below * words < SHARED_WORDS) team.runAlone('bitUpdate', ...args);
        else team.run('bitUpdate', ...args);
      }
      rank += count;
    }
    return { rank, pivotRows: memory.u32(numbers, rank).slice(), pivotCols: memory.u32(pivots, rank).slice() };
  } finally {
    for (const place of places) memory.release(place);
  }
}
