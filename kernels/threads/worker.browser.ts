/** Entry of a compute worker in a browser. */
import { runTeamWorker, type TeamWorkerData } from './worker.js';

self.addEventListener(
  'message',
  (event: MessageEvent) => void runTeamWorker(event.data as TeamWorkerData, (message) => self.postMessage(message)),
  { once: true },
);
