/**
 * The rank of a matrix mod p by the method asked for, or by the one that should be fastest.
 *
 *   wiedemann    block Wiedemann on the matrix itself
 *   hybrid       structural pivots, then random vectors or block Wiedemann on their implicit Schur complement
 *   elimination  structural pivots, then elimination to the end: deterministic
 *   auto         wiedemann where a block shape is asked for; else pivots, and then what costs.ts says is
 *                cheapest of what there is room for, elimination also where it costs little more, for its proof; where that
 *                would be long and a few random vectors do not say the rank, sparse pivots are tried (markowitz-trial.ts) and it
 *                chooses again. A GPU has no substitution: there it is elimination or wiedemann
 *
 * Pivots cost less than reading the matrix, and every one saves a step of the sequence: on the
 * matrices of the benchmark hybrid was never slower than wiedemann by more than they cost, mostly many times faster.
 */
import type { WordPrime } from '../fields/word-prime.js';
import type { Executor } from '../kernels/executor.js';
import type { GpuExecutor } from '../kernels/executors/gpu.js';
import type { GpuDevice } from '../kernels/gpu/device.js';
import type { ResidueMatrix } from '../kernels/sparse/residue-matrix.js';
import { MemoryError } from '../kernels/threads/memory.js';
import type { BlockShape } from './block-wiedemann/block-shape.js';
import { enough, type RankOptions, type RunContext, rankOfMatrix } from './block-wiedemann/rank.js';
import { fillLine, sampledFill } from './elimination/fill.js';
import { thinned } from './elimination/markowitz-trial.js';
import { eliminationRank } from './elimination/rounds.js';
import { MethodError } from './method-error.js';
import { cheapest, type Known } from './methods/costs.js';
import { type Possible, possibleCosts, wiedemannObstacle } from './methods/feasible.js';
import { type GpuCosts, gpuCosts, USUAL_GPU } from './methods/gpu-costs.js';
import { scouted } from './methods/probe.js';
import { withoutEmptyLines } from './presolve/drop-empty.js';
import { ALL_THERE_IS, isComplete } from './presolve/pivots-alone.js';
import { type Reduced, reduced } from './presolve/presolve.js';
import { sparseRows } from './reference/rows.js';
import { sparseRankReference } from './reference/sparse-elimination.js';
import { type HybridContext, hybridRank, type Reconsidered } from './schur/hybrid-rank.js';

export type RankMethod = 'auto' | 'elimination' | 'hybrid' | 'wiedemann';

export interface RankAnswer {
  readonly rank: number;
  readonly lowerBound: number; // proved
  readonly upperBound: number | null; // null when not proved
  readonly errorLog2: number | null; // of the upper bound; −Infinity when it cannot be wrong
  readonly reason?: string | undefined;
  readonly method: 'block-wiedemann' | 'hybrid' | 'sparse-elimination';
  readonly block: BlockShape | null;
  /** Where the run has moved to; absent where it has stayed. */
  readonly device?: 'gpu' | undefined;
  readonly seconds: Readonly<Record<string, number>>;
  /** How the method was chosen and what it met, a line each. */
  readonly explanation: readonly string[];
}

/** Seconds until a GPU computes: Dawn, its driver, the first kernels. */
const OPENING = 0.7;

/** Times that it may take what it is expected to: it may be slower than the one that the rates are of. */
const DOUBT = 1.5;

/** Seconds that a proof without probability is worth. */
const PROOF = 0.1;

export async function rankBy(
  method: RankMethod,
  context: RunContext,
  given: ResidueMatrix | Reduced,
  options: RankOptions = {},
): Promise<RankAnswer> {
  const { field, name } = context.executor;
  const plain = method === 'wiedemann' ? 'asked for' : method === 'auto' ? reasonForPlain(context, options) : null;
  if (plain !== null) return plainRank(context, given, options, plain);
  if (method === 'hybrid' && !canSubstitute(context.executor)) {
    throw new MethodError(`method hybrid: ${name} has no substitution yet`);
  }
  context.check();
  if (!('matching' in given)) context.onProgress({ phase: 'pivots', attempt: 1, done: 0, total: 1 });
  const known = 'matching' in given ? given : reduced(field, given);
  if (method === 'auto') return chosenRank(context, known, options);
  const said = (answer: RankAnswer) => ({ ...answer, explanation: [`${method}: asked for`, ...answer.explanation] });
  if (method === 'elimination') return said(await eliminated(context, known, options));
  const [rows, cols] = [known.a.rows, known.a.cols].map((lines) => lines - known.matching.size);
  refuse('hybrid', wiedemannObstacle(field, rows, cols, known.a.colIdx.length, {}, options));
  const reconsider = async (product?: number) => ({
    costs: possibleCosts(field, known, { product }, options).costs,
    explanation: [],
  });
  return said(await hybridRank(context as HybridContext, known, options, reconsider));
}

