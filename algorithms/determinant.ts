/**
 * The determinant of a square matrix A over F_p, always proved: pivots, then their Schur complement.
 *
 *   A = P·[L A12; A21 A22]·Q      L : r × r triangular, the pivots      S = A22 − A21·L⁻¹·A12
 *   det A = sign P · sign Q · Π pivots · det S
 *
 *   elimination  rounds of pivots, each leaving an S that is formed, sparse for another round or dense for PLUQ, whose
 *                rows moved give a sign; the first round may take sparse pivots (elimination/markowitz.ts)
 *   hybrid       structural pivots, then block Wiedemann on S, which is applied and never formed
 *   wiedemann    block Wiedemann on A itself (block-wiedemann/determinant.ts)
 *   auto         the cheapest, by the costs of a rank
 * A is singular where it has an empty line, where the dense elimination ends early, or by a vector of the kernel.
 * Sources: as for the rank; Kaltofen, Villard 2005 for the blocks.
 */
import type { WordPrime } from '../fields/word-prime.js';
import { megabytes } from '../kernels/errors/megabytes.js';
import { StructureError } from '../kernels/errors/structure-error.js';
import type { Operator } from '../kernels/executor.js';
import { hostBytes } from '../kernels/platform/host-memory.js';
import { type ResidueMatrix, transpose } from '../kernels/sparse/residue-matrix.js';
import type { Team } from '../kernels/threads/team.js';
import { type OperatorDeterminant, operatorDeterminant } from './block-wiedemann/determinant.js';
import { unlessRefused } from './block-wiedemann/gpu-budget.js';
import { holdOnDevices } from './block-wiedemann/krylov-columns.js';
import type { RunContext } from './block-wiedemann/run-context.js';
import { type SelfChecks, warningsOf } from './block-wiedemann/self-checks.js';
import { onSquareOperator, vectorShape } from './block-wiedemann/vector-generator.js';
import { overBlockField, WorkingField } from './block-wiedemann/working-field.js';
import { type Choice, Way } from './checkpoint/way.js';
import { denseSchurDeterminant } from './elimination/dense-determinant.js';
import { DENSE_BYTES } from './elimination/dense-rows.js';
import { fillLine, formSparseSchur, SPARSE_ENTRY, sampleFill } from './elimination/fill.js';
import type { Markowitz } from './elimination/markowitz.js';
import { runSparsePivots, sparsePivots, sparsePivotsLine } from './elimination/markowitz-trial.js';
import { hasEmptyRow, isSignNegative, multiplyPivots, withoutLines } from './elimination/pivot-signs.js';
import { type Costs, cheapest, type Measurements } from './estimates.js';
import { MethodError } from './method-error.js';
import { costsOfVectors, gpuOf, prefer } from './methods/choose.js';
import { estimatesOver } from './methods/costs.js';
import { minpolyBytes } from './methods/memory-estimate.js';
import { operatorDigest } from './presolve/digest.js';
import { type StructuralPivots, structuralPivots } from './presolve/structural-pivots.js';
import { SchurComplement, type SubstitutingExecutor } from './schur/schur-complement.js';
import { timePhase } from './stopwatch.js';

export type DeterminantMethod = 'auto' | 'elimination' | 'hybrid' | 'wiedemann';

export interface DeterminantOptions {
  readonly method?: DeterminantMethod | undefined; // default auto
  readonly maxBytes?: number | undefined; // that a run may take beside the matrix
}

export interface DeterminantResult {
  readonly determinant: number | null; // det A in [0, p), or null when no attempt proved one
  readonly errorLog2: number | null; // −Infinity: the answer is proved; null without an answer
  readonly method: 'sparse-elimination' | 'hybrid' | 'block-wiedemann';
  readonly block: readonly [m: number, n: number] | null;
  readonly explanation: readonly string[];
  readonly checks?: SelfChecks | undefined; // of block Wiedemann, where that was a part of the run
  readonly warnings: readonly string[];
  readonly seconds: Readonly<Record<string, number>>;
  readonly reason?: string | undefined; // why there is no answer, in words
}

