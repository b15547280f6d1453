/** From which size of X a product prefetches the rows that it will read (prefetch.as.ts). */
import type { CpuContext } from '../blocks/cpu-context.js';

/** Bytes of about the second cache (test/bench/RESULTS.md#prefetch). */
export const SECOND_CACHE = 2 ** 20;

/**
 * The same where several threads have written X: rows that another one wrote are in its core's cache
 * (test/bench/RESULTS.md#prefetch).
 */
const SHARED = 2 ** 16;

/**
 * Entries of a row from which residues of 16 bits gain nothing by that: reads of one row are under way together
 * (test/bench/RESULTS.md#prefetch).
 */
const FULL_ROW = 8;

/** Bytes of X, for rows with entries from one of `offsets` to the next; without them, for short ones. */
export function prefetchBeyond({ residues, team }: CpuContext, offsets: Uint32Array = new Uint32Array(1)): number {
  const rows = offsets.length - 1;
  const isFull = residues.bytes === 2 && rows > 0 && offsets[rows] >= FULL_ROW * rows;
  return team.threads > 1 && !isFull ? SHARED : SECOND_CACHE;
}
