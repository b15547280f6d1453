/** What differs between Node and browsers, the browser side; node.ts beside it has the same exports. */
import { DeviceError } from '../gpu/device-error.js';
import type { TeamWorkerData } from '../team-worker.js';
import type { WorkerHandle } from './worker-handle.js';

export function cores(): number {
  return navigator.hardwareConcurrency || 1;
}

/** Whether memory can be shared with workers: only on pages that are cross-origin isolated. */
export function canShareMemory(): boolean {
  return globalThis.crossOriginIsolated === true;
}

/** WebGPU of the page or of its worker. */
export async function requestGpu(): Promise<GPU> {
  if (!mayHaveGpu())
    throw new DeviceError('device gpu: this browser, or this page (https or localhost?), has no WebGPU');
  return navigator.gpu;
}

export function mayHaveGpu(): boolean {
  return navigator.gpu !== undefined;
}

/** A page is not told which GPU it has. */
export function watchGpus(): () => string | null {
  return () => null;
}

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

export function startTeamWorker(data: TeamWorkerData): WorkerHandle {
  const worker = new Worker(new URL('./team-worker.browser.js', import.meta.url), { type: 'module' });
  let ended: ((reason: string) => void) | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    worker.addEventListener('message', () => resolve(), { once: true });
    worker.addEventListener('error', (event) => {
      ended?.(event.message);
      reject(new Error(event.message));
    });
  });
  ready.catch(() => {});
  worker.postMessage(data);
  return {
    ready,
    onEnd(listener) {
      ended = listener;
    },
    terminate: async () => worker.terminate(),
  };
}
