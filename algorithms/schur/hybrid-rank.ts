/**
 * The rank as structural pivots and the rank of their Schur complement.
 *
 *   rank A = r + rank S      r : pivots, proved by the triangle they form      S : schur-complement.ts, never formed
 *
 * S has rank A − r, often a small part of rank A: a few random vectors of its column space show it (sampling.ts), where
 * the executor eliminates vectors. Where they do not, block Wiedemann finds the rest in rank S steps instead of rank A.
 * All bounds of S move up by r.
 */
import { deriveSeed } from '../../fields/random.js';
import type { Operator } from '../../kernels/executor.js';
import type { Team } from '../../kernels/threads/team.js';
import type { BlockShape } from '../block-wiedemann/block-shape.js';
import { inPanels } from '../block-wiedemann/column-panels.js';
import { holdOnDevices } from '../block-wiedemann/krylov-columns.js';
import {
  type BlockWiedemannResult,
  blockWiedemannRank,
  chooseShape,
  type RankOptions,
  transposeOperator,
} from '../block-wiedemann/rank.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { overBlockField, WorkingField } from '../block-wiedemann/working-field.js';
import { type Costs, cheapest, type Estimates } from '../estimates.js';
import { operatorDigest } from '../presolve/digest.js';
import { boundsOfPivots, pivotsLine } from '../presolve/pivots-alone.js';
import type { Presolved } from '../presolve/presolve.js';
import { exactRank, type RankResult, sufficientRank } from '../rank-result.js';
import { leastSeconds } from '../stopwatch.js';
import { type RankingExecutor, type Sampled, sampleRank } from './sampling.js';
import { SchurComplement, type SubstitutingExecutor } from './schur-complement.js';

export interface HybridContext extends RunContext {
  readonly executor: SubstitutingExecutor;
}

/** Seconds of the cheapest method from which on a product is timed. */
const LONG = 0.1;

const WIDTH = 16;

/** The share of those seconds that timing a product may take. */
const TIMING = 1 / 100;

/** A second choice, where a few random vectors do not give the rank: another method's answer, or new estimates. */
export interface Reconsideration {
  readonly answer?: RankResult | undefined;
  readonly costs: Costs;
  readonly explanation: readonly string[];
}

/** Random vectors first, or a run that goes on behind them. */
export type Samples =
  | {
      /** Those that are cheap beside the run. */
      readonly fewSamples: number;
      /** Is told the seconds of a product with 16 vectors on one thread, where they are worth measuring. */
      readonly reconsider: (product?: number) => Promise<Reconsideration>;
    }
  /** The rank that they had. */
  | { readonly sampled: number };

