/**
 * Starts a compute worker under Node from its own file; scripts/inline.mjs puts one that has the text at hand in its
 * place.
 */
// biome-ignore lint/style/useNodejsImportProtocol: webpack bundles the file of a worker that it knows by this name.
import { Worker, type WorkerOptions } from 'worker_threads';
import { threadOptions } from './thread-options.js';

export function spawnTeamWorker(options: WorkerOptions): Worker {
  return new Worker(new URL('./worker.node.js', import.meta.url), threadOptions(options));
}

/** Advice where a bundler has moved or changed a worker's file. */
export const REMEDY = "use the entry wiedemann/inline, which needs no file beside the program's";
