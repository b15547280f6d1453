/** Entry of a compute worker under Node. */
import { parentPort, workerData } from 'node:worker_threads';
import { runTeamWorker, type TeamWorkerData } from './worker.js';

void runTeamWorker(workerData as TeamWorkerData, (message) => parentPort?.postMessage(message));
