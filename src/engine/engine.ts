/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The engine: one set of threads that answers several questions, one after another.
 *
 * Threads start with the first question; a cancelled or broken run takes them down, and the next question starts new
 * ones. Two engines know nothing of each other.
 */
import { EngineError } from '../errors.js';
import type { CancelSignal } from '../io/web-objects.js';
import { type Asked, ask } from '../questions/asked.js';
import type { Input } from '../questions/input.js';
import {
  type AnswerStream,
  askMany,
  type DetsOptions,
  type Many,
  type RanksOptions,
  type SolvesOptions,
  type System,
} from '../questions/many.js';
import type {
  DetOptions,
  EngineOptions,
  FactorOptions,
  MinpolyOptions,
  NullspaceOptions,
  OverQ,
  RankOptions,
  SolveOptions,
  StageOptions,
  TuneOptions,
} from '../questions/options.js';
import type {
  Coefficients,
  FactorOutcome,
  Fractions,
  NullspaceOutcome,
  Outcome,
  SolveOutcome,
} from '../questions/outcome.js';
import { type PlanData, type PlanInput, type PlanOptions, planInput } from '../questions/plan.js';
import type { RightSides } from '../questions/right-sides.js';
import { checkEngineOptions } from '../questions/settings.js';
import type { StageData } from '../questions/stage.js';
import type { Tuned } from '../questions/tuned.js';
import type { AnyOutcome, ManyVerb } from '../questions/verbs.js';
import { CallersCode, stretchNow } from './callers-code.js';
import { collectVectors } from './collect-vectors.js';
import { type Factors, type Keeper, KeptFactors, nextNumber } from './factors.js';
import { Lanes } from './lanes.js';
import { ManyAnswers } from './many.js';
import { Session } from './session.js';

export interface Engine {
  rank(input: Input, options: RankOptions): Promise<Outcome<number>>;
  /** Coefficients, constant term first, monic; a Uint32Array for p < 2³¹, bigints above. */
  minpoly(input: Input, options: MinpolyOptions): Promise<Outcome<Coefficients>>;
  /** null only in a oneSided outcome: every attempt was unlucky. */
  det(input: Input, options: DetOptions): Promise<Outcome<bigint | null>>;
  /** X with A·X = B, checked; or a proof that a column of B has none. */
  solve(input: Input, b: RightSides, options: SolveOptions & OverQ): Promise<SolveOutcome<Fractions>>;
  solve(input: Input, b: RightSides, options: SolveOptions): Promise<SolveOutcome>;
  /** The kernel of A, or with `left` that of its transpose: a basis, or random vectors; each is checked. */
  nullspace(input: Input, options: NullspaceOptions): Promise<NullspaceOutcome>;
  /** The matrix with its factors, which this engine keeps for many systems until they are disposed of. */
  factor(input: Input, options: FactorOptions): Promise<Factors>;
  /**
   * The ranks of many matrices, in their order, as they are found: `threads` take a whole matrix each. A matrix without
   * an answer is one with an error; the stream goes on. Leaving the loop, or the signal, ends it.
   */
  ranks(matrices: Many<Input>, options: RanksOptions): AnswerStream<Outcome<number>>;
  /** The same of determinants. */
  dets(matrices: Many<Input>, options: DetsOptions): AnswerStream<Outcome<bigint | null>>;
  /** The same of systems A·X = B. */
  solves(systems: Many<System>, options: SolvesOptions): AnswerStream<SolveOutcome>;
  /** The products of block Wiedemann, timed by storage, width and threads; and options that they speak for. */
  tune(input: Input, options: TuneOptions): Promise<Tuned>;
  /** A rank by block Wiedemann planned: time, memory, disk, network and price, for numbers of devices. */
  plan(input: PlanInput, options: PlanOptions): Promise<PlanData>;
  /** Ends the threads; runs under way and waiting are rejected. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** An engine that takes stages of kept runs, too. */
export type StagedEngine = Engine & Pick<ThreadedEngine, 'stage'>;

export function createEngine(options: EngineOptions = {}): Engine {
  checkEngineOptions(options);
  return new ThreadedEngine(options);
}

export class ThreadedEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #callersCode: CallersCode;
  #session: Session | undefined;
  #lanes: Lanes | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #disposed = false;

  /** `onStanding` is called when the engine has waited for the caller's code for long, and when it goes on. */
  constructor(options: EngineOptions, onStanding?: (stands: boolean) => void) {
    this.#options = options;
    this.#callersCode = new CallersCode(onStanding);
  }

