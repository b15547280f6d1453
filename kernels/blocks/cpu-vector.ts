/** Block vectors, small blocks and scratch of the cpu executor: places in the memory that all its threads share. */

import { ShapeError } from '../checks.js';
import type { BlockVector, SmallBlocks } from '../executor.js';
import type { KernelMemory } from '../threads/memory.js';

/** Bytes of memory behind the last residue: kernels read whole vectors, up to 8 residues of 4 bytes. */
const OVERREAD = 64;

/** The allocations of one executor, which `releaseAll` frees at the latest. */
export class Arena {
  /** How often a place was released. */
  releases = 0;
  readonly memory: KernelMemory;
  private isClosed = false; // by releaseAll
  private readonly held = new Set<number>();

  constructor(memory: KernelMemory) {
    this.memory = memory;
  }

  /** Throws after `releaseAll`: other executors may own the places by then. */
  checkOpen(): void {
    if (this.isClosed) throw new ShapeError('expected an executor, got one that was disposed of');
  }

  alloc(bytes: number): number {
    this.checkOpen();
    const at = this.memory.alloc(bytes + OVERREAD);
    this.held.add(at);
    return at;
  }

  allocZeroed(bytes: number): number {
    this.checkOpen();
    const at = this.memory.allocZeroed(bytes + OVERREAD);
    this.held.add(at);
    return at;
  }

  /** A copy of `words`. */
  upload(words: Uint32Array): number {
    const at = this.alloc(words.byteLength);
    this.memory.u32(at, words.length).set(words);
    return at;
  }

  uploadBytes(bytes: Uint8Array): number {
    const at = this.alloc(bytes.length);
    this.memory.u8(at, bytes.length).set(bytes);
    return at;
  }

  release(at: number): void {
    if (!this.held.delete(at)) return;
    this.releases++;
    this.memory.release(at);
  }

  releaseAll(): void {
    for (const at of this.held) this.memory.release(at);
    this.held.clear();
    this.releases++;
    this.isClosed = true;
  }
}

export class CpuVector implements BlockVector {
  readonly length: number;
  readonly width: number;
  private readonly home: { at: number }; // shared with its views and slices; at < 0 once released
  private readonly offset: number; // bytes

  constructor(length: number, width: number, home: { at: number }, offset = 0) {
    this.length = length;
    this.width = width;
    this.home = home;
    this.offset = offset;
  }

  get at(): number {
    if (this.home.at < 0) throw new ShapeError('expected a vector, got one that was released');
    return this.home.at + this.offset;
  }

  /** The residues from so many bytes on with another shape. */
  view(length: number, width: number, offset = 0): CpuVector {
    return new CpuVector(length, width, this.home, this.offset + offset);
  }

  /** Every later use of the vector, or of a view of it, is an error. */
  retire(): number {
    const { at } = this;
    if (this.offset > 0) throw new ShapeError('expected a vector to release, got a slice of one');
    this.home.at = -1;
    return at;
  }
}

/** v as a vector of this executor. */
export function cpuVector(v: BlockVector): CpuVector {
  if (!(v instanceof CpuVector)) throw new ShapeError('expected a vector of the cpu executor');
  return v;
}

export class CpuBlocks implements SmallBlocks {
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
  private at: number; // u32 residues; at < 0 once released

  constructor(count: number, rows: number, cols: number, at: number) {
    this.count = count;
    this.rows = rows;
    this.cols = cols;
    this.at = at;
  }

  blockAt(index: number): number {
    if (this.at < 0) throw new ShapeError('expected blocks, got ones that were released');
    return this.at + 4 * index * this.rows * this.cols;
  }

  /** Every later use of the blocks is an error. */
  retire(): number {
    const at = this.blockAt(0);
    this.at = -1;
    return at;
  }
}

/** A place that grows to the largest size asked for and is used again and again. */
export class Scratch {
  private readonly arena: Arena;
  private at = -1;
  private bytes = -1;

  constructor(arena: Arena) {
    this.arena = arena;
  }

  ensure(bytes: number): number {
    if (bytes > this.bytes) {
      if (this.at >= 0) this.arena.release(this.at);
      [this.at, this.bytes] = [-1, -1]; // until there is room
      this.at = this.arena.alloc(bytes);
      this.bytes = bytes;
    }
    return this.at;
  }
}
