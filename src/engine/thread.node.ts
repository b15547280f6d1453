/** Starts the engine's thread under Node. */
import { Worker } from 'node:worker_threads';
import type { FromEngine } from './messages.js';
import type { EngineThread } from './thread.js';

let ahead: Worker | undefined;

function startWorker(): Worker {
  const worker = new Worker(new URL('./engine-worker.node.js', import.meta.url));
  worker.unref();
  return worker;
}

/** Starts the thread of the first session before it is asked for: it gets ready while the caller does something else. */
export function startEngineThreadAhead(): void {
  ahead ??= startWorker();
}

export function startEngineThread(onMessage: (message: FromEngine) => void): EngineThread {
  const worker = ahead ?? startWorker();
  ahead = undefined;
  let ended: (reason: string) => void = () => {};
  let why: string | undefined;
  worker.on('message', onMessage);
  worker.on('error', (error) => {
    why = String(error);
  });
  worker.on('exit', (code) => ended(why ?? `exit ${code}`));
  return {
    post: (message) => worker.postMessage(message),
    onEnd(listener) {
      ended = listener;
    },
    async terminate() {
      ended = () => {};
      await worker.terminate();
    },
    hold: (alive) => (alive ? worker.ref() : worker.unref()),
  };
}
