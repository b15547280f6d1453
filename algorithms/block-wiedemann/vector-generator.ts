/**
 * The minimal generator of the vectors B^k·V: what block Wiedemann knows of B itself, not of a rank.
 *
 *   B = C·A, N × N over GF(q)      V : N × n uniform      U : m × N      S_k = U·B^k·V      D = deg det F
 *   F(x) = Σ F_j x^j, n × n, its rows the relations Σ_j B^j·V·(row of F_j)ᵀ = 0
 *
 * F is the left generator of the transposed sequence S_kᵀ, found by generator.ts; K = span of the columns of B^k·V.
 * Of the relations among the S_kᵀ, which contain those among the B^k·V, let F* be a reduced basis: its degrees add up
 * to at most dim K ≤ N, and generator.ts shows that those of F, in order, are at most those of F*.
 *   D = N, and every other row of the order basis of higher degree: then the degrees are those of F*, whose rows have
 *   no other rows to be combined of; so F and F* are the same up to a unimodular factor, F generates the B^k·V, and
 *   K is everything. No probability is involved (`complete`).
 *   D < N: suppose F annihilates V, Σ_j B^j·V·F_jᵀ = 0. Then F is a multiple of the generator of the B^k·V, of which
 *   deg det is dim K ≥ D: so F is that generator. `annihilates` shows it, wrong with probability at most q^−s.
 *
 * U deals the coordinates out to its rows, one each, which costs little and mostly serves. Where vectors with few
 * nonzero coordinates span an eigenspace it sees less than V; `dense` takes a U of uniform elements instead.
 * Source: Coppersmith 1994; Kaltofen, Villard 2005, section 2.
 */
import { deriveSeed } from '../../fields/random.js';
import type { Operator } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { StoppedError } from '../checkpoint/store.js';
import { generatorEngine, type OrderBasisEngine } from '../sigma-basis/order-basis.js';
import { timePhase } from '../stopwatch.js';
import { keptOnDevices, type Started, startOnDevices } from './attempt-sequence.js';
import { type BlockShape, checkpoints, chooseVectorBlocks, stopGap } from './block-shape.js';
import { LostSequenceError } from './check-errors.js';
import { inPanels } from './column-panels.js';
import { numbersAnElement } from './extension-degree.js';
import { GeneratorSearch, type NoGenerator, type VectorGenerator } from './generator.js';
import { withinBudget } from './gpu-budget.js';
import type { GrowingBlocks } from './growing-blocks.js';
import { arraysOf } from './kept-attempt.js';
import { BasisKeeper } from './kept-basis.js';
import { keepGenerator } from './kept-generator.js';
import type { Sequence } from './krylov.js';
import { freeSides, holdOnDevices, type SequenceTask } from './krylov-columns.js';
import { searchedBlocks } from './krylov-steps.js';
import type { Pause } from './look.js';
import { reorderLines } from './reorder-lines.js';
import type { RunContext } from './run-context.js';
import { checksItself, type SelfChecks } from './self-checks.js';
import { storedOperator } from './stored-operator.js';
import { overBlockField, WorkingField } from './working-field.js';

/** What one attempt at a generator runs on. */
export interface VectorGeneratorRun {
  readonly working: WorkingField;
  readonly shape: BlockShape; // m rows of U, n columns of V
  readonly preconditioner: 'identity' | 'triangular'; // C
  readonly dense: boolean; // U
  readonly seed: bigint;
  readonly attempt: number; // from 1; later attempts wait longer before they believe F
  readonly seconds: Record<'sequence' | 'generator' | 'verification', number>;
  readonly checks: SelfChecks;
}

/** m = n for N unknowns: the same on every device, however it holds an element, since a kept run may change it. */
export function vectorShape({ base, log2q }: WorkingField, N: number): BlockShape {
  return chooseVectorBlocks(N, numbersAnElement(base.p, 'block'), log2q);
}

/** What `work` says of a square matrix as an operator over the field of block Wiedemann. */
export function onSquareOperator<T>(
  context: RunContext,
  matrix: ResidueMatrix,
  work: (context: RunContext, operator: Operator) => Promise<T>,
): Promise<T & { readonly explanation: readonly string[] }> {
  return overBlockField(context, (context) =>
    withinBudget(context, async (context, streaming) => {
      const { matrix: given, explanation } = reorderLines(context, matrix, true);
      const working = new WorkingField(context.executor, 'block');
      const { n } = vectorShape(working, given.rows);
      const sequenceDevices = await holdOnDevices(context.sequenceDevices, n, given, working.base);
      const panels = inPanels(context.executor, given.rows, working.k, n);
      const own = { ...context, executor: panels.executor, sequenceDevices };
      const { streamBytes } = streaming;
      const operator = await storedOperator(own, given, { use: checksItself(own) ? 'both' : 'apply', streamBytes });
      try {
        const found = await work(own, operator);
        return { ...found, explanation: [...explanation, ...panels.explanation, ...streaming.explanation()] };
      } finally {
        operator.free?.();
      }
    }),
  );
}

/** F for B = C·a; `a` is square, with at least a row. */
export function findVectorGenerator(
  context: RunContext,
  a: Operator,
  run: VectorGeneratorRun,
): Promise<VectorGenerator | NoGenerator> {
  const { attempt, shape } = run;
  return keepGenerator(context.checkpoint, attempt, shape.n, () => searchGenerator(context, a, run));
}

const LOST: NoGenerator = { reason: 'an order basis failed its check', lost: true };

