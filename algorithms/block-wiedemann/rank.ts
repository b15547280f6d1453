/**
 * The rank of a sparse matrix mod p by block Wiedemann, with a statement of what is proved.
 *
 *   A : m × N over F_p, m ≥ N      B = C·A      S_i = U·B^(i+1)·V      F its left generator      d = deg det F
 *
 * d ≤ rank A always (generator.ts), so the largest d seen is a proved lower bound; rank A ≤ d with error q^−s when
 * verification.ts accepts, and with none when d = N. A run whose verification fails is repeated with fresh randomness,
 * first with the hash, in the end with the Gram operator; when all fail the answer is the lower bound alone, and says so.
 * Sources: Coppersmith 1994; Kaltofen 1995; Villard 1997; Kaltofen and Saunders 1991 for rank by Wiedemann.
 */
import { deriveSeed } from '../../fields/random.js';
import type { Executor, Operator } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/residue-matrix.js';
import { type BlockShape, checkpoints, chooseBlocks, stopGap } from './blocks.js';
import { withoutEmptyLines } from './empty-lines.js';
import { GeneratorSearch } from './generator.js';
import { gramFactor, hashFactor, type LeftFactor, type Preconditioner } from './hashing.js';
import { KrylovSequence } from './krylov.js';
import type { OrderBasisEngine } from './order-basis-engine.js';
import { verificationWidth, verifyGenerator } from './verification.js';
import { WorkingField } from './working-field.js';

export type Phase = 'setup' | 'sequence' | 'sigmaBasis' | 'verification';

export interface ProgressEvent {
  readonly phase: Phase;
  readonly attempt: number; // from 1
  readonly done: number; // steps
  readonly total: number; // at most so many
}

/** What a run stands on: the device, the engine for order bases, its randomness, and how it is watched and stopped. */
export interface RunContext {
  readonly executor: Executor;
  readonly seed: bigint;
  orderBasisEngine(working: WorkingField): OrderBasisEngine;
  /** Throws when the run is to end; called between steps. */
  check(): void;
  onProgress(event: ProgressEvent): void;
}

export interface RankOptions {
  readonly block?: BlockShape | undefined;
  readonly verify?: boolean; // default true
  readonly maxAttempts?: number; // default 4
}

export interface RankResult {
  readonly rank: number;
  readonly lowerBound: number; // proved
  readonly upperBound: number | null; // null when not proved
  /** log2 of the probability that the upper bound is wrong; −Infinity when it cannot be, null without an upper bound. */
  readonly errorLog2: number | null;
  readonly method: 'block-wiedemann';
  readonly preconditioner: Preconditioner;
  readonly block: BlockShape;
  readonly extensionDegree: number; // k
  readonly attempts: number;
  readonly seconds: Record<Phase, number>;
  /** Why there is no upper bound, in words. */
  readonly reason?: string;
}

const GRAM_FROM_ATTEMPT = 3;

/** The rank of a matrix mod p: empty rows and columns are dropped, the rest is put on the executor. */
export async function rankOfMatrix(
  context: RunContext,
  matrix: ResidueMatrix,
  options: RankOptions = {},
): Promise<RankResult> {
  const start = performance.now();
  const operator = context.executor.operator(withoutEmptyLines(matrix));
  const setup = (performance.now() - start) / 1000;
  try {
    const result = await blockWiedemannRank(context, operator, options);
    return { ...result, seconds: { ...result.seconds, setup: result.seconds.setup + setup } };
  } finally {
    operator.free?.();
  }
}

/** The rank of `operator` over the field of the executor. Throws whatever `check` throws. */
export async function blockWiedemannRank(
  context: RunContext,
  operator: Operator,
  options: RankOptions = {},
): Promise<RankResult> {
  const a = operator.rows >= operator.cols ? operator : transposedOperator(operator);
  const working = new WorkingField(context.executor.field);
  const shape = options.block ?? chooseBlocks(a.cols, working.k);
  const seconds: Record<Phase, number> = { setup: 0, sequence: 0, sigmaBasis: 0, verification: 0 };
  const verify = options.verify ?? true;
  const maxAttempts = Math.max(1, options.maxAttempts ?? 4);
  let lowerBound = 0;
  let reason = verify ? '' : 'verification was switched off';
  let attempt = 1;
  let preconditioner: Preconditioner = 'hash';
  for (; ; attempt++) {
    preconditioner = attempt >= GRAM_FROM_ATTEMPT ? 'gram' : 'hash';
    const run = new Run(context, a, working, shape, attempt, preconditioner, verify, seconds);
    const outcome = a.cols === 0 ? { degree: 0, verified: true, reason: '' } : await run.go();
    lowerBound = Math.max(lowerBound, outcome.degree);
    const full = lowerBound === a.cols;
    if (full || (outcome.verified && outcome.degree === lowerBound)) {
      // A union bound over the attempts made.
      const errorLog2 = full ? Number.NEGATIVE_INFINITY : Math.log2(attempt) - run.s * working.log2q;
      return result(lowerBound, errorLog2);
    }
    if (verify) reason = outcome.reason;
    if (!verify || attempt >= maxAttempts) return result(null, null);
  }

  function result(upperBound: number | null, errorLog2: number | null): RankResult {
    return {
      rank: lowerBound,
      lowerBound,
      upperBound,
      errorLog2,
      method: 'block-wiedemann',
      preconditioner,
      block: shape,
      extensionDegree: working.k,
      attempts: attempt,
      seconds,
      ...(upperBound === null ? { reason } : {}),
    };
  }
}

