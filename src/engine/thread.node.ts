/** Starts the engine's thread under Node. */
import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { HostError, isRefusal, refusal } from '../../kernels/errors/host-error.js';
import { addressSpaceLeft } from '../../kernels/platform/address-space.js';
import { REMEDY } from '../../kernels/threads/spawn.node.js';
import { causeOf } from '../../kernels/threads/start-worker.node.js';
import { EngineError } from '../errors.js';
import { callsUnderWay } from '../io/file-bytes.js';
import { BRIEF_BYTES } from '../questions/brief.js';
import type { FromEngine, Question } from '../questions/messages.js';
import { spawnEngineWorker } from '../worker/spawn.node.js';
import { startInOwnThread } from './own-thread.js';
import type { EngineThread } from './thread.js';

/**
 * Milliseconds in which a thread ends once it is told to. A thread that does not is in a call of the system that does
 * not return, a read of a file on a lost server: nothing ends it, so nothing waits for it.
 */
const ENDING = 3000;

/** Address space for it, and for its work and that of the program's own thread. */
const ROOM = 2 ** 30;

const stuck = new Set<EngineThread>();

/**
 * Whether a thread, or a file's read beside this one, is left that nothing ends now; Node's own end would wait for it,
 * or go wrong.
 */
export function hasStuckThread(): boolean {
  return stuck.size > 0 || callsUnderWay() > 0;
}

/** A thread that keeps its messages and its end until a listener comes. */
class NodeThread implements EngineThread {
  readonly #worker: Worker;
  #onMessage: ((message: FromEngine) => void) | undefined;
  #onEnd: ((reason: string) => void) | undefined;
  readonly #early: FromEngine[] = [];
  #error: string | undefined;
  #end: string | undefined;

  constructor() {
    const worker = spawnEngineWorker();
    worker.on('message', (message: FromEngine) => {
      if (this.#onMessage) this.#onMessage(message);
      else this.#early.push(message);
    });
    worker.on('error', (error) => {
      this.#error = causeOf(error);
    });
    worker.on('exit', (code) => {
      this.#end = this.#error ?? `exit ${code}`;
      this.#onEnd?.(this.#end);
    });
    worker.unref(); // behind the listeners: one of messages holds the program
    this.#worker = worker;
  }

  /** Delivers the messages that have come so far, and later ones at once. */
  listen(onMessage: (message: FromEngine) => void): void {
    this.#onMessage = onMessage;
    for (const message of this.#early.splice(0)) onMessage(message);
  }

  post(message: Parameters<EngineThread['post']>[0]): void {
    this.#worker.postMessage(message);
  }

  onEnd(listener: (reason: string) => void): void {
    this.#onEnd = listener;
    if (this.#end !== undefined) listener(this.#end);
  }

  async terminate(): Promise<void> {
    this.#onEnd = undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, ENDING, false);
    });
    const hasEnded = await Promise.race([this.#worker.terminate().then(() => true), late]);
    clearTimeout(timer);
    this.#worker.unref();
    if (hasEnded) stuck.delete(this);
    else stuck.add(this);
  }

  outlast(): void {
    stuck.add(this);
    this.hold(true);
  }

  hold(alive: boolean): void {
    if (alive) this.#worker.ref();
    else this.#worker.unref();
  }
}

let ahead: NodeThread | undefined;
let isOwnThread = false;

/** Starts the thread of the first session early: it gets ready while the caller works. */
export function startEngineThreadAhead(): void {
  try {
    ahead ??= newThread();
  } catch {
    // The session meets the same refusal, and has a caller to tell.
  }
}

/** Has brief questions of the next session answered in this thread: for a program that waits for its one answer. */
export function answerInOwnThread(): void {
  isOwnThread = true;
}

/** Throws HostError where the system grants no thread. */
export function startEngineThread(onMessage: (message: FromEngine) => void): EngineThread {
  if (!isOwnThread) return startThread(onMessage);
  isOwnThread = false;
  const isSmall = ({ input }: Question): boolean => input.kind === 'bytes' && isSmallFile(input.source);
  return startInOwnThread(onMessage, startThread, isSmall);
}

/** Whether `source` is the path of a file that is read at once. */
export function isSmallFile(source: unknown): boolean {
  if (typeof source !== 'string') return false;
  try {
    const found = statSync(source);
    return found.isFile() && found.size <= BRIEF_BYTES;
  } catch {
    return false; // its reader says why it cannot be read
  }
}

function startThread(onMessage: (message: FromEngine) => void): EngineThread {
  const thread = ahead ?? newThread();
  ahead = undefined;
  thread.listen(onMessage);
  return thread;
}

function newThread(): NodeThread {
  if (addressSpaceLeft() < ROOM)
    throw new HostError("no address space for the engine's thread, which takes 1 GB (ulimit -v)");
  try {
    return new NodeThread();
  } catch (error) {
    const what = "the engine's thread could not be started";
    if (isRefusal(error)) throw refusal(what, error);
    // A bundle may leave import.meta.url undefined.
    throw new EngineError(`${what}: ${(error as Error).message}; ${REMEDY}`);
  }
}
