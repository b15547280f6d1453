/**
 * The rank of a matrix mod p by the method asked for, or by the one that should be fastest.
 *
 *   wiedemann    block Wiedemann on the matrix itself
 *   hybrid       structural pivots, then random vectors or block Wiedemann on their implicit Schur complement
 *   elimination  structural pivots, then elimination to the end: deterministic
 *   auto         wiedemann where a block shape is asked for or the device has nothing else; else pivots, and then what
 *                costs.ts says is cheapest, elimination also where it costs little more, for its proof; where that would be
 *                long and a few random vectors do not say the rank, sparse pivots are tried (thinned.ts) and it chooses again
 *
 * Pivots cost less than reading the matrix, and every one saves a step of the sequence: on the
 * matrices of the benchmark hybrid was never slower than wiedemann by more than they cost, mostly many times faster.
 */
import type { WordPrime } from '../fields/word-prime.js';
import type { Executor } from '../kernels/executor.js';
import type { GpuExecutor } from '../kernels/gpu.js';
import type { ResidueMatrix } from '../kernels/residue-matrix.js';
import type { BlockShape } from './block-wiedemann/blocks.js';
import { enough, type RankOptions, type RunContext, rankOfMatrix } from './block-wiedemann/rank.js';
import { eliminationRank } from './elimination/elimination-rank.js';
import { denseGpu } from './elimination/gpu-crossover.js';
import { type Reduced, reduced } from './elimination/reduced.js';
import { thinned } from './elimination/thinned.js';
import { type Costs, cheapest, costsLeft } from './hybrid/costs.js';
import { type HybridContext, hybridRank, type Reconsidered } from './hybrid/hybrid-rank.js';
import { scouted } from './hybrid/scouting.js';
import { wiedemannBytes } from './memory-need.js';
import { MethodError } from './method-error.js';
import { sparseRows } from './reference/rows.js';
import { sparseRankReference } from './reference/sparse-elimination.js';

export type RankMethod = 'auto' | 'elimination' | 'hybrid' | 'wiedemann';

export interface RankAnswer {
  readonly rank: number;
  readonly lowerBound: number; // proved
  readonly upperBound: number | null; // null when not proved
  readonly errorLog2: number | null; // of the upper bound; −Infinity when it cannot be wrong
  readonly reason?: string | undefined;
  readonly method: 'block-wiedemann' | 'hybrid' | 'sparse-elimination';
  readonly block: BlockShape | null;
  readonly seconds: Readonly<Record<string, number>>;
  /** How the method was chosen and what it met, a line each. */
  readonly explanation: readonly string[];
}

/** Seconds that a proof without probability is worth. */
const PROOF = 0.1;

export async function rankBy(
  method: RankMethod,
  context: RunContext,
  given: ResidueMatrix | Reduced,
  options: RankOptions = {},
): Promise<RankAnswer> {
  const matrix = 'matching' in given ? given.a : given;
  const plain = method === 'auto' ? reasonForPlain(context.executor, options) : null;
  if (method === 'wiedemann' || plain !== null) {
    checkMemory('wiedemann', context.executor.field, matrix.rows, matrix.cols, matrix.colIdx.length, options);
    const taken = 'matching' in given ? given.taken : 0;
    const result = await rankOfMatrix(context, matrix, { ...options, atLeast: less(options.atLeast, taken) });
    const [rank, lowerBound] = [taken + result.rank, taken + result.lowerBound];
    const upperBound = result.upperBound === null ? null : taken + result.upperBound;
    return { ...result, rank, lowerBound, upperBound, explanation: [`wiedemann: ${plain ?? 'asked for'}`] };
  }
  if (method === 'hybrid' && !canSubstitute(context.executor)) {
    throw new MethodError(`method hybrid: ${context.executor.name} has no substitution yet`);
  }
  context.check();
  if (!('matching' in given)) context.onProgress({ phase: 'pivots', attempt: 1, done: 0, total: 1 });
  const known = 'matching' in given ? given : reduced(context.executor.field, given);
  return rankOfReduced(method, context, known, options);
}

