/**
 * The engine: one set of threads that answers several questions, one after another.
 *
 * Threads start with the first question; a cancelled or broken run takes them down, and the next question starts new
 * ones. Nothing is global: two engines know nothing of each other.
 */
import { EngineError, OptionError } from '../errors.js';
import { type Input, prepareInput } from '../input.js';
import {
  checkEngineOptions,
  type EngineOptions,
  OVER_Q,
  type QuestionOptions,
  type RankOptions,
  settings,
} from '../options.js';
import type { Outcome } from '../outcome.js';
import type { Answer, Coefficients, Verb } from './messages.js';
import { Session } from './session.js';

export interface Engine {
  rank(input: Input, options: RankOptions): Promise<Outcome<number>>;
  /** Coefficients, constant term first, monic; a Uint32Array for p < 2³¹, bigints above. */
  minpoly(input: Input, options: QuestionOptions): Promise<Outcome<Coefficients>>;
  /** null only in a oneSided outcome: every attempt was unlucky. */
  det(input: Input, options: QuestionOptions): Promise<Outcome<bigint | null>>;
  /** Ends the threads; runs under way and waiting are rejected. */
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export function createEngine(options: EngineOptions = {}): Engine {
  checkEngineOptions(options);
  return new ThreadedEngine(options);
}

class ThreadedEngine implements Engine {
  readonly #options: EngineOptions;
  #session: Session | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #disposed = false;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  async rank(input: Input, options: RankOptions): Promise<Outcome<number>> {
    return (await this.#ask('rank', input, options)) as Outcome<number>;
  }

  async minpoly(input: Input, options: QuestionOptions): Promise<Outcome<Coefficients>> {
    return (await this.#ask('minpoly', input, options)) as Outcome<Coefficients>;
  }

  async det(input: Input, options: QuestionOptions): Promise<Outcome<bigint | null>> {
    return (await this.#ask('det', input, options)) as Outcome<bigint | null>;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    const session = this.#session;
    this.#session = undefined;
    await session?.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #ask(verb: Verb, input: Input, options: RankOptions): Promise<Answer> {
    const asked = settings(options, this.#options);
    if (asked.mod === OVER_Q && verb !== 'rank') throw new OptionError(`${verb}: expected a prime modulus, got 0`);
    options.signal?.throwIfAborted();
    const prepared = prepareInput(input, options.name);
    const turn = this.#last;
    const run = (async () => {
      await turn;
      try {
        if (this.#disposed) throw new EngineError('engine: expected a living engine, this one was disposed of');
        options.signal?.throwIfAborted();
        if (!this.#session?.usable) {
          await this.#session?.end();
          this.#session = new Session();
        }
        return await this.#session.ask(verb, prepared, asked, options.onProgress, options.signal);
      } finally {
        prepared.chunks?.close();
      }
    })();
    this.#last = run.catch(() => undefined);
    return options.signal ? orAborted(run, options.signal) : run;
  }
}

/** `run`, or the signal's reason as soon as it is aborted: a question still waiting for its turn need not wait longer. */
function orAborted<T>(run: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    run.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
