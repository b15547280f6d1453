/** The questions and their answers; apart from the messages, whose other types are not for callers. */
import type { Coefficients, NullspaceOutcome, Outcome, OutcomeData, Residues, SolveOutcome } from './outcome.js';

export type Verb = 'rank' | 'minpoly' | 'det' | 'solve' | 'nullspace';

export type AnyOutcome =
  | Outcome<number>
  | Outcome<Coefficients>
  | Outcome<bigint | null>
  | SolveOutcome
  | NullspaceOutcome;

/** One of them as it crosses threads. */
export type AnyOutcomeData = OutcomeData<number | Coefficients | Residues | bigint | null>;
