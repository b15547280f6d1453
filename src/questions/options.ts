/**
 * The options of a question, checked at the door and put into the plain form that crosses threads.
 *
 *   mod : the prime, of any size; below 2³¹ the fast executors serve it, above it exact elimination does
 */
import { checkModulus, ModulusError } from '../../fields/primality.js';
import { describe } from '../../kernels/errors/describe.js';
import { excerpt } from '../../kernels/errors/excerpt.js';
import { FORMAT_NAMES, type FormatName, isFormatName } from '../../kernels/sparse/formats/index.js';
import { OptionError } from '../errors.js';
import type { CancelSignal } from '../io/web-objects.js';
import { checkOptionNames } from '../option-names.js';
import type { Verb } from './verbs.js';

export type Method = 'auto' | 'elimination' | 'hybrid' | 'wiedemann';

export type Device = 'auto' | 'cpu' | 'gpu' | 'reference';

export type Storage = 'auto' | FormatName;

/** Where a run stands; `total` is an estimate until the last phase has begun. */
export interface ProgressEvent {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}

export interface EngineOptions {
  /**
   * 'auto', the default, takes the GPU where there is one and the matrix is large enough to gain, else the CPU; 'gpu'
   * takes it or fails; 'reference' is plain TypeScript, slow, and meant to be believed.
   */
  readonly device?: Device | undefined;
  /** Compute threads; the default is one a core, and one alone where the matrix is too small to share. */
  readonly threads?: number | undefined;
}

export interface QuestionOptions extends EngineOptions {
  /** A prime; for rank also 0, which asks for the rank over the rationals. */
  readonly mod: number | bigint | string;
  /**
   * One format for the products with the matrix, instead of 'auto', the choice by its rows; `info` describes either.
   * Structural pivots, elimination and Schur complements have storages of their own, so that an answer they find makes
   * no use of it.
   */
  readonly storage?: Storage | undefined;
  /** The source of all randomness; the same seed gives the same answer on any number of threads. */
  readonly seed?: number | bigint | string | undefined;
  /** Whether to show the upper bound too, with a stated error; it takes about a second sequence. Default true. */
  readonly verify?: boolean | undefined;
  /**
   * Bytes that the run may take, the matrix and its residues included, beside what every run takes: code, Node's own 40
   * to 60 MB, and some MB a thread. A file is read no further than its entries fit (MemoryError); a method that would
   * take more by its estimate is refused before it begins (MethodError), but the fill of an elimination mod p beyond
   * 2^31 is not foreseen. A GPU's own memory does not count. By default entries may take a third of the machine's
   * memory while they are read.
   */
  readonly maxMemory?: number | undefined;
  /** The input's name in messages; by default the path. */
  readonly name?: string | undefined;
  /**
   * Whether the question may take the caller's arrays for good, where it would copy them: typed arrays and bytes are
   * detached, the arrays of a SparseMatrix are shared and must not be written to before the answer. Default false.
   */
  readonly transfer?: boolean | undefined;
  /** Whether an SMS file with entries may end without `0 0 0`; one that does is taken for cut off otherwise. */
  readonly unterminated?: boolean | undefined;
  readonly signal?: CancelSignal | undefined;
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined;
}

/** What det takes beside the others, and rank too. */
export interface DetOptions extends QuestionOptions {
  /**
   * The method; 'auto' takes the one that should be fastest. An operator shows no entries, so its method is wiedemann.
   */
  readonly method?: Method | undefined;
}

export interface RankOptions extends DetOptions {
  /** Columns n of a block, or [m, n] with m rows of U; chosen by cost when absent. */
  readonly block?: number | readonly [m: number, n: number] | undefined;
  /** 'shifted' reads the rank off the degrees; 'classical' interpolates the determinant of the generator. */
  readonly formula?: 'shifted' | 'classical' | undefined;
  /** The run may end as soon as the rank is proved to be no less. */
  readonly atLeast?: number | undefined;
  /**
   * How many devices of the kind 'gpu' share the sequence of block Wiedemann, each in a process of its own that runs
   * ahead of the search of its generator. Then device 'gpu' and method 'wiedemann' are meant, and Node is needed. The
   * same seed gives the same answer.
   */
  readonly gpus?: number | undefined;
  /** Whether to make a certificate of the rank, at the price of about another run: `certificate` of the outcome. */
  readonly certificate?: boolean | undefined;
  /** Whether to find as many independent rows and columns as the rank: `pivotRows` and `pivotCols` of the outcome. */
  readonly pivots?: boolean | undefined;
}

