/** What is proved of an answer, in words, for people. */
import type { Outcome } from './outcome.js';

export function claimOf(outcome: Outcome<unknown>): string {
  if (outcome.kind === 'proved') return 'proved';
  if (outcome.kind === 'probable') return `verified, error below 2^${Math.ceil(outcome.errorLog2)}`;
  const claim = outcome.lowerBound === outcome.value ? 'a proved lower bound' : 'not proved';
  return `${claim} (${outcome.reason})`;
}
