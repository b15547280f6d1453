/** Entry of a process that has a GPU of its own, under Node. It ends with the process that started it. */
import { type FromGpuProcess, serveGpu, type ToGpuProcess } from './process.js';

// The process ends at once: it has nothing to save, and does not wait for the GPU's driver.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Signals go to all processes of a terminal or a job: the first of them decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1'] as const) process.on(signal, () => {});

void serveGpu(
  (message: FromGpuProcess) => void process.send!(message),
  (listener) => process.on('message', (message) => listener(message as ToGpuProcess)),
);