async function searchGenerator(
  context: RunContext,
  a: Operator,
  run: VectorGeneratorRun,
): Promise<VectorGenerator | NoGenerator> {
  const { checkpoint, onProgress } = context;
  const { working, shape, attempt, seconds, checks } = run;
  const check = (): void => context.check();
  const { m, n } = shape;
  const N = a.rows;
  const gap = stopGap(shape, working.log2q) * attempt;
  const bound = Math.ceil(N / m) + Math.ceil(N / n) + gap + 2;
  const capacity = bound + 3 * gap;
  let started: Started | undefined;
  const endSequence = (): void => {
    if (!started) return;
    const { sequence, engine: _, ...sides } = started;
    seconds.sequence += sequence.seconds;
    checks.sequence += sequence.check?.passed ?? 0;
    checks.failed += sequence.check?.failed ?? 0;
    sequence.free();
    freeSides(sides);
    started = undefined;
  };
  let engine: OrderBasisEngine | undefined;
  let search: GeneratorSearch | undefined;
  const kept = checkpoint && new BasisKeeper(checkpoint, arraysOf(attempt));
  try {
    const ready = async (): Promise<OrderBasisEngine> => {
      engine = await generatorEngine(context, working.field, { rows: m + n, cols: m, orders: bound });
      return engine;
    };
    const task = taskOf(context, run, bound);
    started = await startOnDevices(context, a, working, task, arraysOf(attempt), ready);
    const { sequence } = started;
    const blocks = searchedBlocks(sequence);
    const searchIn = (engine: OrderBasisEngine): GeneratorSearch => {
      const { executor } = context;
      const basisCheck = checksItself(context)
        ? { working, executor, seed: deriveSeed(run.seed, 'basis check') }
        : null;
      return new GeneratorSearch(engine, { m: n, n: m, s: 0 }, null, capacity, basisCheck);
    };
    search = searchIn(started.engine);
    await kept?.recall(search.basis);
    const F = working.elements;
    const transposed = { at: (i: number): Uint32Array => transpose(blocks.at(i), m, n) };
    const advance = async (to: number, pause?: Pause): Promise<void> => {
      const [done, total] = [search!.order, Math.max(bound, to)];
      await checkpoint?.enter({ phase: 'sigmaBasis', attempt, done, total });
      await timePhase(seconds, 'generator', () => search!.advance(transposed, NO_BLOCKS, to, F.neg(F.one), pause));
    };
    for (const to of [...checkpoints(bound), capacity]) {
      if (to < search.order) continue;
      const progress = (done: number): void => {
        const event = { phase: 'sequence' as const, attempt, done, total: Math.max(bound, done) };
        checkpoint?.note(event);
        onProgress(event);
      };
      await sequence.extend(to, task.moments, check, progress);
      const { basis, order } = search;
      await keptOnDevices(sequence, async () => {
        check();
        await checkpoint?.pass();
        if (to > order) await (kept?.goOn(basis, (pause) => advance(to, pause)) ?? advance(to));
      });
      if (search.degree > N && !checksItself(context)) return NOT_LINEAR;
      if (search.gap >= (search.degree >= N ? 1 : gap)) break;
    }
    if (checksItself(context) && !(await isSound(sequence, transposed, search, run, kept))) {
      const { order } = search;
      await kept?.forget();
      search.free();
      search = searchIn(started.engine);
      await advance(order);
      if (!(await isSound(sequence, transposed, search, run, kept))) return LOST;
    }
    if (search.degree > N) return NOT_LINEAR;
    const complete = search.degree === N && search.gap >= 1;
    if (!complete && search.gap < gap) return { reason: 'no generator within the expected order' };
    endSequence(); // it may still go on
    const found = await search.generator(F);
    return found.reduced ? { ...found, complete } : { reason: 'the generator is not reduced' };
  } catch (error) {
    if (error instanceof StoppedError && search) await kept?.end(search.basis);
    if (error instanceof LostSequenceError) return { reason: error.message, lost: true };
    throw error;
  } finally {
    search?.free();
    engine?.dispose?.();
    endSequence();
  }
}

/** Whether the search stands on the blocks that were checked, and found an order basis of them, which it then has. */
async function isSound(
  sequence: Sequence,
  transposed: Pick<GrowingBlocks, 'at'>,
  search: GeneratorSearch,
  { seconds, checks }: VectorGeneratorRun,
  kept: BasisKeeper | undefined,
): Promise<boolean> {
  const isSound = await timePhase(seconds, 'generator', () => search.holds(transposed, true));
  // Behind the reading of the blocks: what is damaged now was right, or was met.
  if (sequence.check?.recheck(searchedBlocks(sequence)) === false) {
    checks.failed++;
    if (isSound) await kept?.forget(); // it is one of what is damaged
    throw new LostSequenceError();
  }
  if (isSound) checks.basis++;
  else checks.failed++;
  return isSound;
}

const NOT_LINEAR: NoGenerator = { reason: 'the operator is not linear', broken: true };

/** A sequence of `length` blocks, of which U's rows or those of a dense U are read. */
function taskOf(context: RunContext, run: VectorGeneratorRun, length: number): SequenceTask {
  const { preconditioner, seed, dense } = run;
  const { m, n } = run.shape;
  const shape = { ...(dense ? { m: 1, s: m } : { m, s: 0 }), n, shift: 0 as const };
  const moments = dense ? Number.MAX_SAFE_INTEGER : 0;
  return { preconditioner, seed, shape, length, moments, checked: checksItself(context) };
}

const NO_BLOCKS: Pick<GrowingBlocks, 'at'> = {
  at: () => new Uint32Array(0),
};

/** m × n to n × m. */
function transpose(block: Uint32Array, m: number, n: number): Uint32Array {
  const out = new Uint32Array(block.length);
  for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) out[j * m + i] = block[i * n + j];
  return out;
}
