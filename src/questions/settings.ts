/** The options of a question checked at the door, one by one, and put into the plain form that crosses threads. */
import { checkModulus, ModulusError } from '../../fields/primality.js';
import { describe } from '../../kernels/errors/describe.js';
import { excerpt } from '../../kernels/errors/excerpt.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import { OptionError } from '../errors.js';
import { inputFormatOf } from '../io/input-format.js';
import type { CancelSignal } from '../io/web-objects.js';
import { checkOptionNames } from '../option-names.js';
import { checkpointOf } from './checkpoint-option.js';
import { bytesOf, checkWithGpus, gpuMemoryOf, gpusOf, methodWithGpus } from './gpu-options.js';
import {
  type AnyOptions,
  type Device,
  type EngineOptions,
  type Method,
  OVER_Q,
  type RankOptions,
  type RationalMethod,
  type Settings,
  type SystemMethod,
} from './options.js';
import { planOf } from './plan-settings.js';
import { reorderOf, storageOf, wordsOf } from './product-options.js';
import { scratchOf } from './scratch-option.js';
import { seedOf } from './seed.js';
import { stageOf } from './stage.js';
import type { TuningStore } from './tuning-store.js';
import type { Verb } from './verbs.js';

export const MAX_THREADS = 256;
const MAX_BLOCK = 512;
const MAX_VECTORS = 2 ** 20;
const METHODS: readonly Method[] = ['auto', 'elimination', 'hybrid', 'wiedemann'];
/** Of the questions that have others. */
const METHODS_OF: Readonly<Partial<Record<Verb, readonly SystemMethod[]>>> = {
  solve: [...METHODS, 'lanczos', 'block-lu'],
  nullspace: ['auto', 'elimination', 'lanczos'],
};
const RATIONAL_METHODS: readonly RationalMethod[] = ['auto', 'lifting', 'numeric'];
const ENGINE_OPTIONS: readonly string[] = ['device', 'threads'];
const QUESTION_OPTIONS: readonly string[] = [
  ...ENGINE_OPTIONS,
  ...['mod', 'storage', 'words', 'reorder', 'tuning', 'seed', 'verify', 'name', 'transfer'],
  ...['unterminated', 'maxMemory', 'inputFormat', 'signal', 'onProgress'],
];
const RANK_OPTIONS: readonly string[] = [
  ...QUESTION_OPTIONS,
  ...[
    'block',
    'formula',
    'method',
    'atLeast',
    'certificate',
    'gpus',
    'maxGpuMemory',
    'pivots',
    'checkpoint',
    'scratch',
    'selfChecks',
  ],
];
/** A solution or a kernel vector is checked always, and eliminations have a storage of their own. */
const CHECKED_OPTIONS = QUESTION_OPTIONS.filter(
  (name) => !['verify', 'storage', 'words', 'reorder', 'tuning'].includes(name),
);
const OPTIONS: Readonly<Record<Verb, readonly string[]>> = {
  rank: RANK_OPTIONS,
  minpoly: [...QUESTION_OPTIONS, 'gpus', 'maxGpuMemory', 'checkpoint', 'selfChecks'],
  det: [...QUESTION_OPTIONS, 'method', 'certain', 'gpus', 'maxGpuMemory', 'checkpoint', 'selfChecks'],
  solve: [...CHECKED_OPTIONS, 'method', 'random', 'coordinates', 'gpus', 'maxGpuMemory', 'checkpoint'],
  nullspace: [...CHECKED_OPTIONS, 'method', 'left', 'vectors', 'onVectors', 'gpus', 'maxGpuMemory', 'checkpoint'],
  factor: CHECKED_OPTIONS,
  stage: [...RANK_OPTIONS, 'stage'],
  tune: [...CHECKED_OPTIONS.filter((name) => name !== 'seed'), 'tuning', 'budget'],
  plan: [...CHECKED_OPTIONS, 'budget', 'rank', 'devices', 'rates', 'pricePerHour', 'block', 'entries'],
};

export function optionNames(verb: Verb): readonly string[] {
  return OPTIONS[verb];
}

export function checkEngineOptions(options: EngineOptions): void {
  checkOptionNames('createEngine', options, ENGINE_OPTIONS);
  deviceOf(options.device);
  threadsOf(options.threads);
}