export async function hybridRank(
  context: HybridContext,
  presolved: Presolved,
  estimates: Estimates,
  options: RankOptions,
  samples: Samples,
): Promise<RankResult> {
  const { executor, seed } = context;
  const { a, at, matching, pivots } = presolved;
  const { atLeast = Number.POSITIVE_INFINITY } = options;
  const seconds: Record<string, number> = { pivots: presolved.seconds };
  const explanation = [...presolved.explanation];
  const takeSamples = async (executor: RankingExecutor, s: Operator, most: number): Promise<Sampled> => {
    const phase = 'sampling';
    context.check();
    context.onProgress({ phase, attempt: 1, done: 0, total: 1 });
    const start = performance.now();
    const result = await sampleRank(executor, s, deriveSeed(seed, 'sampling'), most);
    context.onProgress({ phase, attempt: 1, done: 1, total: 1 });
    if (result.repeated > 0) {
      explanation.push(`products disagreed with each other and were made again, ${result.repeated} times`);
    }
    seconds[phase] = (seconds[phase] ?? 0) + (performance.now() - start) / 1000;
    return result;
  };
  const report = { method: 'hybrid', block: null, seconds, explanation } as const;

  const r = presolved.pivotsTaken + matching.size;
  const bounds = boundsOfPivots(presolved, atLeast);
  if (bounds !== null) {
    const { why, ...rank } = bounds;
    explanation.push(...why);
    return { ...rank, ...report };
  }
  explanation.push(pivotsLine(presolved));
  const s = new SchurComplement(executor, a, at, pivots);
  try {
    // Samples are as short as they can be: in the space of the shorter side.
    const short = s.rows <= s.cols ? s : transposeOperator(s);
    const expected = estimates.costsLeft(a, matching.size);
    const sampled = 'sampled' in samples ? samples.sampled : 0;
    let some: Sampled = { rank: sampled, errorLog2: null, repeated: 0 };
    const first = 'sampled' in samples || !canRank(executor) ? null : { ...samples, executor };
    if (first !== null) some = await takeSamples(first.executor, short, first.fewSamples);
    if (first !== null && some.errorLog2 === null && r + some.rank < atLeast) {
      const left = cheapest(expected);
      const product =
        left < LONG ? undefined : await productTime(executor, context.team, short, TIMING * left, estimates);
      if (product !== undefined) explanation.push(timingLine(product, estimates.productSeconds(a.colIdx.length)));
      const { answer, costs, ...said } = await first.reconsider(product);
      explanation.push(...said.explanation);
      if (answer !== undefined) {
        explanation.push(...answer.explanation);
        return { ...answer, seconds: addSeconds(seconds, answer.seconds), explanation };
      }
      const { sampling, wiedemann } = costs;
      if (sampling <= wiedemann) some = await takeSamples(first.executor, short, Number.POSITIVE_INFINITY);
    }
    const lower = r + some.rank;
    if (some.errorLog2 !== null) {
      explanation.push(`random vectors show that the ${s.rows} x ${s.cols} Schur complement has rank ${some.rank}`);
      return { ...exactRank(lower), errorLog2: some.errorLog2, ...report };
    }
    if (lower >= atLeast) return { ...sufficientRank(lower, atLeast), ...report };
    explanation.push(
      `block Wiedemann on the implicit ${s.rows} x ${s.cols} Schur complement, of rank ${some.rank} or more`,
    );
    const shape = chooseShape(options, Math.min(s.rows, s.cols), executor.field.p);
    const { sparsePivots, pivotsTaken } = presolved;
    const choices = [sparsePivots, 'hybrid', shape.m, shape.n, some.rank, matching.size, pivotsTaken];
    await context.way?.arrive(choices, await operatorDigest(a, pivots));
    const rest = await rankOfSchur(context, presolved, s, shape, { ...options, atLeast: atLeast - r });
    explanation.push(...rest.explanation);
    Object.assign(seconds, rest.seconds);
    const { upperBound, errorLog2, reason, block } = rest;
    const rank = r + Math.max(rest.lowerBound, some.rank);
    const bounds = { rank, lowerBound: rank, upperBound: upperBound === null ? null : r + upperBound, errorLog2 };
    return { ...bounds, reason, ...report, block };
  } finally {
    s.free();
  }
}

/** Block Wiedemann on S, in panels of columns where its vectors or those of A are too long for a device. */
function rankOfSchur(
  context: HybridContext,
  { a, at, pivots }: Presolved,
  s: SchurComplement,
  block: BlockShape,
  options: RankOptions,
): Promise<BlockWiedemannResult> {
  return overBlockField(context, async (context) => {
    const { executor } = context;
    const start = performance.now();
    const sequenceDevices = await holdOnDevices(context.sequenceDevices, block.n, a, executor.field, {
      at,
      pivots,
    });
    const setup = (performance.now() - start) / 1000;
    const { k } = new WorkingField(executor, 'block');
    const { panels, explanation, ...paneled } = inPanels(executor, Math.max(a.rows, a.cols), k, block.n);
    const own = s.on(executor);
    try {
      const over = panels?.adopt(own) ?? own;
      const rest = await blockWiedemannRank({ ...context, ...paneled, sequenceDevices }, over, { ...options, block });
      return { ...rest, explanation, seconds: { ...rest.seconds, setup: rest.seconds.setup + setup } };
    } finally {
      if (own !== s) own.free();
    }
  });
}

function canRank(executor: SubstitutingExecutor): executor is SubstitutingExecutor & RankingExecutor {
  return executor.columnRank !== undefined;
}

/**
 * Seconds of a product with 16 vectors, by which all costs are told: of one thread that does what these threads do in
 * the measured time, as of dense eliminations and order bases (`speedup`), so that methods compare on many threads as
 * on one.
 */
async function productTime(
  executor: SubstitutingExecutor,
  team: Team | undefined,
  s: Operator,
  budget: number,
  { speedup }: Pick<Estimates, 'speedup'>,
): Promise<number> {
  await team?.waitForThreads();
  const [x, y] = [executor.vector(s.cols, WIDTH), executor.vector(s.rows, WIDTH)];
  try {
    return speedup(executor.threads) * (await leastSeconds(budget, () => s.apply(y, x)));
  } finally {
    executor.release(x);
    executor.release(y);
  }
}

function timingLine(product: number, expected: number): string {
  const [is, was] = [product, expected].map((seconds) => `${(1000 * seconds).toPrecision(2)} ms`);
  return `a product with ${WIDTH} vectors takes ${is} of one thread, ${was} were expected`;
}

function addSeconds(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const sum = { ...a };
  for (const [phase, seconds] of Object.entries(b)) sum[phase] = (sum[phase] ?? 0) + seconds;
  return sum;
}
