/**
 * Systems A·X = B mod p: a solution for all columns of B, or a proof that some column has none.
 *
 *   A : rows × cols, of any rank     B : rows × s     X : cols × s     u : rows long, uᵀ·A = 0, uᵀ·b ≠ 0
 *
 *   elimination  factors of A (factor/): any A, X at random among all solutions, u where there is none
 *   hybrid       structural pivots, then block Wiedemann on their Schur complement (schur/hybrid-solve.ts)
 *   wiedemann    block Wiedemann on A itself
 *   lanczos      block Lanczos, for any A (lanczos/systems.ts): X, or u
 *   block-lu     small blocks without exchanges of their rows, where their pattern allows (block-lu/systems.ts)
 *   auto         the cheapest of elimination, hybrid and wiedemann, by the costs of a rank; elimination, too, where the
 *                vectors find nothing
 * hybrid and wiedemann solve for nonsingular A alone, whose X is the only one. X and u are compared with A and B by
 * one product each before they are given, so what is given is proved.
 */
import { type ResidueMatrix, transpose } from '../kernels/sparse/residue-matrix.js';
import { kernelsOf } from './block-lu/kernels-of.js';
import { blockSystem, solveBlockSystems } from './block-lu/systems.js';
import type { RunContext } from './block-wiedemann/run-context.js';
import { sampleFill } from './elimination/fill.js';
import { hasEmptyRow } from './elimination/pivot-signs.js';
import type { Measurements } from './estimates.js';
import { factorize } from './factor/factors.js';
import { multiply } from './factor/products.js';
import type { SystemResult } from './factor/types.js';
import { lanczosObstacle } from './lanczos/memory.js';
import { solveByLanczos } from './lanczos/systems.js';
import { MethodError } from './method-error.js';
import { costsOfVectors, gpuOf, prefer, refuseMethod } from './methods/choose.js';
import { wiedemannObstacle } from './methods/feasible.js';
import { type StructuralPivots, structuralPivots } from './presolve/structural-pivots.js';
import { type PivotedMatrix, solveByVectors, TOGETHER } from './schur/hybrid-solve.js';

export type SolveMethod = 'auto' | 'elimination' | 'hybrid' | 'wiedemann' | 'lanczos' | 'block-lu';

export interface SolveOptions {
  readonly method?: SolveMethod | undefined;
  /** Whether X is a uniformly random one of all solutions. */
  readonly random?: boolean | undefined;
  readonly maxBytes?: number | undefined;
}

export interface SolveResult extends SystemResult {
  readonly method: string;
  readonly explanation: readonly string[];
}

/** Of a run of block Wiedemann for systems in one for the rank: T's rows in the order basis, and the combination. */
const RIGHT_SIDES = 1.6;

/** Tries with fresh randomness where there is no other method; a nonsingular matrix seldom needs a second one. */
const ATTEMPTS = 2;

/** X, or u for a column without solution. `rightSides`: B, row-major residues. */
export async function solve(
  context: RunContext,
  matrix: ResidueMatrix,
  rightSides: Uint32Array,
  s: number,
  { random, maxBytes, method = 'auto' }: SolveOptions = {},
): Promise<SolveResult> {
  if (method === 'lanczos') {
    refuseMethod(method, lanczosObstacle(context.executor, matrix, Math.max(1, s), maxBytes));
    const found = await solveByLanczos(context, matrix, rightSides, s, random ?? false);
    return { ...found, method: 'block-lanczos' };
  }
  if (method === 'block-lu') return solveByBlocks(context, matrix, rightSides, s, maxBytes);
  const { vectors, explanation } = chooseVectors(context, matrix, s, method, maxBytes);
  const seconds: Record<string, number> = {};
  if (vectors) {
    const start = performance.now();
    const solution = await solveByVectors(context, vectors.pivoted, rightSides, s, method === 'auto' ? 1 : ATTEMPTS);
    seconds['vectors'] = (performance.now() - start) / 1000;
    if (solution !== null) {
      const product = multiply(context.executor.field, matrix, solution, s);
      if (product.some((value, k) => value !== rightSides[k])) throw new Error(BUG);
      return { solution, inconsistent: null, method: vectors.method, explanation, seconds };
    }
    const reason = `${vectors.method}: no solution found, the matrix may be singular`;
    if (method !== 'auto') {
      return { solution: null, inconsistent: null, method: vectors.method, explanation, seconds, reason };
    }
    explanation.push(`${reason}; elimination goes on`);
  }
  const factors = await factorize(context, matrix, { maxBytes });
  try {
    const found = await factors.solve(context, rightSides, s, { random });
    explanation.push(...factors.explanation);
    return {
      ...found,
      method: factors.method,
      explanation,
      seconds: { ...seconds, ...factors.seconds, ...found.seconds },
    };
  } finally {
    factors.free();
  }
}

