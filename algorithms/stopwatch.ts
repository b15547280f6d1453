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

/** Repetitions at least, whatever they take: the first tells nothing alone. */
const LEAST = 3;
const MOST = 20;

/**
 * Seconds, the least of as many repetitions as `budget` seconds pay for: others on the machine, code that is met for
 * the first time and threads that wait for each other only ever add to it.
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
