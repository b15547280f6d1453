/**
 * Starts a compute worker under Node, and tells why one ended; start-worker.browser.ts beside it has the same exports.
 */
import type { Worker } from 'node:worker_threads';
import { REMEDY, spawnTeamWorker } from './spawn.node.js';
import type { TeamWorkerData } from './worker.js';
import type { WorkerHandle } from './worker-handle.js';

export function startTeamWorker(data: TeamWorkerData): WorkerHandle {
  return handle(spawnTeamWorker({ workerData: data }));
}

/** Why a worker ended, and what to do if that is its file's fault. */
export function causeOf(error: unknown): string {
  const { name, code } = error as { readonly name?: string; readonly code?: string };
  const isFiles = name === 'SyntaxError' || code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND';
  return isFiles ? `${String(error).split('\n')[0]}; ${REMEDY}` : String(error);
}

/** Wraps a worker: `ready` settles with its first message or its failure; `onEnd` is told why it ended. */
export function handle(worker: Worker): WorkerHandle {
  let ended: ((reason: string) => void) | undefined;
  let early: string | undefined;
  let isEnding = false;
  const end = (reason: string): void => {
    if (ended) ended(reason);
    else early ??= reason;
  };
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => {
      // The worker is held until it is ready, so that a program waiting for it does not end; idle threads keep nobody
      // alive. A worker that is being ended is held to its end: its first message may still be on its way.
      if (!isEnding) worker.unref();
      resolve();
    });
    worker.once('error', (error) => {
      end(causeOf(error));
      reject(error);
    });
    worker.once('exit', (code) => {
      end(`exit ${code}`);
      reject(new Error(`worker ended before it was ready (exit ${code})`));
    });
  });
  ready.catch(() => {});
  return {
    ready,
    onEnd(listener) {
      ended = listener;
      if (early !== undefined) listener(early);
    },
    terminate: async () => {
      ended = () => {};
      isEnding = true;
      await ready.catch(() => {}); // Node leaves open the files of modules that a thread loads as it is ended
      await worker.terminate();
    },
  };
}
