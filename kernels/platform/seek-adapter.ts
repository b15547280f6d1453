/**
 * A look for a GPU in a thread of its own: Dawn's calls hold up the thread that makes them, and one of them loads the
 * driver, which takes part of a second. Node alone loads this.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { dawnFlags } from './dawn-flags.js';

/** What an adapter says of itself, of which its kind can be told. */
export type AdapterInfo = Pick<GPUAdapterInfo, 'architecture' | 'description'> & {
  readonly isFallbackAdapter?: boolean | undefined;
};

/**
 * The thread lives on with its Dawn, until the one that started it ends: a driver is not taken down while another
 * thread opens a device, nor are nodes closed that are being counted (nvidia.ts). The text is CommonJS, as Node wants
 * it.
 */
const TEXT = `
const { parentPort, workerData } = require('node:worker_threads');
globalThis.dawn = require(workerData.file).create(workerData.flags);
globalThis.dawn.requestAdapter({ powerPreference: 'high-performance' }).then((adapter) => {
  const { architecture, description, isFallbackAdapter } = adapter?.info ?? {};
  const seconds = performance.now() / 1000;
  setInterval(() => {}, 2 ** 30);
  parentPort.postMessage({ info: adapter && { architecture, description, isFallbackAdapter }, seconds });
});`;

export interface SoughtAdapter {
  /** Of the adapter that there is, or null. */
  readonly info: AdapterInfo | null;
  /** That the look took in the thread that looked, its start included. */
  readonly seconds: number;
}

/** Undefined where such a thread cannot look, and another one has to. */
export function seekAdapterBeside(): Promise<SoughtAdapter | undefined> {
  return new Promise((resolve) => {
    try {
      const flags = dawnFlags(process.platform, process.env);
      const workerData = { file: createRequire(import.meta.url).resolve('webgpu'), flags };
      const worker = new Worker(TEXT, { eval: true, workerData, execArgv: [] });
      worker.on('message', (found: SoughtAdapter) => {
        worker.unref();
        resolve(found);
      });
      worker.on('error', () => resolve(undefined));
      worker.on('exit', () => resolve(undefined));
    } catch {
      resolve(undefined);
    }
  });
}
