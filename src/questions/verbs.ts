/** The questions and their answers; apart from the messages, whose other types are not for callers. */
import type {
  Coefficients,
  FactorOutcome,
  Fractions,
  NullspaceOutcome,
  Outcome,
  OutcomeData,
  Residues,
  SolveOutcome,
} from './outcome.js';
import type { PlanData } from './plan.js';
import type { StageData } from './stage.js';
import type { Tuned, TunedData } from './tuned.js';

export type Verb = 'rank' | 'minpoly' | 'det' | 'solve' | 'nullspace' | 'factor' | 'tune' | 'stage' | 'plan';

/** Those that are asked about many matrices, too. */
export type ManyVerb = Extract<Verb, 'rank' | 'det' | 'solve'>;

/** Whether the question may be asked over Q, by modulus 0. */
export function isAskedOverQ(verb: Verb): boolean {
  return verb === 'rank' || verb === 'det' || verb === 'solve';
}

/** Whether the answer is found from entries: an operator has no such answers. */
export function needsEntries(verb: Verb): boolean {
  return isAboutVectors(verb) || verb === 'tune' || verb === 'stage' || verb === 'plan';
}

/** Whether the answer has vectors of the matrix's own lengths. */
export function isAboutVectors(verb: Verb): boolean {
  return verb === 'solve' || verb === 'nullspace' || verb === 'factor';
}

export type AnyOutcome =
  | Outcome<number>
  | Outcome<Coefficients>
  | Outcome<bigint | null>
  | SolveOutcome<Residues | Fractions>
  | NullspaceOutcome
  | FactorOutcome
  | Tuned
  | StageData
  | PlanData;

/** One of them as it crosses threads. */
export type AnyOutcomeData =
  | OutcomeData<number | Coefficients | Residues | Fractions | bigint | null>
  | TunedData
  | StageData
  | PlanData;
