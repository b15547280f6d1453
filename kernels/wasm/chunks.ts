/**
 * Work taken in chunks: an atomic counter in the team's control block hands out numbers 0, 1, 2, … to whichever thread
 * asks. The team sets it to 0 before every command. Which thread takes a chunk never changes a result.
 */
import { CHUNK } from './team';

// @ts-ignore: decorator
@inline
export function nextChunk(): u32 {
  return atomic.add<u32>(CHUNK, 1);
}

/**
 * The next of the tasks 0 … tasks − 1 in runs of equal length, about 16 a thread, so that a thread that is held up leaves
 * its share to the others: run number r is tasks runFirst(r, …) … runFirst(r + 1, …) − 1; there are runCount(…) of them.
 */
// @ts-ignore: decorator
@inline
export function runCount(tasks: u32, threads: i32): u32 {
  return threads == 1 ? 1 : min<u32>(tasks, 16 * threads);
}

// @ts-ignore: decorator
@inline
export function runFirst(run: u32, runs: u32, tasks: u32): u32 {
  return u32((u64(tasks) * run) / runs);
}
