/** Random numbers made by the threads, the same as those of fields/random.ts (kernels/residues/random.as.ts). */

import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import * as L from './random-layout.js';
import type { KernelFamily, ResidueStorageName } from './storage.js';

const RANDOM: KernelFamily = { u16: 'randomU16', u32: 'randomU32', gf256: 'randomGf256' };

/**
 * `count` numbers below `below` ≤ 2^32 from the beginning of a stream, to `at`, each as wide as the kernel stores it.
 */
export function writeRandomNumbers(
  team: Team,
  storage: ResidueStorageName,
  at: number,
  count: number,
  below: number,
  seed: bigint,
  stream: number,
): void {
  if (count === 0) return;
  const scratch = team.memory.alloc(team.threads << L.LOG_SCRATCH);
  try {
    // biome-ignore format: a line a group of words
    const args = argumentList(
      [L.TO, at], [L.COUNT, count], [L.BELOW, below | 0], [L.KEY, Number(seed & 0xffffffffn) | 0],
      [L.KEY_HIGH, Number(seed >> 32n) | 0], [L.STREAM, stream | 0], [L.SCRATCH, scratch],
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
    writeRandomNumbers(team, 'u32', at, count, below, seed, stream);
    return memory.u32(at, count).slice();
  } finally {
    memory.release(at);
  }
}
