/** What takes entries, and so no operator of the caller's own, refused at the door. */
import { OptionError } from '../errors.js';
import type { Settings } from '../questions/options.js';
import { needsEntries, type Verb } from '../questions/verbs.js';

export function checkOperator(verb: Verb, settings: Settings): void {
  const refuse = (what: string): never => {
    throw new OptionError(`${what}: expected a matrix, got an operator`);
  };
  if (settings.pivots) refuse('pivots');
  for (const name of ['storage', 'words', 'reorder'] as const) {
    if (settings[name] !== null) refuse(`${name} ${settings[name]}`);
  }
  if (needsEntries(verb)) refuse(verb);
}
