/** The engine's thread: takes questions, answers them one at a time, and calls back for what only the caller has. */
import { refusal } from '../../kernels/errors/host-error.js';
import type { TeamWorkerData } from '../../kernels/threads/worker.js';
import type { WorkerHandle } from '../../kernels/threads/worker-handle.js';
import { EngineError, errorFromMessage, errorToMessage, OptionError } from '../errors.js';
import { LongError } from '../questions/brief.js';
import type { Call, FromEngine, Question, ToEngine } from '../questions/messages.js';
import type { ProgressEvent } from '../questions/options.js';

type Reply = Uint8Array | Uint32Array | null;

/** The caller's thread as the engine sees it. */
export class Caller {
  readonly #post: (message: FromEngine) => void;
  readonly #waiting = new Map<number, { resolve(value: Reply): void; reject(error: Error): void }>();
  #calls = 0;
  /** Whether progress is worth a message: a run of some hundred steps would spend a hundredth of its time on them. */
  watched = false;
  #gone: EngineError | undefined;

  constructor(post: (message: FromEngine) => void) {
    this.#post = post;
  }

  progress(event: ProgressEvent): void {
    if (this.watched) this.#post({ kind: 'progress', event });
  }

  /** From now on the caller's thread ends this one only after it has left the GPU. */
  takesGpu(): void {
    this.#post({ kind: 'gpu', state: 'taken' });
  }

  /** From now on the caller's thread ends this one only after `modules` are there: their files would stay open. */
  async loading<T>(modules: () => Promise<T>): Promise<T> {
    this.#post({ kind: 'modules', state: 'loading' });
    try {
      return await modules();
    } finally {
      this.#post({ kind: 'modules', state: 'loaded' });
    }
  }

  call(request: Call): Promise<Reply> {
    const call = this.#calls++;
    return new Promise((resolve, reject) => {
      if (this.#gone) throw this.#gone;
      this.#waiting.set(call, { resolve, reject });
      this.#post({ kind: 'call', call, request });
    });
  }

  settle(message: Extract<ToEngine, { kind: 'reply' | 'refusal' }>): void {
    const waiting = this.#waiting.get(message.call);
    this.#waiting.delete(message.call);
    if (message.kind === 'reply') waiting?.resolve(message.value);
    else waiting?.reject(errorFromMessage(message.error));
  }

  /** The caller may never reply: a stream that stands still, an operator. What is asked of it, now or later, fails. */
  leave(): void {
    this.#gone = new EngineError("the caller's thread ends the run");
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }

  /** A compute thread that the caller's thread starts and watches; its end arrives through the shared memory. */
  recruit(data: TeamWorkerData): WorkerHandle {
    const ready = this.call({ what: 'recruit', data }).then(() => undefined);
    ready.catch(() => undefined);
    const terminate = async (): Promise<void> => {
      await this.call({ what: 'dismiss', thread: data.thread });
    };
    return { ready, onEnd: () => {}, terminate };
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = await this.call({ what: 'chunk' });
      if (chunk === null) return;
      if (!(chunk instanceof Uint8Array)) {
        throw new OptionError(`input: expected a stream of Uint8Array chunks, got ${typeof chunk}`);
      }
      yield chunk;
    }
  }
}

/** `isBrief`: in the caller's own thread, where what takes long is refused. */
export function serveEngine(
  post: (message: FromEngine) => void,
  listen: (listener: (message: ToEngine) => void) => void,
  isBrief = false,
): void {
  const caller = new Caller(post);
  // Loaded once a question is under way: the first message is then already here.
  const answering = import('./run-question.js').then(
    ({ Answerer }) => new Answerer(caller, isBrief),
    (error) => {
      throw refusal('the engine could not be loaded', error);
    },
  );
  // A thread that starts is loading already.
  const loaded = (): void => post({ kind: 'modules', state: 'loaded' });
  answering.then(loaded, loaded);
  const take = async (question: Question): Promise<void> => {
    caller.watched = question.watched;
    try {
      post({ kind: 'answer', answer: await (await answering).answer(question) });
    } catch (error) {
      post(error instanceof LongError ? { kind: 'long' } : { kind: 'failure', error: errorToMessage(error) });
    }
  };
  let taken: Promise<void> = Promise.resolve();
  // The GPU is given up first: what waits for it then fails at once.
  const leave = async (): Promise<void> => {
    post({ kind: 'gpu', state: 'leaving' }); // what it has been given already holds this thread up
    await (await answering).leaveGpu();
    caller.leave();
    await taken;
    setTimeout(() => post({ kind: 'gpu', state: 'left' }), 0);
  };
  listen((message) => {
    if (message.kind === 'question') taken = take(message.question);
    else if (message.kind === 'leave') void leave();
    else caller.settle(message);
  });
}
