/**
 * Stages of a kept run in parts: its plan, one of its parts, its generator.
 *
 * The plan says what no stage may differ in: the shape of a block, the number of parts and the blocks of each. The
 * stages after it take all of that from the store.
 */
import { fitBlocks } from '../../algorithms/block-wiedemann/block-shape.js';
import { lengthOfParts, shapeOfParts, stageOfMatrix } from '../../algorithms/block-wiedemann/stages.js';
import { keepParts, type PlannedParts } from '../../algorithms/checkpoint/planned-parts.js';
import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import type { Settings } from '../questions/options.js';
import { boundedRank } from '../questions/plan-settings.js';
import type { StageData, StageSettings } from '../questions/stage.js';
import type { Caller } from './caller.js';
import { coreOf } from './drop-empty.js';
import type { Hardware, Remote, RunOn } from './found.js';
import { type KeptRun, openKeptRun } from './kept-run.js';
import { besideMatrix } from './room.js';

const ONE_THREAD: Hardware = { device: 'cpu', adapter: null, threads: 1 };

/** The settings of a plan, with a shape of which every part has a column. */
function planned(matrix: SparseMatrix, settings: Settings): Settings {
  const { stage, block } = settings;
  if (stage?.kind !== 'plan') return settings;
  const { rows, cols } = residuesOf(matrix, settings);
  const N = Math.min(rows, cols);
  if (N === 0) throw new StructureError('plan: expected a matrix with entries mod p, its rank is 0');
  boundedRank(stage.rank, N);
  const asked = block === null ? shapeOfParts(N, stage.parts) : { m: block.m ?? 2 * block.n, n: block.n };
  const shape = fitBlocks(asked, N);
  if (shape.n < stage.parts)
    throw new OptionError(`parts: expected at most ${shape.n}, the columns of a block, got ${stage.parts}`);
  return { ...settings, block: shape };
}

/** `reading`: seconds in which the matrix was read. */
export async function answerStage(
  matrix: SparseMatrix | Remote,
  asked: Settings,
  caller: Caller,
  runOn: RunOn,
  reading: number,
): Promise<StageData> {
  if (!(matrix instanceof SparseMatrix)) throw new OptionError('stage: expected a matrix, got an operator');
  const start = performance.now() - 1000 * reading;
  const given = planned(matrix, asked);
  const kept = await openKeptRun('rank', matrix, given, caller);
  const settings = besideMatrix(matrix, { ...given, ...kept.settings });
  const answer = await kept.told(answerKept(matrix, settings, kept, runOn));
  return { ...answer, seconds: { reading, ...answer.seconds, total: (performance.now() - start) / 1000 } };
}

async function answerKept(
  matrix: SparseMatrix,
  settings: Settings,
  { checkpoint, parts, remarks }: KeptRun,
  runOn: RunOn,
): Promise<StageData> {
  const { stage, mod, seed, verify, atLeast } = settings;
  const { rows, cols, nnz } = matrix;
  const block = { m: settings.block!.m!, n: settings.block!.n };
  const own = { rows, cols, nnz, mod, seed, block: [block.m, block.n] as const, explanation: [] };
  if (stage!.kind === 'plan') {
    const plan = planOf(residuesOf(matrix, settings), settings, stage as Extract<StageSettings, { kind: 'plan' }>);
    if (parts !== null) checkSame(parts, plan);
    await keepParts(checkpoint, plan);
    return { ...own, ...ONE_THREAD, parts: plan.count, blocks: plan.length, warnings: remarks, seconds: {} };
  }
  if (parts === null) throw new OptionError('checkpoint: expected a run that is planned in parts');
  const part = stage!.kind === 'krylov' ? stage!.part : null;
  if (part !== null && part >= parts.count)
    throw new OptionError(`part: expected a number from 0 to ${parts.count - 1}, got ${part}`);
  return runOn(settings, async (context, hardware) => {
    const options = { block, verify, atLeast: atLeast ?? undefined };
    const staged = { ...context, checkpoint, parts };
    const made = await stageOfMatrix(staged, residuesOf(matrix, settings), options, { part });
    return { ...own, ...hardware, parts: parts.count, ...made, warnings: [...new Set([...remarks, ...made.warnings])] };
  });
}

function planOf(
  { rows, cols }: ResidueMatrix,
  { mod, block, verify, inputFormat: format }: Settings,
  { parts, rank, file }: Extract<StageSettings, { kind: 'plan' }>,
): PlannedParts {
  const N = Math.min(rows, cols);
  const length = lengthOfParts(boundedRank(rank, N), { m: block!.m!, n: block!.n }, Number(mod), verify);
  return { count: parts, length, file, format };
}

/** The same plan once more changes nothing but the place and the format of the matrix. */
function checkSame(kept: PlannedParts, plan: PlannedParts): void {
  for (const key of ['count', 'length'] as const) {
    const what = key === 'count' ? 'parts' : 'blocks a part';
    if (kept[key] !== plan[key])
      throw new OptionError(`checkpoint: it is a run of ${kept[key]} ${what}, not ${plan[key]}`);
  }
}

/** Without empty rows and columns, as the run itself takes it. */
function residuesOf(matrix: SparseMatrix, { mod }: Settings): ResidueMatrix {
  return dropEmptyLines(coreOf('rank', matrix).matrix.residues(Number(mod)));
}