/** Throws OptionError for an option that there is not or a value that it cannot take, ModulusError for `mod`. */
export function settings(who: Verb, options: AnyOptions, engine: EngineOptions = {}): Settings {
  checkOptionNames(who, options, OPTIONS[who]);
  checkWatchers(options);
  const mod = modulusOf(options.mod);
  const gpus = gpusOf(options.gpus);
  const device = deviceOf(options.device ?? engine.device);
  const overQ = who === 'solve' && mod === OVER_Q ? overQOf(options) : null;
  if (overQ === null && options.coordinates !== undefined)
    throw new OptionError(`coordinates: expected modulus 0, got ${mod}`);
  const certain = flagOf('certain', options.certain, false);
  if (certain && mod !== OVER_Q) throw new OptionError(`certain: expected modulus 0, got ${mod}`);
  if (overQ !== null && gpus !== null) throw new OptionError(`gpus ${gpus}: expected a prime modulus, got 0`);
  const method = overQ === null ? methodOf(who, options) : 'auto';
  if (gpus !== null) checkWithGpus(who, device, method, options);
  const storage = storageOf(options.storage, gpus);
  const seed = seedOf(options.seed);
  const checkpoint = checkpointOf(who, options, mod, seed);
  if (who === 'tune' || who === 'plan') checkTuned(who, mod, device);
  const words = wordsOf({ ...options, device, mod: String(mod) });
  if (storage === 'jit' && device === 'gpu') throw new OptionError('storage jit: expected device cpu, got gpu');
  return {
    mod,
    device: gpus !== null ? 'gpu' : (storage === 'jit' || words !== null) && device === 'auto' ? 'cpu' : device,
    threads: threadsOf(options.threads ?? engine.threads),
    storage,
    words,
    reorder: reorderOf(options.reorder),
    tuning: false, // asked.ts looks for a store
    block: blockOf(options.block),
    seed,
    verify: flagOf('verify', options.verify, true),
    selfChecks: selfChecksOf(options, mod),
    formula: formulaOf(options.formula),
    method: gpus === null ? method : methodWithGpus(who, method, options),
    atLeast: atLeastOf(options.atLeast),
    maxMemory: bytesOf('maxMemory', options.maxMemory),
    maxGpuMemory: gpuMemoryOf(options.maxGpuMemory, device, gpus),
    certificate: flagOf('certificate', options.certificate, false),
    gpus,
    checkpoint,
    scratch: scratchOf(options, mod, device),
    stage: stageOf(options.stage),
    unterminated: flagOf('unterminated', options.unterminated, false),
    inputFormat: inputFormatOf('inputFormat', options.inputFormat),
    pivots: flagOf('pivots', options.pivots, false),
    random: flagOf('random', options.random, false),
    certain,
    left: flagOf('left', options.left, false),
    vectors: countOf(options.vectors),
    overQ,
    budget: budgetOf(options.budget),
    plan: who === 'plan' ? planOf(options, Number(mod), device) : null,
    transposed: false,
    factors: null,
  };
}

/** The options that stay in the caller's thread. */
function checkWatchers({ name, signal, onProgress, onVectors, transfer, tuning }: AnyOptions): void {
  if (name !== undefined && typeof name !== 'string')
    throw new OptionError(`name: expected a string, got ${describe(name)}`);
  const { aborted, throwIfAborted, addEventListener, removeEventListener } = (signal ?? {}) as Partial<CancelSignal>;
  const isSignal =
    typeof aborted === 'boolean' &&
    [throwIfAborted, addEventListener, removeEventListener].every((f) => typeof f === 'function');
  if (signal !== undefined && !isSignal)
    throw new OptionError(`signal: expected an AbortSignal, got ${describe(signal)}`);
  for (const [name, listener] of Object.entries({ onProgress, onVectors })) {
    if (listener !== undefined && typeof listener !== 'function')
      throw new OptionError(`${name}: expected a function, got ${describe(listener)}`);
  }
  flagOf('transfer', transfer, false);
  checkStore(tuning);
}

function checkStore(tuning: unknown): void {
  if (tuning === undefined || typeof tuning === 'boolean') return;
  const store = (tuning ?? {}) as Partial<TuningStore>;
  if (typeof tuning === 'object' && [store.get, store.set, store.delete].every((f) => typeof f === 'function')) return;
  throw new OptionError(`tuning: expected true, false or a store with get, set and delete, got ${describe(tuning)}`);
}

function flagOf(name: string, value: unknown, byDefault: boolean): boolean {
  if (value === undefined) return byDefault;
  if (typeof value === 'boolean') return value;
  throw new OptionError(`${name}: expected true or false, got ${describe(value)}`);
}

function modulusOf(mod: unknown): bigint {
  if (typeof mod !== 'number' && typeof mod !== 'bigint' && typeof mod !== 'string')
    throw new OptionError(`mod: expected a prime, got ${describe(mod)}`);
  if (typeof mod === 'string' && !/^\d+$/.test(mod)) {
    throw new ModulusError(`modulus ${excerpt(mod)}: expected a prime in decimal digits`);
  }
  const p = typeof mod === 'string' ? BigInt(mod) : mod;
  if (p === 0 || p === 0n) return OVER_Q;
  checkModulus(p);
  return BigInt(p);
}

const DEVICES: readonly Device[] = ['auto', 'cpu', 'gpu', 'reference'];

function deviceOf(device: unknown = 'auto'): Device {
  const known = DEVICES.find((name) => name === device);
  if (known) return known;
  throw new OptionError(`device: expected one of ${DEVICES.join(', ')}, got ${describe(device)}`);
}

