/**
 * The rates of a machine and its device: steps and order bases of block Wiedemann, timed at some sizes, from which a
 * plan of any size is made (step-seconds.ts, basis-seconds.ts). Plain data, to be kept and read elsewhere.
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

/** A matrix or its transpose, with no fewer rows than columns. */
export interface Size {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number; // residues
}

export interface TimedSteps extends Size {
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

/** What was expected of data that should be rates, in words, and of which member, such as `.steps[2]`. */
export interface FaultOfRates {
  readonly expected: string;
  readonly member: string;
}

/** Null where nothing is wrong. */
export function faultOfRates(data: unknown): FaultOfRates | null {
  const given = data as Partial<Record<keyof MachineRates, unknown>> | null;
  if (typeof given !== 'object' || given === null) return { expected: 'an object', member: '' };
  for (const [name, expected, isRight] of MEMBERS) if (!isRight(given[name])) return { expected, member: `.${name}` };
  const step = (given.steps as TimedSteps[]).findIndex((each) => !isStep(each));
  if (step >= 0)
    return { expected: `steps with ${NUMBERS_OF_STEPS.join(', ')} and gpuBytes`, member: `.steps[${step}]` };
  const basis = (given.bases as TimedBasis[]).findIndex((each) => !isBasis(each));
  if (basis >= 0)
    return { expected: `bases with ${NUMBERS_OF_BASES.join(', ')} and looks`, member: `.bases[${basis}]` };
  return null;
}

const MEMBERS: readonly (readonly [keyof MachineRates, string, (value: unknown) => boolean])[] = [
  ['p', 'a prime p', (p) => isNumber(p) && p >= 2],
  ['device', 'a device: cpu, gpu or reference', (name) => ['cpu', 'gpu', 'reference'].includes(name as string)],
  ['adapter', 'the name of an adapter, or null', (name) => name === null || typeof name === 'string'],
  ['threads', 'a number of threads', (count) => isNumber(count) && count >= 1],
  ['bindingBytes', 'bindingBytes, a number or null', isBytes],
  ['start', 'start, a number of seconds', isNumber],
  ['basisStart', 'basisStart, a number of seconds', isNumber],
  ['steps', 'steps that were timed', isFilled],
  ['bases', 'bases that were timed', isFilled],
];

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function isStep(step: TimedSteps): boolean {
  return hasNumbers(step, NUMBERS_OF_STEPS) && isBytes(step.gpuBytes);
}

function isBasis(basis: TimedBasis): boolean {
  return (
    hasNumbers(basis, NUMBERS_OF_BASES) &&
    isFilled(basis.looks) &&
    basis.looks.every((look) => hasNumbers(look, ['order', 'seconds']))
  );
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
