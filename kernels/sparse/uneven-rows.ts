/**
 * Whether a product gains by rows sorted by length (formats/csr-sorted.ts): by how often they change it, and by how far
 * apart the rows of X are that it reads (test/bench/RESULTS.md#rows-sorted-unasked).
 *
 *   changes   rows that are not as long as the one before          reach   bytes of X that reads are spread over
 *
 * Each change is a branch that the processor predicts wrongly; where X is beyond a core's caches, reading it takes
 * longer than that, and rows in their order are prefetched more evenly.
 */
/** Entries a change, at most, up to a reach: that of a core's caches, and twice that. */
const NEAR = { reach: 2 ** 20, entries: 128 };
const FAR = { reach: 2 ** 21, entries: 16 };

/** What is known of the reads of X. */
interface Read {
  readonly cols: number;
  readonly p: number;
  readonly isScattered: boolean;
}

/** Of rows whose offsets are `rowPtr`, and vectors of `width` columns. */
export function areUneven(rowPtr: Uint32Array, read: Read, width: number): boolean {
  const reach = width * reachOf(read);
  const most = [NEAR, FAR].find((bound) => reach <= bound.reach);
  return most !== undefined && most.entries * countChanges(rowPtr) > rowPtr[rowPtr.length - 1];
}

/** The largest width of vectors that are near, with which uneven rows always gain; Infinity for reads of neighbours. */
export function nearWidth(read: Read): number {
  return Math.floor(NEAR.reach / reachOf(read));
}

/** Of one column. */
function reachOf({ cols, p, isScattered }: Read): number {
  return isScattered ? cols * (p < 2 ** 16 ? 2 : 4) : 0;
}

/** A loop of its own: residue-matrix.ts. */
function countChanges(rowPtr: Uint32Array): number {
  let changes = 0;
  for (let i = 2; i < rowPtr.length; i++) {
    if (rowPtr[i] - rowPtr[i - 1] !== rowPtr[i - 1] - rowPtr[i - 2]) changes++;
  }
  return changes;
}
