/** Entry of a process that has a GPU of its own, under Node. It lives as long as who started it, and no longer. */
import { type FromGpuProcess, serveGpu, type ToGpuProcess } from './process.js';

// At once: there is nothing to save, and a GPU's driver has no say in it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('SIGINT', () => {}); // an interrupt goes to all processes of a terminal: the first of them decides

void serveGpu(
  (message: FromGpuProcess) => void process.send!(message),
  (listener) => process.on('message', (message) => listener(message as ToGpuProcess)),
);
