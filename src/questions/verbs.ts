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

export type Verb = 'rank' | 'minpoly' | 'det' | 'solve' | 'nullspace' | 'factor';

/** Whether the question may be asked over Q, by modulus 0. */
export function isAskedOverQ(verb: Verb): boolean {
  return verb === 'rank' || verb === 'det' || verb === 'solve';
}

/** Whether the answer has vectors of the matrix's own lengths; an operator has no such answers. */
export function isAboutVectors(verb: Verb): boolean {
  return verb === 'solve' || verb === 'nullspace' || verb === 'factor';
}

export type AnyOutcome =
  | Outcome<number>
  | Outcome<Coefficients>
  | Outcome<bigint | null>
  | SolveOutcome<Residues | Fractions>
  | NullspaceOutcome
  | FactorOutcome;

/** One of them as it crosses threads. */
export type AnyOutcomeData = OutcomeData<number | Coefficients | Residues | Fractions | bigint | null>;
