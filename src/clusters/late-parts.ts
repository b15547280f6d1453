/**
 * Parts of a run that come much later than the others, by what each has said of itself, and what they would take
 * another machine.
 *
 *   left      seconds until a part should end: its blocks at its own rate, as it last said
 *   instead   the same blocks at the median rate of the parts that are done
 *
 * A part is late where left − SLOW·instead exceeds `patience`, which is what making it again may cost in waiting and
 * reading, too. One that is silent for longer than `patience` behind the time for a checkpoint is taken to be as many
 * times slower, and to stay so for as long again.
 * Source: Zaharia, Konwinski, Joseph, Katz, Stoica 2008: of tasks at work those are begun again that end last.
 */
import type { PartStanding } from '../../algorithms/block-wiedemann/part-standings.js';

/** How many times as long as others a part takes before it is begun again. */
export const SLOW = 2;

export interface Forecast {
  readonly left: number; // seconds
  readonly instead: number; // seconds
  readonly isLate: boolean;
}

/** What a part usually does. */
export interface Pace {
  readonly rate: number; // blocks a second
  readonly silence: number; // seconds from one checkpoint to the next, at most
}

/** Of the parts that are done; null where none has said its rate. */
export function usualPace(parts: readonly PartStanding[]): Pace | null {
  const done = parts.filter(({ done, total, rate }) => done === total && rate > 0);
  if (done.length === 0) return null;
  const silence = Math.max(...done.map(({ longest, rate }) => longest / rate));
  return { rate: medianOf(done.map(({ rate }) => rate)), silence };
}

/** `since` : ms, when its job began; `now` : ms; `patience` : seconds. */
export function forecastOf(
  { done, total, rate, at }: PartStanding,
  usual: Pace,
  { since, now, patience }: { readonly since: number; readonly now: number; readonly patience: number },
): Forecast {
  const said = at === null ? Number.NEGATIVE_INFINITY : Date.parse(at);
  // What it said before its job began may be the rate of another machine.
  const own = said >= since && rate > 0 ? rate : usual.rate;
  const silence = Math.max(0, now - Math.max(said, since)) / 1000;
  const quiet = patience + usual.silence;
  const slower = silence > quiet ? silence / quiet : 1;
  const left = Math.max(0, ((total - done) * slower) / own - Math.min(silence, quiet), silence - quiet);
  const instead = (total - done) / usual.rate;
  return { left, instead, isLate: left - SLOW * instead > patience };
}

/** Infinity of none. */
export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.POSITIVE_INFINITY;
}
