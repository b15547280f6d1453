/**
 * Successive halving: the candidate that takes the least time, found by few measurements of most.
 *
 *   round 1: each candidate once      round k: the better half of round k − 1, twice as often
 *
 * Within a round candidates take turns, so that noise falls on all of them; a candidate counts by the least of its
 * times in the last round that it was in. A candidate that others must beat stays in all rounds, and the last one is it
 * and the best of the others, in LAST turns at least. The end of the budget ends the search between two measurements.
 * Source: Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits", 2013.
 */
import type { Awaitable } from '../../kernels/executor.js';

/** Turns of the last round. */
const LAST = 4;

/** Measurements of those who are in the last round. */
export const ENOUGH = 2 * LAST - 1;

export interface Timed<C> {
  readonly candidate: C;
  readonly seconds: number; // Infinity where the budget has ended before
  readonly repeats: number;
}

export interface HalvingOptions<C> {
  /** Seconds of one measurement. */
  readonly measure: (candidate: C) => Awaitable<number>;
  /** Whether a candidate stays whatever it takes; default none. */
  readonly stays?: (candidate: C) => boolean;
  readonly now: () => number; // seconds
  readonly end: number; // by that clock
}

/** All candidates: those of later rounds first, in each round the fastest first. */
export async function halve<C>(
  candidates: readonly C[],
  { measure, stays = () => false, now, end }: HalvingOptions<C>,
): Promise<Timed<C>[]> {
  const dropped: Timed<C>[] = [];
  let left: Timed<C>[] = candidates.map((candidate) => ({ candidate, seconds: Number.POSITIVE_INFINITY, repeats: 0 }));
  for (let repeats = 1; ; repeats *= 2) {
    for (let turn = 0; turn < repeats; turn++) {
      for (const [i, { candidate, seconds, repeats: before }] of left.entries()) {
        if (now() >= end) break;
        const least = turn === 0 ? Number.POSITIVE_INFINITY : seconds;
        left[i] = { candidate, seconds: Math.min(least, await measure(candidate)), repeats: before + 1 };
      }
    }
    left.sort((a, b) => a.seconds - b.seconds || 0);
    const others = left.filter(({ candidate }) => !stays(candidate));
    if ((others.length <= 1 && repeats >= LAST) || now() >= end) return [...left, ...dropped];
    const worse = new Set(others.slice(Math.ceil(others.length / 2)));
    dropped.unshift(...left.filter((each) => worse.has(each)));
    left = left.filter((each) => !worse.has(each));
  }
}
