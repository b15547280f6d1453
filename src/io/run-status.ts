/** Where a kept run stands: from its folder, while it runs too, or from a store of the caller's own. */
import { type PartedRun, readParts } from '../../algorithms/block-wiedemann/part-standings.js';
import { Checkpoint } from '../../algorithms/checkpoint/checkpoint.js';
import { otherFormat, runId } from '../../algorithms/checkpoint/manifest.js';
import { type KeptAnswer, type KeptStanding, readStatus } from '../../algorithms/checkpoint/status.js';
import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
import { FormatError } from './format-error.js';
import { RunFolder } from './run-folder.js';
import { holderOf } from './run-lock.js';

export interface RunReport {
  /** 'stopped': nobody works in the folder, and the same question goes on. Of a store it is not known who works. */
  readonly state: 'running' | 'stopped' | 'ended';
  readonly process: { readonly pid: number; readonly host: string } | null; // that works in the folder
  readonly verb: string;
  readonly rows: number;
  readonly cols: number;
  readonly mod: string;
  readonly block: string; // m x n as asked for, or auto
  readonly seed: string;
  readonly program: string | null; // the version that began the run
  readonly answer: KeptAnswer | null; // before the end
  /** At the last checkpoint; null before the first one and after the end. */
  readonly progress: RunProgress | null;
  /** Of a run that is planned in parts; null of any other. */
  readonly parts: readonly RunPart[] | null;
  /** The stage of a run in parts that is to be started next, `krylov` where a part has blocks to make; else null. */
  readonly next: PartedRun['next'] | null;
  readonly disk: { readonly bytes: number; readonly files: number } | null; // of a store
  /** Names of damaged arrays among those that were read. */
  readonly damaged: readonly string[];
}

export interface RunPart {
  readonly part: number; // from 0
  /** 'begun': some blocks are kept, whether somebody makes others now or not. */
  readonly state: 'open' | 'begun' | 'done';
  readonly done: number; // blocks that are kept
  readonly total: number;
  readonly secondsLeft: number | null; // as it last said; null where that is not known
  readonly at: string | null; // ISO 8601, of then
}

export interface RunProgress {
  readonly phase: string;
  readonly attempt: number; // from 1
  readonly done: number; // steps
  readonly total: number; // at most
  readonly rate: number; // steps a second
  readonly secondsLeft: number | null; // of this phase, at most; null where the rate is not known
  /** Of the whole run, if this attempt is its last; null where what follows the phase is not known. */
  readonly runSecondsLeft: number | null;
  readonly at: string; // ISO 8601
}

/**
 * null where no run is kept there. `whole`: all arrays are read and compared with their digests. Throws FormatError
 * where the run is of another version of this program.
 */
export async function runStatus(
  where: string | CheckpointStore,
  { whole = false }: { readonly whole?: boolean | undefined } = {},
): Promise<RunReport | null> {
  const folder = typeof where === 'string' ? RunFolder.reading(where) : null;
  const store = folder ?? (where as CheckpointStore);
  const status = await readStatus(store, whole);
  if (status === null) return null;
  const { manifest, standing, answer } = status;
  const strange = otherFormat(manifest);
  const name = typeof where === 'string' ? where : 'checkpoint';
  if (strange !== null)
    throw new FormatError(name, 0, 'a run of this version of the program', `one of another: ${strange}`);
  const damaged = new Set(status.damaged);
  const remark = (line: string): void => void damaged.add(line.split(' ', 1)[0]!);
  const looking = { interval: Number.POSITIVE_INFINITY, stops: async () => false, remark };
  const parted = await readParts(new Checkpoint(store, runId(manifest), looking));
  const { verb, rows, cols, p, block, seed, program } = manifest;
  const holder = folder === null ? null : await holderOf(where as string);
  return {
    state: holder !== null ? 'running' : answer !== null ? 'ended' : 'stopped',
    process: holder && { pid: holder.pid, host: holder.host },
    ...{ verb, rows, cols, mod: p, block, seed, program: program ?? null },
    answer: answer && ownFields(answer),
    progress: standing === null || answer !== null ? null : progressOf(verb, standing),
    parts: parted?.parts.map(partOf) ?? null,
    next: parted && answer === null ? parted.next : null,
    disk: folder && (await folder.size()),
    damaged: [...damaged],
  };
}

function progressOf(verb: string, { phase, attempt, done, total, rate, behind, at }: KeptStanding): RunProgress {
  const left = secondsLeft(done, total, rate);
  // Looks at the order basis are between the steps of the sequence, whose rate has them, and the other way round.
  const isLast = phase === 'verification' && (verb === 'rank' || verb === 'solve');
  const follows = isLast ? 0 : phase === 'verification' ? undefined : behind;
  const runSecondsLeft = left === null || follows === undefined ? null : left + follows;
  return { phase, attempt, done, total, rate, secondsLeft: left, runSecondsLeft, at };
}

function partOf({ part, done, total, rate, at }: PartedRun['parts'][number]): RunPart {
  const state = done === total ? 'done' : done === 0 ? 'open' : 'begun';
  return { part, state, done, total, secondsLeft: done === total ? 0 : secondsLeft(done, total, rate), at };
}

function secondsLeft(done: number, total: number, rate: number): number | null {
  return rate > 0 ? Math.max(0, total - done) / rate : null;
}

function ownFields({ value, lowerBound, upperBound, errorLog2 }: KeptAnswer): KeptAnswer {
  return { value, lowerBound, upperBound, errorLog2 };
}
