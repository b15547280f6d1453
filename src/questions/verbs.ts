/** The three questions and their answers; apart from the messages, whose other types are not for callers. */
import type { Coefficients, Outcome, OutcomeData } from './outcome.js';

export type Verb = 'rank' | 'minpoly' | 'det';

export type AnyOutcome = Outcome<number> | Outcome<Coefficients> | Outcome<bigint | null>;

/** One of them as it crosses threads. */
export type AnyOutcomeData = OutcomeData<number | Coefficients | bigint | null>;