/** det of a square matrix mod p. Throws StructureError, MethodError where there is no room, and what `check` throws. */
export async function determinantOfMatrix(
  context: RunContext,
  matrix: ResidueMatrix,
  { method = 'auto', maxBytes }: DeterminantOptions = {},
): Promise<DeterminantResult> {
  checkSquare(matrix);
  if (method === 'wiedemann') return determinantByWiedemann(context, matrix, maxBytes, ['wiedemann: asked for']);
  const way = context.checkpoint && (await Way.recall(context.checkpoint));
  const { executor, team } = context;
  const lacks = executor.substitution === undefined ? 'substitution' : team ? null : 'threads';
  const why = lacks && `${executor.name} has no ${lacks}`;
  if (way?.choices?.[0] === WHOLE || (why !== null && method === 'auto' && !way?.choices)) {
    await way?.arrive([WHOLE], await operatorDigest(matrix));
    return determinantByWiedemann(context, matrix, maxBytes, [`wiedemann: ${why ?? 'as before'}`]);
  }
  // Pivots and vectors need no threads: elimination alone does.
  if (lacks === 'substitution' || (lacks !== null && method === 'elimination'))
    throw new MethodError(`method ${way?.choices ? 'hybrid, as the run was begun' : method}: ${why}`);
  const go = (own: RunContext): Promise<DeterminantResult> => new Rounds({ ...own, way }, method, maxBytes).go(matrix);
  if (method !== 'auto' || way) return go(context);
  return unlessRefused(context, go, ({ message }) =>
    determinantByWiedemann(context, matrix, maxBytes, [`wiedemann: S has no room: ${message}`]),
  );
}

/** The first choice of a kept run without pivots. */
const WHOLE = 'matrix';

/** det of an operator of the executor, of which nothing but products can be had. */
export async function determinant(context: RunContext, a: Operator): Promise<DeterminantResult> {
  checkSquare(a);
  const { determinant, block, seconds, reason, checks } = await operatorDeterminant(context, a);
  return finish({ determinant, block, seconds, reason, checks, method: 'block-wiedemann', explanation: [] });
}

function checkSquare({ rows, cols }: { readonly rows: number; readonly cols: number }): void {
  if (rows !== cols) throw new StructureError(`det: expected a square matrix, got ${rows} x ${cols}`);
}

function finish(found: Omit<DeterminantResult, 'errorLog2' | 'warnings'>): DeterminantResult {
  const errorLog2 = found.determinant === null ? null : Number.NEGATIVE_INFINITY;
  return { ...found, errorLog2, warnings: found.checks ? warningsOf(found.checks) : [] };
}

async function determinantByWiedemann(
  context: RunContext,
  matrix: ResidueMatrix,
  maxBytes: number | undefined,
  explanation: readonly string[],
): Promise<DeterminantResult> {
  checkVectors('wiedemann', context.executor.field, matrix.rows, matrix.colIdx.length, maxBytes);
  const found = await onSquareOperator(context, matrix, determinant);
  return { ...found, explanation: [...explanation, ...found.explanation] };
}

function checkVectors(method: string, field: WordPrime, N: number, nnz: number, maxBytes = hostBytes()): void {
  const need = minpolyBytes(field, N, nnz);
  if (need <= maxBytes) return;
  const [takes, allowed] = [need, maxBytes].map(megabytes);
  throw new MethodError(`method ${method}: block Wiedemann takes about ${takes} MB, allowed are ${allowed}`);
}

/** Rounds of pivots, up to a dense end or to block Wiedemann on what is left. */
class Rounds {
  private readonly context: RunContext;
  private readonly method: DeterminantMethod;
  private readonly maxBytes: number | undefined;
  private readonly field: WordPrime;
  private readonly explanation: string[] = [];
  private readonly seconds: Record<string, number> = { pivots: 0, schur: 0, dense: 0 };
  private readonly choices: Choice[] = [];
  private product = 1; // det A = product · det of what is left

