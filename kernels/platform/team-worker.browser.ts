/** Entry of a compute worker in a browser. */
import { runTeamWorker, type TeamWorkerData } from '../team-worker.js';

self.addEventListener(
  'message',
  (event: MessageEvent) => void runTeamWorker(event.data as TeamWorkerData, (message) => self.postMessage(message)),
  { once: true },
);
