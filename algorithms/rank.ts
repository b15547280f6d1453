/**
 * The rank of a matrix mod p by the method asked for, or by the one that methods/choose.ts expects to be fastest.
 *
 *   wiedemann    block Wiedemann on the matrix itself
 *   hybrid       structural pivots, then random vectors or block Wiedemann on their implicit Schur complement
 *   elimination  structural pivots, then elimination to the end: deterministic
 *   auto         structural pivots, then the choice; a second choice where a few random vectors do not say the rank
 *
 * The second choice knows the time of a product, the fill of the Schur complement and what sparse pivots leave
 * (markowitz-trial.ts). Pivots cost less than reading the matrix, and each one saves a step of the sequence.
 */
import { MemoryError } from '../kernels/errors/memory-error.js';
import type { GpuDevice } from '../kernels/gpu/device.js';
import type { ResidueMatrix } from '../kernels/sparse/residue-matrix.js';
import { unlessRefused } from './block-wiedemann/gpu-budget.js';
import type { RankOptions, RunContext } from './block-wiedemann/rank.js';
import { blockOfPieces, type Choice, Way } from './checkpoint/way.js';
import { isLocal } from './elimination/breadth.js';
import type { Dissection } from './elimination/dissection.js';
import { markowitzTrial, takeSparsePivots } from './elimination/markowitz-trial.js';
import { eliminationRank } from './elimination/rounds.js';
import { cheapest, type GpuCosts, type Measurements } from './estimates.js';
import { MethodError } from './method-error.js';
import {
  chooseMethod,
  gpuOf,
  isFeasible,
  pivotsFor,
  prefer,
  reasonForWiedemann,
  refuseMethod,
  samplesWorth,
  weighGpu,
} from './methods/choose.js';
import { estimatesOver } from './methods/costs.js';
import { dissectionWorth } from './methods/dissection-worth.js';
import { feasibleCosts, hybridObstacle, mostUnkept, schurBlocks } from './methods/feasible.js';
import { linesOfLost, pivotsForGpu } from './methods/gpu-pivots.js';
import { blockOf, rankByWiedemann } from './methods/plain-wiedemann.js';
import { probe } from './methods/probe.js';
import { KeptPivots } from './presolve/kept-pivots.js';
import { whyPivots } from './presolve/pivots-alone.js';
import { isMuchLeft, isPresolved, type Presolved, presolve } from './presolve/presolve.js';
import { exactRank, explain, type RankResult } from './rank-result.js';
import { sparseRows } from './reference/rows.js';
import { sparseRankReference } from './reference/sparse-elimination.js';
import { type HybridContext, hybridRank, type Reconsideration } from './schur/hybrid-rank.js';

export type RankMethod = 'auto' | 'elimination' | 'hybrid' | 'wiedemann';

export async function rankBy(
  method: RankMethod,
  context: RunContext,
  given: ResidueMatrix | Presolved,
  options: RankOptions = {},
): Promise<RankResult> {
  const { checkpoint } = context;
  if (!checkpoint) return rankFresh(method, context, given, options);
  const pivots = context.pivots ?? (await KeptPivots.recall(checkpoint));
  const way = await Way.recall(checkpoint, () => pivots.keep());
  if (blockOfPieces(way) !== null)
    throw new MethodError('the run was begun by pieces on a disk: --scratch goes on with it');
  const isChosen = method === 'hybrid' || (method !== 'elimination' && !options.block);
  if (!isChosen) return rankFresh(method, context, given, options);
  if (method === 'wiedemann') {
    const block = way.choices === null ? undefined : blockOf(way.choices);
    return rankFresh(method, { ...context, way }, given, { ...options, block });
  }
  const { field } = context.executor;
  const allowed = { seed: context.seed, atLeast: options.atLeast, known: pivots };
  const presolved = isPresolved(given) ? given : presolve(field, given, estimatesOver(field), allowed);
  const kept = { ...context, way };
  if (way.choices !== null) return rankAgain(kept, presolved, options, way.choices);
  return rankFresh(method, kept, presolved, { ...options, mostUnkept: mostUnkept(context) });
}