/** The same as plain data. */
export interface Settings {
  readonly mod: bigint;
  readonly device: Device;
  readonly threads: number | null;
  readonly storage: FormatName | null; // null: chosen
  readonly block: { readonly m: number | null; readonly n: number } | null;
  readonly seed: bigint;
  readonly verify: boolean;
  readonly formula: 'shifted' | 'classical';
  readonly method: Method;
  readonly atLeast: number | null;
  readonly maxMemory: number | null;
  readonly certificate: boolean;
  readonly gpus: number | null;
  readonly unterminated: boolean;
  readonly pivots: boolean;
}

/** The modulus that stands for none. */
export const OVER_Q = 0n;

const MAX_THREADS = 256;
const MAX_BLOCK = 512;
const MAX_GPUS = 64;
const METHODS: readonly Method[] = ['auto', 'elimination', 'hybrid', 'wiedemann'];
const ENGINE_OPTIONS: readonly string[] = ['device', 'threads'];
const QUESTION_OPTIONS: readonly string[] = [
  ...ENGINE_OPTIONS,
  ...['mod', 'storage', 'seed', 'verify', 'name', 'transfer', 'unterminated', 'maxMemory', 'signal', 'onProgress'],
];
const RANK_OPTIONS: readonly string[] = [
  ...QUESTION_OPTIONS,
  ...['block', 'formula', 'method', 'atLeast', 'certificate', 'gpus', 'pivots'],
];
const OPTIONS: Readonly<Record<Verb, readonly string[]>> = {
  rank: RANK_OPTIONS,
  minpoly: QUESTION_OPTIONS,
  det: [...QUESTION_OPTIONS, 'method'],
};

export function checkEngineOptions(options: EngineOptions): void {
  checkOptionNames('createEngine', options, ENGINE_OPTIONS);
  deviceOf(options.device);
  threadsOf(options.threads);
}

/** Throws OptionError for an option that there is not or a value that it cannot take, ModulusError for `mod`. */
export function settings(who: Verb, options: RankOptions, engine: EngineOptions = {}): Settings {
  checkOptionNames(who, options, OPTIONS[who]);
  checkWatchers(options);
  const mod = modulusOf(options.mod);
  const gpus = gpusOf(options.gpus);
  const device = deviceOf(options.device ?? engine.device);
  const method = methodOf(options);
  if (gpus !== null) checkWithGpus(device, method, options);
  return {
    mod,
    device: gpus === null ? device : 'gpu',
    threads: threadsOf(options.threads ?? engine.threads),
    storage: storageOf(options.storage, gpus),
    block: blockOf(options.block),
    seed: seedOf(options.seed),
    verify: flagOf('verify', options.verify, true),
    formula: formulaOf(options.formula),
    method: gpus === null ? method : 'wiedemann',
    atLeast: atLeastOf(options.atLeast),
    maxMemory: maxMemoryOf(options.maxMemory),
    certificate: flagOf('certificate', options.certificate, false),
    gpus,
    unterminated: flagOf('unterminated', options.unterminated, false),
    pivots: flagOf('pivots', options.pivots, false),
  };
}

