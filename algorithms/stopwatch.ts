/**
 * The least time of repeated work: others on the machine, code that is met for the first time and threads that wait for
 * each other only ever add to it.
 */
import type { Awaitable } from '../kernels/executor.js';

/** Repetitions at least, whatever they take: the first tells nothing alone. */
const LEAST = 3;
const MOST = 20;

/** Seconds, the least of as many repetitions as `budget` seconds pay for. */
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
