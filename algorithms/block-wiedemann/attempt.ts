/**
 * One attempt at the rank: sequence and generator search in turns until the generator stands, then verification.
 *
 *   A : m × N, m ≥ N      gap : orders for which the generator must have stood
 *
 * The randomness of an attempt comes from (seed, attempt): a stream each for C, U, V, W and t, by label.
 */

import { deriveSeed } from '../../fields/random.js';
import type { Operator } from '../../kernels/executor.js';
import { StoppedError } from '../checkpoint/store.js';
import { bytesOf, wordsOf } from '../checkpoint/words.js';
import { generatorEngine, type OrderBasisEngine } from '../sigma-basis/order-basis.js';
import { timePhase } from '../stopwatch.js';
import { type AttemptOutcome, LOST, NO_TRANSPOSE, type Relations } from './attempt-outcome.js';
import { keptOnDevices, startOnDevices } from './attempt-sequence.js';
import { type BlockShape, checkpoints, type SequenceLengths, sequenceLengths, stopGap } from './block-shape.js';
import { LostSequenceError } from './check-errors.js';
import { type BasisCheck, GeneratorSearch } from './generator.js';
import { arraysOf } from './kept-attempt.js';
import { BasisKeeper } from './kept-basis.js';
import { CombinationKeeper } from './kept-combination.js';
import type { Sequence } from './krylov.js';
import { freeSides, type SequenceSides, type SequenceTask, sidesOf } from './krylov-columns.js';
import { searchedBlocks } from './krylov-steps.js';
import type { Pause } from './look.js';
import type { Preconditioner } from './preconditioner.js';
import type { Phase, RunContext } from './run-context.js';
import { checksRank, type SelfChecks } from './self-checks.js';
import { agree, othersSpan } from './spanning.js';
import { verificationWidth, verificationWords, verifyGenerator } from './verification.js';
import type { WorkingField } from './working-field.js';

/** One attempt: sequence and generator search in turns, then verification. */
export class Attempt {
  readonly s: number;
  readonly lengths: SequenceLengths;
  readonly arrays: string; // what the names of its arrays in a store begin with
  private readonly context: RunContext;
  private readonly a: Operator;
  private readonly working: WorkingField;
  private readonly shape: BlockShape;
  private readonly attempt: number;
  private readonly preconditioner: Preconditioner;
  private readonly seconds: Record<Phase, number>;
  private readonly checks: SelfChecks;
  private readonly atLeast: number;
  private readonly gap: number;
  private readonly seed: bigint;
  private readonly checksItself: boolean;
  private readonly basisCheck: BasisCheck | null;
  private readonly kept: BasisKeeper | undefined;
  private sides: SequenceSides | undefined;

  constructor(
    context: RunContext,
    a: Operator,
    working: WorkingField,
    shape: BlockShape,
    attempt: number,
    preconditioner: Preconditioner,
    verify: boolean,
    seconds: Record<Phase, number>,
    checks: SelfChecks,
    atLeast: number,
  ) {
    this.context = context;
    this.a = a;
    this.working = working;
    this.shape = shape;
    this.attempt = attempt;
    this.preconditioner = preconditioner;
    [this.seconds, this.checks, this.atLeast] = [seconds, checks, atLeast];
    this.s = verify ? verificationWidth(working.log2q) : 0;
    // Later attempts wait longer before they believe the generator.
    this.gap = stopGap(shape, working.log2q) * attempt;
    this.lengths = sequenceLengths(a.cols, shape, this.s, this.gap);
    this.arrays = arraysOf(attempt);
    this.seed = deriveSeed(context.seed, 'block Wiedemann', attempt);
    const { executor, checkpoint } = context;
    this.checksItself = checksRank(context);
    this.kept = checkpoint && new BasisKeeper(checkpoint, this.arrays);
    this.basisCheck = this.checksItself ? { working, executor, seed: deriveSeed(this.seed, 'basis check') } : null;
  }

  /** S and T, as far as the attempt goes with luck. */
  get task(): SequenceTask {
    const { preconditioner, seed, s, lengths } = this;
    const shape = { ...this.shape, s, shift: 1 as const };
    const moments = s > 0 ? Number.MAX_SAFE_INTEGER : 0; // T as long as S
    return { preconditioner, seed, shape, length: lengths.bound, moments, checked: this.checksItself };
  }

