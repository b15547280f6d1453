/**
 * The rates of a machine and its device: steps and order bases of block Wiedemann, timed at some sizes, from which a
 * plan of any size is made (estimated-seconds.ts). Plain data, to be kept and read elsewhere.
 */

export interface MachineRates {
  readonly p: number;
  readonly device: 'cpu' | 'gpu' | 'reference';
  readonly adapter: string | null; // the GPU's name
  readonly threads: number;
  readonly bindingBytes: number | null; // what a GPU takes in one piece; null on threads and in software
  /** Seconds of the setup of a tiny matrix: kernels are compiled. */
  readonly start: number;
  /** Seconds by which the first order basis takes longer than the next: kernels are compiled. */
  readonly basisStart: number;
  readonly steps: readonly TimedSteps[];
  readonly bases: readonly TimedBasis[];
}

export interface TimedSteps {
  readonly rows: number; // no fewer than columns: A or its transpose
  readonly cols: number;
  readonly nnz: number; // residues
  readonly m: number;
  readonly n: number; // columns of V on this device
  readonly setup: number; // seconds
  readonly step: number;
  readonly verifying: number;
  readonly gpuBytes: number | null; // what the matrix and the vectors take there
}

export interface TimedBasis {
  readonly unknowns: number; // N
  readonly m: number;
  readonly n: number;
  readonly looks: readonly Look[];
  readonly checking: number; // seconds of its self-check
  readonly combining: number; // of the relations
}

/** Seconds from the beginning until order `order` is reached. */
export interface Look {
  readonly order: number;
  readonly seconds: number;
}

const NUMBERS_OF_STEPS = ['rows', 'cols', 'nnz', 'm', 'n', 'setup', 'step', 'verifying'] as const;
const NUMBERS_OF_BASES = ['unknowns', 'm', 'n', 'checking', 'combining'] as const;

/** What is wrong with data that should be rates, in words; null where nothing is. */
export function faultOfRates(data: unknown): string | null {
  const given = data as Partial<Record<keyof MachineRates, unknown>> | null;
  if (typeof given !== 'object' || given === null) return 'an object';
  if (!isNumber(given.p) || !(given.p >= 2)) return 'a prime p';
  if (!['cpu', 'gpu', 'reference'].includes(given.device as string)) return 'a device: cpu, gpu or reference';
  if (given.adapter !== null && typeof given.adapter !== 'string') return 'the name of an adapter, or null';
  if (!isNumber(given.threads) || !(given.threads >= 1)) return 'a number of threads';
  if (given.bindingBytes !== null && !isNumber(given.bindingBytes)) return 'bindingBytes, a number or null';
  if (!isNumber(given.start)) return 'start, a number of seconds';
  if (!isNumber(given.basisStart)) return 'basisStart, a number of seconds';
  const { steps, bases } = given;
  if (!Array.isArray(steps) || steps.length === 0) return 'steps that were timed';
  if (!steps.every((step) => hasNumbers(step, NUMBERS_OF_STEPS) && isBytes(step.gpuBytes)))
    return `steps with ${NUMBERS_OF_STEPS.join(', ')} and gpuBytes`;
  if (!Array.isArray(bases) || bases.length === 0) return 'bases that were timed';
  const isLook = (look: unknown): boolean => hasNumbers(look, ['order', 'seconds']);
  const isBasis = (basis: { readonly looks?: unknown }): boolean =>
    hasNumbers(basis, NUMBERS_OF_BASES) &&
    Array.isArray(basis.looks) &&
    basis.looks.length > 0 &&
    basis.looks.every(isLook);
  return bases.every(isBasis) ? null : `bases with ${NUMBERS_OF_BASES.join(', ')} and looks`;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isBytes(value: unknown): boolean {
  return value === null || isNumber(value);
}

function hasNumbers(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => isNumber((value as Record<string, unknown>)[name]));
}
