/**
 * Starts a compute worker in a browser, and tells why one ended; start-worker.node.ts beside it has the same exports.
 */
import { REMEDY, spawnTeamWorker } from './spawn.browser.js';
import type { TeamWorkerData } from './worker.js';
import type { WorkerHandle } from './worker-handle.js';

/** Why a worker ended that had said nothing yet: a script that is not there, or is forbidden, has no message. */
export function causeOf(message: string): string {
  return `${message || 'its script could not be loaded'}; ${REMEDY}`;
}

export function startTeamWorker(data: TeamWorkerData): WorkerHandle {
  const worker = spawnTeamWorker();
  let ended: ((reason: string) => void) | undefined;
  let isReady = false;
  const ready = new Promise<void>((resolve, reject) => {
    worker.addEventListener('message', () => {
      isReady = true;
      resolve();
    });
    worker.addEventListener('error', (event) => {
      const cause = isReady ? event.message : causeOf(event.message);
      ended?.(cause);
      reject(new Error(cause));
    });
  });
  ready.catch(() => {});
  worker.postMessage(data);
  return {
    ready,
    onEnd(listener) {
      ended = listener;
    },
    terminate: async () => worker.terminate(),
  };
}
