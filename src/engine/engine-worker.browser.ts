/** Entry of the engine's thread in a browser. */
import { serveEngine } from './engine-worker.js';
import type { ToEngine } from './messages.js';

serveEngine(
  (message) => self.postMessage(message),
  (listener) => self.addEventListener('message', (event: MessageEvent<ToEngine>) => listener(event.data)),
);
