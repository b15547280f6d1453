/**
 * The rank of a sparse matrix mod p by block Wiedemann, with a statement of what is proved.
 *
 *   A : m × N over F_p, m ≥ N      B = C·A      S_i = U·B^(i+1)·V above Y·B^i·V      F their left generator
 *   d = deg det F
 *
 * d ≤ rank A always (generator.ts), so the largest d seen is a proved lower bound; rank A ≤ d with error 2·q^−s when
 * verification.ts accepts, and with none when d = N. A run whose verification fails is repeated with fresh randomness
 * and the Gram operator in place of the hash; when all fail the answer is the lower bound alone, and says so. Both
 * bounds take A to be linear and applyTransposed its transpose: an operator that shows otherwise ends the run, without
 * bounds.
 * Sources: Coppersmith 1994; Kaltofen 1995; Villard 1997; Kaltofen and Saunders 1991 for rank by Wiedemann.
 */
import type { Operator } from '../../kernels/executor.js';
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import type { Scratch } from '../../kernels/platform/scratch.js';
import type { MatrixPieces } from '../../kernels/sparse/matrix-pieces.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { dropEmptyLines } from '../presolve/drop-empty.js';
import { exactRank, type RankResult, sufficientRank } from '../rank-result.js';
import { Attempt } from './attempt.js';
import type { AttemptOutcome } from './attempt-outcome.js';
import { type BlockShape, chooseBlocks, chooseGpuBlocks, fitBlocks } from './block-shape.js';
import { columnsAtOnce, inPanels } from './column-panels.js';
import { numbersAnElement } from './extension-degree.js';
import { withinBudget } from './gpu-budget.js';
import { keepOutcome } from './kept-attempt.js';
import { holdOnDevices } from './krylov-columns.js';
import type { Phase } from './phase.js';
import type { Preconditioner } from './preconditioner.js';
import { reorderLines } from './reorder-lines.js';
import type { RunContext } from './run-context.js';
import { type SelfChecks, warningsOf } from './self-checks.js';
import { storedOperator } from './stored-operator.js';
import { overBlockField, WorkingField } from './working-field.js';

export type { Phase } from './phase.js';
export type { RunContext } from './run-context.js';

export interface RankOptions {
  readonly block?: BlockShape | undefined;
  readonly verify?: boolean; // default true
  readonly maxAttempts?: number; // default 4
  /** A lower bound that is enough for the caller. */
  readonly atLeast?: number | undefined;
  /** Bytes that a run may take beside the matrix; it is refused before it begins (algorithms/rank.ts). */
  readonly maxBytes?: number | undefined;
  /** Seconds of one thread that a method which keeps nothing may take, of a kept run. */
  readonly mostUnkept?: number | undefined;
}

/** A rank, and block Wiedemann's way to it. */
export interface BlockWiedemannResult extends RankResult {
  readonly preconditioner: Preconditioner;
  readonly block: BlockShape;
  readonly extensionDegree: number; // k
  readonly attempts: number;
  readonly seconds: Readonly<Record<Phase, number>>;
  readonly checks: Readonly<SelfChecks>;
}

// Over q ≥ 3^5 elements a failure is seldom bad luck: H loses rank wherever many rows of A span little, and would
// again.
const GRAM_FROM_ATTEMPT = 2;

/** The rank of a matrix mod p: empty rows and columns are dropped, the rest is put on the executor. */
export function rankOfMatrix(
  context: RunContext,
  matrix: ResidueMatrix,
  options: RankOptions = {},
): Promise<BlockWiedemannResult> {
  const start = performance.now();
  return onOperator(context, matrix, options, async (context, operator, block, explanation) => {
    const setup = (performance.now() - start) / 1000;
    const result = await blockWiedemannRank(context, operator, { ...options, block });
    const seconds = { ...result.seconds, setup: result.seconds.setup + setup };
    return { ...result, explanation: [...result.explanation, ...explanation()], seconds };
  });
}

