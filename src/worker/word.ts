/**
 * Questions mod a word prime, p < 2³¹: residues or the caller's operator on an executor, and the algorithm asked for.
 */
import type { BlockShape } from '../../algorithms/block-wiedemann/block-shape.js';
import { blockWiedemannRank, type RankOptions, type RunContext } from '../../algorithms/block-wiedemann/rank.js';
import { classicalRank, classicalRankOfMatrix } from '../../algorithms/classical/classical-rank.js';
import { determinant, determinantOfMatrix } from '../../algorithms/determinant.js';
import { MethodError } from '../../algorithms/method-error.js';
import { wiedemannObstacle } from '../../algorithms/methods/feasible.js';
import { minpolyBytes } from '../../algorithms/methods/memory-estimate.js';
import { minpoly, minpolyOfMatrix } from '../../algorithms/minpoly.js';
import type { Presolved } from '../../algorithms/presolve/presolve.js';
import type { PivotSearch } from '../../algorithms/presolve/structural-pivots.js';
import { rankBy } from '../../algorithms/rank.js';
import type { RankResult } from '../../algorithms/rank-result.js';
import { orderBasisEngines } from '../../algorithms/sigma-basis/create.js';
import type { Executor, Operator } from '../../kernels/executor.js';
import { hostBytes } from '../../kernels/platform/host-memory.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import { EngineError, OptionError } from '../errors.js';
import type { Method, Settings, SystemMethod } from '../questions/options.js';
import { isAboutVectors, type Verb } from '../questions/verbs.js';
import type { Caller } from './caller.js';
import type { Found, Remote } from './found.js';
import { factorWord } from './kept-factors.js';
import type { KeptRun } from './kept-run.js';
import type { DenseRightSides } from './right-sides.js';
import { checkRoom, checkStorage } from './room.js';
import { nullspaceWord, solveWord } from './systems.js';
import { RemoteOperator } from './user-operator.js';

export interface WordQuestion {
  readonly verb: Verb;
  readonly matrix: SparseMatrix | Remote;
  readonly right: DenseRightSides | null; // of solve
  readonly settings: Settings;
  readonly kept?: Pick<KeptRun, 'checkpoint' | 'parts' | 'pivots'> | null;
  /** Of the same matrix modulo other primes. */
  readonly known?: PivotSearch | undefined;
}

/** The surroundings of an algorithm: `team` finds order bases, or plain TypeScript without one. */
export function runContext(executor: Executor, team: Team | undefined, settings: Settings, caller: Caller): RunContext {
  return {
    executor,
    team,
    seed: settings.seed,
    storage: settings.storage ?? undefined,
    words: settings.words ?? undefined,
    reorder: settings.reorder ?? undefined,
    selfChecks: settings.selfChecks,
    ...orderBasisEngines(executor, team),
    check: () => team?.check(),
    onProgress: ({ phase, done, total }) => caller.progress({ phase, done, total }),
  };
}

export async function answerWord(
  question: WordQuestion,
  context: RunContext,
  caller: Caller,
  presolved?: Presolved,
): Promise<Found> {
  const { matrix, settings } = question;
  checkNeed(question, context);
  if (matrix instanceof SparseMatrix) {
    checkStorage(matrix, settings);
    if (question.verb === 'solve') return solveWord(context, matrix, question.right!, settings);
    if (question.verb === 'factor') return factorWord(context, matrix, settings);
    if (question.verb === 'nullspace') return nullspaceWord(context, matrix, settings, caller);
    return answerAbout(question, context, matrix, presolved);
  }
  const operator = new RemoteOperator(matrix, context.executor, caller);
  await operator.check(settings.seed, 0);
  const found = await answerAbout(question, context, operator, presolved);
  await operator.check(settings.seed, 1); // the map may have changed meanwhile
  return found;
}

async function answerAbout(
  question: WordQuestion,
  context: RunContext,
  matrix: SparseMatrix | RemoteOperator,
  presolved?: Presolved,
): Promise<Found> {
  const { settings } = question;
  if (question.verb === 'rank') return rankOf(matrix, settings, context, presolved);
  if (question.verb === 'minpoly') return minpolyOf(matrix, settings, context);
  return detOf(matrix, settings, context);
}

/**
 * MethodError where a run takes more than `maxMemory`, or, of an operator and for minpoly and det, than the machine
 * has.
 */
function checkNeed({ verb, matrix, settings }: WordQuestion, { executor }: RunContext): void {
  const { maxMemory, formula } = settings;
  const [{ rows, cols }, nnz] = [matrix, matrix instanceof SparseMatrix ? matrix.nnz : 0];
  if (isAboutVectors(verb)) return; // they see to it
  if (verb !== 'rank') {
    if (verb === 'det' && matrix instanceof SparseMatrix) return; // determinantOfMatrix sees to it
    const need = minpolyBytes(executor.field, rows, nnz);
    checkRoom(verb, need, { maxMemory: maxMemory ?? hostBytes() });
    return;
  }
  if (matrix instanceof SparseMatrix && formula === 'shifted') return; // rankBy sees to it
  const obstacle = wiedemannObstacle(executor.field, rows, cols, nnz, {}, { maxBytes: maxMemory ?? undefined });
  if (obstacle !== null) throw new MethodError(`method wiedemann: ${obstacle}`);
}