/** Block Wiedemann on the matrix itself. */
async function plainRank(
  context: RunContext,
  given: ResidueMatrix | Reduced,
  options: RankOptions,
  why: string,
): Promise<RankAnswer> {
  const { field } = context.executor;
  const { a, taken } = 'matching' in given ? given : { a: withoutEmptyLines(given), taken: 0 };
  const met = { gpu: gpuOf(context) };
  refuse('wiedemann', wiedemannObstacle(field, a.rows, a.cols, a.colIdx.length, met, options));
  const result = await rankOfMatrix(context, a, { ...options, atLeast: less(options.atLeast, taken) });
  const [rank, lowerBound] = [taken + result.rank, taken + result.lowerBound];
  const upperBound = result.upperBound === null ? null : taken + result.upperBound;
  return { ...result, rank, lowerBound, upperBound, explanation: [`wiedemann: ${why}`] };
}

/** By what seems cheapest, looked at once more where a few random vectors do not say the rank. */
async function chosenRank(context: RunContext, known: Reduced, options: RankOptions): Promise<RankAnswer> {
  const { field } = context.executor;
  const { chosen, why, seen } = await choose(context, known, options);
  if (chosen === 'wiedemann') {
    const answer = await plainRank(context, known, options, why);
    return { ...answer, explanation: [...seen, ...known.explanation, ...answer.explanation] };
  }
  if (chosen === 'elimination') {
    const { answer = await eliminated(context, known, options), explanation } = await onGpu(
      context,
      known,
      {},
      options,
    );
    return { ...answer, explanation: [...seen, `${chosen}: ${why}`, ...explanation, ...answer.explanation] };
  }
  const reconsider = async (product?: number): Promise<Reconsidered<RankAnswer>> => {
    const { team } = context;
    const blind = { known: { product }, explanation: [] };
    const scout = product === undefined || !team ? blind : await scouted(context, team, known, { product });
    const possible = possibleCosts(field, known, scout.known, options);
    const { costs } = possible;
    const moved = await onGpu(context, known, scout.known, options);
    const seen = [...scout.explanation, ...moved.explanation];
    if (moved.answer) return { answer: moved.answer, costs, explanation: seen };
    const [better, reason] = preferred(possible);
    if (better === 'elimination') {
      const answer = await eliminated(context, known, options);
      return { answer, costs, explanation: [...seen, `${better}: ${reason}`] };
    }
    const { maxBytes } = options;
    const thinner = thinned(field, known, cheapest, context.check, { maxBytes, threads: team?.threads });
    const pays = thinner !== null && Number.isFinite(cheapest(possibleCosts(field, thinner, {}, options).costs));
    const answer = pays ? await chosenRank(context, thinner, options) : undefined;
    return { answer, costs, explanation: seen };
  };
  const answer = await hybridRank(context as HybridContext, known, options, reconsider);
  return { ...answer, explanation: [...seen, `${chosen}: ${why}`, ...answer.explanation] };
}

/** What is left to a GPU, where that should be worth opening one; without an answer where it is not, or turns out too small. */
async function onGpu(
  context: RunContext,
  known: Reduced,
  met: Known,
  options: RankOptions,
): Promise<{ readonly answer?: RankAnswer; readonly explanation: readonly string[] }> {
  const { executor, team } = context;
  const { field } = executor;
  if (!context.onGpu || !team) return { explanation: [] };
  let [here, there] = hereAndThere(field, known, met, options, team.threads);
  if (here > OPENING && met.fill === undefined) {
    const fill = sampledFill(team, field, known.a, known);
    [here, there] = hereAndThere(field, known, { ...met, fill }, options, team.threads);
  }
  if (here < OPENING + DOUBT * there) return { explanation: [] };
  const gpu = await context.onGpu();
  if (gpu === null) return { explanation: [] };
  const [seconds, others] = [here, there].map((estimate) => `${estimate.toPrecision(2)} s`);
  const why = `on the GPU: what is left should take ${others} there, ${seconds} by threads`;
  try {
    const answer = await chosenRank(gpu, known, options);
    return { answer: { ...answer, device: 'gpu' }, explanation: [why] };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { explanation: [why, `back on threads: ${error.message}`] };
  }
}

/** Seconds of a run that goes on by these threads, and of one that moves to a GPU. */
function hereAndThere(
  field: WordPrime,
  known: Reduced,
  met: Known,
  options: RankOptions,
  threads: number,
): [number, number] {
  const gpu = gpuCosts(USUAL_GPU, threads);
  const { elimination, sampling, wiedemann } = possibleCosts(field, known, met, options).costs;
  const there = possibleCosts(field, known, { fill: met.fill, gpu }, options).costs;
  // A product that was timed was timed on all threads (hybrid-rank.ts).
  const vectors = Math.min(sampling, wiedemann) / (met.product === undefined ? gpu.worth : threads);
  return [Math.min(elimination / gpu.worth, vectors), cheapest(there) / gpu.worth];
}

