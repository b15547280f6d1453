/**
 * The block Krylov sequences of B = C·A: the long phase of block Wiedemann.
 *
 *   A : m × N, m ≥ N      C : N × m (preconditioner.ts)      V : N × n random
 *   U : mU × N structured, one row a coordinate
 *   S_i = U·B^(i+shift)·V,  mU × n                     T_i = Y·B^i·V,  s × n,  Y = W·A with W : s × m random, or given
 *
 * With shift 1 all U·B^(j+1) lie in the row space of A, as Y does, whose dimension is what the generator of S and T,
 * one above the other, measures; that the rows of U span it without those of Y is what verification.ts goes by.
 * All entries are codes of GF(q). Sources: Coppersmith 1994; Kaltofen 1995; Villard 1997 for rectangular blocks.
 */
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import { sameWords } from '../checkpoint/words.js';
import { FailedCheckError, LostSequenceError } from './check-errors.js';
import { GrowingBlocks } from './growing-blocks.js';
import type { KeptSequence, SequenceKeeper } from './kept-sequence.js';
import { BATCH, type Batch, type KrylovShape, KrylovSteps } from './krylov-steps.js';
import { Projections } from './projections.js';
import type { Mark, SequenceCheck } from './sequence-check.js';
import type { LeftFactor } from './sparse-factor.js';
import type { WorkingField } from './working-field.js';

/** Blocks of S and T that grow on request, as a search of the generator reads them, from any device. */
export interface Sequence {
  readonly shape: KrylovShape;
  /** Blocks S_0, S_1, … one after another, each m × n codes. */
  readonly s: GrowingBlocks;
  /** Blocks T_0, T_1, … one after another, each s × n codes. */
  readonly t: GrowingBlocks;
  /** Whether W·(A·V) = (W·A)·V, the right side by applyTransposed: known from the first step on, never when s = 0. */
  readonly adjoint: boolean | null;
  /** Seconds in which blocks were made, without waits. */
  readonly seconds: number;
  readonly productSeconds?: number | null; // with Bᵀ, as wide as those of a verification; null where none was timed
  /** What checks its blocks, here or on other devices; absent where nothing does. */
  readonly check?: Pick<SequenceCheck, 'passed' | 'failed' | 'recheck'> | null;
  /**
   * Extends S to `count` blocks, and T to as many as long as it has fewer than `moments`; `check` may throw between
   * steps. A sequence on a device of its own goes as far as its task says by itself, and calls `onStep` between two
   * questions too.
   */
  extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void>;
  /** Keeps what is made, if it is kept; other devices make no more, and who waits for their blocks gets `why`. */
  stop?(why?: Error): Promise<void>;
  free(): void;
}

// Blocks come back from the device in batches, one while the next ones are computed: its queue never runs dry.
const AHEAD = 2;

/** Seconds of steps under way at most where a run is kept: it is asked to end between two batches. */
const KEPT_BATCH = 0.5;

/** Steps under way, and the mark that they end at. */
interface Ahead {
  readonly batch: Batch;
  readonly mark: Mark | null;
}

export class KrylovSequence implements Sequence {
  readonly shape: KrylovShape;
  readonly s: GrowingBlocks;
  readonly t: GrowingBlocks;
  readonly left: Projections;
  seconds = 0;
  adjoint: boolean | null = null;
  private readonly executor: Executor;
  private readonly working: WorkingField;
  private readonly steps: KrylovSteps;
  private ownsLeft = false;
  private keeper: SequenceKeeper | null = null;
  private recalled = 0; // blocks of S that were kept by an earlier run
  private checked: SequenceCheck | null = null;
  productSeconds: number | null = null;
  /** Blocks that are still to be checked. */
  private fresh: { s: Uint32Array[]; t: Uint32Array[] } = { s: [], t: [] };

