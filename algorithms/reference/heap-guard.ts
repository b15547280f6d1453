/**
 * How many elements beyond a word an exact computation may hold. They live on V8's heap, whose end would be the
 * program's. The fill of an elimination and the degree of a polynomial show on the way alone, and are counted there.
 */
import { megabytes } from '../../kernels/errors/megabytes.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { heapObstacle } from '../../kernels/platform/host-memory.js';

/** Bytes of an Integer (fields/integer.ts) without its digits of 30 bits, and of one of these; measured on Node 20. */
const ELEMENT = 80;
const DIGIT = 10;

/** Of an element's place in a map and in the set of its column, half of whose places are empty at worst. */
export const IN_MAPS = 96;

/** Of its place in an array, and in the copy that is being made of one. */
export const IN_ARRAYS = 16;

/** V8's heap is full before its places are: of its limit, the youngest half-spaces and gaps hold nothing that stays. */
const UNUSABLE = 1 / 8;

/** Throws MemoryError where `held` elements have no room. */
export type HeapGuard = (held?: number) => void;

/** For elements mod p, each in `place` bytes of what holds it; `maxBytes`: what may be taken at all, if it is given. */
export function guardHeap(p: bigint, place: number, maxBytes: number | null): HeapGuard {
  const bits = p.toString(2).length;
  const each = place + ELEMENT + DIGIT * Math.ceil(bits / 30);
  return (held = 0) => {
    const bytes = held * each;
    const obstacle =
      maxBytes !== null && bytes > maxBytes
        ? `${megabytes(bytes)} MB, allowed are ${megabytes(maxBytes)}`
        : heapObstacle(bytes * (1 + UNUSABLE));
    if (obstacle !== null) throw new MemoryError(`${held} elements of ${bits} bits take about ${obstacle}`);
  };
}