  async go(): Promise<AttemptOutcome> {
    try {
      const found = await this.findOrRecall();
      if (found.combined === undefined) return found;
      const { executor } = this.context;
      this.sides ??= await timePhase(this.seconds, 'setup', () => sidesOf(executor, this.a, this.working, this.task));
      return await this.verify(this.sides, found.degree, found.combined);
    } finally {
      this.freeSides();
    }
  }

  /** The generator without its verification; what it leaves to verify is kept. Whether that is done: another may do. */
  async findGenerator(): Promise<boolean> {
    try {
      const found = await this.findOrRecall();
      return !(found.combined === undefined && found.lost);
    } finally {
      this.freeSides();
    }
  }

  private async findOrRecall(): Promise<AttemptOutcome | Relations> {
    const { checkpoint } = this.context;
    const name = `${this.arrays}-relations`;
    const kept = await checkpoint?.recall(name);
    if (kept) {
      const { outcome, degree } = kept.fields as { outcome: AttemptOutcome | null; degree: number };
      return outcome ?? { degree, combined: wordsOf(kept.bytes) };
    }
    const found = await this.search();
    await checkpoint?.settle(); // the last blocks
    if (found.combined === undefined && found.lost) return found; // another search may do
    if (found.combined === undefined) await checkpoint?.keep(name, { outcome: found });
    else await checkpoint?.keep(name, { outcome: null, degree: found.degree }, bytesOf(found.combined));
    await this.kept?.forget();
    return found;
  }

  private async search(): Promise<AttemptOutcome | Relations> {
    const N = this.a.cols;
    const { bound, capacity } = this.lengths;
    const shape = { m: this.shape.m + this.s, n: this.shape.n, s: 0 };
    let engine: OrderBasisEngine | undefined;
    let going: Sequence | undefined;
    let search: GeneratorSearch | undefined;
    const endSequence = (): void => {
      this.seconds.sequence += going?.seconds ?? 0;
      this.checks.sequence += going?.check?.passed ?? 0;
      this.checks.failed += going?.check?.failed ?? 0;
      going?.free();
      going = undefined;
    };
    try {
      const work = { rows: shape.m + shape.n, cols: shape.n, orders: bound };
      const ready = async (): Promise<OrderBasisEngine> => {
        engine = await generatorEngine(this.context, this.working.field, work);
        return engine;
      };
      const { context, a, working, task, arrays } = this;
      const started = await timePhase(this.seconds, 'setup', () =>
        startOnDevices(context, a, working, task, arrays, ready),
      );
      const { sequence } = started;
      [this.sides, going] = [started, sequence];
      const products = Math.ceil(N / shape.m) + 1; // of a verification, at most
      if (sequence.productSeconds) context.checkpoint?.expect(products * sequence.productSeconds);
      search = new GeneratorSearch(started.engine, shape, null, capacity, this.basisCheck);
      await this.kept?.recall(search.basis);
      for (const to of this.looks()) {
        if (to < search.order) continue;
        await this.extend(sequence, search, to);
        if (search.degree === N || search.degree >= this.atLeast || search.gap >= this.gap) break;
      }
      if (!(await this.isSound(sequence, search))) {
        await this.kept?.forget();
        const [{ order }, spoilt] = [search, search];
        search = new GeneratorSearch(started.engine, shape, null, capacity, this.basisCheck);
        spoilt.free();
        for (const part of [Math.ceil(order / 2), order]) await this.extend(sequence, search, part);
        if (!(await this.isSound(sequence, search))) {
          await this.kept?.forget();
          return LOST;
        }
      }
      const degree = search.degree;
      // A linear operator cannot exceed N (generator.ts), so a larger degree voids all bounds.
      if (degree > N) return { degree: 0, verified: false, reason: 'the operator is not linear', broken: true };
      if (sequence.adjoint === false) return { degree: 0, verified: false, ...NO_TRANSPOSE };
      if (degree === N) return { degree, verified: true, reason: '' };
      if (degree >= this.atLeast) return { degree, verified: false, reason: 'it is enough' };
      if (search.gap < this.gap) return { degree, verified: false, reason: 'no generator within the expected order' };
      if (this.s === 0) return { degree, verified: false, reason: 'verification was switched off' };
      endSequence(); // it may still go on
      return await this.combine(search, started.engine);
    } catch (error) {
      if (error instanceof StoppedError && search) await this.kept?.end(search.basis);
      if (!(error instanceof LostSequenceError)) throw error;
      return { ...LOST, reason: error.message };
    } finally {
      search?.free();
      engine?.dispose?.();
      endSequence();
    }
  }

