/**
 * The rank of a matrix mod p by the method asked for, or by the one that should be fastest.
 *
 *   wiedemann    block Wiedemann on the matrix itself
 *   hybrid       structural pivots, then random vectors or block Wiedemann on their Schur complement
 *   elimination  sparse elimination to the end: deterministic
 *   auto         elimination for what is smaller than a page of numbers; else hybrid, on devices that have a substitution
 *
 * Pivots cost less than reading the matrix, and every one saves a step of the sequence: on 20 families and real matrices
 * hybrid was never slower than wiedemann by more than they cost, and mostly many times faster.
 */
import type { Executor } from '../kernels/executor.js';
import type { ResidueMatrix } from '../kernels/residue-matrix.js';
import type { BlockShape } from './block-wiedemann/blocks.js';
import { enough, type RankOptions, type RunContext, rankOfMatrix } from './block-wiedemann/rank.js';
import { eliminationRank } from './elimination/elimination-rank.js';
import { type HybridContext, hybridRank } from './hybrid/hybrid-rank.js';
import { MethodError } from './method-error.js';
import { sparseRows } from './reference/rows.js';
import { sparseRankReference } from './reference/sparse-elimination.js';

export type RankMethod = 'elimination' | 'hybrid' | 'wiedemann';

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

/** Entries below which elimination is over before anything else has begun. */
const FEW_ENTRIES = 200;

export async function rankBy(
  method: RankMethod | 'auto',
  context: RunContext,
  matrix: ResidueMatrix,
  options: RankOptions = {},
): Promise<RankAnswer> {
  const [chosen, why] =
    method === 'auto' ? choose(context.executor, matrix, options) : [method, `${method}: asked for`];
  const answer = await carryOut(chosen, context, matrix, options);
  return { ...answer, explanation: [why, ...answer.explanation] };
}

function choose(executor: Executor, { rows, cols, colIdx }: ResidueMatrix, options: RankOptions): [RankMethod, string] {
  if (options.block) return ['wiedemann', 'wiedemann: a block shape was asked for'];
  if (!canSubstitute(executor)) return ['wiedemann', `wiedemann: ${executor.name} has no substitution`];
  const nnz = colIdx.length;
  if (nnz <= FEW_ENTRIES) return ['elimination', `elimination: ${nnz} entries are few`];
  return ['hybrid', `hybrid: pivots are cheap in ${rows} x ${cols} with ${nnz} entries`];
}

function carryOut(
  method: RankMethod,
  context: RunContext,
  matrix: ResidueMatrix,
  options: RankOptions,
): Promise<RankAnswer> {
  switch (method) {
    case 'elimination':
      return eliminated(context, matrix, options);
    case 'hybrid':
      return hybridRank(substituting(context), matrix, options);
    case 'wiedemann':
      return rankOfMatrix(context, matrix, options).then((result) => ({ ...result, explanation: [] }));
  }
}

async function eliminated(context: RunContext, matrix: ResidueMatrix, options: RankOptions): Promise<RankAnswer> {
  const { executor, team, check, onProgress } = context;
  const start = performance.now();
  const exact = (rank: number) => ({ rank, lowerBound: rank, upperBound: rank, errorLog2: Number.NEGATIVE_INFINITY });
  const rest = { method: 'sparse-elimination', block: null } as const;
  if (!team) {
    const rank = sparseRankReference(executor.field, sparseRows(executor.field, matrix), check);
    const seconds = { elimination: (performance.now() - start) / 1000 };
    return { ...exact(rank), ...rest, explanation: [], seconds };
  }
  const onPhase = (phase: 'pivots' | 'schur' | 'dense') => onProgress({ phase, attempt: 1, done: 0, total: 1 });
  const { atLeast } = options;
  const result = await eliminationRank(team, executor.field, matrix, { atLeast, check, onPhase });
  const { rank, complete, seconds, explanation } = result;
  if (complete) return { ...exact(rank), ...rest, seconds, explanation };
  const reason = enough(atLeast ?? rank);
  return { ...exact(rank), ...rest, upperBound: null, errorLog2: null, reason, seconds, explanation };
}

function canSubstitute(executor: Executor): boolean {
  return executor.substitution !== undefined && executor.columnRank !== undefined;
}

function substituting(context: RunContext): HybridContext {
  if (!canSubstitute(context.executor)) {
    throw new MethodError(`method hybrid: ${context.executor.name} has no substitution yet`);
  }
  return context as HybridContext;
}
