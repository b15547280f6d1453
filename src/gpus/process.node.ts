/**
 * Entry of a process that has a GPU of its own, under Node, and as many threads at most as its one argument says. It
 * ends with the process that started it.
 */
import { readSync } from 'node:fs';
import type { FromGpuProcess, ToGpuProcess } from './process.js';

// The process ends at once: it has nothing to save, and does not wait for the GPU's driver.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Signals go to all processes of a terminal or a job: the first of them decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1'] as const) process.on(signal, () => {});

/** Resolves when the message is on its way; a failure ends this process, and its last words tell why. */
function post(message: FromGpuProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send!(message, (error: Error | null) => (error ? reject(error) : resolve()));
  });
}

/** Bytes of one reading call. */
const MOST = 2 ** 30;

/** Reads stdin until the array is full; it blocks, as Node leaves it to a process that it starts. */
function read(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    const count = readSync(0, bytes.subarray(at, at + MOST));
    if (count === 0) throw new Error(`expected ${bytes.length} bytes of a matrix, got ${at}`);
    at += count;
  }
}

// All else is loaded once signals are caught.
const threads = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
void import('./process.js').then(({ serveGpu, teamFor }) =>
  serveGpu(post, (listener) => process.on('message', (message) => listener(message as ToGpuProcess)), read, {
    team: (nnz) => teamFor(nnz, threads),
  }),
);
