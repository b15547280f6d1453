/**
 * How much address space a limit leaves (ulimit -v, Linux): where V8 finds none for a thread's heap it ends the
 * program, so that a thread is not started without.
 */
import { readFileSync } from 'node:fs';

const PAGE = 4096;

/** A thread's heap, code, stack and allocator reserve so many bytes at most, whatever it does. */
const THREAD = 720 * 2 ** 20;

/**
 * Under Node a memory of WebAssembly takes 10 GB of address space, whatever its size. Below this limit there is none
 * for a second memory.
 */
const TWO_MEMORIES = 24e9;

/** Bytes; Infinity without a limit, or where the system does not tell one. */
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
