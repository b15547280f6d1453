/**
 * The page's side of its worker: a promise a job, progress, and an end that comes at once.
 *
 * A job that is given up ends by itself as a rule. One that stands in a loop (a family that is generated) does not hear
 * of it: then its worker is ended and another one started, without a matrix.
 */
import type { ProgressEvent } from '../questions/options.js';
import type { FromWorker, JobName, Jobs, Lists, ToWorker } from './messages.js';

/** Milliseconds that a job has to end by itself. */
const PATIENCE = 1000;

/** A job ended by the page's own wish. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError';
}

interface Waiting {
  resolve(answer: never): void;
  reject(error: Error): void;
  readonly onProgress: ((event: ProgressEvent) => void) | undefined;
}

export interface Watching {
  readonly signal?: AbortSignal;
  readonly onProgress?: (event: ProgressEvent) => void;
}

export class MatrixDesk {
  readonly #onLists: (lists: Lists) => void;
  #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #jobs = 0;
  /** Whether the worker was ended and its matrix is gone. */
  isEmpty = true;

  constructor(onLists: (lists: Lists) => void) {
    this.#onLists = onLists;
    this.#worker = this.#start();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./matrix-worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#receive(data));
    worker.addEventListener('error', ({ message }) =>
      this.#restart(new Error(`the page's worker ended: ${message ?? 'it could not be loaded'}`)),
    );
    return worker;
  }

  #restart(error: Error): void {
    this.#worker.terminate();
    this.isEmpty = true;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#worker = this.#start();
  }

  async run<J extends JobName>(job: J, given: Jobs[J]['given'], watching: Watching = {}): Promise<Jobs[J]['answer']> {
    const { signal, onProgress } = watching;
    signal?.throwIfAborted();
    const id = this.#jobs++;
    let patience: ReturnType<typeof setTimeout> | undefined;
    const giveUp = (): void => {
      this.#worker.postMessage({ job: 'cancel', id } satisfies ToWorker);
      patience = setTimeout(() => this.#restart(new GivenUpError('cancelled')), PATIENCE);
    };
    if (job === 'open') this.isEmpty = true;
    try {
      const answer = await new Promise<Jobs[J]['answer']>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject, onProgress });
        signal?.addEventListener('abort', giveUp, { once: true });
        this.#worker.postMessage({ job, id, given } as ToWorker);
      });
      if (job === 'open') this.isEmpty = false;
      return answer;
    } finally {
      clearTimeout(patience);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'lists') {
      this.#onLists(message.lists);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if (message.kind === 'progress') {
      waiting.onProgress?.(message.event);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting.resolve(message.answer as never);
    else waiting.reject(message.isCancelled ? new GivenUpError('cancelled') : new Error(message.message));
  }
}