  constructor(context: RunContext, method: DeterminantMethod, maxBytes: number | undefined) {
    [this.context, this.method, this.maxBytes] = [context, method, maxBytes];
    this.field = context.executor.field;
  }

  async go(matrix: ResidueMatrix): Promise<DeterminantResult> {
    const { field, explanation, context } = this;
    const estimates = estimatesOver(field);
    let a = matrix;
    for (let round = 1; ; round++) {
      if (a.rows === 0) return this.answer(this.product);
      const at = transpose(a) as ResidueMatrix;
      if (hasEmptyRow(a) || hasEmptyRow(at)) {
        explanation.push(`a row or a column of ${a.rows} x ${a.cols} is empty`);
        return this.answer(0);
      }
      const found = await this.phase('pivots', () => structuralPivots(a, at));
      const size = found.matching.size;
      explanation.push(`${size} structural pivots of ${a.rows} x ${a.cols} with ${a.values.length} entries`);
      if (size === a.rows) {
        this.take(found.pivots.rows, found.pivots.cols, multiplyPivots(field, a, found.pivots), a.rows);
        return this.answer(this.product);
      }
      const presolved = { a, at, ...found };
      const choice = await this.decide(() => this.choose(presolved));
      if (round === 1 && this.method !== 'hybrid') {
        const eliminates = choice === 'elimination';
        const tried: Markowitz[] = [];
        const taken = await this.decide(() =>
          this.phase('pivots', () => {
            const goal = eliminates ? (costs: Costs) => costs.elimination : cheapest;
            const trial = sparsePivots(field, presolved, estimates, goal, {
              ...{ check: context.check, maxBytes: this.maxBytes },
              ...{ threads: context.team?.threads, gpu: eliminates ? undefined : gpuOf(context) },
            });
            if (trial !== null) tried.push(trial.run);
            return trial?.run.pivots ?? 0;
          }),
        );
        if (taken > 0) {
          const run = tried[0] ?? runSparsePivots(field, presolved, taken);
          explanation.push(sparsePivotsLine(a, run));
          this.take(run.pivotRows, run.pivotCols, run.product, a.rows);
          a = withoutLines(run.rest(), run.pivotRows, run.pivotCols);
          continue;
        }
      }
      if (choice === 'wiedemann') return this.byVectorsOf(a);
      this.take(found.pivots.rows, found.pivots.cols, multiplyPivots(field, a, found.pivots), a.rows);
      const left = a.rows - size;
      if (choice === 'hybrid') return this.byVectors(presolved, left);
      const fill = await this.phase('schur', () => sampleFill(this.team, field, a, found));
      const sparseBytes = SPARSE_ENTRY * fill.share * left * left;
      const tooLarge = sparseBytes > (this.maxBytes ?? DENSE_BYTES);
      if (tooLarge || estimates.isDense(left, left, a.colIdx.length, { fill })) {
        explanation.push(`dense elimination of ${left} x ${left}`);
        const most = this.maxBytes ?? DENSE_BYTES;
        const rest = await this.phase('dense', () =>
          denseSchurDeterminant(this.team, field, presolved, most, context.check),
        );
        return this.answer(field.mul(this.product, rest));
      }
      explanation.push(`Schur complement ${left} x ${left}: ${fillLine(fill)}`);
      a = await this.phase('schur', () => formSparseSchur(this.team, field, a, found, context.check));
    }
  }

  /** What elimination runs on; a kept run may have begun with it, and vectors go on where there are none. */
  private get team(): Team {
    const { team, executor } = this.context;
    if (team) return team;
    throw new MethodError(`the run was begun by elimination, ${executor.name} has no threads: --device cpu goes on`);
  }

  /** The next choice: that of the run that goes on, or what `make` says. */
  private async decide<T extends Choice>(make: () => Promise<T>): Promise<T> {
    const before = this.context.way?.choices?.[this.choices.length] as T | undefined;
    const choice = before ?? (await make());
    this.choices.push(choice);
    return choice;
  }