function threadsOf(threads: number | undefined): number | null {
  if (threads === undefined) return null;
  if (Number.isInteger(threads) && threads >= 1 && threads <= MAX_THREADS) return threads;
  throw new OptionError(`threads: expected an integer from 1 to ${MAX_THREADS}, got ${describe(threads)}`);
}

function blockOf(block: RankOptions['block']): Settings['block'] {
  if (block === undefined) return null;
  const sizes = typeof block === 'number' ? [block] : block;
  if (!Array.isArray(sizes)) throw new OptionError(`block: expected n or [m, n], got ${describe(block)}`);
  if (sizes.length > 2 || sizes.length === 0 || !sizes.every((s) => Number.isInteger(s) && s >= 1 && s <= MAX_BLOCK)) {
    throw new OptionError(
      `block: expected n or [m, n] with sizes from 1 to ${MAX_BLOCK}, got ${sizes.map(describe).join(' x ')}`,
    );
  }
  return sizes.length === 1 ? { m: null, n: sizes[0]! } : { m: sizes[0]!, n: sizes[1]! };
}

/** Only block Wiedemann mod a word prime checks itself. */
function selfChecksOf({ selfChecks, method, formula }: AnyOptions, mod: bigint): boolean | undefined {
  if (!flagOf('selfChecks', selfChecks, false)) return selfChecks;
  const expect = (what: string): never => {
    throw new OptionError(`selfChecks: expected ${what}`);
  };
  if (mod === OVER_Q || mod > BigInt(MAX_SIZE)) expect(`a prime below 2^31, got ${mod}`);
  if (method === 'elimination') expect('a method by block Wiedemann, got elimination');
  if (formula === 'classical') expect('formula shifted, got classical');
  return true;
}

function formulaOf(formula: unknown): 'shifted' | 'classical' {
  if (formula === undefined || formula === 'shifted') return 'shifted';
  if (formula === 'classical') return formula;
  throw new OptionError(`formula: expected shifted or classical, got ${describe(formula)}`);
}

function methodOf(
  who: Verb,
  { method: name = 'auto', formula, block, mod, random, checkpoint }: AnyOptions,
): SystemMethod {
  const methods = METHODS_OF[who] ?? METHODS;
  const method = methods.find((known) => known === name);
  if (method === undefined) throw new OptionError(`method: expected ${methods.join(', ')}, got ${describe(name)}`);
  if (formula === 'classical' && (method === 'elimination' || method === 'hybrid')) {
    throw new OptionError(`formula classical: expected method wiedemann, got ${describe(method)}`);
  }
  if (method !== 'auto' && method !== 'elimination' && BigInt(mod) >= 2n ** 31n) {
    throw new OptionError(`method ${method}: expected a prime below 2^31, got ${mod}`);
  }
  if (block !== undefined && method === 'elimination') throw new OptionError('method elimination: it has no blocks');
  if (method === 'block-lu' && random === true)
    throw new OptionError('method block-lu: it makes one solution, expected no random one');
  // What keeps its runs.
  if (who === 'nullspace' && method === 'auto' && checkpoint !== undefined) return 'lanczos';
  return method;
}

function overQOf({ method = 'auto', coordinates, random }: AnyOptions): Settings['overQ'] {
  const known = RATIONAL_METHODS.find((name) => name === method);
  if (!known) throw new OptionError(`method over Q: expected ${RATIONAL_METHODS.join(', ')}, got ${describe(method)}`);
  if (random) throw new OptionError('random: expected a prime modulus, got 0');
  if (coordinates === undefined) return { method: known, coordinates: null };
  if (Array.isArray(coordinates) && coordinates.every((j) => Number.isSafeInteger(j) && j >= 0))
    return { method: known, coordinates: [...coordinates] };
  throw new OptionError(`coordinates: expected an array of column numbers from 0 on, got ${describe(coordinates)}`);
}

function atLeastOf(atLeast: number | undefined): number | null {
  if (atLeast === undefined) return null;
  if (Number.isSafeInteger(atLeast) && atLeast >= 0) return atLeast;
  throw new OptionError(`atLeast: expected a rank, got ${describe(atLeast)}`);
}

function countOf(vectors: number | undefined): number | null {
  if (vectors === undefined) return null;
  if (Number.isInteger(vectors) && vectors >= 0 && vectors <= MAX_VECTORS) return vectors;
  throw new OptionError(`vectors: expected an integer from 0 to ${MAX_VECTORS}, got ${describe(vectors)}`);
}

/** There are products to choose from where there are kernels. */
function checkTuned(who: Verb, mod: bigint, device: Device): void {
  if (mod > BigInt(MAX_SIZE)) throw new OptionError(`${who}: expected a prime below 2^31, got ${mod}`);
  if (device === 'reference') throw new OptionError(`device: expected auto, cpu or gpu, got ${describe(device)}`);
}

function budgetOf(seconds: number | undefined): number | null {
  if (seconds === undefined) return null;
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new OptionError(`budget: expected seconds, more than 0, got ${describe(seconds)}`);
}