/** The run that goes on: as it chose before, on a GPU where that pays now. */
async function rankAgain(
  context: RunContext,
  given: Presolved,
  asked: RankOptions,
  choices: readonly Choice[],
): Promise<RankResult> {
  const [sparsePivots, method, , , sampled, pivots, pivotsTaken = 0] = choices;
  const options = { ...asked, block: blockOf(choices) };
  const { field } = context.executor;
  const estimates = estimatesOver(field);
  const presolved = sparsePivots === 0 ? given : takeSparsePivots(field, given, estimates, Number(sparsePivots));
  const why = `${method}: as before`;
  const goOn = async (context: RunContext): Promise<RankResult> => {
    if (method === 'wiedemann') return rankByWiedemann(context, presolved, options);
    const { name, substitution } = context.executor;
    if (substitution === undefined)
      throw new MethodError(`method hybrid, as the run was begun: ${name} has no substitution`);
    const taken = pivots === presolved.matching.size ? presolved : pivotsForGpu(field, presolved);
    if (whyPivots(taken, options.atLeast) === null) refuseMethod('hybrid', hybridObstacle(field, taken, options));
    // The samples were of a Schur complement of so many pivots: that of as many others has the same rank.
    const isOfThese = pivots === taken.matching.size && pivotsTaken === taken.pivotsTaken;
    const some = { sampled: isOfThese ? Number(sampled) : 0 };
    const answer = await hybridRank(context as HybridContext, taken, estimates, options, some);
    return explain(linesOfLost(presolved.pivots, taken.pivots), answer);
  };
  const moved = await moveToGpu(context, presolved, {}, options, goOn);
  return explain([why, ...moved.explanation], moved.answer ?? (await goOn(context)));
}

async function rankFresh(
  method: RankMethod,
  context: RunContext,
  given: ResidueMatrix | Presolved,
  options: RankOptions,
): Promise<RankResult> {
  const { field, name } = context.executor;
  const plain = method === 'wiedemann' ? 'asked for' : method === 'auto' ? reasonForWiedemann(context, options) : null;
  if (plain !== null) return explain(`wiedemann: ${plain}`, await rankByWiedemann(context, given, options));
  if (method === 'hybrid' && context.executor.substitution === undefined) {
    throw new MethodError(`method hybrid: ${name} has no substitution yet`);
  }
  context.check();
  const { atLeast } = options;
  const allowed = method === 'elimination' ? { atLeast } : { seed: context.seed, atLeast };
  if (!isPresolved(given)) context.onProgress({ phase: 'pivots', attempt: 1, done: 0, total: 1 });
  const presolved = isPresolved(given) ? given : presolve(field, given, estimatesOver(field), allowed);
  if (method === 'auto') return rankByChoice(context, presolved, options);
  const why = `${method}: asked for`;
  if (method === 'elimination') return explain(why, await rankByElimination(context, presolved, options));
  if (whyPivots(presolved, atLeast) === null) {
    refuseMethod('hybrid', hybridObstacle(field, pivotsFor(context, presolved, atLeast), options));
  }
  const reconsider = async (product?: number): Promise<Reconsideration> => ({
    costs: feasibleCosts(field, presolved, { product }, options).costs,
    explanation: [],
  });
  return explain(why, await rankByHybrid(context, presolved, options, reconsider));
}

/** By the cheapest method, with a second choice where a few random vectors do not say the rank. */
async function rankByChoice(context: RunContext, presolved: Presolved, options: RankOptions): Promise<RankResult> {
  const { field } = context.executor;
  const { method, reason, explanation } = await chooseMethod(context, presolved, options);
  const failures: string[] = []; // of fronts that were begun
  const byFronts = async (measurements: Measurements): Promise<RankResult | null> => {
    const dissection = dissectionWorth(context, presolved, measurements, options);
    if (dissection === null) return null;
    try {
      return explain('elimination: by fronts', await rankByElimination(context, presolved, options, dissection));
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      failures.push(`fronts: ${error.message}`);
      return null;
    }
  };
  const back = (): string[] => failures.map((line) => `back from ${line}`);
  if (method === null) {
    const answer = await byFronts({});
    if (answer === null) throw new MethodError(`method auto: ${[reason, ...failures].join('; ')}`);
    return explain([...explanation, reason], answer);
  }
  const why = `${method}: ${reason}`;
  if (method === 'wiedemann') {
    const answer = await rankByWiedemann(context, presolved, options);
    return explain([...explanation, ...presolved.explanation, why], answer);
  }
  if (method === 'elimination') {
    const moved = await moveToGpu(context, presolved, {}, options);
    const answer = moved.answer ?? (await rankByElimination(context, presolved, options));
    return explain([...explanation, why, ...moved.explanation], answer);
  }
  const isMuch = isMuchLeft(presolved) && whyPivots(presolved, options.atLeast) === null;
  const answer = isMuch ? await byFronts({}) : null;
  if (answer !== null) return explain([...explanation, reason], answer);
  const reconsider = async (product?: number): Promise<Reconsideration> => {
    const { team } = context;
    const answer = isMuch ? null : await byFronts({ product });
    if (answer !== null) return { answer, costs: feasibleCosts(field, presolved, {}, options).costs, explanation: [] };
    const blind = { measurements: { product }, explanation: [] };
    const look = product === undefined || !team ? blind : await probe(context, team, presolved, { product });
    const feasible = feasibleCosts(field, presolved, look.measurements, options);
    const { costs } = feasible;
    const moved = await moveToGpu(context, presolved, look.measurements, options);
    const explanation = [...(isMuch ? [] : back()), ...look.explanation, ...moved.explanation];
    if (moved.answer) return { answer: moved.answer, costs, explanation };
    const { eliminates, reason } = prefer(feasible);
    if (eliminates) {
      const dissection = failures.length > 0 ? null : undefined;
      const answer = await rankByElimination(context, presolved, options, dissection);
      return { answer, costs, explanation: [...explanation, `elimination: ${reason}`] };
    }
    const sparser = markowitzTrial(field, presolved, estimatesOver(field), cheapest, {
      ...{ check: context.check, maxBytes: options.maxBytes },
      threads: team?.threads,
    });
    const pays = sparser !== null && isFeasible(feasibleCosts(field, sparser, {}, options));
    return { answer: pays ? await rankByChoice(context, sparser, options) : undefined, costs, explanation };
  };
  const mayHaveFronts = context.team !== undefined && gpuOf(context) === undefined;
  const lines = [...explanation, ...back(), why];
  const onWhole = async ({ message }: Error): Promise<RankResult> => {
    const answer = await rankByWiedemann(context, presolved, options);
    return explain([...presolved.explanation, `wiedemann: S has no room: ${message}`], answer);
  };
  const bySchur = (own: RunContext) => rankByHybrid(own, presolved, options, reconsider, mayHaveFronts);
  return explain(lines, await unlessRefused(context, bySchur, onWhole));
}

