/**
 * The rank in the published reading of block Wiedemann: rank = deg − codeg of the determinant of the matrix minimal
 * polynomial F of the unshifted sequence, found by evaluation and interpolation.
 *
 *   A : m × N over F_p, m ≥ N      B = C·A (preconditioner.ts)      S_k = U·B^k·V      Σ_j F_j·S_(k+j) = 0 for all k
 *
 * det F has D + 1 coefficients, D = the sum of F's row degrees, and takes as many points. Where GF(q) has fewer, degree
 * and codegree are read off the row-reduced F instead: the same numbers without the polynomial.
 *
 * A nilpotent block of B of size b ≥ 2 costs b − 1. It shows: F's order of vanishing at 0 is then more than the number
 * of its zero eigenvalues there, codeg det F > m − rank F(0). B = H·A may have such blocks where A is very sparse, so a
 * run that shows one is repeated with B = E·Aᵀ·D·A, which has none for almost all D and E. Nothing is proved in the
 * end.
 * Sources: Coppersmith 1994; Kaltofen 1995; Villard 1997; Turner 2002; Boyer, Dumas, Giorgi 2010, section 5.
 */

import type { Field } from '../../fields/field.js';
import { deriveSeed } from '../../fields/random.js';
import type { Operator } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { type BlockShape, checkpoints, chooseBlocks, fitBlocks, stopGap } from '../block-wiedemann/block-shape.js';
import { type Generator, GeneratorSearch } from '../block-wiedemann/generator.js';
import { KrylovSequence } from '../block-wiedemann/krylov.js';
import { gramFactor, hashFactor, type Preconditioner } from '../block-wiedemann/preconditioner.js';
import { type RunContext, transposeOperator } from '../block-wiedemann/rank.js';
import { reorderLines } from '../block-wiedemann/reorder-lines.js';
import { storedOperator } from '../block-wiedemann/stored-operator.js';
import { WorkingField } from '../block-wiedemann/working-field.js';
import { dropEmptyLines } from '../presolve/drop-empty.js';
import { denseRank } from '../reference/dense-elimination.js';
import type { BlockingOrderBasisEngine } from '../sigma-basis/order-basis.js';
import { timePhase } from '../stopwatch.js';
import { codegree } from './codegree.js';
import { determinantPolynomial } from './determinant-polynomial.js';
import { GeometricPoints } from './geometric-points.js';

export type ClassicalPhase = 'setup' | 'sequence' | 'sigmaBasis' | 'interpolation';

export interface ClassicalOptions {
  readonly block?: BlockShape | undefined;
  readonly maxAttempts?: number; // default 4; one is enough unless a run shows that it is unlucky
}

export interface ClassicalResult {
  /** deg − codeg, or null when no attempt gave a generator. */
  readonly rank: number | null;
  readonly degree: number;
  readonly codegree: number;
  /** Points were enough for the determinant itself. */
  readonly interpolated: boolean;
  /** det F shows a nilpotent block: the rank is above this one. */
  readonly nilpotent: boolean;
  readonly method: 'block-wiedemann-classical';
  readonly preconditioner: Preconditioner;
  readonly block: BlockShape;
  readonly extensionDegree: number; // k
  readonly attempts: number;
  readonly seconds: Record<ClassicalPhase, number>;
  readonly explanation?: readonly string[];
  /** Why nothing is proved, or why there is no answer, in words. */
  readonly reason: string;
}

/** deg − codeg for a matrix mod p: empty rows and columns are dropped, the rest is put on the executor. */
export async function classicalRankOfMatrix(
  context: RunContext,
  matrix: ResidueMatrix,
  options: ClassicalOptions = {},
): Promise<ClassicalResult> {
  const start = performance.now();
  const { matrix: given, explanation } = reorderLines(context, dropEmptyLines(matrix), false);
  const operator = await storedOperator(context, given);
  const setup = (performance.now() - start) / 1000;
  try {
    const result = await classicalRank(context, operator, options);
    return { ...result, explanation, seconds: { ...result.seconds, setup: result.seconds.setup + setup } };
  } finally {
    operator.free?.();
  }
}