/** Does `work` on the matrix without its empty rows and columns, over the field of block Wiedemann. */
export function onOperator<T>(
  context: RunContext,
  matrix: ResidueMatrix,
  options: RankOptions,
  work: (
    context: RunContext,
    operator: Operator,
    shape: BlockShape,
    explanation: () => readonly string[],
  ) => Promise<T>,
): Promise<T> {
  return overBlockField(context, (context) =>
    withinBudget(context, async (context, streaming) => {
      const { executor } = context;
      const { matrix: given, explanation } = reorderLines(context, dropEmptyLines(matrix), false);
      // A kept run may go on with another device.
      const block = options.block ?? (context.checkpoint ? undefined : await blocksHere(context, given));
      const shape = chooseShape({ ...options, block }, Math.min(given.rows, given.cols), executor.field.p);
      // The other devices first, so that all set up at once.
      const sequenceDevices = await holdOnDevices(context.sequenceDevices, shape.n, given, executor.field);
      const { k } = new WorkingField(executor, 'block');
      const panels = inPanels(executor, Math.max(given.rows, given.cols), k, shape.n);
      const own = { ...context, executor: panels.executor, sequenceDevices };
      const operator = await storedOperator(own, given, { streamBytes: streaming.streamBytes });
      try {
        const whole = (): string[] => [...explanation, ...panels.explanation, ...streaming.explanation()];
        return await work(own, operator, shape, whole);
      } finally {
        operator.free?.();
      }
    }),
  );
}

/** The rank of a matrix in pieces on the disk, at least as tall as wide, without empty lines; on threads. */
export function rankOfPieces(
  context: RunContext,
  pieces: MatrixPieces,
  scratch: Scratch,
  bufferBytes: number,
  options: RankOptions = {},
): Promise<BlockWiedemannResult> {
  return overBlockField(context, async (context) => {
    const operator = context.executor.operatorInPieces!(pieces, scratch, bufferBytes);
    try {
      return await blockWiedemannRank(context, operator, options);
    } finally {
      operator.free?.();
    }
  });
}

/** The rank of `operator`, which is one of the executor's. Throws whatever `check` throws. */
export async function blockWiedemannRank(
  context: RunContext,
  operator: Operator,
  options: RankOptions = {},
): Promise<BlockWiedemannResult> {
  const a = tallOperator(operator);
  const working = new WorkingField(context.executor, 'block');
  const shape = chooseShape(options, a.cols, working.base.p);
  const seconds: Record<Phase, number> = { setup: 0, sequence: 0, sigmaBasis: 0, verification: 0 };
  const checks: SelfChecks = { sequence: 0, basis: 0, failed: 0 };
  const verify = options.verify ?? true;
  const maxAttempts = Math.max(1, options.maxAttempts ?? 4);
  const atLeast = options.atLeast ?? Number.POSITIVE_INFINITY;
  let lowerBound = 0;
  let reason = verify ? '' : 'verification was switched off';
  let attempt = 1;
  let preconditioner: Preconditioner = 'hash';
  for (; ; attempt++) {
    preconditioner = attempt >= GRAM_FROM_ATTEMPT ? 'gram' : 'hash';
    const run = new Attempt(context, a, working, shape, attempt, preconditioner, verify, seconds, checks, atLeast);
    const go = (): Promise<AttemptOutcome> => keepOutcome(context.checkpoint, attempt, () => run.go());
    const outcome: AttemptOutcome = a.cols === 0 ? { degree: 0, verified: true, reason: '' } : await go();
    lowerBound = Math.max(lowerBound, outcome.degree);
    if (outcome.broken) {
      reason = outcome.reason;
      return report(describeUnproved());
    }
    if (lowerBound === a.cols) return report(exactRank(lowerBound));
    if (lowerBound >= atLeast) return report(sufficientRank(lowerBound, atLeast));
    if (outcome.verified && outcome.degree === lowerBound) {
      // A union bound over the attempts made, with verification.ts's for each.
      const errorLog2 = 1 + Math.log2(attempt) - run.s * working.log2q;
      return report({ ...exactRank(lowerBound), errorLog2 });
    }
    // Verified below what another attempt has proved: that happens with the probability stated, or to a broken
    // operator.
    if (outcome.lost) reason = outcome.reason;
    else if (verify) reason = outcome.verified ? 'what was verified is below the lower bound' : outcome.reason;
    if (!(verify || outcome.lost) || attempt >= maxAttempts) return report(describeUnproved());
  }

  function describeUnproved() {
    return { rank: lowerBound, lowerBound, upperBound: null, errorLog2: null, reason };
  }

  function report(
    bounds: Pick<RankResult, 'rank' | 'lowerBound' | 'upperBound' | 'errorLog2' | 'reason'>,
  ): BlockWiedemannResult {
    const run = { preconditioner, block: shape, extensionDegree: working.degree, attempts: attempt, seconds };
    return { ...bounds, ...run, checks, method: 'block-wiedemann', explanation: [], warnings: warningsOf(checks) };
  }
}

