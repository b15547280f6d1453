/**
 * One engine thread and its compute threads, supervised from the caller's thread, which never blocks.
 *
 * The engine's thread blocks in kernels, so it cannot learn of a compute thread's end: the compute threads are started
 * and watched here, and an ended one poisons the shared memory, which wakes all waiting threads. Cancelling a run is
 * ending the session: it takes effect inside a kernel too, and needs no shared memory. Only a GPU is left first, at the
 * end of a kernel that has the thread meanwhile (gpu-leave.ts).
 */

import { startTeamWorker } from '#compute-worker';
import { startEngineThread } from '#engine-thread';
import { isRefusal, refusal } from '../../kernels/errors/host-error.js';
import { TeamError } from '../../kernels/errors/team-error.js';
import { isLeaving, poison } from '../../kernels/threads/control-block.js';
import type { TeamWorkerData } from '../../kernels/threads/worker.js';
import type { WorkerHandle } from '../../kernels/threads/worker-handle.js';
import { EngineError } from '../errors.js';
import { whileLocked } from '../io/run-lock.js';
import type { CancelSignal } from '../io/web-objects.js';
import type { Asked } from '../questions/asked.js';
import type { Batch, BatchAnswer } from '../questions/batch.js';
import { errorFromMessage, errorToMessage } from '../questions/error-transport.js';
import type { PreparedInput } from '../questions/input.js';
import type { Call, FromEngine, ToEngine } from '../questions/messages.js';
import type { AnyOptions, CheckpointOption, ProgressEvent } from '../questions/options.js';
import { toOutcome } from '../questions/outcome.js';
import type { PackedAnswers, PackedMatrices } from '../questions/packed-ranks.js';
import type { TuningStore } from '../questions/tuning-store.js';
import type { AnyOutcome, AnyOutcomeData } from '../questions/verbs.js';
import type { CallersCode, Stretch } from './callers-code.js';
import { productOf, sendableChunk, useRunStore, useStore } from './callers-data.js';
import { GpuLeave } from './gpu-leave.js';
import { type OpenedAnswers, openAnswers } from './open-answers.js';
import type { EngineThread } from './thread.js';

/** The caller's side of a question, or of a batch. */
interface Asking {
  readonly input: PreparedInput | null; // null where the engine's thread needs nothing of it
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
  readonly onVectors?: AnyOptions['onVectors'];
  readonly store: TuningStore | null;
  readonly checkpoint?: CheckpointOption | undefined;
  readonly outer: Stretch | undefined; // the caller's code that asked
}

type Answer = AnyOutcomeData | BatchAnswer | PackedAnswers;

interface Run extends Asking {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds that a thread is given to load its modules. */
const LOADING = 3000;

/** Calls that run the caller's own code. */
const OWN: readonly Call['what'][] = ['chunk', 'apply', 'vectors', 'store'];

export class Session {
  readonly #callersCode: CallersCode;
  readonly #thread: EngineThread;
  readonly #pool = new Map<number, WorkerHandle>();
  readonly #memories = new Set<WebAssembly.Memory>(); // of the pool
  #run: Run | undefined;
  #ownError: { error: unknown } | undefined; // thrown by the caller's stream or operator
  #lost: Error | undefined; // a thread
  #usable = true;
  #ending: Promise<void> | undefined;
  #loads = 1; // modules under way in its thread
  #onLoaded: () => void = () => {};
  readonly #gpu: GpuLeave;