interface Choice {
  readonly chosen: 'elimination' | 'hybrid' | 'wiedemann';
  readonly why: string;
  /** What was looked at for it, a line each. */
  readonly seen: readonly string[];
}

/** Among the methods that there is room for; throws MethodError where there is none. */
async function choose(context: RunContext, known: Reduced, options: RankOptions): Promise<Choice> {
  const { executor, team } = context;
  const { field } = executor;
  const { a } = known;
  const gpu = gpuOf(context);
  const others = gpu ? 'wiedemann' : 'hybrid';
  if (isComplete(known)) return { chosen: gpu ? 'elimination' : 'hybrid', why: ALL_THERE_IS, seen: [] };
  let met: Known = { gpu };
  let seen: readonly string[] = [];
  // There are no random vectors on a GPU that would show first how little there may be.
  if (gpu && team) ({ known: met, explanation: seen } = await scouted(context, team, known, met));
  let possible = possibleCosts(field, known, met, options);
  if (!Number.isFinite(cheapest(possible.costs)) && team && met.fill === undefined) {
    const fill = sampledFill(team, field, a, known); // a sparse Schur complement takes less
    met = { ...met, fill };
    seen = [...seen, fillLine(fill)];
    possible = possibleCosts(field, known, met, options);
  }
  if (!Number.isFinite(cheapest(possible.costs))) refuse('auto', possible.obstacles.join('; '));
  const [chosen, why] = preferred(possible, gpu);
  return { chosen: chosen === 'elimination' ? chosen : others, why, seen };
}

function preferred({ costs, obstacles }: Possible, gpu?: GpuCosts): ['elimination' | 'other', string] {
  const { elimination, sampling, wiedemann } = costs;
  const exact = elimination <= Math.min(sampling, wiedemann) + PROOF;
  const estimates = [
    { seconds: elimination, by: 'by elimination' },
    { seconds: sampling, by: 'by samples' },
    { seconds: wiedemann, by: `by block Wiedemann${gpu ? ' on all of the matrix' : ''}` },
  ]
    .filter(({ seconds }) => Number.isFinite(seconds))
    .map(({ seconds, by }) => `${(seconds / (gpu?.worth ?? 1)).toPrecision(2)} s ${by}`);
  const what = `what the pivots leave should take ${estimates.join(', ')}${gpu ? `, with ${gpu.gpu.name}` : ''}`;
  return [exact ? 'elimination' : 'other', [what, ...obstacles].join('; ')];
}

/** Refuses a run that there is no room for, before it begins. */
function refuse(method: string, obstacle: string | null): void {
  if (obstacle !== null) throw new MethodError(`method ${method}: ${obstacle}`);
}

/** A bound for what is left when so much has been taken. */
function less(bound: number | undefined, taken: number): number | undefined {
  return bound === undefined ? undefined : bound - taken;
}

/** Why nothing but the sequence of the matrix itself will do. */
function reasonForPlain(context: RunContext, { block }: RankOptions): string | null {
  if (block) return 'a block shape was asked for';
  if (canSubstitute(context.executor) || gpuOf(context) !== undefined) return null;
  return `${context.executor.name} has no substitution`;
}

/** What the GPU of a run on one costs beside its threads. */
function gpuOf({ executor, team }: RunContext): GpuCosts<GpuDevice> | undefined {
  if (executor.name !== 'gpu' || team === undefined) return undefined;
  return gpuCosts((executor as GpuExecutor).gpu, team.threads);
}

async function eliminated(context: RunContext, known: Reduced, options: RankOptions): Promise<RankAnswer> {
  const { executor, team, check, onProgress } = context;
  const exact = (rank: number) => ({ rank, lowerBound: rank, upperBound: rank, errorLog2: Number.NEGATIVE_INFINITY });
  const rest = { method: 'sparse-elimination', block: null } as const;
  if (!team) {
    const start = performance.now();
    const rank = known.taken + sparseRankReference(executor.field, sparseRows(executor.field, known.a), check);
    const seconds = { elimination: (performance.now() - start) / 1000 };
    return { ...exact(rank), ...rest, explanation: [], seconds };
  }
  const onPhase = (phase: 'pivots' | 'schur' | 'dense') => onProgress({ phase, attempt: 1, done: 0, total: 1 });
  const { atLeast, maxBytes } = options;
  const result = await eliminationRank(team, executor.field, known.a, {
    atLeast,
    maxBytes,
    check,
    onPhase,
    reduced: known,
    gpu: gpuOf(context),
  });
  const { rank, complete, seconds, explanation } = result;
  if (complete) return { ...exact(rank), ...rest, seconds, explanation };
  const reason = enough(atLeast ?? rank);
  return { ...exact(rank), ...rest, upperBound: null, errorLog2: null, reason, seconds, explanation };
}

function canSubstitute(executor: Executor): boolean {
  return executor.substitution !== undefined && executor.columnRank !== undefined;
}
