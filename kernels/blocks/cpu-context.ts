/**
 * The common ground of the cpu executor's vectors and operators: the field, the storage of residues, the threads and
 * their memory.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { COPY_BYTES, COPY_SOURCE, COPY_TO } from '../residues/copy-layout.js';
import * as L from '../residues/multipliers-layout.js';
import type { KernelFamily, ResidueStorage } from '../residues/storage.js';
import { argumentList } from '../threads/argument-list.js';
import type { Command, Team } from '../threads/team.js';
import type { Arena } from './cpu-vector.js';

/** The part that operators share with their executor. */
export interface CpuContext {
  readonly field: WordPrime;
  readonly order: number; // bound of the vectors' residues or codes
  readonly residues: ResidueStorage;
  readonly team: Team;
  readonly arena: Arena;
}

const MULTIPLIERS: KernelFamily = { u16: 'multipliersU16', u32: 'multipliersU32', gf256: 'multipliersGf256' };

/** Threads share copies of so many bytes: less work takes one thread no longer than fork and join. */
const SHARED_COPY = 2 ** 17;

/** The same of multipliers. */
const SHARED_MULTIPLIERS = 2 ** 14;

/** None where there is nothing to copy. */
export function copyCommands({ team }: CpuContext, to: number, from: number, bytes: number): Command[] {
  if (bytes === 0 || to === from) return [];
  return [
    team.command(
      'copyBytes',
      argumentList([COPY_TO, to], [COPY_SOURCE, from], [COPY_BYTES, bytes]),
      bytes < SHARED_COPY,
    ),
  ];
}

/** `count` residues at `at` ← themselves as multipliers. */
export function makeMultipliers({ team, residues, field }: CpuContext, at: number, count: number): void {
  const scale = residues.multiplier(residues.plainScale);
  // biome-ignore format: a line a group of words
  const args = argumentList(
    [L.AT, at], [L.COUNT, count], [L.MODULUS, field.p], [L.CONSTANT, residues.constant], [L.SCALE, scale],
  );
  team.launch(MULTIPLIERS[residues.name], args, count < SHARED_MULTIPLIERS);
}