async function rankOfReduced(
  method: Exclude<RankMethod, 'wiedemann'>,
  context: RunContext,
  known: Reduced,
  options: RankOptions,
): Promise<RankAnswer> {
  const { field } = context.executor;
  const [chosen, why] = method === 'auto' ? choose(field, known) : ([method, 'asked for'] as const);
  const { a, matching } = known;
  if (chosen === 'hybrid') {
    const [rows, cols] = [a.rows - matching.size, a.cols - matching.size];
    checkMemory('hybrid', field, rows, cols, a.colIdx.length, options);
  }
  /** Where random vectors have not found the rank: elimination, if that is what a closer look says, or sparse pivots. */
  const reconsider = async (product?: number): Promise<Reconsidered<RankAnswer>> => {
    const { team } = context;
    if (product === undefined || !team) return anotherWay(costsLeft(field, known, { product }), []);
    const { costs, explanation } = await scouted(context, team, known, product);
    return anotherWay(costs, explanation);
  };
  const anotherWay = async (costs: Costs, explanation: readonly string[]): Promise<Reconsidered<RankAnswer>> => {
    const [better, reason] = preferred(costs);
    if (better === 'elimination') {
      const answer = await eliminated(context, known, options);
      return { answer, costs, explanation: [...explanation, `${better}: ${reason}`] };
    }
    const thinner = thinned(field, known, cheapest, context.check, { maxBytes: options.maxBytes });
    const answer = thinner === null ? undefined : await rankOfReduced('auto', context, thinner, options);
    return { answer, costs, explanation };
  };
  const answer = await (chosen === 'hybrid'
    ? hybridRank(context as HybridContext, known, options, method === 'auto' ? reconsider : undefined)
    : eliminated(context, known, options));
  return { ...answer, explanation: [`${chosen}: ${why}`, ...answer.explanation] };
}

/** A bound for what is left when so much has been taken. */
function less(bound: number | undefined, taken: number): number | undefined {
  return bound === undefined ? undefined : bound - taken;
}

/** Refuses a run that would not fit, before it begins. */
function checkMemory(
  method: string,
  field: WordPrime,
  rows: number,
  cols: number,
  nnz: number,
  { maxBytes = Number.POSITIVE_INFINITY }: RankOptions,
): void {
  const need = wiedemannBytes(field, rows, cols, nnz);
  if (need <= maxBytes) return;
  const [takes, allowed] = [need, maxBytes].map((bytes) => Math.ceil(bytes / 2 ** 20));
  throw new MethodError(`method ${method}: block Wiedemann takes about ${takes} MB, allowed are ${allowed}`);
}

/** Why nothing but the sequence of the matrix itself will do. */
function reasonForPlain(executor: Executor, { block }: RankOptions): string | null {
  if (block) return 'a block shape was asked for';
  return canSubstitute(executor) ? null : `${executor.name} has no substitution`;
}

/** What is left to do after the pivots, on one thread and by the cheapest method. */
export function secondsLeft(field: WordPrime, known: Reduced): number {
  return cheapest(costsLeft(field, known));
}

function choose(field: WordPrime, known: Reduced): ['elimination' | 'hybrid', string] {
  const { a, matching } = known;
  if (matching.size === Math.min(a.rows, a.cols)) return ['hybrid', 'the pivots are all there is'];
  return preferred(costsLeft(field, known));
}

function preferred({ elimination, sampling, wiedemann }: Costs): ['elimination' | 'hybrid', string] {
  const exact = elimination <= Math.min(sampling, wiedemann) + PROOF;
  const seconds = [elimination, sampling, wiedemann].map((s) => `${s.toPrecision(2)} s`);
  const estimates = `what the pivots leave should take ${seconds[0]} by elimination, ${seconds[1]} by samples, ${seconds[2]} by block Wiedemann`;
  return [exact ? 'elimination' : 'hybrid', estimates];
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
    gpu: executor.name === 'gpu' ? denseGpu((executor as GpuExecutor).gpu) : undefined,
  });
  const { rank, complete, seconds, explanation } = result;
  if (complete) return { ...exact(rank), ...rest, seconds, explanation };
  const reason = enough(atLeast ?? rank);
  return { ...exact(rank), ...rest, upperBound: null, errorLog2: null, reason, seconds, explanation };
}

function canSubstitute(executor: Executor): boolean {
  return executor.substitution !== undefined && executor.columnRank !== undefined;
}
