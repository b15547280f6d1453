/** The three questions and their answers; apart from the messages, whose other types are not for callers. */
import type { Coefficients, OneSided, Outcome, Probable, Proved, Report } from './outcome.js';

export type Verb = 'rank' | 'minpoly' | 'det';

export type Answer = Outcome<number> | Outcome<Coefficients> | Outcome<bigint | null>;

/** An answer as it crosses threads. */
export type Told<T = number | Coefficients | bigint | null> = Report & (Proved<T> | Probable<T> | OneSided<T>);