/** deg − codeg for `operator` over the field of the executor. Throws whatever `check` throws. */
export async function classicalRank(
  context: RunContext,
  operator: Operator,
  options: ClassicalOptions = {},
): Promise<ClassicalResult> {
  const a = operator.rows >= operator.cols ? operator : transposeOperator(operator);
  const working = new WorkingField(context.executor, 'column');
  const shape = options.block ? fitBlocks(options.block, a.cols) : chooseBlocks(a.cols, working.degree);
  const seconds: Record<ClassicalPhase, number> = { setup: 0, sequence: 0, sigmaBasis: 0, interpolation: 0 };
  const maxAttempts = Math.max(1, options.maxAttempts ?? 4);
  const engine = context.orderBasisEngine(working.field);
  let preconditioner: Preconditioner = 'hash';
  let used: Preconditioner = preconditioner; // by the best attempt
  let best: Reading | null = null;
  let reason = '';
  let attempt = 1;
  try {
    for (; attempt <= maxAttempts; attempt++) {
      const choice = { working, shape, attempt, preconditioner };
      const generator = a.cols === 0 ? EMPTY : await findGenerator(context, engine, a, choice, seconds);
      if (!generator?.reduced) {
        reason = generator ? 'the generator is not row-reduced' : 'no generator within the expected order';
        continue;
      }
      const size = a.cols === 0 ? 0 : shape.m;
      const check = (): void => context.check();
      const reading = await timePhase(seconds, 'interpolation', async () =>
        degreesOfDeterminant(engine, working.elements, generator, size, check),
      );
      if (best === null || reading.degree - reading.codegree > best.degree - best.codegree) {
        best = reading;
        used = preconditioner;
      }
      if (!reading.nilpotent) break;
      preconditioner = 'gram';
    }
  } finally {
    engine.dispose?.();
  }
  const { degree, codegree: lowest, interpolated, nilpotent } = best ?? NOTHING;
  if (best) reason = nilpotent ? 'det F shows a nilpotent block' : 'the classical reading proves no bound';
  const reading = { rank: best ? degree - lowest : null, degree, codegree: lowest, interpolated, nilpotent };
  const how = { method: 'block-wiedemann-classical' as const, preconditioner: used, block: shape };
  const attempts = Math.min(attempt, maxAttempts);
  return { ...reading, ...how, extensionDegree: working.degree, attempts, seconds, reason };
}

/** The numbers that det F gives. */
type Reading = Pick<ClassicalResult, 'degree' | 'codegree' | 'interpolated' | 'nilpotent'>;

const NOTHING: Reading = { degree: 0, codegree: 0, interpolated: false, nilpotent: false };

/** F of a matrix without columns: det F = 1. */
const EMPTY: Generator = {
  degrees: new Int32Array(0),
  degree: 0,
  reduced: true,
  coefficients: new Uint32Array(0),
};

/**
 * Degree and codegree of det F, F row-reduced of `size` rows: from its coefficients where the field has points enough,
 * from F's degrees and order at 0 otherwise.
 */
export function degreesOfDeterminant(
  engine: BlockingOrderBasisEngine,
  F: Field<number>,
  generator: Pick<Generator, 'degree' | 'coefficients'>,
  size: number,
  check: () => void = () => {},
): Reading {
  const { degree: bound, coefficients } = generator;
  if (size === 0) return { degree: 0, codegree: 0, interpolated: true, nilpotent: false };
  const interpolated = GeometricPoints.fits(F, bound + 1);
  let degree = bound;
  let lowest: number;
  if (interpolated) {
    const det = determinantPolynomial(engine, F, coefficients, size, bound, check);
    while (degree > 0 && det[degree] === 0) degree--;
    lowest = det.findIndex((c) => c !== 0);
  } else lowest = codegree(engine, coefficients, size, bound);
  return { degree, codegree: lowest, interpolated, nilpotent: lowest > size - rankOf(F, coefficients, size) };
}

/** rank F(0), by elimination. */
function rankOf(F: Field<number>, coefficients: Uint32Array, size: number): number {
  const rows = Array.from({ length: size }, (_, i) => Array.from(coefficients.subarray(i * size, (i + 1) * size)));
  return denseRank(F, rows);
}

/** The randomness and the operator of one attempt. */
interface Choice {
  readonly working: WorkingField;
  readonly shape: BlockShape;
  readonly attempt: number;
  readonly preconditioner: Preconditioner;
}

/** F from the unshifted sequence, or null when it does not settle within the expected order. */
async function findGenerator(
  context: RunContext,
  engine: BlockingOrderBasisEngine,
  a: Operator,
  { working, shape, attempt, preconditioner }: Choice,
  seconds: Record<ClassicalPhase, number>,
): Promise<Generator | null> {
  const { executor } = context;
  const { m, n } = shape;
  const N = a.cols;
  const seed = deriveSeed(context.seed, 'classical', attempt);
  const F = working.elements;
  const gap = stopGap(shape, working.log2q) * attempt;
  const bound = Math.ceil(N / m) + Math.ceil(N / n) + gap + 2;
  const check = (): void => context.check();
  const progress = (phase: 'sequence' | 'setup', done: number): void =>
    context.onProgress({ phase, attempt, done, total: Math.max(bound, done) });
  const [c, krylov] = await timePhase(seconds, 'setup', async () => {
    const factorSeed = deriveSeed(seed, 'C');
    const factor =
      preconditioner === 'hash'
        ? hashFactor(executor, N, a.rows, working, factorSeed)
        : gramFactor(executor, a, working, factorSeed);
    const of = { m, n, s: 0, shift: 0 } as const;
    try {
      return [factor, await KrylovSequence.create(executor, a, factor, working, of, seed)] as const;
    } catch (error) {
      factor.free();
      throw error;
    }
  });
  const capacity = bound + 2 * gap;
  let search: GeneratorSearch | undefined;
  try {
    search = new GeneratorSearch(engine, { m, n, s: 0 }, null, capacity);
    for (const to of [...checkpoints(bound), capacity]) {
      await timePhase(seconds, 'sequence', () => krylov.extend(to, 0, check, (done) => progress('sequence', done)));
      await timePhase(seconds, 'sigmaBasis', () => search!.advance(krylov.s, krylov.t, to, F.neg(F.one)));
      if (search.gap >= gap) return search.generator(F);
    }
    return null;
  } finally {
    search?.free();
    krylov.free();
    c.free();
  }
}