  /** Whether the search stands on the blocks that were checked, and found an order basis of them. */
  private async isSound(sequence: Sequence, search: GeneratorSearch): Promise<boolean> {
    if (!this.checksItself) return true;
    const blocks = searchedBlocks(sequence);
    const isSound = await timePhase(this.seconds, 'sigmaBasis', () => search.holds(blocks));
    // Behind the reading of the blocks: what is damaged now was right, or was met.
    if (sequence.check?.recheck(blocks) === false) {
      this.checks.failed++;
      if (isSound) await this.kept?.forget(); // it is one of what is damaged
      throw new LostSequenceError();
    }
    if (isSound) this.checks.basis++;
    else this.checks.failed++;
    return isSound;
  }

  /** Orders at which to look for the generator: also where parts end, before more is made of them. */
  private looks(): number[] {
    const { bound, capacity } = this.lengths;
    const length = Math.min(capacity, this.context.parts?.length ?? capacity);
    return [...checkpoints(bound), length, capacity].sort((a, b) => a - b);
  }

  private freeSides(): void {
    if (this.sides) freeSides(this.sides);
    this.sides = undefined;
  }

  /** What is to be verified of the generator, where it can be. */
  private async combine(search: GeneratorSearch, engine: OrderBasisEngine): Promise<AttemptOutcome | Relations> {
    const { degree } = search;
    const { s, working, shape, gap } = this;
    const F = working.elements;
    const t = verificationWords(F, s * (shape.m + s), deriveSeed(this.seed, 'verification'));
    return timePhase(this.seconds, 'verification', async () => {
      if (!(await search.isReduced(F))) return { degree, verified: false, reason: 'the generator is not row-reduced' };
      const [columns, combined] = [await search.columns(F, shape.m), await search.combine(t)];
      if (!agree(F, columns, combined, t)) {
        this.checks.failed++;
        return LOST;
      }
      for (let turn = 0; turn < (this.checksItself ? 2 : 1); turn++) {
        if (!(await othersSpan(engine, columns, gap)))
          return { degree, verified: false, reason: 'random row-space vectors are outside the Krylov space' };
      }
      return { degree, combined };
    });
  }

  private async verify({ c, left }: SequenceSides, degree: number, combined: Uint32Array): Promise<AttemptOutcome> {
    const { executor, checkpoint } = this.context;
    const { a, working, arrays } = this;
    const name = `${arrays}-verification`;
    const keeper = checkpoint && new CombinationKeeper(checkpoint, name, combined, executor, working, this.s);
    const check = (): void => this.context.check();
    const onStep = (done: number, total: number): void => this.progress('verification', done, total);
    const verified = await timePhase(this.seconds, 'verification', () =>
      verifyGenerator(executor, a, c, working, left, combined, check, onStep, keeper),
    );
    return { degree, verified, reason: verified ? '' : 'the verification identity does not hold' };
  }

  /** The sequence to `to` blocks, then the generator search to that order. */
  private async extend(sequence: Sequence, search: GeneratorSearch, to: number): Promise<void> {
    const { bound } = this.lengths;
    const check = (): void => this.context.check();
    await sequence.extend(to, this.task.moments, check, (done) =>
      this.progress('sequence', done, Math.max(bound, done)),
    );
    const F = this.working.elements;
    const advance = (pause?: Pause): Promise<void> =>
      timePhase(this.seconds, 'sigmaBasis', () =>
        search.advance(searchedBlocks(sequence), sequence.t, to, F.neg(F.one), pause),
      );
    await keptOnDevices(sequence, async () => {
      const { checkpoint } = this.context;
      check();
      await checkpoint?.pass();
      const { order: done, basis } = search;
      if (to === done) return; // it was kept
      await checkpoint?.enter({ phase: 'sigmaBasis', attempt: this.attempt, done, total: Math.max(bound, to) });
      await (this.kept?.goOn(basis, advance) ?? advance());
    });
  }

  private progress(phase: Phase, done: number, total: number): void {
    this.context.checkpoint?.note({ phase, attempt: this.attempt, done, total });
    this.context.onProgress({ phase, attempt: this.attempt, done, total });
  }
}
