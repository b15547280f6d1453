/**
 * Work taken in chunks, numbers 0 … count − 1, each handed out once by counters in the team's control block, which the
 * team sets to 0 before every command. Which thread takes a chunk never changes a result.
 *
 *   nextChunk   in order, to whichever thread asks
 *   takeChunk   to every thread its own part of them in order, then what is left of the others' parts
 *
 * Equal counts give equal parts: a core finds in its cache what it read or wrote for the last command, and threads
 * share a counter only after one of them has finished its part.
 */
import { CHUNK, LOG_LINE, TAKEN } from './control-layout';

// @ts-ignore: decorator
@inline
export function nextChunk(): u32 {
  return atomic.add<u32>(CHUNK, 1);
}

/** −1 when no chunk is left. */
export function takeChunk(thread: i32, threads: i32, count: u32): i32 {
  for (let k = 0; k < threads; k++) {
    const owner = thread + k < threads ? thread + k : thread + k - threads;
    const counter = TAKEN + (<usize>owner << LOG_LINE);
    const first = runFirst(owner, threads, count);
    const end = runFirst(owner + 1, threads, count);
    if (first + atomic.load<u32>(counter) >= end) continue;
    const chunk = first + atomic.add<u32>(counter, 1);
    if (chunk < end) return chunk;
  }
  return -1;
}

/**
 * Tasks 0 … tasks − 1 in runs of equal length, about 16 a thread, so that a thread that is held up leaves its share to
 * the others: run number r is tasks runFirst(r, …) … runFirst(r + 1, …) − 1; there are runCount(…) of them.
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
