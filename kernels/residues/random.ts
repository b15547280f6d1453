/** Random numbers made by the threads, the same as those of fields/random.ts (kernels/residues/random.as.ts). */

import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import * as L from './random-layout.js';
import type { KernelFamily, ResidueStorageName } from './storage.js';

const RANDOM: KernelFamily = { u16: 'randomU16', u32: 'randomU32', gf256: 'randomGf256' };

/** length × width numbers: in row i those from number i·of + first of the stream on. */
export interface RandomRows {
  readonly length: number;
  readonly width: number;
  readonly of: number;
  readonly first: number;
}

/** Numbers below `below` ≤ 2^32 to `at`, row by row, each as wide as the kernel stores it. */
export function writeRandomNumbers(
  team: Team,
  storage: ResidueStorageName,
  at: number,
  rows: RandomRows,
  below: number,
  seed: bigint,
  stream: number,
): void {
  const { of, first } = rows;
  const count = rows.length * rows.width;
  if (count === 0) return;
  const width = of === rows.width ? count : rows.width; // a whole block is one row
  const scratch = team.memory.alloc(team.threads << L.LOG_SCRATCH);
  try {
    // biome-ignore format: a line a group of words
    const args = argumentList(
      [L.TO, at], [L.COUNT, count], [L.BELOW, below | 0], [L.KEY, Number(seed & 0xffffffffn) | 0],
      [L.KEY_HIGH, Number(seed >> 32n) | 0], [L.STREAM, stream | 0], [L.SCRATCH, scratch],
      [L.WIDTH, width], [L.OF, of | 0], [L.FIRST, first | 0],
    );
    team.launch(RANDOM[storage], args, false);
  } finally {
    team.memory.release(scratch);
  }
}

/** As numbers of the host. */
export function randomNumbers(team: Team, count: number, below: number, seed: bigint, stream: number): Uint32Array {
  const { memory } = team;
  const at = memory.alloc(4 * count);
  try {
    const rows = { length: 1, width: count, of: count, first: 0 };
    writeRandomNumbers(team, 'u32', at, rows, below, seed, stream);
    return memory.u32(at, count).slice();
  } finally {
    memory.release(at);
  }
}