  constructor(callersCode: CallersCode) {
    this.#callersCode = callersCode;
    this.#thread = startEngineThread((message) => this.#receive(message));
    this.#gpu = new GpuLeave(this.#thread);
    this.#thread.onEnd((reason) => {
      this.#usable = false;
      const error = isRefusal(reason)
        ? refusal(`the engine's thread ${this.#loads > 0 ? 'could not start' : 'ended'}`, reason)
        : new EngineError(`the engine's thread ended: ${reason}`);
      this.#lost = error;
      this.#reject(error);
      this.#onLoaded(); // no message follows
      this.#gpu.is('left');
    });
  }

  /** False once a thread was lost or the session ended: the next question needs a new one. */
  get usable(): boolean {
    return this.#usable;
  }

  /** One question at a time; the engine's queue sees to that. */
  async ask(
    { verb, prepared, right, settings, options, store }: Asked,
    outer: Stretch | undefined,
  ): Promise<AnyOutcome> {
    const { onProgress, onVectors, signal, checkpoint } = options;
    const question = { verb, input: prepared.message, right, settings, watched: onProgress !== undefined };
    const asking = { input: prepared, onProgress, onVectors, store, checkpoint, outer };
    const asked = async (): Promise<AnyOutcome> => {
      const answer = await this.#post(asking, { kind: 'question', question }, signal);
      return toOutcome(answer as AnyOutcomeData) as AnyOutcome;
    };
    return whileLocked(settings.checkpoint?.directory ?? null, asked, () => this.#ending);
  }

  /** The same of several matrices; `input` is that of a single one which needs the caller's thread. */
  async askBatch(batch: Batch, input: PreparedInput | null, outer: Stretch | undefined): Promise<OpenedAnswers> {
    const answer = await this.#post({ input, store: null, outer }, { kind: 'batch', batch });
    return openAnswers(answer as BatchAnswer, this.#ownError?.error);
  }

  /** The ranks of small matrices. */
  async askPacked(packed: PackedMatrices): Promise<PackedAnswers> {
    const answer = await this.#post({ input: null, store: null, outer: undefined }, { kind: 'packed', packed });
    return answer as PackedAnswers;
  }

  async #post(asking: Asking, message: ToEngine, signal?: CancelSignal): Promise<Answer> {
    const abort = (): void => this.#giveUp(signal?.reason);
    try {
      return await new Promise((resolve, reject) => {
        this.#run = { ...asking, resolve, reject };
        this.#ownError = undefined;
        signal?.throwIfAborted();
        if (!this.#usable) throw this.#lost ?? new EngineError("the engine's thread has ended");
        this.#thread.hold(true);
        signal?.addEventListener('abort', abort, { once: true });
        this.#thread.post(message);
      });
    } finally {
      signal?.removeEventListener('abort', abort);
      if (this.#ending === undefined) this.#thread.hold(false);
      this.#run = undefined;
    }
  }

  /** Has the engine's thread forget factors. */
  release(factors: number): void {
    if (this.#usable) this.#thread.post({ kind: 'release', factors });
  }

  /** Ends every thread; a run under way is rejected. */
  end(): Promise<void> {
    this.#usable = false;
    this.#thread.hold(true); // a program that waits for its end stays alive
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#reject(new EngineError('the engine was disposed of during the run'));
    if (this.#loads > 0) await this.#loaded();
    // A kernel that waits for compute threads ends, and its thread can leave the GPU.
    if (this.#gpu.isTaken) this.#memories.forEach(poison);
    await Promise.all([this.#gpu.end(), ...[...this.#pool.values()].map((worker) => worker.terminate())]);
    this.#pool.clear();
  }

  /** Node leaves open the files of modules that a thread loads as it is ended. */
  async #loaded(): Promise<void> {
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, LOADING);
      this.#onLoaded = () => {
        clearTimeout(patience);
        resolve();
      };
    });
  }

  #giveUp(reason: unknown): void {
    this.#reject(reason);
    void this.end();
  }

  #reject(error: unknown): void {
    this.#run?.reject(error);
  }

  #receive(message: FromEngine): void {
    if (message.kind === 'progress') this.#progress(message.event);
    else if (message.kind === 'modules') this.#modulesAre(message.state);
    else if (message.kind === 'gpu') this.#gpu.is(message.state);
    else if (message.kind === 'call') void this.#serve(message.call, message.request);
    else if (message.kind === 'answer') this.#run?.resolve(message.answer);
    else if (message.kind === 'failure') this.#fail(errorFromMessage(message.error));
  }

  #modulesAre(state: 'loading' | 'loaded'): void {
    this.#loads += state === 'loading' ? 1 : -1;
    if (this.#loads === 0) this.#onLoaded();
  }

  /** A listener that throws ends the run with its own error: no other place can report it. */
  #progress(event: ProgressEvent): void {
    try {
      this.#run?.onProgress?.(event);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #fail(error: Error): void {
    if (error instanceof TeamError || error instanceof EngineError) this.#usable = false;
    if (this.#ownError) this.#reject(this.#ownError.error);
    else this.#reject(error instanceof TeamError && this.#lost ? this.#lost : error);
  }

  async #serve(call: number, request: Call): Promise<void> {
    try {
      const value = await this.#carryOut(request);
      this.#thread.post({ kind: 'reply', call, value });
    } catch (error) {
      if (OWN.includes(request.what)) this.#ownError ??= { error };
      this.#thread.post({ kind: 'refusal', call, error: errorToMessage(error) });
    }
  }

  async #carryOut(request: Call): Promise<Uint8Array | Uint32Array | null> {
    const input = this.#run?.input;
    if (request.what === 'startThread') return this.#startThread(request.data);
    if (request.what === 'endThread') {
      await this.#pool.get(request.thread)?.terminate();
      this.#pool.delete(request.thread);
      return null;
    }
    const { outer, onVectors, store, checkpoint } = this.#run ?? {};
    if (request.what === 'stop') return checkpoint?.stop?.aborted ? new Uint8Array(1) : null;
    if (request.what === 'store') return this.#callersCode.run(outer, () => useRunStore(checkpoint?.store, request));
    if (request.what === 'tuning') return this.#callersCode.run(outer, () => useStore(store, request));
    if (request.what === 'vectors') {
      await this.#callersCode.run(outer, () => onVectors?.(request.batch));
      return null;
    }
    if (request.what === 'apply') {
      const { transposed, x, width } = request;
      const operator = input?.operator;
      const apply = () => (transposed ? operator?.applyTransposed?.(x, width) : operator?.apply(x, width));
      return productOf(await this.#callersCode.run(outer, apply), transposed);
    }
    const next = await this.#callersCode.run(outer, () => input?.chunks?.next());
    return next === undefined ? null : sendableChunk(next);
  }

  async #startThread(data: TeamWorkerData): Promise<null> {
    // This request comes before the end and arrives after it: its worker would never be released.
    if (!this.#usable) throw new EngineError('the run has ended');
    const name = `compute thread ${data.thread}`;
    let isReady = false;
    const lose = (error: Error): void => {
      this.#usable = false;
      this.#lost ??= error;
    };
    try {
      const worker = startTeamWorker(data);
      this.#pool.set(data.thread, worker);
      this.#memories.add(data.memory);
      worker.onEnd((reason) => {
        if (isLeaving(data.memory)) return; // by itself, before its team's request arrives
        const isEnd = isReady || /^exit /.test(reason);
        lose(isEnd ? new TeamError(`${name} ended: ${reason}`) : refusal(`${name} could not start`, reason));
        poison(data.memory);
      });
      await worker.ready;
    } catch (error) {
      lose(refusal(`${name} could not start`, error)); // one thread needs no others
      throw error;
    }
    isReady = true;
    return null;
  }
}
