/** The three questions and their answers; apart from the messages, whose other types are not for callers. */
import type { Coefficients, Outcome } from '../outcome.js';

export type Verb = 'rank' | 'minpoly' | 'det';

export type Answer = Outcome<number> | Outcome<Coefficients> | Outcome<bigint | null>;
