/**
 * The caller's thread as the engine's thread sees it: it gets progress, and answers calls for the caller's own data.
 */
import type { TeamWorkerData } from '../../kernels/threads/worker.js';
import type { WorkerHandle } from '../../kernels/threads/worker-handle.js';
import { EngineError, OptionError } from '../errors.js';
import { errorFromMessage } from '../questions/error-transport.js';
import type { Call, FromEngine, ToEngine } from '../questions/messages.js';
import type { ProgressEvent } from '../questions/options.js';

type Reply = Uint8Array | Uint32Array | null;

export class Caller {
  readonly #post: (message: FromEngine) => void;
  readonly #waiting = new Map<number, { resolve(value: Reply): void; reject(error: Error): void }>();
  #calls = 0;
  /** Whether progress is worth a message: messages of every step slow a short run. */
  watched = false;
  #gone: EngineError | undefined;

  constructor(post: (message: FromEngine) => void) {
    this.#post = post;
  }

  progress(event: ProgressEvent): void {
    if (this.watched) this.#post({ kind: 'progress', event });
  }

  /** Without the progress of `work`, a step of what the caller watches. */
  async quietly<T>(work: () => Promise<T>): Promise<T> {
    const { watched } = this;
    this.watched = false;
    try {
      return await work();
    } finally {
      this.watched = watched;
    }
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

  /** The caller may never reply, in a stream or an operator that stands still: all calls to it fail, now and later. */
  leave(): void {
    this.#gone = new EngineError("the caller's thread ends the run");
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }

  /** A compute thread that the caller's thread starts and watches; its end arrives through the shared memory. */
  startThread(data: TeamWorkerData): WorkerHandle {
    const ready = this.call({ what: 'startThread', data }).then(() => undefined);
    ready.catch(() => undefined);
    const terminate = async (): Promise<void> => {
      await this.call({ what: 'endThread', thread: data.thread });
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
