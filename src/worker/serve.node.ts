/** Entry of the engine's thread under Node. */
import { parentPort } from 'node:worker_threads';
import { EngineError } from '../errors.js';
import { LineThreads, lineThreadsWorth } from '../io/line-threads.node.js';
import { errorToMessage } from '../questions/error-transport.js';
import { serveEngine } from './serve.js';

const port = parentPort!;
serveEngine(
  (message) => port.postMessage(message),
  (listener) => port.on('message', listener),
  false,
  (path, size, most, loading) => LineThreads.start(path, size, lineThreadsWorth(size, most), loading),
);

// A thread that ended by an error of its own would take the process with it where it has a GPU (open-promises.ts).
process.on('uncaughtException', (error) => {
  port.postMessage({
    kind: 'failure',
    error: errorToMessage(new EngineError(`the engine's thread erred: ${String(error)}`)),
  });
});
