/** Starts the engine's thread in a browser. */
import type { FromEngine } from './messages.js';
import type { EngineThread } from './thread.js';

export function startEngineThread(onMessage: (message: FromEngine) => void): EngineThread {
  const worker = new Worker(new URL('./engine-worker.browser.js', import.meta.url), { type: 'module' });
  let ended: (reason: string) => void = () => {};
  worker.addEventListener('message', (event: MessageEvent<FromEngine>) => onMessage(event.data));
  worker.addEventListener('error', (event) => ended(event.message || 'its script could not be loaded'));
  return {
    post: (message) => worker.postMessage(message),
    onEnd(listener) {
      ended = listener;
    },
    async terminate() {
      ended = () => {};
      worker.terminate();
    },
    hold: () => {},
  };
}
