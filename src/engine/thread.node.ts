/** Starts the engine's thread under Node. */
import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { causeOf } from '../../kernels/platform/node.js';
import { REMEDY } from '../../kernels/platform/spawn.node.js';
import { EngineError } from '../errors.js';
import { BRIEF_BYTES } from './brief.js';
import type { FromEngine, Question } from './messages.js';
import { startInOwnThread } from './own-thread.js';
import { spawnEngineWorker } from './spawn.node.js';
import type { EngineThread } from './thread.js';

let ahead: Worker | undefined;
let isOwnThread = false;

function startWorker(): Worker {
  try {
    const worker = spawnEngineWorker();
    worker.unref();
    return worker;
  } catch (error) {
    // A bundle may leave import.meta.url undefined.
    throw new EngineError(`the engine's thread could not be started: ${(error as Error).message}; ${REMEDY}`);
  }
}

/** Starts the thread of the first session before it is asked for: it gets ready while the caller does something else. */
export function startEngineThreadAhead(): void {
  ahead ??= startWorker();
}

/** Has brief questions of the next session answered in this thread: for a program that waits for its one answer. */
export function answerInOwnThread(): void {
  isOwnThread = true;
}

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
    return false; // whoever reads it says why it cannot be
  }
}

function startThread(onMessage: (message: FromEngine) => void): EngineThread {
  const worker = ahead ?? startWorker();
  ahead = undefined;
  let ended: (reason: string) => void = () => {};
  let why: string | undefined;
  worker.on('message', onMessage);
  worker.on('error', (error) => {
    why = causeOf(error);
  });
  worker.on('exit', (code) => ended(why ?? `exit ${code}`));
  return {
    post: (message) => worker.postMessage(message),
    onEnd(listener) {
      ended = listener;
    },
    async terminate() {
      ended = () => {};
      await worker.terminate();
    },
    hold: (alive) => (alive ? worker.ref() : worker.unref()),
  };
}
