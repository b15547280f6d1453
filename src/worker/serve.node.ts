/** Entry of the engine's thread under Node. */
import { parentPort } from 'node:worker_threads';
import { serveEngine } from './serve.js';

const port = parentPort!;
serveEngine(
  (message) => port.postMessage(message),
  (listener) => port.on('message', listener),
);