  /** Elimination, or vectors for what the pivots leave or for the whole matrix. */
  private async choose(
    presolved: StructuralPivots & { a: ResidueMatrix },
  ): Promise<'elimination' | 'hybrid' | 'wiedemann'> {
    if (this.method !== 'auto') return this.method;
    const { context, field, maxBytes } = this;
    const gpu = gpuOf(context);
    const isShared = context.sequenceDevices !== undefined; // by GPUs, which take no elimination
    const estimate = (measurements: Measurements) => {
      let feasible = costsOfVectors(context, presolved, measurements, maxBytes);
      if (isShared) feasible = { costs: { ...feasible.costs, elimination: Number.POSITIVE_INFINITY }, obstacles: [] };
      const { eliminates, reason } = prefer(feasible, gpu);
      const byVectors = gpu && !feasible.costs.isImplicit ? ('wiedemann' as const) : ('hybrid' as const);
      return { method: eliminates && !isShared ? ('elimination' as const) : byVectors, reason };
    };
    let choice = estimate({});
    // Fill alone can make elimination cheaper than it seems.
    if (choice.method !== 'elimination' && !isShared) {
      const fill = await this.phase('schur', () => sampleFill(this.team, field, presolved.a, presolved));
      choice = estimate({ fill });
    }
    this.explanation.push(`${choice.method}: ${choice.reason}`);
    return choice.method;
  }

  private async byVectors(
    { a, at, pivots }: StructuralPivots & { a: ResidueMatrix; at: ResidueMatrix },
    left: number,
  ): Promise<DeterminantResult> {
    const { context, field } = this;
    checkVectors('hybrid', field, left, a.colIdx.length, this.maxBytes);
    this.explanation.push(`block Wiedemann on the implicit ${left} x ${left} Schur complement`);
    await context.way?.arrive(this.choices, await operatorDigest(a, pivots));
    const found = await overBlockField(context, async (context) => {
      const { n } = vectorShape(new WorkingField(context.executor, 'block'), left);
      const sequenceDevices = await holdOnDevices(context.sequenceDevices, n, a, field, { at, pivots });
      const s = new SchurComplement(context.executor as SubstitutingExecutor, a, at, pivots);
      try {
        return await operatorDeterminant({ ...context, sequenceDevices }, s);
      } finally {
        s.free();
      }
    });
    return this.complete(found, 'hybrid');
  }

  /** By block Wiedemann on what is left of the matrix, pivots and all. */
  private async byVectorsOf(a: ResidueMatrix): Promise<DeterminantResult> {
    await this.context.way?.arrive(this.choices, await operatorDigest(a));
    return this.complete(await determinantByWiedemann(this.context, a, this.maxBytes, []), 'block-wiedemann');
  }

  private complete(
    { determinant, block, reason, seconds, checks }: OperatorDeterminant | DeterminantResult,
    method: 'hybrid' | 'block-wiedemann',
  ): DeterminantResult {
    const value = determinant === null ? null : this.field.mul(this.product, determinant);
    const all = { ...this.seconds, ...seconds };
    return finish({ determinant: value, block, reason, seconds: all, method, checks, explanation: this.explanation });
  }

  /** Puts pivots aside: their product, with the signs of the orders that put them first. */
  private take(rows: ArrayLike<number>, cols: ArrayLike<number>, product: number, size: number): void {
    this.product = this.field.mul(this.product, product);
    if (isSignNegative(rows, cols, size)) this.product = this.field.neg(this.product);
  }

  private answer(determinant: number): DeterminantResult {
    const { seconds, explanation } = this;
    return finish({ determinant, method: 'sparse-elimination', block: null, seconds, explanation });
  }

  private phase<T>(phase: 'pivots' | 'schur' | 'dense', work: () => T | Promise<T>): Promise<T> {
    this.context.check();
    this.context.onProgress({ phase, attempt: 1, done: 0, total: 1 });
    return timePhase(this.seconds, phase, work);
  }
}
