/** Where a kept run stands: from its folder, while it runs too, or from a store of the caller's own. */
import { type KeptAnswer, readStatus } from '../../algorithms/checkpoint/status.js';
import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
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
  readonly answer: KeptAnswer | null; // before the end
  /** At the last checkpoint; null before the first one and after the end. */
  readonly progress: RunProgress | null;
  readonly disk: { readonly bytes: number; readonly files: number } | null; // of a store
  /** Names of damaged arrays among those that were read. */
  readonly damaged: readonly string[];
}

export interface RunProgress {
  readonly phase: string;
  readonly attempt: number; // from 1
  readonly done: number; // steps
  readonly total: number; // at most
  readonly rate: number; // steps a second
  readonly secondsLeft: number | null; // of this phase, at most; null where the rate is not known
  readonly at: string; // ISO 8601
}

/** null where no run is kept there. `whole`: all arrays are read and compared with their digests. */
export async function runStatus(
  where: string | CheckpointStore,
  { whole = false }: { readonly whole?: boolean | undefined } = {},
): Promise<RunReport | null> {
  const folder = typeof where === 'string' ? RunFolder.reading(where) : null;
  const status = await readStatus(folder ?? (where as CheckpointStore), whole);
  if (status === null) return null;
  const { manifest, standing, answer, damaged } = status;
  const { verb, rows, cols, p, block, seed } = manifest;
  const holder = folder === null ? null : await holderOf(where as string);
  return {
    state: holder !== null ? 'running' : answer !== null ? 'ended' : 'stopped',
    process: holder && { pid: holder.pid, host: holder.host },
    ...{ verb, rows, cols, mod: p, block, seed },
    answer: answer && ownFields(answer),
    progress: standing === null || answer !== null ? null : progressOf(standing),
    disk: folder && (await folder.size()),
    damaged,
  };
}

function progressOf({ phase, attempt, done, total, rate, at }: Omit<RunProgress, 'secondsLeft'>): RunProgress {
  return { phase, attempt, done, total, rate, secondsLeft: rate > 0 ? Math.max(0, total - done) / rate : null, at };
}

function ownFields({ value, lowerBound, upperBound, errorLog2 }: KeptAnswer): KeptAnswer {
  return { value, lowerBound, upperBound, errorLog2 };
}
