/** One question about each of many matrices, as its caller asked it, checked at the door. */
import { describe } from '../../kernels/errors/describe.js';
import type { SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import type { CancelSignal } from '../io/web-objects.js';
import { checkOptionNames } from '../option-names.js';
import { type Input, type PreparedInput, prepareInput } from './input.js';
import type { AnyOptions, DetOptions, Device, EngineOptions, RankOptions, Settings, SolveOptions } from './options.js';
import { OVER_Q } from './options.js';
import { isOfRanksAlone } from './packed-ranks.js';
import { prepareRightSides, type RightSides } from './right-sides.js';
import { optionNames, settings } from './settings.js';
import { isAskedOverQ, type ManyVerb, type Verb } from './verbs.js';

/** A matrix whose outcome is wanted after another; a stream of them is drawn no further than they are answered. */
export type Many<T> = Iterable<T> | AsyncIterable<T>;

/** A·X = B. */
export interface System {
  readonly a: Input;
  readonly b: RightSides;
}

/** About matrix `index`, from 0 on: its outcome, or its error; `mod` is null where there is no matrix to ask about. */
export type Answered<Outcome> =
  | { readonly index: number; readonly mod: bigint; readonly outcome: Outcome; readonly error: null }
  | { readonly index: number; readonly mod: bigint | null; readonly outcome: null; readonly error: Error };

/** One of them for each matrix and modulus, in order. */
export type AnswerStream<Outcome> = AsyncGenerator<Answered<Outcome>, void, undefined>;

type Modulus = RankOptions['mod'];

/** The options of a single question that make no sense for many, and those that mean something else. */
type Single = 'checkpoint' | 'mod' | 'device' | 'gpus' | 'maxGpuMemory' | 'name' | 'onProgress' | 'scratch' | 'tuning';
const SINGLE: readonly string[] = ['checkpoint', 'gpus', 'maxGpuMemory', 'name', 'onProgress', 'scratch', 'tuning'];

interface ForMany<D = Exclude<Device, 'gpu'>> {
  /** A prime, or several: each matrix is then read once and answered for each of them in order. */
  readonly mod: Modulus | readonly Modulus[];
  /** A GPU takes part in systems by 'block-lu' alone, and if it is asked for; 'auto' is the CPU. */
  readonly device?: D | undefined;
}

/** `threads` are those that take matrices, each a whole one; one a core by default. */
export type RanksOptions = Omit<RankOptions, Single> & ForMany;
export type DetsOptions = Omit<DetOptions, Single> & ForMany;
export type SolvesOptions = Omit<SolveOptions, Single> & ForMany<Device>;

export interface AskedMany {
  readonly verb: Verb;
  readonly source: Many<unknown>;
  readonly settings: readonly Settings[]; // a modulus each
  readonly threads: number | null; // that take matrices
  readonly isOnGpu: boolean;
  readonly isOfRanks: boolean; // small matrices can be packed (packed-ranks.ts)
  readonly signal: CancelSignal | undefined;
  /** Throws where what was given is no input. */
  readonly prepare: (given: unknown) => { readonly prepared: PreparedInput; readonly right: SparseMatrixParts | null };
}

/** Throws for an option that there is not, or a value that it cannot take. */
export function askMany(
  verb: ManyVerb,
  source: Many<unknown>,
  options: RanksOptions | DetsOptions | SolvesOptions,
  engine: EngineOptions,
): AskedMany {
  const who = `${verb}s`;
  checkOptionNames(
    who,
    options,
    optionNames(verb).filter((name) => !SINGLE.includes(name)),
  );
  checkSource(who, source);
  const { mod, transfer = false, signal } = options;
  const moduli: readonly Modulus[] = Array.isArray(mod) ? mod : [mod];
  if (moduli.length === 0) throw new OptionError('mod: expected a prime or several, got none');
  const { method } = options as SolvesOptions;
  const device = deviceOf(who, options.device ?? engine.device, verb === 'solve' && method === 'block-lu');
  let seed = options.seed;
  const all = moduli.map((modulus) => {
    const own = settings(verb, { ...options, mod: modulus, device, seed } as AnyOptions, engine);
    if (own.mod === OVER_Q && !isAskedOverQ(verb)) throw new OptionError(`${verb}: expected a prime modulus, got 0`);
    seed = own.seed; // one for all
    return own;
  });
  signal?.throwIfAborted();
  return {
    verb,
    source,
    settings: all.map((own) => ({ ...own, threads: 1 })),
    threads: device === 'gpu' ? 1 : all[0]!.threads,
    isOnGpu: device === 'gpu',
    isOfRanks: all.every((own) => isOfRanksAlone(verb, own)),
    signal,
    prepare: (given) => {
      if (verb !== 'solve') return { prepared: prepareInput(given as Input, { transfer }), right: null };
      const { a, b } = systemOf(given);
      return { right: prepareRightSides(b), prepared: prepareInput(a, { transfer }) };
    },
  };
}

/** Text and bytes are iterable too, and are one matrix. */
function checkSource(who: string, source: unknown): void {
  if (typeof source === 'object' && source !== null && !ArrayBuffer.isView(source)) {
    const { [Symbol.asyncIterator]: drawn, [Symbol.iterator]: listed } = source as Partial<
      AsyncIterable<unknown> & Iterable<unknown>
    >;
    if (typeof drawn === 'function' || typeof listed === 'function') return;
  }
  throw new OptionError(`${who}: expected an iterable of matrices, got ${describe(source)}`);
}

function deviceOf(who: string, device: Device | undefined, mayBeGpu: boolean): Device {
  if (device === 'gpu' && !mayBeGpu)
    throw new OptionError(`device: expected auto, cpu or reference for ${who}, got 'gpu'`);
  return device === undefined || device === 'auto' ? 'cpu' : device;
}

function systemOf(given: unknown): System {
  if (typeof given === 'object' && given !== null && 'a' in given && 'b' in given) return given as System;
  throw new OptionError(`solves: expected systems { a, b }, got ${describe(given)}`);
}
