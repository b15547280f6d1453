/**
 * The one linear memory that all kernels and threads share, and its allocator.
 *
 * Layout: the first CONTROL_BYTES are the control block of the team (kernels/threads/team.ts); everything above is
 * handed out by a first-fit free list, in units of 64 bytes (a cache line), so that no two owners share a line.
 * Views must be made anew after an allocation: growing the memory leaves old views at the old length.
 */

import { checkWebAssembly, HostError } from '../errors/host-error.js';
import { MemoryError } from '../errors/memory-error.js';
import { CONTROL_WORDS } from './control-block.js';

export const CONTROL_BYTES = 4 * CONTROL_WORDS;
const PAGE = 65536;
const MAX_PAGES = 65536;
// The last of the 4 GiB stay out of use: a kernel may step a pointer past an array's end before it compares.
const MAX_BYTES = MAX_PAGES * PAGE - 2 ** 20;
/** Pages to ask for, in turn: some hosts take the address space of all of them at once, and lack it. */
const MAXIMA = [MAX_PAGES, MAX_PAGES / 4, MAX_PAGES / 16];
const LINE = 64;

function newMemory(most: number): [memory: WebAssembly.Memory, maxPages: number] {
  checkWebAssembly();
  for (const maximum of [most, ...MAXIMA.filter((pages) => pages < most)]) {
    try {
      return [new WebAssembly.Memory({ initial: 1, maximum, shared: true }), maximum];
    } catch {
      // Not so many.
    }
  }
  throw new HostError(
    'no address space for WebAssembly, of which Node takes 10 GB (ulimit -v); ' +
      'node --disable-wasm-trap-handler takes little, device reference none',
  );
}

interface Span {
  at: number;
  bytes: number;
}

export class KernelMemory {
  readonly memory: WebAssembly.Memory;
  private readonly free: Span[] = []; // ascending, never adjacent
  private readonly owned = new Map<number, number>(); // pointer → bytes
  private top = CONTROL_BYTES; // everything from here on was never handed out
  private highest = CONTROL_BYTES;
  private taken: number[] | null = null; // by the work of orNothing
  private readonly maxPages: number;
  private readonly buffers = new WeakSet<ArrayBufferLike>(); // one for each size that the memory has had

  /** `maxPages` at most, or fewer where the host has no more; HostError where it has hardly any. */
  constructor(maxPages = MAX_PAGES) {
    [this.memory, this.maxPages] = newMemory(maxPages);
    this.buffers.add(this.memory.buffer);
  }

  /** Whether the host has less address space than was asked for, and so none to spare for more threads. */
  get isSmall(): boolean {
    return this.maxPages < MAX_PAGES;
  }

  /** Bytes at most in use at one time so far. */
  get peakBytes(): number {
    return this.highest;
  }

  /** A pointer to `bytes` bytes, 64-byte aligned, contents undefined. */
  alloc(bytes: number): number {
    const size = Math.max(LINE, Math.ceil(bytes / LINE) * LINE);
    for (let i = 0; i < this.free.length; i++) {
      const span = this.free[i]!;
      if (span.bytes < size) continue;
      const at = span.at;
      if (span.bytes === size) this.free.splice(i, 1);
      else {
        span.at += size;
        span.bytes -= size;
      }
      return this.own(at, size);
    }
    const at = this.top;
    this.reserve(at + size);
    this.top = at + size;
    this.highest = Math.max(this.highest, this.top);
    return this.own(at, size);
  }

  /** As alloc, and zeroed, to the end of its last line. */
  allocZeroed(bytes: number): number {
    const used = this.highest;
    const at = this.alloc(bytes);
    const end = Math.min(at + this.bytesOf(at), used); // what nobody has had is zero
    // V8 fills shared memory element by element: the largest ones are the quickest.
    if (at < end) new BigUint64Array(this.memory.buffer, at, (end - at) / 8).fill(0n);
    return at;
  }

  /**
   * The allocations of `work`, all or none: where there is no room for one, the others are released and the error goes
   * on.
   */
  orNothing<T>(work: () => T): T {
    const outer = this.taken;
    const taken: number[] = [];
    this.taken = taken;
    try {
      const made = work();
      outer?.push(...taken);
      return made;
    } catch (error) {
      for (const at of new Set(taken)) if (this.owned.has(at)) this.release(at);
      throw error;
    } finally {
      this.taken = outer;
    }
  }

  /** Gives back what alloc returned. */
  release(at: number): void {
    const bytes = this.owned.get(at);
    if (bytes === undefined) throw new MemoryError(`release: ${at} was not allocated`);
    this.owned.delete(at);
    let i = this.free.findIndex((span) => span.at > at);
    if (i < 0) i = this.free.length;
    this.free.splice(i, 0, { at, bytes });
    this.join(i);
    if (i > 0) this.join(i - 1);
    const last = this.free.at(-1);
    if (last && last.at + last.bytes === this.top) {
      this.top = last.at;
      this.free.pop();
    }
  }

  /** Where a view of this memory stands, of whatever age; null for other arrays. */
  placeOf(words: Uint32Array): number | null {
    return this.buffers.has(words.buffer) ? words.byteOffset : null;
  }

  u8(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length);
  }
  u16(at: number, length: number): Uint16Array {
    return new Uint16Array(this.memory.buffer, at, length);
  }
  u32(at: number, length: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, at, length);
  }
  i32(at: number, length: number): Int32Array {
    return new Int32Array(this.memory.buffer, at, length);
  }
  f32(at: number, length: number): Float32Array {
    return new Float32Array(this.memory.buffer, at, length);
  }
  f64(at: number, length: number): Float64Array {
    return new Float64Array(this.memory.buffer, at, length);
  }

  private bytesOf(at: number): number {
    return this.owned.get(at) ?? 0;
  }

  private own(at: number, bytes: number): number {
    this.owned.set(at, bytes);
    this.taken?.push(at);
    return at;
  }

  /** Joins span i with the one after it if they touch. */
  private join(i: number): void {
    const a = this.free[i];
    const b = this.free[i + 1];
    if (!a || !b || a.at + a.bytes !== b.at) return;
    a.bytes += b.bytes;
    this.free.splice(i + 1, 1);
  }

  private reserve(bytes: number): void {
    const have = this.memory.buffer.byteLength;
    if (bytes <= have) return;
    const most = Math.min(MAX_BYTES, this.maxPages * PAGE);
    if (bytes > most) {
      const owner = this.isSmall ? 'the host addresses' : 'WebAssembly addresses';
      throw new MemoryError(`kernel memory: ${bytes} bytes needed, ${owner} ${most}`);
    }
    // Grow by at least a sixteenth, so that many small allocations do not mean many system calls.
    const wanted = Math.min(this.maxPages, Math.ceil(Math.max(bytes, have + have / 16) / PAGE));
    try {
      this.memory.grow(wanted - have / PAGE);
      this.buffers.add(this.memory.buffer);
    } catch {
      throw new MemoryError(`kernel memory: the host refused to grow from ${have} to ${wanted * PAGE} bytes`);
    }
  }
}
