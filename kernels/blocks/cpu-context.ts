/** What vectors and operators of the cpu executor share: the field, how residues are stored, the threads and their memory. */
import type { WordPrime } from '../../fields/word-prime.js';
import type { Lanes } from '../residues/storage.js';
import type { Team } from '../threads/team.js';
import type { Holdings } from './cpu-vector.js';

/** What operators share with their executor. */
export interface CpuContext {
  readonly field: WordPrime;
  readonly order: number; // what vectors hold is below it
  readonly lanes: Lanes;
  readonly team: Team;
  readonly holdings: Holdings;
}

/** Bytes so many that threads share them are some 20 µs of work. */
const SHARED_COPY = 2 ** 17;

/** Factors of which that is so. */
const SHARED_FACTORS = 2 ** 14;

export function copyBytes({ team }: CpuContext, to: number, from: number, bytes: number): void {
  if (bytes > 0 && to !== from) team.launch('copyBytes', [to, from, bytes], bytes < SHARED_COPY);
}

/** `count` residues at `at` ← themselves as factors. */
export function makeFactors({ team, lanes, field }: CpuContext, at: number, count: number): void {
  const scale = lanes.factor(lanes.plainScale);
  team.runAtOnce(`factors${lanes.suffix}`, [at, count, field.p, lanes.constant, scale], count < SHARED_FACTORS);
}
