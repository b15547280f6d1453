/** Schur complements over GF(2) as bits: the host's side of kernels/schur/bit-schur.as.ts. */
import { BitMatrix } from '../gf2/bit-matrix.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import * as L from './bit-schur-layout.js';
import type { EliminationOrder } from './schur-rows.js';

/**
 * Sᵀ for A mod 2, given by its transpose: a row for each column of A without a pivot, a bit for each row without one,
 * both in order. The caller releases it.
 */
export function bitSchur(team: Team, at: ResidueMatrix, { rows, cols }: EliminationOrder): BitMatrix {
  const { memory } = team;
  const lines = others(at.cols, rows);
  const columns = others(at.rows, cols);
  const held: number[] = [];
  const upload = (words: Uint32Array): number => {
    const place = memory.alloc(4 * words.length);
    memory.u32(place, words.length).set(words);
    held.push(place);
    return place;
  };
  const out = new BitMatrix(memory, columns.length, lines.length);
  try {
    const work = memory.alloc(L.WORK_BYTES * at.cols * team.threads);
    held.push(work);
    // biome-ignore format: a line a group of words
    team.launch('bitSchur', argumentList(
      [L.COL_PTR, upload(at.rowPtr)], [L.ROW_IDX, upload(at.colIdx)], [L.PIVOTS, rows.length],
      [L.PIVOT_ROWS, upload(Uint32Array.from(rows))], [L.PIVOT_COLS, upload(Uint32Array.from(cols))],
      [L.OTHERS, columns.length], [L.OTHER_COLS, upload(columns)], [L.LINES, lines.length], [L.LINE_ROWS, upload(lines)],
      [L.ROWS, at.cols], [L.WORK, work], [L.OUT, out.at], [L.STRIDE, out.stride],
    ), false);
    return out;
  } catch (error) {
    out.release();
    throw error;
  } finally {
    for (const place of held) memory.release(place);
  }
}

/** 0 … size − 1 without the listed ones. */
function others(size: number, listed: ArrayLike<number>): Uint32Array {
  const skip = new Uint8Array(size);
  for (let k = 0; k < listed.length; k++) skip[listed[k]] = 1;
  return Uint32Array.from({ length: size }, (_, i) => i).filter((i) => skip[i] === 0);
}
