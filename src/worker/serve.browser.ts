/** Entry of the engine's thread in a browser. */

import type { ToEngine } from '../questions/messages.js';
import { serveEngine } from './serve.js';

serveEngine(
  (message) => self.postMessage(message),
  (listener) => self.addEventListener('message', (event: MessageEvent<ToEngine>) => listener(event.data)),
);