/**
 * The rest of a run on a GPU, where that is worth opening one; without an answer where it is not, or the GPU is too
 * small.
 */
async function moveToGpu(
  context: RunContext,
  presolved: Presolved,
  measurements: Measurements,
  options: RankOptions,
  goOn = (gpu: RunContext) => rankByChoice(gpu, presolved, options),
): Promise<{ readonly answer?: RankResult; readonly explanation: readonly string[] }> {
  const { executor, team } = context;
  if (!context.onGpu || !team) return { explanation: [] };
  const { pays, reason } = weighGpu(executor.field, team, presolved, measurements, options);
  const gpu = pays ? await context.onGpu() : null;
  if (gpu === null) return { explanation: [] };
  try {
    const { checkpoint, way } = context;
    const answer = await goOn({ ...gpu, checkpoint, way });
    return { answer: { ...answer, device: 'gpu' }, explanation: [reason] };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { explanation: [reason, `back on threads: ${error.message}`] };
  }
}

async function rankByHybrid(
  context: RunContext,
  presolved: Presolved,
  options: RankOptions,
  reconsider: (product?: number) => Promise<Reconsideration>,
  mayHaveFronts = false,
): Promise<RankResult> {
  const { executor, team, onGpu } = context;
  const { field } = executor;
  const estimates = estimatesOver(field);
  const taken = pivotsFor(context, presolved, options.atLeast);
  const own = { ...options, block: schurBlocks(context, taken, options) };
  // Fronts are mostly quicker than what many samples are cheap beside.
  const isApart = mayHaveFronts && isLocal(presolved.a, presolved.at);
  const fewSamples = isApart ? 0 : samplesWorth(field, presolved, onGpu && team ? team.threads : null);
  const answer = await hybridRank(context as HybridContext, taken, estimates, own, { fewSamples, reconsider });
  return explain(linesOfLost(presolved.pivots, taken.pivots), answer);
}

async function rankByElimination(
  context: RunContext,
  presolved: Presolved,
  options: RankOptions,
  dissection?: Dissection | null,
): Promise<RankResult> {
  const { executor, team, check, onProgress } = context;
  const { field } = executor;
  if (!team) {
    const start = performance.now();
    const rank = presolved.pivotsTaken + sparseRankReference(field, sparseRows(field, presolved.a), check);
    const seconds = { elimination: (performance.now() - start) / 1000 };
    return { ...exactRank(rank), method: 'sparse-elimination', block: null, explanation: [], seconds };
  }
  const gpu: GpuCosts<GpuDevice> | undefined = gpuOf(context);
  const { atLeast, maxBytes } = options;
  return eliminationRank(team, field, presolved.a, estimatesOver(field), {
    ...{ atLeast, maxBytes, check, presolved, dissection, gpu },
    onPhase: (phase) => onProgress({ phase, attempt: 1, done: 0, total: 1 }),
  });
}
