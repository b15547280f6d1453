/** The seconds that a phase of a run takes, and the least time of repeated work. */
import type { Awaitable } from '../kernels/executor.js';

/** Adds what `work` takes to the seconds of its phase, whether it fails or not. */
export async function timePhase<P extends string, T>(
  seconds: Record<P, number>,
  phase: P,
  work: () => Awaitable<T>,
): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    seconds[phase] += (performance.now() - start) / 1000;
  }
}

/** Repetitions at least: the first one alone is too slow. */
const LEAST = 3;
const MOST = 20;

/**
 * Seconds: the least of as many repetitions as `budget` seconds pay for, since other programs, code that runs for the
 * first time and waiting threads only add to a time.
 */
export async function leastSeconds(budget: number, work: () => Awaitable<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  const begin = performance.now();
  for (let run = 0; run < MOST && (run < LEAST || performance.now() - begin < 1000 * budget); run++) {
    const start = performance.now();
    await work();
    least = Math.min(least, performance.now() - start);
  }
  return least / 1000;
}