async function solveByBlocks(
  context: RunContext,
  matrix: ResidueMatrix,
  rightSides: Uint32Array,
  s: number,
  maxBytes: number | undefined,
): Promise<SolveResult> {
  const start = performance.now();
  const system = blockSystem(matrix, rightSides, s, maxBytes);
  const { seed, executor } = context;
  const [found] = await solveBlockSystems(kernelsOf(context), executor.field, [system], seed, () => context.check());
  const { solution, reason, explanation } = found!;
  return {
    ...{ solution, inconsistent: null, method: 'block-lu', explanation: [explanation] },
    ...(reason === null ? {} : { reason: `block-lu: ${reason}` }),
    seconds: { blocks: (performance.now() - start) / 1000 },
  };
}

const BUG = 'solve: expected a solution that its check agrees with, got another: a bug';

interface Choice {
  /** Null where elimination is to solve. */
  readonly vectors: { readonly pivoted: PivotedMatrix; readonly method: 'hybrid' | 'block-wiedemann' } | null;
  readonly explanation: string[];
}

function chooseVectors(
  context: RunContext,
  matrix: ResidueMatrix,
  s: number,
  method: Exclude<SolveMethod, 'lanczos' | 'block-lu'>,
  maxBytes: number | undefined,
): Choice {
  const { executor, team } = context;
  const elimination = (reason?: string): Choice => ({ vectors: null, explanation: reason ? [reason] : [] });
  if (method === 'elimination') return elimination();
  if (matrix.rows !== matrix.cols) {
    if (method === 'auto') return elimination();
    throw new MethodError(`method ${method}: expected a square matrix, got ${matrix.rows} x ${matrix.cols}`);
  }
  const whole = (reason: string): Choice => {
    const pivots = { rows: new Uint32Array(0), cols: new Uint32Array(0), depths: Uint32Array.of(0) };
    return {
      vectors: { pivoted: { a: matrix, at: matrix, pivots }, method: 'block-wiedemann' },
      explanation: [`wiedemann: ${reason}`],
    };
  };
  if (method !== 'auto') {
    const { rows, cols, colIdx } = matrix;
    refuseMethod(method, wiedemannObstacle(executor.field, rows, cols, colIdx.length, {}, { maxBytes }));
  }
  if (method === 'wiedemann') return whole('asked for');
  const at = transpose(matrix) as ResidueMatrix;
  if (method === 'auto') {
    if (!team) return elimination();
    if (hasEmptyRow(matrix) || hasEmptyRow(at)) return elimination('elimination: a row or a column is empty');
  }
  if (executor.substitution === undefined) {
    if (method === 'auto') return whole(`${executor.name} has no substitution`);
    throw new MethodError(`method ${method}: ${executor.name} has no substitution`);
  }
  const found = structuralPivots(matrix, at);
  const pivoted = { a: matrix, at, pivots: found.pivots };
  const lines = `${found.matching.size} structural pivots of ${matrix.rows} x ${matrix.cols}`;
  if (method === 'hybrid') return { vectors: { pivoted, method: 'hybrid' }, explanation: [lines] };
  const { eliminates, isWhole, reason } = preferFor(context, { a: matrix, ...found }, s, maxBytes);
  if (eliminates) return elimination(`elimination: ${reason}`);
  if (isWhole) return whole(reason);
  return { vectors: { pivoted, method: 'hybrid' }, explanation: [lines, `hybrid: ${reason}`] };
}

/** Elimination or vectors, by what the pivots leave and how many right sides there are. */
function preferFor(
  context: RunContext,
  presolved: StructuralPivots & { readonly a: ResidueMatrix },
  s: number,
  maxBytes: number | undefined,
): { readonly eliminates: boolean; readonly isWhole: boolean; readonly reason: string } {
  const { executor, team } = context;
  if (presolved.matching.size === presolved.a.rows) {
    return { eliminates: true, isWhole: false, reason: 'pivots are all there is' };
  }
  const gpu = gpuOf(context);
  const estimate = (measurements: Measurements) => {
    const { costs, obstacles } = costsOfVectors(context, presolved, measurements, maxBytes);
    const wiedemann = costs.wiedemann * RIGHT_SIDES * Math.ceil(s / TOGETHER);
    const isWhole = gpu !== undefined && !costs.isImplicit;
    return { ...prefer({ costs: { ...costs, wiedemann }, obstacles }, gpu), isWhole };
  };
  const choice = estimate({});
  // Fill alone can make elimination cheaper than it seems.
  return choice.eliminates ? choice : estimate({ fill: sampleFill(team!, executor.field, presolved.a, presolved) });
}