interface RunOutcome {
  readonly degree: number;
  readonly verified: boolean;
  readonly reason: string;
}

/** One attempt: sequence and generator search in turns, then verification. */
class Run {
  readonly s: number;
  private readonly context: RunContext;
  private readonly a: Operator;
  private readonly working: WorkingField;
  private readonly shape: BlockShape;
  private readonly attempt: number;
  private readonly preconditioner: Preconditioner;
  private readonly seconds: Record<Phase, number>;
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
  ) {
    this.context = context;
    this.a = a;
    this.working = working;
    this.shape = shape;
    this.attempt = attempt;
    this.preconditioner = preconditioner;
    this.seconds = seconds;
    this.s = verify ? verificationWidth(working.log2q) : 0;
    // Each attempt waits longer before it believes the generator.
    this.gap = stopGap(shape, working.log2q) * attempt;
    this.seed = deriveSeed(context.seed, 'block Wiedemann', attempt);
  }

  async go(): Promise<RunOutcome> {
    const { executor } = this.context;
    const seed = deriveSeed(this.seed, 'C');
    const [c, krylov] = await this.timed('setup', async () => {
      const factor =
        this.preconditioner === 'hash'
          ? hashFactor(executor, this.a.cols, this.a.rows, this.working, seed)
          : gramFactor(executor, this.a, this.working, seed);
      const shape = { ...this.shape, s: this.s, shift: 1 as const };
      return [factor, await KrylovSequence.create(executor, this.a, factor, this.working, shape, this.seed)] as const;
    });
    const engine = this.context.orderBasisEngine(this.working);
    let search: GeneratorSearch | undefined;
    try {
      const N = this.a.cols;
      const { m, n } = this.shape;
      const entry = Math.ceil(N / m) + 3;
      const moments = Math.ceil(N / n) + 3 * this.gap + 4;
      const capacity = entry + moments;
      const bound = Math.min(capacity, Math.ceil(N / m) + Math.ceil(N / n) + this.gap + 2);
      search = new GeneratorSearch(engine, { m, n, s: this.s }, entry, capacity);
      for (const to of [...checkpoints(bound), capacity]) {
        if (to <= search.order) continue;
        await this.extend(krylov, search, to, moments, bound);
        if (search.degree === N || search.gap >= this.gap) break;
      }
      const degree = search.degree;
      if (degree === N) return { degree, verified: true, reason: '' };
      if (search.gap < this.gap) return { degree, verified: false, reason: 'no generator within the expected order' };
      if (this.s === 0) return { degree, verified: false, reason: 'verification was switched off' };

      // The moments of the random row-space vectors must have been used for as many orders as the columns need.
      const columnIndex = search.order - search.gap - search.largestDegree + 1;
      const needed = (entryAt: number): number => entryAt + columnIndex + this.gap;
      if (needed(entry) > search.order) {
        const early = search.largestDegree + 2;
        if (needed(entry) <= capacity && needed(entry) - search.order <= search.order / 8) {
          await this.extend(krylov, search, needed(entry), moments, bound);
        } else {
          // Cheaper than going on with the sequence: search again, with the moments entering early.
          const to = Math.max(search.order, needed(early));
          search.free();
          search = new GeneratorSearch(engine, { m, n, s: this.s }, early, to);
          await this.extend(krylov, search, to, moments, bound);
        }
      }
      return await this.verifySearch(c, krylov, search);
    } finally {
      search?.free();
      engine.dispose?.();
      krylov.free();
      c.free();
    }
  }

  private async verifySearch(c: LeftFactor, krylov: KrylovSequence, search: GeneratorSearch): Promise<RunOutcome> {
    const F = this.working.elements;
    const generator = search.generator(F);
    const { degree } = generator;
    if (!generator.reduced) return { degree, verified: false, reason: 'the generator is not row-reduced' };
    const passengers = search.passengers();
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
    krylov: KrylovSequence,
    search: GeneratorSearch,
    to: number,
    moments: number,
    bound: number,
  ): Promise<void> {
    const check = (): void => this.context.check();
    await this.timed('sequence', () =>
      krylov.extend(to, moments, check, (done) => this.progress('sequence', done, Math.max(bound, done))),
    );
    check();
    const F = this.working.elements;
    await this.timed('sigmaBasis', async () => search.advance(krylov.s, krylov.t, to, F.neg(F.one)));
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

/** Aᵀ as an operator, without storing anything. */
export function transposedOperator(a: Operator): Operator {
  return {
    rows: a.cols,
    cols: a.rows,
    apply: (y, x, alpha, beta) => a.applyTransposed(y, x, alpha, beta),
    applyTransposed: (y, x, alpha, beta) => a.apply(y, x, alpha, beta),
  };
}
