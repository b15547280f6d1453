/** The names of a function's options, checked at its door. */
import { describe } from '../kernels/errors/describe.js';
import { excerpt } from '../kernels/errors/excerpt.js';
import { OptionError } from './errors.js';

/** OptionError, in the name of `who`, where `options` is no object or has a name that is not among `names`. */
export function checkOptionNames(who: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null)
    throw new OptionError(`${who}: expected options, got ${describe(options)}`);
  for (const key of Object.keys(options)) {
    if (!names.includes(key))
      throw new OptionError(`${who}: no option named ${excerpt(key)}; there are ${names.join(', ')}`);
  }
}
