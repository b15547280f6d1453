/**
 * Where a run that is planned in parts stands, to whoever looks at its store from outside: by the names of its arrays,
 * whoever made them, and by what each part has said of itself. No blocks are read.
 */
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { progressOfPart, recallParts } from '../checkpoint/planned-parts.js';
import { arraysOf } from './kept-attempt.js';
import { partName } from './kept-parts.js';

export interface PartStanding {
  readonly part: number; // from 0
  readonly done: number; // blocks that are kept
  readonly total: number; // that are planned
  readonly rate: number; // blocks a second, when it was last kept; 0 where that is not known
  readonly at: string | null; // ISO 8601, of then
  readonly longest: number; // blocks at most from one checkpoint to the next, of those that are kept
}

export interface PartedRun {
  readonly parts: readonly PartStanding[];
  readonly next: 'krylov' | 'generator' | 'verify'; // the first stage that has something to do
}

const FIRST = arraysOf(1);
const PIECE = /-blocks-(\d+)-(\d+)$/;

/** null where no parts are planned. */
export async function readParts(checkpoint: Checkpoint): Promise<PartedRun | null> {
  const planned = await recallParts(checkpoint, false);
  if (planned === null) return null;
  const { count, length: total } = planned;
  const names = await checkpoint.names(`${FIRST}-part-`);
  // Either is kept once the parts are joined, and may be all that is left.
  const isJoined = (await checkpoint.names('outcome-1.')).length + (await checkpoint.names(`${FIRST}-rel`)).length > 0;
  const parts: PartStanding[] = [];
  for (let part = 0; part < count; part++) {
    const own = names.filter((name) => name.startsWith(`${partName(FIRST, part)}-`));
    const pieces = own.flatMap((name) => {
      const [, from, to] = PIECE.exec(name) ?? [];
      return to === undefined ? [] : [{ from: Number(from), to: Number(to) }];
    });
    const kept = Math.max(0, ...pieces.map(({ to }) => to));
    const longest = Math.max(0, ...pieces.map(({ from, to }) => to - from));
    const said = (await checkpoint.recall(progressOfPart(part)))?.fields;
    const [rate, at] = [Number(said?.['rate'] ?? 0), (said?.['at'] ?? null) as string | null];
    parts.push({ part, done: isJoined ? total : Math.min(kept, total), total, rate, at, longest });
  }
  const isMade = parts.every(({ done }) => done === total);
  return { parts, next: isJoined ? 'verify' : isMade ? 'generator' : 'krylov' };
}
