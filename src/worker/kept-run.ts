/** The run that a folder keeps: begun there, or gone on with where the folder has one of the same question. */
import { matrixDigest } from '../../algorithms/certificate/challenges.js';
import { nonzeroPart } from '../../algorithms/certificate/nonzero-part.js';
import { Checkpoint } from '../../algorithms/checkpoint/checkpoint.js';
import {
  differenceOf,
  type Manifest,
  type RunDescription,
  readManifest,
  runId,
  writeManifest,
} from '../../algorithms/checkpoint/manifest.js';
import { hex } from '../../algorithms/checkpoint/sealed.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import { RunFolder } from '../io/run-folder.js';
import type { Settings } from '../questions/options.js';
import type { Caller } from './caller.js';
import type { Remote } from './found.js';

export interface KeptRun {
  readonly checkpoint: Checkpoint;
  readonly seed: bigint; // of the run, whatever the question's
  readonly remarks: readonly string[]; // of damaged arrays, as they are found
}

/** Throws OptionError where the folder has another run. */
export async function openKeptRun(matrix: SparseMatrix | Remote, settings: Settings, caller: Caller): Promise<KeptRun> {
  const { directory, interval, seed } = settings.checkpoint!;
  if (!(matrix instanceof SparseMatrix)) throw new OptionError('checkpoint: expected a matrix, got an operator');
  const description = describeRun(matrix, settings);
  const folder = await RunFolder.open(directory);
  const remarks: string[] = [];
  const remark = (line: string): void => void remarks.push(`checkpoint: ${line}`);
  const found = await readManifest(folder, remark);
  const where = `checkpoint ${printableName(directory)}`;
  const difference = found && differenceOf(found, description);
  if (difference !== null) throw new OptionError(`${where}: ${difference}`);
  if (found && seed !== null && found.seed !== `${seed}`)
    throw new OptionError(`${where}: it is a run with seed ${found.seed}, not ${seed}`);
  const manifest: Manifest = found ?? { ...description, seed: `${settings.seed}` };
  if (found === null || remarks.length > 0) await writeManifest(folder, manifest);
  const stops = async (): Promise<boolean> => (await caller.call({ what: 'stop' })) !== null;
  const checkpoint = new Checkpoint(folder, runId(manifest), { interval, stops, remark });
  return { checkpoint, seed: BigInt(manifest.seed), remarks };
}

function describeRun(matrix: SparseMatrix, { mod, block, verify, atLeast }: Settings): RunDescription {
  const p = Number(mod);
  return {
    p: `${mod}`, // before the digest, which depends on it
    matrix: hex(matrixDigest(nonzeroPart(matrix, p), p)),
    rows: matrix.rows,
    cols: matrix.cols,
    block: block === null ? 'auto' : block.m === null ? `${block.n}` : `${block.m}x${block.n}`,
    verify,
    atLeast,
  };
}
