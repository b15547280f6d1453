/** The differences between Node and browsers, the browser side; node.ts beside it has the same exports. */
import { sha256 as pureSha256 } from '@noble/hashes/sha2.js';
import { DeviceError } from '../errors/device-error.js';
import { HostError } from '../errors/host-error.js';

export function cores(): number {
  return navigator.hardwareConcurrency || 1;
}

/** How many threads can be started: a page is not told. */
export function roomForThreads(): number {
  return Number.POSITIVE_INFINITY;
}

/** Whether a second memory of WebAssembly might leave none for the first: a page is not told. */
export function isAddressSpaceScarce(): boolean {
  return false;
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

/** Whether a GPU that may be there need not be software: a page is told by the adapter alone, and soon. */
export function mayHaveHardware(): boolean {
  return false;
}

/** Looks for an adapter, as the browser does beside this thread. */
export async function seekAdapter(): Promise<{ readonly info: GPUAdapterInfo | null; readonly seconds: number }> {
  const start = performance.now();
  const gpu = await requestGpu();
  const info = (await gpu.requestAdapter({ powerPreference: 'high-performance' }))?.info ?? null;
  return { info, seconds: (performance.now() - start) / 1000 };
}

/** The encoder of compiled matrices is 13 MB, which no page is made to load. */
export function importEncoder(): Promise<unknown> {
  return Promise.reject(
    new HostError('storage jit: expected Node, since a browser has no encoder; choose another one'),
  );
}

/** A page is not told which GPU it has. */
export function watchGpus(): () => string | null {
  return () => null;
}

/** SHA-256 of what it is given, piece by piece; a page's own digest takes everything at once. */
export function sha256(): { update(bytes: Uint8Array): unknown; digest(): Uint8Array } {
  return pureSha256.create();
}

/**
 * The same of one array, which another thread digests; a copy is made before this returns. Pages of plain http have no
 * digest of their own.
 */
export async function sha256Beside(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto as Partial<Crypto>;
  return subtle === undefined ? pureSha256(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes));
}

/** Lets others have their turn of this thread's loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve));
}

export function bytesOfHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
