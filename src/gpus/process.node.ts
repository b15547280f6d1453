/**
 * Entry of a process that has a GPU of its own, under Node, and as many threads at most as its one argument says. It
 * ends with the process that started it.
 */
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

// All else is loaded once signals are caught.
const threads = process.argv[2] === undefined ? undefined : Number(process.argv[2]);
void import('./process.js').then(({ serveGpu, teamFor }) =>
  serveGpu(post, (listener) => process.on('message', (message) => listener(message as ToGpuProcess)), {
    team: (nnz) => teamFor(nnz, threads),
  }),
);
