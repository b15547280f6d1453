/**
 * How much memory there is for a run: the machine's, or its container's where that is less, and V8's heap in it.
 * Browsers do not tell: there it is Infinity, and an allocation that is too large fails.
 */
import { megabytes } from '../errors/megabytes.js';
import { nodeModule } from './node-module.js';

/** Bytes that all processes share. What is free at a moment says less: an answer must not depend on it. */
export function hostBytes(): number {
  const os = nodeModule('node:os');
  if (os === undefined) return Number.POSITIVE_INFINITY;
  // 0 or a number near 2^64 where there is no container.
  return Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Bytes at which V8 gives up: where integers beyond 32 bits live, and everything but arrays of numbers. */
export function heapBytes(): number {
  return nodeModule('node:v8')?.getHeapStatistics().heap_size_limit ?? Number.POSITIVE_INFINITY;
}

/** Bytes of V8's limit for what lasts for a moment, and for the program itself. */
const OTHERS = 2 ** 26;

/** Why so many bytes of integers have no room on V8's heap, in words; null where they have. */
export function heapObstacle(bytes: number): string | null {
  const most = Math.max(0, heapBytes() - OTHERS);
  if (bytes <= most) return null;
  return `${megabytes(bytes)} MB of V8's heap, which has ${megabytes(most)}; --max-old-space-size of node sets it`;
}
