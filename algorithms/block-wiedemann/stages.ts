/**
 * A kept run in stages, each by a process of its own on whatever machine sees the store.
 *
 *   part j       its columns of the first attempt's sequence (kept-parts.ts)
 *   generator    all columns joined, the generator and the relations that are left to verify
 *
 * What comes after is the run itself, which finds all of that in the store: it verifies, and where that fails makes
 * further attempts. A stage that is done, or that a later one has made needless, does nothing.
 */
import type { Operator } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { paysOnGpu } from '../sigma-basis/gpu-crossover.js';
import { Attempt } from './attempt.js';
import { partMaker } from './attempt-sequence.js';
import { type BlockShape, lengthForRank, sequenceLengths, stopGap } from './block-shape.js';
import { LostSequenceError } from './check-errors.js';
import { workingDegree } from './extension-degree.js';
import { MOST_TURNS } from './kept-attempt.js';
import { makePart, type Parts } from './kept-parts.js';
import { freeSides, sharesOf, sidesOf } from './krylov-columns.js';
import type { Phase } from './phase.js';
import { onOperator, type RankOptions, tallOperator } from './rank.js';
import type { RunContext } from './run-context.js';
import { type SelfChecks, warningsOf } from './self-checks.js';
import { verificationWidth } from './verification.js';
import { WorkingField } from './working-field.js';

/** Part number `part`, or the generator where it is null. */
export interface Stage {
  readonly part: number | null;
}

export interface StageResult {
  readonly blocks: number; // that the part has, or all parts
  readonly seconds: Readonly<Record<Phase, number>>;
  readonly warnings: readonly string[]; // of the machine
}

/** The surroundings of a run in parts. */
export type StagedContext = RunContext & { readonly checkpoint: Checkpoint; readonly parts: Parts };

/** Columns of a part for which a GPU, and a thread, do their steps at less than twice the time of half of them. */
const COLUMNS_OF_PART = 16;

/** The order basis takes a share of the columns' square: beyond these, parts have fewer columns. */
const MOST_COLUMNS = 128;

/** m = 2n, which balances the sequence against the order basis, for a run of N unknowns in so many parts. */
export function shapeOfParts(N: number, parts: number): BlockShape {
  const few = Math.max(1, Math.floor(Math.sqrt(N) / (4 * parts)));
  const columns = Math.min(COLUMNS_OF_PART, few, Math.max(1, Math.floor(MOST_COLUMNS / parts)));
  return { m: 2 * parts * columns, n: parts * columns };
}

/** The blocks that parts are made of for a rank of at most `rank`. */
export function lengthOfParts(rank: number, shape: BlockShape, p: number, verify = true): number {
  const log2q = workingDegree(p, 'block') * Math.log2(p);
  return lengthForRank(rank, shape, verify ? verificationWidth(log2q) : 0, stopGap(shape, log2q));
}

/** Whether a GPU beside so many threads has anything to do for the generator of N unknowns, once the parts are made. */
export function searchesOnGpu(N: number, shape: BlockShape, p: number, verify: boolean, threads: number): boolean {
  const degree = workingDegree(p, 'block');
  if (degree > 1) return false;
  const log2q = Math.log2(p);
  const s = verify ? verificationWidth(log2q) : 0;
  const { bound } = sequenceLengths(N, shape, s, stopGap(shape, log2q));
  return paysOnGpu(shape.m + s + shape.n, shape.n, bound, threads);
}

/** Throws LostSequenceError where memory or a processor errs more than the stage can mend. */
export function stageOfMatrix(
  context: StagedContext,
  matrix: ResidueMatrix,
  options: RankOptions,
  { part }: Stage,
): Promise<StageResult> {
  return onOperator(context, matrix, options, async (own, operator, shape) => {
    const seconds: Record<Phase, number> = { setup: 0, sequence: 0, sigmaBasis: 0, verification: 0 };
    const here = { ...own, checkpoint: context.checkpoint, parts: context.parts };
    const blocks = here.parts.length;
    if (await isBehind(here.checkpoint, part)) return { blocks, seconds, warnings: [] };
    const a = tallOperator(operator);
    const working = new WorkingField(here.executor, 'block');
    const verify = options.verify ?? true;
    const atLeast = options.atLeast ?? Number.POSITIVE_INFINITY;
    const checks: SelfChecks = { sequence: 0, basis: 0, failed: 0 };
    const attempt = new Attempt(here, a, working, shape, 1, 'hash', verify, seconds, checks, atLeast);
    if (part === null) await findGenerator(attempt);
    else await unlessLost(checks, () => makePartOf(attempt, here, a, working, part, seconds, checks));
    return { blocks, seconds, warnings: warningsOf(checks) };
  });
}

/** What is kept is good: each search goes on from there. */
async function findGenerator(attempt: Attempt): Promise<void> {
  for (let turn = 1; turn <= MOST_TURNS; turn++) if (await attempt.findGenerator()) return;
  throw new LostSequenceError();
}

/** Where memory or a processor erred more than the sequence could mend, `make` goes on from what is kept, and good. */
async function unlessLost(checks: SelfChecks, make: () => Promise<void>): Promise<void> {
  for (let turn = 1; ; turn++) {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof LostSequenceError) || turn === MOST_TURNS) throw error;
      checks.failed++;
    }
  }
}

/** Whether a later stage has made this one needless. */
async function isBehind(checkpoint: Checkpoint, part: number | null): Promise<boolean> {
  const later = part === null ? ['outcome-1.json'] : ['outcome-1.json', 'attempt-1-relations'];
  for (const name of later) if ((await checkpoint.recall(name)) !== null) return true;
  return false;
}

async function makePartOf(
  { task, arrays }: Attempt,
  context: StagedContext,
  a: Operator,
  working: WorkingField,
  part: number,
  took: Record<Phase, number>,
  checks: SelfChecks,
): Promise<void> {
  const { executor, checkpoint, parts, check, onProgress } = context;
  const shares = sharesOf(task, parts.count);
  const sides = await sidesOf(executor, a, working, task);
  try {
    const maker = partMaker(executor, a, working, sides, check);
    const onStep = (done: number): void => {
      const event = { phase: 'sequence' as const, attempt: 1, done, total: parts.length };
      checkpoint.note(event);
      onProgress(event);
    };
    const made = await makePart(checkpoint, arrays, part, shares[part], parts.length, maker, check, onStep);
    took.sequence = made.seconds;
    checks.sequence += made.passed;
    checks.failed += made.failed;
  } finally {
    freeSides(sides);
  }
}
