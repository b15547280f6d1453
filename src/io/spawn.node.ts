/**
 * Starts a thread that reads lines, under Node, from its own file; scripts/inline.mjs puts one that has the text at
 * hand in its place.
 */
// biome-ignore lint/style/useNodejsImportProtocol: webpack bundles the file of a worker that it knows by this name.
import { Worker } from 'worker_threads';
import { threadOptions } from '../../kernels/threads/thread-options.js';

export function spawnLineWorker(): Worker {
  return new Worker(new URL('./line-worker.node.js', import.meta.url), threadOptions());
}
