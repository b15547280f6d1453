/**
 * The memory that the entries of a file may take until they are one matrix; the reader stops as soon as they take more.
 *
 *   list 12 bytes an entry      matrix 12 more, of a mirror image as well
 *   values beyond 32 bits : WideEntries.bytes, on V8's heap
 */
import { megabytes } from '../../kernels/errors/megabytes.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { heapBytes, hostBytes } from '../../kernels/platform/host-memory.js';

/** Three words in the list, three in the matrix. */
export const LIST_ENTRY_BYTES = 12;

/** Shares of the machine's memory: residues and their orders take about twice as much as reading. */
const SHARE_OF_HOST = 1 / 3;
const SHARE_OF_HEAP = 1 / 2;

export class ReadLimit {
  readonly #bytes: number;
  readonly #heap: number;
  readonly #allowance: string;

  /** Of `maxMemory` bytes, or of a share of the machine's. */
  constructor(maxMemory?: number) {
    this.#bytes = maxMemory ?? SHARE_OF_HOST * hostBytes();
    this.#heap = SHARE_OF_HEAP * heapBytes();
    this.#allowance =
      maxMemory === undefined ? 'a third of the memory there is; --max-memory, maxMemory, allows more' : 'maxMemory';
  }

  /** Whether they are not too much. */
  allows(entries: number, wide: number): boolean {
    return entries + wide <= this.#bytes && wide <= this.#heap;
  }

  /** MemoryError where `entries` bytes and `wide` more on the heap are too much. */
  check(entries: number, wide: number, place: string): void {
    if (entries + wide > this.#bytes) throw tooLarge(place, this.#bytes, this.#allowance);
    if (wide > this.#heap) throw tooLarge(place, this.#heap, "half of V8's heap; --max-old-space-size of node sets it");
  }
}

function tooLarge(place: string, bytes: number, allowance: string): MemoryError {
  return new MemoryError(`${place}: expected entries of at most ${megabytes(bytes)} MB (${allowance}), got more`);
}
