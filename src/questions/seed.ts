/** The option `seed` of a question. */
import { describe } from '../../kernels/errors/describe.js';
import { OptionError } from '../errors.js';
import type { QuestionOptions } from './options.js';

export function seedOf(seed: QuestionOptions['seed']): bigint {
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
