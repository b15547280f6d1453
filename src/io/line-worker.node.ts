/** Entry of a thread that reads lines, under Node. */
import { readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { TripleKernel } from '../../kernels/sparse/scan-triples.js';
import { adoptKernels } from '../../kernels/threads/wasm-module.js';
import { type PiecesToRead, readPieces } from './line-pieces.js';

/** `fd` is the starting thread's. */
export type LineWork = PiecesToRead & { readonly module: WebAssembly.Module; readonly fd: number };

const port = parentPort!;
port.once('message', async (work: LineWork) => {
  adoptKernels(work.module);
  const kernel = await TripleKernel.get();
  readPieces(work, kernel, (into, at) => readSync(work.fd, into, 0, into.length, at));
  port.postMessage('done');
});
port.postMessage('ready');
