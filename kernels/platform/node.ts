/** The differences between Node and browsers, the Node side; browser.ts beside it has the same exports. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { DeviceError } from '../errors/device-error.js';
import { HostError } from '../errors/host-error.js';
import { isAddressSpaceScarce, roomForThreads } from './address-space.js';
import { dawnFlags, isSwiftShader } from './dawn-flags.js';
import { watchNvidia } from './nvidia.js';
import { type SoughtAdapter, seekAdapterBeside } from './seek-adapter.js';

export { isAddressSpaceScarce, roomForThreads };

export function cores(): number {
  return availableParallelism();
}

/** Whether memory can be shared with workers: not where V8 is told to have none (--no-harmony-sharedarraybuffer). */
export function canShareMemory(): boolean {
  return typeof SharedArrayBuffer !== 'undefined';
}

/** Bytes that Node hashes at once: 2^31 are refused. */
const MOST_HASHED = 2 ** 30;

/** SHA-256 of what it is given, piece by piece. */
export function sha256(): { update(bytes: Uint8Array): unknown; digest(): Uint8Array } {
  const hash = createHash('sha256');
  const update = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; at += MOST_HASHED) hash.update(bytes.subarray(at, at + MOST_HASHED));
  };
  return { update, digest: () => new Uint8Array(hash.digest()) };
}

/** The same of one array, which another thread digests; a copy is made before this returns. */
export async function sha256Beside(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** Lets others have their turn of this thread's loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

export function bytesOfHex(text: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(text, 'hex');
}

// Kept for as long as the thread lives: when Dawn's object is collected, Node ends at random (std::system_error,
// SIGSEGV).
let dawn: GPU | undefined;

/** WebGPU by Dawn, from the optional package `webgpu`. */
export async function requestGpu(): Promise<GPU> {
  if (dawn) return dawn;
  if (!mayHaveGpu()) throw new DeviceError('device gpu: this machine shows no GPU and names no Vulkan driver');
  let create: (flags: string[]) => GPU;
  try {
    // As a plain string: the package's own declarations contradict those of lib.dom.
    ({ create } = await import('webgpu' as string));
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw new DeviceError(`device gpu: ${error}`);
    throw new DeviceError('device gpu: the package webgpu is not there; install it with: npm install webgpu@0.6');
  }
  dawn = create(dawnFlags(process.platform, process.env));
  return dawn;
}

const ENCODER: string = 'binaryen';

/** The optional package that compiles matrices (kernels/jit/encoder.ts). */
export async function importEncoder(): Promise<unknown> {
  try {
    // A name in a variable, since bundlers would else take in all of its 13 MB where it is installed.
    return (await import(/* webpackIgnore: true */ /* @vite-ignore */ ENCODER)).default;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw new HostError(`storage jit: ${error}`);
    throw new HostError('storage jit: the package binaryen is not there; install it with: npm install binaryen@132');
  }
}

/** Whether looking for an adapter is worth loading Dawn, which prints warnings of its own where there is none. */
export function mayHaveGpu(): boolean {
  if (process.platform !== 'linux') return true;
  if (['VK_ICD_FILENAMES', 'VK_DRIVER_FILES', 'VK_ADD_DRIVER_FILES'].some((name) => process.env[name])) return true;
  return hasNodes();
}

/** Whether a GPU that may be there need not be software: the system shows one, and another driver may be taken. */
export function mayHaveHardware(): boolean {
  return process.platform !== 'linux' || (hasNodes() && !isSwiftShader(process.env));
}

function hasNodes(): boolean {
  if (existsSync('/dev/dxg') || existsSync('/dev/nvidiactl')) return true;
  return existsSync('/dev/dri') && readdirSync('/dev/dri').some((name) => name.startsWith('render'));
}

/** Looks for an adapter; this thread goes on meanwhile where it can. */
export async function seekAdapter(): Promise<SoughtAdapter> {
  const found = dawn === undefined && mayHaveGpu() ? await seekAdapterBeside() : undefined;
  if (found !== undefined) return found;
  const start = performance.now();
  const gpu = await requestGpu();
  const info = (await gpu.requestAdapter({ powerPreference: 'high-performance' }))?.info ?? null;
  return { info, seconds: (performance.now() - start) / 1000 };
}

/**
 * Called before a GPU is opened; the function it returns tells afterwards which one that was, where the system says.
 */
export const watchGpus: () => () => string | null = watchNvidia;
