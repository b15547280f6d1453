/** The kernels as a compiled WebAssembly module, decoded from generated text; compiled once a thread. */
import { checkWebAssembly } from '../errors/host-error.js';
import { KERNEL_NAMES } from '../generated/kernel-names.js';
import { KERNELS_LOCALS, KERNELS_ORDER, KERNELS_TEXT } from '../generated/wasm.js';
import { bytesOfText } from './byte-text.js';
import { linkCode } from './linked-code.js';

/** A kernel does thread's share of one command; args is the address of its 32-bit arguments. */
export type Kernel = (thread: number, threads: number, args: number) => void;

export interface KernelExports {
  awaitCommand(seen: number, spin: number): number;
  arrive(): void;
  startCommand(kernel: number): void;
  awaitArrivals(others: number, spin: number): number;
  replay(at: number, count: number, first: number, end: number, threads: number, spin: number): number;
  readonly table: WebAssembly.Table;
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Rejects with HostError where there is no WebAssembly. */
export function compileKernels(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  return compiled;
}

/** The kernels as another thread has compiled them. */
export function adoptKernels(module: WebAssembly.Module): void {
  compiled = Promise.resolve(module);
}

async function compile(): Promise<WebAssembly.Module> {
  checkWebAssembly();
  return WebAssembly.compile(bytesOfText(KERNELS_ORDER, KERNELS_TEXT, KERNELS_LOCALS));
}

/** Milliseconds after which a sleeping thread looks around, should a notification be lost. */
const SLEEP = 1000;

/** The functions of a thread: the team's own, and the kernels, numbered as in KERNEL_NAMES. */
export async function instantiateKernels(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Promise<{ team: KernelExports; kernels: Kernel[] }> {
  const control = new Int32Array(memory.buffer); // sleep's addresses are in the control block, which it always has
  const sleep = (address: number, value: number): void => {
    Atomics.wait(control, address >> 2, value, SLEEP);
  };
  const now = (): number => performance.now();
  let all: KernelExports & Record<string, Kernel>;
  const link = linkCode(memory, () => all);
  const instance = await WebAssembly.instantiate(module, { env: { memory, abort: kernelAbort, sleep, now, link } });
  all = instance.exports as unknown as typeof all;
  return { team: all, kernels: KERNEL_NAMES.map((name) => all[name]!) };
}

function kernelAbort(): never {
  throw new Error('kernel aborted');
}
