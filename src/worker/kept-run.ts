/** The run that a store keeps: begun there, or gone on with where the store has one of the same question. */
import { removeLate } from '../../algorithms/block-wiedemann/kept-attempt.js';
import { runDigest } from '../../algorithms/certificate/run-digest.js';
import { Checkpoint } from '../../algorithms/checkpoint/checkpoint.js';
import {
  differenceOf,
  lacksManifest,
  type Manifest,
  manifestOf,
  type RunDescription,
  readManifest,
  recoverManifest,
  runId,
  writeManifest,
} from '../../algorithms/checkpoint/manifest.js';
import { type PlannedParts, progressOfPart, recallParts } from '../../algorithms/checkpoint/planned-parts.js';
import { digestOfBytes } from '../../algorithms/checkpoint/sealed.js';
import { ANSWER, type KeptAnswer } from '../../algorithms/checkpoint/status.js';
import { type CheckpointStore, StoppedError } from '../../algorithms/checkpoint/store.js';
import { Way } from '../../algorithms/checkpoint/way.js';
import { bytesOf } from '../../algorithms/checkpoint/words.js';
import { KeptPivots } from '../../algorithms/presolve/kept-pivots.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import { FormatError } from '../io/format-error.js';
import { RunFolder } from '../io/run-folder.js';
import type { Settings } from '../questions/options.js';
import type { Verb } from '../questions/verbs.js';
import { VERSION } from '../questions/version.js';
import type { Caller } from './caller.js';
import { callersStore } from './callers-store.js';
import type { Found, Remote } from './found.js';
import type { DenseRightSides } from './right-sides.js';

/** Any of these is the method of a run, whose question may leave it open. */
const METHODS_BY_NAME: readonly Settings['method'][] = ['hybrid', 'wiedemann', 'lanczos'];

export interface KeptRun {
  readonly checkpoint: Checkpoint;
  /** Of the run, whatever the question's. */
  readonly settings: Pick<Settings, 'seed' | 'method'>;
  readonly remarks: readonly string[]; // of damaged arrays, as they are found
  /** The error of a run that ends at a checkpoint tells the remarks, as the warnings of an answer do. */
  told<T>(answering: Promise<T>): Promise<T>;
  /** Keeps that the run is over; the processes of GPUs have ended. */
  end(found: Found): Promise<void>;
  readonly parts: PlannedParts | null; // where the run was planned in parts
  readonly pivots: KeptPivots | undefined; // of a rank
}

/** A matrix that is not in memory, by the digest of its entries. */
export interface DigestedMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly digest: string;
}

/** Throws OptionError where the store has another run. */
export async function openKeptRun(
  verb: Verb,
  matrix: SparseMatrix | DigestedMatrix | Remote,
  settings: Settings,
  caller: Caller,
  right: DenseRightSides | null = null,
): Promise<KeptRun> {
  const { directory, interval, seed } = settings.checkpoint!;
  if ('kind' in matrix) throw new OptionError('checkpoint: expected a matrix, got an operator');
  const store = directory === null ? callersStore(caller) : await RunFolder.open(directory);
  const remarks: string[] = [];
  const remark = (line: string): void => void remarks.push(`checkpoint: ${line}`);
  const read = await readManifest(store, remark);
  const where = directory === null ? 'checkpoint' : `checkpoint ${printableName(directory)}`;
  // Whatever method the run was begun with is one that may be chosen; GPUs begin a system by rows.
  const isChosen = settings.method === 'auto';
  const isSystemOnGpus = verb === 'solve' && settings.gpus !== null;
  const asked = await describeRun(verb, matrix, settings, right);
  const found = read ?? (await recovered(store, where, asked, isChosen, remark));
  const method = isChosen && (found !== null || isSystemOnGpus) ? (found?.method ?? 'lanczos') : settings.method;
  const description = { ...asked, method };
  const difference = found && differenceOf(found, description);
  if (difference !== null) throw new OptionError(`${where}: ${difference}`);
  if (found && seed !== null && found.seed !== `${seed}`)
    throw new OptionError(`${where}: it is a run with seed ${found.seed}, not ${seed}`);
  const manifest = found ?? manifestOf(description, `${settings.seed}`, VERSION);
  if (found === null || remarks.length > 0 || (await lacksManifest(store))) await writeManifest(store, manifest);
  const stops = async (): Promise<boolean> => (await caller.call({ what: 'stop' })) !== null;
  const { stage } = settings;
  const progress = stage?.kind === 'krylov' ? progressOfPart(stage.part) : undefined;
  const checkpoint = new Checkpoint(store, runId(manifest), {
    ...{ interval, stops, remark, progress, directory },
    seed: manifest.seed,
  });
  const parts = await recallParts(checkpoint, true);
  const pivots = verb === 'rank' ? await KeptPivots.recall(checkpoint) : undefined;
  const end = async (found: Found): Promise<void> => {
    await checkpoint.settle();
    await checkpoint.keep(ANSWER, { ...answerOf(found) });
    if (settings.gpus === null) return;
    await removeLate(checkpoint);
    if (directory !== null) await RunFolder.open(directory); // drops what their processes have half written
  };
  const told = <T>(answering: Promise<T>): Promise<T> =>
    answering.catch(async (error: unknown) => {
      await checkpoint.writing;
      throw error instanceof StoppedError ? new StoppedError([...new Set(remarks)]) : error;
    });
  // What `auto` has come to says whether GPUs have columns or rows.
  const last = isSystemOnGpus && method === 'auto' ? (await Way.recall(checkpoint)).choices?.at(-1) : undefined;
  const chosen = { seed: BigInt(manifest.seed), method: last === 'lanczos' ? last : (method as Settings['method']) };
  return { checkpoint, settings: chosen, remarks, parts, pivots, told, end };
}

/** The manifest as the arrays show it; null of a store without any. Throws FormatError where they show none. */
async function recovered(
  store: CheckpointStore,
  where: string,
  asked: RunDescription,
  isChosen: boolean,
  remark: (line: string) => void,
): Promise<Manifest | null> {
  const methods = isChosen ? METHODS_BY_NAME : [];
  const found = await recoverManifest(store, [asked, ...methods.map((method) => ({ ...asked, method }))]);
  if (found !== 'other') {
    if (found !== null) remark('the manifest, lost in both places, is made again from the arrays');
    return found;
  }
  const expected = 'the command that began the run, since its manifest is lost in both places';
  throw new FormatError(where, 0, expected, 'another one, or arrays that show no seed: begin in a new folder');
}

function answerOf({ value, lowerBound, upperBound, errorLog2 }: Found): KeptAnswer {
  const one = typeof value === 'number' || typeof value === 'bigint' ? `${value}` : null;
  return { value: one, lowerBound, upperBound, errorLog2 };
}

async function describeRun(
  verb: Verb,
  matrix: SparseMatrix | DigestedMatrix,
  { mod, block, method, verify, atLeast, random, left, vectors }: Settings,
  right: DenseRightSides | null,
): Promise<RunDescription> {
  return {
    verb,
    p: `${mod}`, // before the digest, which depends on it
    matrix: matrix instanceof SparseMatrix ? await runDigest(matrix, Number(mod)) : matrix.digest,
    right: right && digestOfBytes(bytesOf(Uint32Array.of(right.s)), bytesOf(right.values as Uint32Array)),
    rows: matrix.rows,
    cols: matrix.cols,
    block: block === null ? 'auto' : block.m === null ? `${block.n}` : `${block.m}x${block.n}`,
    ...{ method, verify, atLeast, random, left, vectors },
  };
}
