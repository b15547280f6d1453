/**
 * One attempt at the rank: sequence and generator search in turns until the generator stands, then verification.
 *
 *   A : m × N, m ≥ N      gap : orders for which the generator must have stood      entry : order at which T enters
 *
 * The randomness of an attempt comes from (seed, attempt): a stream each for C, U, V, W and t, by label.
 */
import { deriveSeed } from '../../fields/random.js';
import type { Operator } from '../../kernels/executor.js';
import { type BlockShape, checkpoints, stopGap } from './blocks.js';
import { GeneratorSearch } from './generator.js';
import type { LeftFactor, Preconditioner } from './hashing.js';
import type { KrylovSequence, Sequence } from './krylov.js';
import type { OrderBasisEngine } from './order-basis-engine.js';
import { generatorEngine, type Phase, type RunContext } from './run-context.js';
import { SplitSequence, sharesOf, startSequence } from './split-sequence.js';
import { verificationWidth, verifyGenerator } from './verification.js';
import type { WorkingField } from './working-field.js';

export interface AttemptOutcome {
  readonly degree: number; // a lower bound of the rank
  readonly verified: boolean;
  readonly reason: string; // why it is not verified, in words
  /** The operator has shown that it is not one: fresh randomness is of no use. */
  readonly broken?: boolean;
}

/** One attempt: sequence and generator search in turns, then verification. */
export class Attempt {
  readonly s: number;
  private readonly context: RunContext;
  private readonly a: Operator;
  private readonly working: WorkingField;
  private readonly shape: BlockShape;
  private readonly attempt: number;
  private readonly preconditioner: Preconditioner;
  private readonly seconds: Record<Phase, number>;
  private readonly atLeast: number;
  private readonly gap: number;
  private readonly seed: bigint;

  constructor(
    context: RunContext,
    a: Operator,
    working: WorkingField,
    shape: BlockShape,
    attempt: number,
    preconditioner: Preconditioner,
    verify: boolean,
    seconds: Record<Phase, number>,
    atLeast: number,
  ) {
    this.context = context;
    this.a = a;
    this.working = working;
    this.shape = shape;
    this.attempt = attempt;
    this.preconditioner = preconditioner;
    this.seconds = seconds;
    this.atLeast = atLeast;
    this.s = verify ? verificationWidth(working.log2q) : 0;
    // Each attempt waits longer before it believes the generator.
    this.gap = stopGap(shape, working.log2q) * attempt;
    this.seed = deriveSeed(context.seed, 'block Wiedemann', attempt);
  }

  async go(): Promise<AttemptOutcome> {
    const { c, krylov, sequence } = await this.timed('setup', () => this.start());
    let engine: OrderBasisEngine | undefined;
    let search: GeneratorSearch | undefined;
    try {
      const N = this.a.cols;
      const { m, n } = this.shape;
      const entry = Math.ceil(N / m) + 3;
      const moments = Math.ceil(N / n) + 3 * this.gap + 4;
      const capacity = entry + moments;
      const bound = Math.min(capacity, Math.ceil(N / m) + Math.ceil(N / n) + this.gap + 2);
      engine = await generatorEngine(this.context, this.working, { rows: m + n + this.s, cols: n, orders: bound });
      search = new GeneratorSearch(engine, { m, n, s: this.s }, entry, capacity);
      for (const to of [...checkpoints(bound), capacity]) {
        if (to <= search.order) continue;
        await this.extend(sequence, search, to, moments, bound);
        if (search.degree === N || search.degree >= this.atLeast || search.gap >= this.gap) break;
      }
      const degree = search.degree;
      // A linear operator cannot exceed N (generator.ts): then nothing that was seen bounds anything.
      if (degree > N) return { degree: 0, verified: false, reason: 'the operator is not linear', broken: true };
      if (sequence.adjoint === false) {
        return { degree, verified: false, reason: 'applyTransposed is not the transpose of apply', broken: true };
      }
      if (degree === N) return { degree, verified: true, reason: '' };
      if (degree >= this.atLeast) return { degree, verified: false, reason: 'it is enough' };
      if (search.gap < this.gap) return { degree, verified: false, reason: 'no generator within the expected order' };
      if (this.s === 0) return { degree, verified: false, reason: 'verification was switched off' };

      // The moments of the random row-space vectors must have been used for as many orders as the columns need.
      const columnIndex = search.order - search.gap - search.largestDegree + 1;
      const needed = (entryAt: number): number => entryAt + columnIndex + this.gap;
      if (needed(entry) > search.order) {
        const early = search.largestDegree + 2;
        if (needed(entry) <= capacity && needed(entry) - search.order <= search.order / 8) {
          await this.extend(sequence, search, needed(entry), moments, bound);
        } else {
          // Cheaper than going on with the sequence: search again, with the moments entering early.
          const to = Math.max(search.order, needed(early));
          search.free();
          search = new GeneratorSearch(engine, { m, n, s: this.s }, early, to);
          await this.extend(sequence, search, to, moments, bound);
        }
      }
      return await this.verifySearch(c, krylov, search);
    } finally {
      search?.free();
      engine?.dispose?.();
      sequence.free();
      c.free();
    }
  }

