/**
 * Work taken in chunks: an atomic counter in shared memory hands out numbers 0 … count − 1 to whichever thread asks.
 *
 * The caller sets the counter to 0 before the command. Which thread takes a chunk never changes a result.
 */

// @ts-ignore: decorator
@inline
export function nextChunk(counter: usize): u32 {
  return atomic.add<u32>(counter, 1);
}