  /** `left` stays the caller's, as `c` does. */
  constructor(
    executor: Executor,
    a: Operator,
    c: LeftFactor,
    working: WorkingField,
    shape: KrylovShape,
    seed: bigint,
    left: Projections,
  ) {
    this.executor = executor;
    this.working = working;
    this.shape = shape;
    this.left = left;
    this.s = new GrowingBlocks(shape.m * shape.n);
    this.t = new GrowingBlocks(shape.s * shape.n);
    this.steps = new KrylovSteps(executor, a, c, working, shape, seed, left);
  }

  /** With random vectors to the left, its own. */
  static async create(
    executor: Executor,
    a: Operator,
    c: LeftFactor,
    working: WorkingField,
    shape: KrylovShape,
    seed: bigint,
  ): Promise<KrylovSequence> {
    const left = await Projections.random(executor, a, working, shape, seed);
    try {
      const sequence = new KrylovSequence(executor, a, c, working, shape, seed, left);
      sequence.ownLeft();
      return sequence;
    } catch (error) {
      left.free();
      throw error;
    }
  }

  /** From now on the left sides are freed with the sequence. */
  ownLeft(): void {
    this.ownsLeft = true;
  }

  /**
   * From now on the sequence is kept, and goes on from what was kept before; and its blocks are checked before they are
   * given, and made again where they are wrong. The check is freed with it.
   */
  async begin(keeper: SequenceKeeper | undefined, check: SequenceCheck | null): Promise<void> {
    this.checked = check;
    const kept = keeper ? await this.goOnFromKept(keeper) : null;
    if (check === null) return;
    const blocks = check.blocksOf(this.s, this.t);
    await check.begin(this.v, blocks, kept?.known);
    // V and the blocks have been written since they were compared.
    const areSame = !kept?.dots || sameWords(check.goodDots, kept.dots);
    if (!areSame || !check.recheck(blocks)) throw new LostSequenceError();
  }

  /** What was kept, if there is something. */
  private async goOnFromKept(keeper: SequenceKeeper): Promise<Pick<KeptSequence, 'dots' | 'known'> | null> {
    const { m, n, s } = this.shape;
    this.keeper = keeper;
    const kept = await keeper.recall(m * n, s * n, this.v.length * n, this.checked);
    if (kept === null) return null;
    this.s.append(kept.s);
    this.t.append(kept.t);
    this.adjoint = kept.adjoint;
    this.recalled = kept.steps;
    this.executor.write(this.v, this.working.toResidues(kept.v, n));
    return kept;
  }

  /** Of intervals, null where nothing is checked. */
  get check(): SequenceCheck | null {
    return this.checked;
  }

  /** Blocks of S known so far. */
  get length(): number {
    return this.s.count;
  }