  async rank(input: Input, options: RankOptions): Promise<Outcome<number>> {
    return (await this.answer(ask('rank', input, options, this.#options))) as Outcome<number>;
  }

  ranks(matrices: Many<Input>, options: RanksOptions): AnswerStream<Outcome<number>> {
    return this.#many('rank', matrices, options);
  }

  dets(matrices: Many<Input>, options: DetsOptions): AnswerStream<Outcome<bigint | null>> {
    return this.#many('det', matrices, options);
  }

  solves(systems: Many<System>, options: SolvesOptions): AnswerStream<SolveOutcome> {
    return this.#many('solve', systems, options);
  }

  async minpoly(input: Input, options: MinpolyOptions): Promise<Outcome<Coefficients>> {
    return (await this.answer(ask('minpoly', input, options, this.#options))) as Outcome<Coefficients>;
  }

  async det(input: Input, options: DetOptions): Promise<Outcome<bigint | null>> {
    return (await this.answer(ask('det', input, options, this.#options))) as Outcome<bigint | null>;
  }

  async solve(input: Input, b: RightSides, options: SolveOptions): Promise<never> {
    return (await this.answer(ask('solve', input, options, this.#options, b))) as never;
  }

  async nullspace(input: Input, options: NullspaceOptions): Promise<NullspaceOutcome> {
    return collectVectors(options, (own) => this.answer(ask('nullspace', input, own, this.#options)));
  }

  async tune(input: Input, options: TuneOptions): Promise<Tuned> {
    return (await this.answer(ask('tune', input, options, this.#options))) as Tuned;
  }

  async plan(input: PlanInput, options: PlanOptions): Promise<PlanData> {
    const [matrix, own] = planInput(input, options);
    return (await this.answer(ask('plan', matrix, own, this.#options))) as PlanData;
  }

  /** A stage of a kept run in parts. */
  async stage(input: Input, options: StageOptions): Promise<StageData> {
    return (await this.answer(ask('stage', input, options, this.#options))) as StageData;
  }

  async factor(input: Input, options: FactorOptions, keeper: Keeper = this): Promise<Factors> {
    const number = nextNumber();
    const asked = ask('factor', input, options, this.#options);
    const kept = { ...asked, settings: { ...asked.settings, factors: number } };
    return new KeptFactors(number, (await this.answer(kept)) as FactorOutcome, keeper);
  }

  /** Forgets factors, in turn: a question about them may be under way. */
  async release(factors: number): Promise<void> {
    await this.#last;
    this.#session?.release(factors);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    const session = this.#session;
    this.#session = undefined;
    await Promise.all([session?.end(), this.#lanes?.dispose()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** Whether the code that is running now is an operator or a stream that this engine waits for. */
  get isInside(): boolean {
    return this.#callersCode.isInside;
  }

  /** Whether the caller's code, an operator's or a stream's, has yet to come back to this engine. */
  get isCalling(): boolean {
    return this.#callersCode.isCalling;
  }

  #checkAlive(): void {
    if (this.#disposed) throw new EngineError('engine: expected a living engine, this one was disposed of');
  }

  #many<O>(
    verb: ManyVerb,
    matrices: Many<unknown>,
    options: RanksOptions | DetsOptions | SolvesOptions,
  ): AnswerStream<O> {
    const asked = askMany(verb, matrices, options, this.#options);
    this.#checkAlive();
    if (this.isInside) throw askedFromInside(`${verb}s`);
    this.#lanes ??= new Lanes(this.#callersCode);
    return new ManyAnswers<O>(asked, this.#lanes, stretchNow()).read();
  }

  async answer(asked: Asked): Promise<AnyOutcome> {
    const { verb, prepared, options } = asked;
    if (this.isInside) {
      void prepared.chunks?.close();
      throw askedFromInside(verb);
    }
    const outer = stretchNow();
    const turn = this.#last;
    const run = (async () => {
      await turn;
      try {
        this.#checkAlive();
        options.signal?.throwIfAborted();
        if (!this.#session?.usable) {
          await this.#session?.end();
          this.#checkAlive();
          this.#session = new Session(this.#callersCode);
        }
        return await this.#session.ask(asked, outer);
      } finally {
        void prepared.chunks?.close();
      }
    })();
    this.#last = run.catch(() => undefined);
    return options.signal ? raceAbort(run, options.signal) : run;
  }
}

function askedFromInside(verb: string): EngineError {
  return new EngineError(
    `${verb}: asked of an engine from inside an operator or stream that it is waiting for; expected another engine`,
  );
}

/** `run`, or the signal's reason as soon as it is aborted, also while the question waits for its turn. */
function raceAbort<T>(run: Promise<T>, signal: CancelSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    run.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
