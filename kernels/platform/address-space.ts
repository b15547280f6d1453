/**
 * How much address space a limit leaves (ulimit -v, Linux): where V8 finds none for a thread's heap it ends the
 * program, so that a thread is not started without.
 */
import { readFileSync } from 'node:fs';

const PAGE = 4096;

/** A thread's heap, code, stack and allocator reserve 600 to 720 MB, whatever it does. */
const THREAD = 720 * 2 ** 20;

/**
 * A memory of WebAssembly takes 10 GB of it under Node, of whatever size it is; below this there is none for a second
 * one.
 */
const TWO_MEMORIES = 24e9;

/** Bytes; Infinity without a limit, or where nothing can be said of it. */
export function addressSpaceLeft(): number {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY;
  try {
    const limit = /^Max address space +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit === undefined) return Number.POSITIVE_INFINITY;
    const taken = PAGE * Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]);
    return Math.max(0, Number(limit) - taken);
  } catch {
    return Number.POSITIVE_INFINITY; // no /proc
  }
}

/** How many threads can be started. */
export function roomForThreads(): number {
  return Math.floor(addressSpaceLeft() / THREAD);
}

/** Whether a second memory of WebAssembly might leave none for the first. */
export function isAddressSpaceScarce(): boolean {
  return addressSpaceLeft() < TWO_MEMORIES;
}
