/**
 * A run that is planned in parts, as its folder describes it, and its stages: what Slurm, a queue or a shell starts.
 *
 *   plan → part 0, part 1, … in any order, on any machines → generator → verify
 *
 * Each needs the folder, or a store of its arrays, and the matrix, goes on from what is kept, does nothing where
 * nothing is left to do, and ends with a StoppedError, and a checkpoint, once `stop` is aborted.
 */
import { Checkpoint } from '../../algorithms/checkpoint/checkpoint.js';
import { readManifest, runId } from '../../algorithms/checkpoint/manifest.js';
import { recallParts } from '../../algorithms/checkpoint/planned-parts.js';
import type { CheckpointStore } from '../../algorithms/checkpoint/store.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import type { StagedEngine } from '../engine/engine.js';
import { OptionError } from '../errors.js';
import { type InputFormat, inputFormatOf } from '../io/input-format.js';
import { RunFolder } from '../io/run-folder.js';
import type { CheckpointOption, QuestionOptions, RankOptions } from '../questions/options.js';
import type { Outcome } from '../questions/outcome.js';
import type { StageData, StageSettings } from '../questions/stage.js';

export interface KeptPlan {
  readonly directory: string;
  readonly run: string; // its id
  readonly file: string; // the matrix, where the plan was made
  readonly format: InputFormat; // of it
  readonly parts: number;
  readonly blocks: number; // of each
  readonly mod: string;
  readonly seed: string;
  readonly block: readonly [m: number, n: number];
  readonly verify: boolean;
  readonly atLeast: number | null;
}

/** A stage on this machine. */
export interface StageRun extends Pick<QuestionOptions, 'device' | 'threads' | 'maxMemory' | 'unterminated'> {
  /** The matrix, where it is not where the plan was made. */
  readonly file?: string | undefined;
  /** What the run is kept in, where it is not in its folder. */
  readonly store?: CheckpointStore | undefined;
  readonly interval?: number | undefined;
  readonly stop?: CheckpointOption['stop'];
  readonly signal?: QuestionOptions['signal'];
  readonly onProgress?: QuestionOptions['onProgress'];
}

/** Throws OptionError where no run is planned there. */
export async function readPlan(
  directory: string,
  store: CheckpointStore = RunFolder.reading(directory),
): Promise<KeptPlan> {
  const manifest = await readManifest(store);
  const run = manifest && runId(manifest);
  const parts = run && (await recallParts(lookAt(store, run), false));
  const shape = /^(\d+)x(\d+)$/.exec(manifest?.block ?? '');
  if (manifest === null || !run || !parts || shape === null)
    throw new OptionError(`${printableName(directory)}: expected the folder of a run that is planned in parts`);
  const { p: mod, seed, verify, atLeast } = manifest;
  const block = [Number(shape[1]), Number(shape[2])] as const;
  const { file, count, length: blocks } = parts;
  const format = inputFormatOf(printableName(directory), parts.format);
  return { directory, run, file, format, parts: count, blocks, mod, seed, block, verify, atLeast };
}

/** The arrays of a run, to whoever does not make them. */
export function lookAt(store: CheckpointStore, run: string): Checkpoint {
  return new Checkpoint(store, run, { interval: Number.POSITIVE_INFINITY, stops: async () => false, remark: () => {} });
}

export function runStage(
  engine: StagedEngine,
  plan: KeptPlan,
  stage: Exclude<StageSettings, { kind: 'plan' }>,
  run: StageRun,
): Promise<StageData> {
  return engine.stage(run.file ?? plan.file, { ...optionsOf(plan, run), stage });
}

/** The rank: whatever other stages have left to do is done here. */
export function finishRun(engine: StagedEngine, plan: KeptPlan, run: StageRun): Promise<Outcome<number>> {
  return engine.rank(run.file ?? plan.file, optionsOf(plan, run));
}

function optionsOf(
  { directory, format: inputFormat, mod, block, verify, atLeast }: KeptPlan,
  { file: _, store, interval, stop, ...own }: StageRun,
): RankOptions {
  const asked = { ...own, inputFormat, mod, block, verify, atLeast: atLeast ?? undefined };
  return { ...asked, checkpoint: { ...(store ? { store } : { directory }), interval, stop } };
}
