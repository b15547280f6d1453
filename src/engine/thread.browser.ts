/** Starts the engine's thread in a browser. */

import { REMEDY } from '../../kernels/threads/spawn.browser.js';
import { causeOf } from '../../kernels/threads/start-worker.browser.js';
import { EngineError } from '../errors.js';
import type { FromEngine } from '../questions/messages.js';
import { spawnEngineWorker } from '../worker/spawn.browser.js';
import type { EngineThread } from './thread.js';

function startWorker(): Worker {
  try {
    return spawnEngineWorker();
  } catch (error) {
    // A bundle may leave import.meta.url undefined; a script of another origin is refused at once.
    throw new EngineError(`the engine's thread could not be started: ${(error as Error).message}; ${REMEDY}`);
  }
}

export function startEngineThread(onMessage: (message: FromEngine) => void): EngineThread {
  const worker = startWorker();
  let tellEnd: (reason: string) => void = () => {};
  let speaks = false;
  worker.addEventListener('message', (event: MessageEvent<FromEngine>) => {
    speaks = true;
    onMessage(event.data);
  });
  worker.addEventListener('error', ({ message }) => tellEnd(speaks ? message : causeOf(message)));
  return {
    post: (message) => worker.postMessage(message),
    onEnd(listener) {
      tellEnd = listener;
    },
    async terminate() {
      tellEnd = () => {};
      worker.terminate();
    },
    outlast: () => worker.terminate(), // its GPU is in a process of its own
    hold: () => {},
  };
}