  /** The sequence, its columns shared among the devices that there are; `krylov` is this device's share, or all of it. */
  private async start(): Promise<{ c: LeftFactor; krylov: KrylovSequence; sequence: Sequence }> {
    const { executor, sequenceDevices = [] } = this.context;
    const { preconditioner, seed } = this;
    const task = { preconditioner, seed, shape: { ...this.shape, s: this.s, shift: 1 as const } };
    const [own, ...others] = sharesOf(task, 1 + sequenceDevices.length);
    const starting = Promise.all(others.map((share, j) => sequenceDevices[j].start(share)));
    starting.catch(() => undefined); // waited for below, when this device has started
    const { c, krylov } = await startSequence(executor, this.a, this.working, own);
    if (others.length === 0) return { c, krylov, sequence: krylov };
    try {
      return { c, krylov, sequence: new SplitSequence([krylov, ...(await starting)]) };
    } catch (error) {
      krylov.free();
      c.free();
      throw error;
    }
  }

  private async verifySearch(c: LeftFactor, krylov: KrylovSequence, search: GeneratorSearch): Promise<AttemptOutcome> {
    const F = this.working.elements;
    const generator = await search.generator(F);
    const { degree } = generator;
    if (!generator.reduced) return { degree, verified: false, reason: 'the generator is not row-reduced' };
    const passengers = await search.passengers();
    if (!passengers)
      return { degree, verified: false, reason: 'a random row-space vector is outside the Krylov space' };
    const seed = deriveSeed(this.seed, 'verification');
    const progress = (done: number, total: number): void => this.progress('verification', done, total);
    const verified = await this.timed('verification', () =>
      verifyGenerator(
        this.context.executor,
        this.a,
        c,
        this.working,
        krylov,
        generator,
        passengers,
        seed,
        () => this.context.check(),
        progress,
      ),
    );
    return { degree, verified, reason: verified ? '' : 'the verification identity does not hold' };
  }

  /** The sequence to `to` blocks, then the generator search to that order. */
  private async extend(
    sequence: Sequence,
    search: GeneratorSearch,
    to: number,
    moments: number,
    bound: number,
  ): Promise<void> {
    const check = (): void => this.context.check();
    await this.timed('sequence', () =>
      sequence.extend(to, moments, check, (done) => this.progress('sequence', done, Math.max(bound, done))),
    );
    check();
    const F = this.working.elements;
    await this.timed('sigmaBasis', () => search.advance(sequence.s, sequence.t, to, F.neg(F.one)));
  }

  private progress(phase: Phase, done: number, total: number): void {
    this.context.onProgress({ phase, attempt: this.attempt, done, total });
  }

  private async timed<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.seconds[phase] += (performance.now() - start) / 1000;
    }
  }
}
