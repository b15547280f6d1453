/**
 * A run that is planned in parts through BullMQ on Redis: `submit` puts its stages into a queue, any number of workers
 * take them, `wiedemann/bullmq` for programs and `wiedemann queue` for a shell.
 *
 * Redis has a folder's name and a stage's, and no matrix or vector: these are in the folder, which every worker is to
 * see, unless the run is uploaded (uploaded-run.ts). WebAssembly computes in threads of its own, so that this one
 * renews the locks of its jobs in time. A worker that is lost is noticed by its silence, and another goes on from its
 * checkpoint; one that was only silent wastes its work and does no harm. Workers with nothing to do repeat parts that
 * are slow (stragglers.ts).
 */
export { type RunningWorker, startWorker, type WorkerOptions } from './queue-worker.js';
export type { QueuedAnswer, QueueOptions } from './stage-job.js';
export { type SubmitOptions, type Submitted, submit } from './submit.js';