/** The options that stay in the caller's thread. */
function checkWatchers({ name, signal, onProgress, transfer }: QuestionOptions): void {
  if (name !== undefined && typeof name !== 'string')
    throw new OptionError(`name: expected a string, got ${describe(name)}`);
  const { aborted, throwIfAborted, addEventListener, removeEventListener } = (signal ?? {}) as Partial<CancelSignal>;
  const isSignal =
    typeof aborted === 'boolean' &&
    [throwIfAborted, addEventListener, removeEventListener].every((f) => typeof f === 'function');
  if (signal !== undefined && !isSignal)
    throw new OptionError(`signal: expected an AbortSignal, got ${describe(signal)}`);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new OptionError(`onProgress: expected a function, got ${describe(onProgress)}`);
  flagOf('transfer', transfer, false);
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

function storageOf(storage: unknown = 'auto', gpus: number | null = null): FormatName | null {
  if (storage === 'auto') return null;
  if (!isFormatName(storage))
    throw new OptionError(`storage: expected one of auto, ${FORMAT_NAMES.join(', ')}, got ${describe(storage)}`);
  if (gpus !== null) throw new OptionError(`gpus ${gpus}: expected storage auto, got ${describe(storage)}`);
  return storage;
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

function seedOf(seed: QuestionOptions['seed']): bigint {
  if (seed === undefined) {
    // 48 bits make seeds that differ, and are short enough to type again. A seed is no secret: every run prints its
    // own.
    return BigInt(Math.floor(Math.random() * 2 ** 48));
  }
  const readable =
    typeof seed === 'bigint' || (typeof seed === 'string' ? /^\d+$/.test(seed) : Number.isSafeInteger(seed));
  const value = readable ? BigInt(seed) : -1n;
  if (value >= 0n && value < 1n << 64n) return value;
  throw new OptionError(`seed: expected an integer from 0 to 2^64 - 1, got ${describe(seed)}`);
}

function formulaOf(formula: unknown): 'shifted' | 'classical' {
  if (formula === undefined || formula === 'shifted') return 'shifted';
  if (formula === 'classical') return formula;
  throw new OptionError(`formula: expected shifted or classical, got ${describe(formula)}`);
}

function methodOf({ method = 'auto', formula, block, mod }: RankOptions): Method {
  if (!METHODS.includes(method))
    throw new OptionError(`method: expected ${METHODS.join(', ')}, got ${describe(method)}`);
  if (formula === 'classical' && (method === 'elimination' || method === 'hybrid')) {
    throw new OptionError(`formula classical: expected method wiedemann, got ${describe(method)}`);
  }
  if ((method === 'hybrid' || method === 'wiedemann') && BigInt(mod) >= 2n ** 31n) {
    throw new OptionError(`method ${method}: expected a prime below 2^31, got ${mod}`);
  }
  if (block !== undefined && method === 'elimination') throw new OptionError('method elimination: it has no blocks');
  return method;
}

function atLeastOf(atLeast: number | undefined): number | null {
  if (atLeast === undefined) return null;
  if (Number.isSafeInteger(atLeast) && atLeast >= 0) return atLeast;
  throw new OptionError(`atLeast: expected a rank, got ${describe(atLeast)}`);
}

function gpusOf(gpus: number | undefined): number | null {
  if (gpus === undefined) return null;
  if (Number.isInteger(gpus) && gpus >= 1 && gpus <= MAX_GPUS) return gpus;
  throw new OptionError(`gpus: expected an integer from 1 to ${MAX_GPUS}, got ${describe(gpus)}`);
}

/** Only the sequence of a matrix itself is shared. */
function checkWithGpus(device: Device, method: Method, { formula, gpus }: RankOptions): void {
  if (device === 'cpu' || device === 'reference')
    throw new OptionError(`gpus ${gpus}: expected device gpu, got ${describe(device)}`);
  if (method === 'elimination' || method === 'hybrid')
    throw new OptionError(`gpus ${gpus}: expected method wiedemann, got ${describe(method)}`);
  if (formula === 'classical')
    throw new OptionError(`gpus ${gpus}: expected formula shifted, got ${describe(formula)}`);
}

function maxMemoryOf(bytes: number | undefined): number | null {
  if (bytes === undefined) return null;
  if (Number.isFinite(bytes) && bytes > 0) return bytes;
  throw new OptionError(`maxMemory: expected a number of bytes, got ${describe(bytes)}`);
}
