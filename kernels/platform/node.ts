/** What differs between Node and browsers, the Node side; browser.ts beside it has the same exports. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { TeamWorkerData } from '../team-worker.js';
import type { WorkerHandle } from './worker-handle.js';

export function cores(): number {
  return availableParallelism();
}

/** Whether memory can be shared with workers. */
export function canShareMemory(): boolean {
  return true;
}

export function startTeamWorker(data: TeamWorkerData): WorkerHandle {
  return handle(new Worker(new URL('./team-worker.node.js', import.meta.url), { workerData: data }));
}

/** Wraps a worker: `ready` settles with its first message or its failure; `onEnd` is told why it ended. */
export function handle(worker: Worker): WorkerHandle {
  let ended: ((reason: string) => void) | undefined;
  let early: string | undefined;
  const end = (reason: string): void => {
    if (ended) ended(reason);
    else early ??= reason;
  };
  const ready = new Promise<void>((resolve, reject) => {
    worker.once('message', () => {
      // Held until it is ready, so that a program waiting for it does not end; idle threads keep nobody alive.
      worker.unref();
      resolve();
    });
    worker.once('error', (error) => {
      end(String(error));
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
      await worker.terminate();
    },
  };
}