/** The shape that was measured before, or the usual one. */
export async function blocksHere(context: RunContext, a: ResidueMatrix): Promise<BlockShape> {
  const block = await context.tunedBlock?.(a);
  if (!block || !fitsDevice(context, a, block)) return usualBlocks(context, a);
  return fitBlocks(block, Math.min(a.rows, a.cols));
}

/** Whether the device binds a block of the longer side, at once: pieces of it gain nothing that was measured. */
export function fitsDevice({ executor }: Pick<RunContext, 'executor'>, a: ResidueMatrix, { n }: BlockShape): boolean {
  if (executor.name !== 'gpu') return true;
  const { gpu, field } = executor as GpuExecutor;
  const k = numbersAnElement(field.p, 'block');
  return n <= columnsAtOnce(field, Math.max(a.rows, a.cols), k, gpu.maxBindingBytes);
}

/** The shape where nothing else was asked for or measured. */
export function usualBlocks(context: RunContext, a: ResidueMatrix): BlockShape {
  const N = Math.min(a.rows, a.cols);
  return chooseShape({ block: blocksFor(context, a) }, N, context.executor.field.p);
}

/** What the device speaks for, of N unknowns, vectors of up to L numbers and so many entries. */
export function deviceBlocks({ executor }: RunContext, L: number, N: number, nnz: number): BlockShape | undefined {
  if (executor.name !== 'gpu') return undefined;
  const { gpu, field } = executor as GpuExecutor;
  if (gpu.software) return undefined;
  return chooseGpuBlocks(L, N, nnz, field, gpu.maxBindingBytes);
}

function blocksFor(context: RunContext, { rows, cols, colIdx }: ResidueMatrix): BlockShape | undefined {
  return deviceBlocks(context, Math.max(rows, cols), Math.min(rows, cols), colIdx.length);
}

/** The blocks that are asked for, or those for N unknowns. */
export function chooseShape({ block }: RankOptions, N: number, p: number): BlockShape {
  return block ? fitBlocks(block, N) : chooseBlocks(N, numbersAnElement(p, 'block'));
}

/** A or Aᵀ, whichever has no fewer rows than columns. */
export function tallOperator(a: Operator): Operator {
  return a.rows >= a.cols ? a : transposeOperator(a);
}

/** Aᵀ as an operator, without storing anything. */
export function transposeOperator(a: Operator): Operator {
  return {
    rows: a.cols,
    cols: a.rows,
    isStreamed: a.isStreamed,
    apply: (y, x, alpha, beta) => a.applyTransposed(y, x, alpha, beta),
    applyTransposed: (y, x, alpha, beta) => a.apply(y, x, alpha, beta),
    calls: (y, x, transposed, alpha, beta) => [{ do: 'apply', map: a, y, x, transposed: !transposed, alpha, beta }],
  };
}
