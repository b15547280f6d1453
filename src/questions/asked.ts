/** A question as its caller asked it, checked at the door. */
import { OptionError } from '../errors.js';
import { type Input, type PreparedInput, prepareInput } from './input.js';
import {
  type EngineOptions,
  OVER_Q,
  type QuestionOptions,
  type RankOptions,
  type Settings,
  settings,
} from './options.js';
import type { Verb } from './verbs.js';

export interface Asked {
  readonly verb: Verb;
  readonly prepared: PreparedInput;
  readonly settings: Settings;
  readonly options: Pick<QuestionOptions, 'signal' | 'onProgress'>;
}

/** Throws where a question is wrong, or its signal is aborted already. */
export function ask(verb: Verb, input: Input, options: RankOptions, engine: EngineOptions = {}): Asked {
  const asked = settings(verb, options, engine);
  if (asked.mod === OVER_Q && verb !== 'rank') throw new OptionError(`${verb}: expected a prime modulus, got 0`);
  const { name, transfer, signal, onProgress } = options;
  signal?.throwIfAborted();
  const prepared = prepareInput(input, { name, transfer: transfer === true });
  return { verb, prepared, settings: asked, options: { signal, onProgress } };
}
