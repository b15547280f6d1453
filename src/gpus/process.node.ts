/** Entry of a process that has a GPU of its own, under Node. It ends with the process that started it. */
import { type FromGpuProcess, serveGpu, type ToGpuProcess } from './process.js';

// The process ends at once: it has nothing to save, and does not wait for the GPU's driver.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('SIGINT', () => {}); // an interrupt goes to all processes of a terminal: the first of them decides

void serveGpu(
  (message: FromGpuProcess) => void process.send!(message),
  (listener) => process.on('message', (message) => listener(message as ToGpuProcess)),
);
