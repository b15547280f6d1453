/** The options of several GPUs, and of the memory of each, checked at the door. */
import { describe } from '../../kernels/errors/describe.js';
import { OptionError } from '../errors.js';
import type { AnyOptions, Device, SystemMethod } from './options.js';
import { isAboutVectors, type Verb } from './verbs.js';

const MAX_GPUS = 64;

export function gpusOf(gpus: number | undefined): number | null {
  if (gpus === undefined) return null;
  if (Number.isInteger(gpus) && gpus >= 1 && gpus <= MAX_GPUS) return gpus;
  throw new OptionError(`gpus: expected an integer from 1 to ${MAX_GPUS}, got ${describe(gpus)}`);
}

/** What several GPUs take part in: sequences of block Wiedemann, the products of block Lanczos. */
function methodsWithGpus(who: Verb, { maxGpuMemory }: AnyOptions): readonly SystemMethod[] {
  if (!isAboutVectors(who)) return ['auto', 'hybrid', 'wiedemann'];
  return who === 'solve' && maxGpuMemory === undefined ? ['lanczos', 'hybrid', 'wiedemann'] : ['lanczos'];
}

/**
 * The method that is asked for, or the one that there is; with a budget, that which may cut the rows of a matrix. A
 * system that is kept goes on by the method of its run (kept-run.ts).
 */
export function methodWithGpus(who: Verb, method: SystemMethod, options: AnyOptions): SystemMethod {
  const { maxGpuMemory, checkpoint } = options;
  const isOfRun = who === 'solve' && checkpoint !== undefined && maxGpuMemory === undefined;
  if (method !== 'auto' || isOfRun) return method;
  const possible = methodsWithGpus(who, options);
  return maxGpuMemory === undefined ? possible[0]! : possible.at(-1)!;
}

/** Only sequences of block Wiedemann, and products with a matrix itself, are shared. */
export function checkWithGpus(who: Verb, device: Device, method: SystemMethod, options: AnyOptions): void {
  const { formula, gpus, maxGpuMemory } = options;
  if (device === 'cpu' || device === 'reference')
    throw new OptionError(`gpus ${gpus}: expected device gpu, got ${describe(device)}`);
  if (maxGpuMemory !== undefined && who !== 'rank' && !isAboutVectors(who))
    throw new OptionError(`gpus ${gpus}: expected no maxGpuMemory: of a ${who} no rows are shared`);
  const possible = methodsWithGpus(who, options);
  if (method !== 'auto' && !possible.includes(method))
    throw new OptionError(`gpus ${gpus}: expected method ${possible.join(', ')}, got ${describe(method)}`);
  if (formula === 'classical')
    throw new OptionError(`gpus ${gpus}: expected formula shifted, got ${describe(formula)}`);
}

/** A number of bytes, null for none. */
export function bytesOf(name: string, bytes: number | undefined): number | null {
  if (bytes === undefined) return null;
  if (Number.isFinite(bytes) && bytes > 0) return bytes;
  throw new OptionError(`${name}: expected a number of bytes, got ${describe(bytes)}`);
}

/** Bytes of a GPU, for a run that is to take one. */
export function gpuMemoryOf(bytes: number | undefined, device: Device, gpus: number | null): number | null {
  const memory = bytesOf('maxGpuMemory', bytes);
  if (memory !== null && gpus === null && device !== 'gpu')
    throw new OptionError(`maxGpuMemory: expected device gpu, got ${describe(device)}`);
  return memory;
}