async function minpolyOf(
  matrix: SparseMatrix | RemoteOperator,
  { mod, verify }: Settings,
  context: RunContext,
): Promise<Found> {
  const result =
    matrix instanceof SparseMatrix
      ? await minpolyOfMatrix(context, matrix.residues(Number(mod)), { verify })
      : await minpoly(context, matrix, { verify });
  const { block, coefficients, degree, errorLog2 } = result;
  const upperBound = errorLog2 === null ? null : degree;
  return { ...result, value: coefficients, upperBound, block: [block.m, block.n] };
}

async function detOf(matrix: SparseMatrix | RemoteOperator, settings: Settings, context: RunContext): Promise<Found> {
  const { mod, method, maxMemory } = settings;
  if (!(matrix instanceof SparseMatrix)) checkOperatorMethod(rankMethod(method));
  const result =
    matrix instanceof SparseMatrix
      ? await determinantOfMatrix(context, matrix.residues(Number(mod)), {
          method: rankMethod(method),
          maxBytes: maxMemory ?? undefined,
        })
      : await determinant(context, matrix);
  const value = result.determinant === null ? null : BigInt(result.determinant);
  const { block } = result;
  const explanation = [...result.explanation, ...explainUnused(result.method, settings)];
  return { ...result, explanation, value, block: block && [block[0], block[1]], lowerBound: null, upperBound: null };
}

async function rankOf(
  matrix: SparseMatrix | RemoteOperator,
  settings: Settings,
  context: RunContext,
  presolved?: Presolved,
): Promise<Found> {
  if (settings.formula === 'classical') return classicalOf(matrix, settings, context);
  const { verify, atLeast, maxMemory } = settings;
  const method = rankMethod(settings.method);
  const options: RankOptions = {
    block: blockShape(settings),
    verify,
    atLeast: atLeast ?? undefined,
    maxBytes: maxMemory ?? undefined,
  };
  const result =
    matrix instanceof SparseMatrix
      ? await rankBy(method, context, presolved ?? matrix.residues(Number(settings.mod)), options)
      : await rankOfOperator(matrix, context, method, options);
  const explanation = [...result.explanation, ...explainUnused(result.method, settings)];
  return { ...result, explanation, value: result.rank, block: result.block && [result.block.m, result.block.n] };
}

/** Lines on what was asked for and is of no use to another method than block Wiedemann. */
function explainUnused(method: string, { storage, words, reorder }: Settings): string[] {
  if (method === 'block-wiedemann') return [];
  const named = Object.entries({ storage, words, reorder }).filter(([, asked]) => asked !== null);
  return named.map(([name, asked]) => `${name} ${asked}: ${UNUSED}`);
}

const UNUSED = 'not used, since pivots, Schur complements and elimination have storages of their own';

/** Of a rank or a determinant; settings.ts refuses others. */
function rankMethod(method: SystemMethod): Method {
  if (method === 'lanczos' || method === 'block-lu')
    throw new Error(`method ${method}: expected a system or a kernel: a bug`);
  return method;
}

/** Nothing but products can be had of an operator. */
function checkOperatorMethod(method: Method): void {
  if (method === 'hybrid' || method === 'elimination') {
    throw new OptionError(`method ${method}: expected a matrix, got an operator`);
  }
}

/** An operator has products alone. */
async function rankOfOperator(
  operator: Operator,
  context: RunContext,
  method: Method,
  options: RankOptions,
): Promise<RankResult> {
  checkOperatorMethod(method);
  const why = 'wiedemann: an operator can only be applied';
  return { ...(await blockWiedemannRank(context, operator, options)), explanation: [why] };
}

/** deg − codeg claims nothing: what stands in a proof is the other reading. */
async function classicalOf(
  matrix: SparseMatrix | RemoteOperator,
  settings: Settings,
  context: RunContext,
): Promise<Found> {
  const options = { block: blockShape(settings) };
  const result =
    matrix instanceof SparseMatrix
      ? await classicalRankOfMatrix(context, matrix.residues(Number(settings.mod)), options)
      : await classicalRank(context, matrix, options);
  if (result.rank === null) throw new EngineError(`no rank was found: ${result.reason}`);
  return {
    ...result,
    value: result.rank,
    lowerBound: 0,
    upperBound: null,
    errorLog2: null,
    block: [result.block.m, result.block.n],
  };
}

/** m = 2n balances the sequence against the order basis where the caller names n alone. */
export function blockShape({ block }: Settings): BlockShape | undefined {
  return block === null ? undefined : { m: block.m ?? 2 * block.n, n: block.n };
}
