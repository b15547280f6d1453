/** A question as its caller asked it, checked at the door. */
import type { SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import { type Input, type PreparedInput, prepareInput } from './input.js';
import { type AnyOptions, type EngineOptions, OVER_Q, type Settings } from './options.js';
import { prepareRightSides, type RightSides } from './right-sides.js';
import { settings } from './settings.js';
import { storeOf, type TuningStore } from './tuning-store.js';
import { isAboutVectors, isAskedOverQ, type Verb } from './verbs.js';

export interface Asked {
  readonly verb: Verb;
  readonly prepared: PreparedInput;
  readonly right: SparseMatrixParts | null; // of solve
  readonly settings: Settings;
  readonly options: Pick<AnyOptions, 'signal' | 'onProgress' | 'onVectors' | 'checkpoint'>;
  readonly store: TuningStore | null; // of choices of tune
}

/** The same of a question about factors that an engine keeps under `number`. */
export function askFactors(
  verb: 'solve' | 'nullspace',
  number: number,
  options: AnyOptions,
  system: { readonly b: RightSides; readonly transposed: boolean } | null = null,
): Asked {
  const asked = { ...settings(verb, options), transposed: system?.transposed === true };
  const { signal, onProgress, onVectors } = options;
  signal?.throwIfAborted();
  const right = system === null ? null : prepareRightSides(system.b);
  const prepared: PreparedInput = { message: { kind: 'factors', number } };
  return { verb, prepared, right, settings: asked, options: { signal, onProgress, onVectors }, store: null };
}

/** Throws where a question is wrong, or its signal is aborted already. `b`: the right sides of solve. */
export function ask(verb: Verb, input: Input, options: AnyOptions, engine: EngineOptions = {}, b?: RightSides): Asked {
  const asked = settings(verb, options, engine);
  if (asked.mod === OVER_Q && !isAskedOverQ(verb)) throw new OptionError(`${verb}: expected a prime modulus, got 0`);
  const { name, transfer, signal, onProgress, onVectors, checkpoint } = options;
  signal?.throwIfAborted();
  const right = verb === 'solve' ? prepareRightSides(b as RightSides) : null;
  const prepared = prepareInput(input, { name, transfer: transfer === true });
  const store = usesStore(verb) ? storeOf(options.tuning, verb === 'tune') : null;
  const own = { ...asked, tuning: store !== null };
  return { verb, prepared, right, settings: own, options: { signal, onProgress, onVectors, checkpoint }, store };
}

function usesStore(verb: Verb): boolean {
  return verb === 'tune' || !isAboutVectors(verb);
}
