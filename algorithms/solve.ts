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
 *   auto, kept   the same, but lanczos in place of an elimination that would not be over before the first checkpoint,
 *                and for bits, whose 64 columns are a word of its vectors
 * hybrid and wiedemann solve for nonsingular A alone, whose X is the only one. X and u are compared with A and B by
 * one product each before they are given, so what is given is proved.
 */
import type { ResidueMatrix } from '../kernels/sparse/residue-matrix.js';
import { kernelsOf } from './block-lu/kernels-of.js';
import { blockSystem, solveBlockSystems } from './block-lu/systems.js';
import type { RunContext } from './block-wiedemann/run-context.js';
import { Way } from './checkpoint/way.js';
import { factorize } from './factor/factors.js';
import { multiply } from './factor/products.js';
import type { SystemResult } from './factor/types.js';
import { lanczosObstacle } from './lanczos/memory.js';
import { solveByLanczos } from './lanczos/systems.js';
import { refuseMethod } from './methods/choose.js';
import { chooseForAny, chooseKept, chooseVectors, type KeptMethod, type SolveMethod } from './methods/choose-system.js';
import { solveByVectors } from './schur/hybrid-solve.js';

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

/**
 * Tries with fresh randomness where there is no other method. A nonsingular matrix seldom needs a second one, unless it
 * falls apart (solve/nonsingular.ts).
 */
const ATTEMPTS = 2;

/** X, or u for a column without solution. `rightSides`: B, row-major residues. */
export async function solve(
  context: RunContext,
  matrix: ResidueMatrix,
  rightSides: Uint32Array,
  s: number,
  { random, maxBytes, method = 'auto' }: SolveOptions = {},
): Promise<SolveResult> {
  if (method === 'auto' && context.checkpoint) return solveKept(context, matrix, rightSides, s, { random, maxBytes });
  return solveBy(method, context, matrix, rightSides, s, { random, maxBytes });
}

/**
 * By choice, where the run is kept: a run that goes on takes the methods of the first start. The manifest says which
 * matrix it is about, so that a method's name says all of the operator.
 */
async function solveKept(
  context: RunContext,
  matrix: ResidueMatrix,
  rightSides: Uint32Array,
  s: number,
  options: Omit<SolveOptions, 'method'>,
): Promise<SolveResult> {
  const way = await Way.recall(context.checkpoint!);
  const before = way.choices as readonly KeptMethod[] | null;
  const chosen = before === null ? chooseKept(context, matrix, s, options.maxBytes) : null;
  const methods = [...(before ?? [chosen!.method])];
  const explanation = [`${methods.at(-1)}: ${chosen?.reason ?? 'as before'}`];
  const seconds: Record<string, number> = {};
  for (;;) {
    const method = methods.at(-1)!;
    await way.arrive(methods, method);
    const found = await solveBy(method, context, matrix, rightSides, s, options, 1);
    if (method !== 'wiedemann') explanation.push(...found.explanation); // of that: asked for
    Object.assign(seconds, found.seconds);
    const isOver = found.solution !== null || found.inconsistent !== null || !BY_VECTORS.has(method);
    if (isOver) return { ...found, explanation, seconds };
    const next = chooseForAny(context, matrix, options.maxBytes);
    methods.push(next.method);
    explanation.push(`${found.reason}`, `${next.method}: ${next.reason}`);
  }
}

/** What solves for nonsingular matrices alone, and refutes nothing. */
const BY_VECTORS: ReadonlySet<string> = new Set(['hybrid', 'wiedemann']);

async function solveBy(
  method: SolveMethod,
  context: RunContext,
  matrix: ResidueMatrix,
  rightSides: Uint32Array,
  s: number,
  { random, maxBytes }: Omit<SolveOptions, 'method'>,
  attempts = method === 'auto' ? 1 : ATTEMPTS,
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
    const solution = await solveByVectors(context, vectors.pivoted, rightSides, s, attempts);
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
