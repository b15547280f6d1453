/**
 * Arrays in the memory of kernels, for data that several of them share. Views stay good when the memory grows, since it
 * is shared. They are released together.
 */
import type { KernelMemory } from './memory.js';

type View = Uint32Array | Int32Array | Uint8Array;

/** The memory of every array that was made here. */
const memoryOf = new WeakMap<View, KernelMemory>();

export class KernelArrays {
  readonly memory: KernelMemory;
  readonly #places: number[] = [];

  constructor(memory: KernelMemory) {
    this.memory = memory;
  }

  /** Contents undefined, as of the others. */
  u32(length: number): Uint32Array {
    return this.#own(this.memory.u32(this.#alloc(4 * length), length));
  }

  i32(length: number): Int32Array {
    return this.#own(this.memory.i32(this.#alloc(4 * length), length));
  }

  u8(length: number): Uint8Array {
    return this.#own(this.memory.u8(this.#alloc(length), length));
  }

  /** `words` themselves where they are in this memory, else a copy. */
  place(words: Uint32Array): Uint32Array {
    if (memoryOf.get(words) === this.memory) return words;
    const copy = this.u32(words.length);
    copy.set(words);
    return copy;
  }

  /** Releases what `others` would have. */
  takeOver(others: KernelArrays): void {
    this.#places.push(...others.#places.splice(0));
  }

  release(): void {
    for (const at of this.#places.splice(0)) this.memory.release(at);
  }

  #alloc(bytes: number): number {
    const at = this.memory.alloc(bytes);
    this.#places.push(at);
    return at;
  }

  #own<T extends View>(view: T): T {
    memoryOf.set(view, this.memory);
    return view;
  }
}

/** Where kernels find an array of their memory. */
export function addressOf(array: View): number {
  return array.byteOffset;
}