  /** Checked sequences go on to the end of an interval. What is kept may still be written afterwards. */
  async extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    try {
      while (!(await this.advanced(count, moments, check, onStep))) await this.checked!.goBack();
      if (this.keeper !== null) await this.keepIfDue(this.keeper);
    } finally {
      await this.keeper?.reading;
    }
  }

  /** Whether the checks hold. */
  private async advanced(...extension: Parameters<KrylovSequence['advance']>): Promise<boolean> {
    try {
      await this.advance(...extension);
      return true;
    } catch (error) {
      if (error instanceof FailedCheckError) return false;
      throw error;
    }
  }

  /** The wait for a batch begins when the next ones are under way. */
  private async advance(
    count: number,
    moments: number,
    check: () => void,
    onStep: (done: number) => void,
  ): Promise<void> {
    const start = this.s.count;
    const { interval = 1 } = this.checked ?? {};
    const end = start + interval * Math.ceil(Math.max(0, count - start) / interval);
    let [steps, tSteps] = [start, this.t.count];
    this.fresh = { s: [], t: [] };
    const ahead: Ahead[] = [];
    let last = performance.now();
    const take = async (): Promise<void> => {
      const known = this.length;
      await this.take(ahead.shift()!);
      const now = performance.now();
      this.seconds += (now - last) / 1000;
      last = now;
      if (this.length > known) onStep(this.length);
    };
    const drain = async (): Promise<void> => {
      while (ahead.length > 0) await take();
    };
    while (steps < end) {
      const toMark = this.checked === null ? Infinity : interval - ((steps - start) % interval);
      if (this.keeper !== null && (this.checked === null || toMark === interval)) {
        await this.keepIfDue(this.keeper, drain);
      }
      const wanted = Math.min(this.batchSize(), end - steps, toMark);
      const isMark = wanted === toMark;
      if (isMark) while (ahead.some(({ mark }) => mark !== null)) await take();
      const batch = await this.steps.ask(wanted, moments - tSteps, steps === 0, check);
      steps += batch.steps;
      tSteps += batch.tSteps;
      if (ahead.push({ batch, mark: isMark ? await this.checked!.mark() : null }) > AHEAD) await take();
    }
    await drain();
  }

  /** Keeps all that is made and, where it is checked, holds. */
  async keep(): Promise<void> {
    const { keeper } = this;
    if (keeper === null) return;
    await keeper.checkpoint.settle();
    this.beginToKeep(keeper, false);
    await keeper.checkpoint.settle();
  }

  stop(): Promise<void> {
    return this.keep();
  }

  /** V is read as it is when it is asked for. */
  private beginToKeep(keeper: SequenceKeeper, isBeside: boolean): void {
    const { checked, s, t, adjoint } = this;
    const v = checked?.goodVectors() ?? this.read();
    keeper.begin({ s, t, v, adjoint, checked }, isBeside);
  }

  /**
   * Steps under way are taken first, where V is to be that of the last block. A device with a queue of its own makes
   * steps while files are written.
   */
  private async keepIfDue(keeper: SequenceKeeper, drain: () => Promise<void> = async () => {}): Promise<void> {
    const { checkpoint } = keeper;
    const due = await checkpoint.due();
    if (due === 'no' || (due === 'keep' && checkpoint.writing !== null)) return;
    await checkpoint.settle();
    if (this.checked === null) await drain();
    if (due === 'keep' && this.executor.name === 'gpu') return this.beginToKeep(keeper, true);
    await this.keep();
    if (due === 'stop') checkpoint.leave();
  }

  private async read(): Promise<Uint32Array> {
    return this.working.fromResidues(await this.executor.read(this.v), this.shape.n);
  }

  private batchSize(): number {
    if (this.keeper === null) return BATCH;
    const made = this.length + this.fresh.s.length - this.recalled;
    if (made <= 0) return 1;
    return Math.min(BATCH, Math.max(1, Math.floor((KEPT_BATCH * made) / this.seconds)));
  }

  /** The blocks of a batch, once they are here; of those that are checked, once they hold. */
  private async take({ batch, mark }: Ahead): Promise<void> {
    const { fresh } = this;
    const { s, t, adjoint } = await this.steps.take(batch);
    fresh.s.push(...s);
    fresh.t.push(...t);
    this.adjoint = adjoint ?? this.adjoint;
    if (mark !== null) await this.confirm(this.checked!, mark);
    if (mark === null && this.checked !== null) return;
    for (const block of fresh.s.splice(0)) this.s.push(block);
    for (const block of fresh.t.splice(0)) this.t.push(block);
  }

  /** The check compares Y with W·A: where it holds, and `adjoint` does not, a word of W·A·V or T was wrong. */
  private async confirm(check: SequenceCheck, mark: Mark): Promise<void> {
    const [s, t] = [this.fresh.s, this.fresh.t].map((list) => ({ count: list.length, at: (i: number) => list[i] }));
    await check.confirm(mark, check.blocksOf(s, t), check.blocksOf(this.s, this.t).count);
    if (this.adjoint !== false) return;
    this.adjoint = true;
    check.addFailure();
  }

  private get v(): BlockVector {
    return this.steps.v;
  }

  free(): void {
    if (this.ownsLeft) this.left.free();
    this.checked?.free();
    this.steps.free();
  }
}
