/**
 * Block vectors and small blocks of the gpu executor: buffers on the device.
 *
 *   pairs : two residues a u32, for p < 2^16 and vectors of even width        words : one residue a u32
 *
 * A vector is made in one of the two forms, and its views keep it: rows of a view of odd width in a vector of pairs do
 * not begin at words, so kernels get a copy in words instead (gpu.ts).
 */

import { ShapeError } from '../checks.js';
import type { BlockVector, SmallBlocks } from '../executor.js';
import type { GpuBuffer } from '../gpu/device.js';

export type Form = 'pairs' | 'words';

interface Home {
  buffer: GpuBuffer | null; // null once released
  readonly form: Form;
}

export class GpuVector implements BlockVector {
  readonly length: number;
  readonly width: number;
  private readonly home: Home; // shared with its views

  constructor(length: number, width: number, home: Home) {
    this.length = length;
    this.width = width;
    this.home = home;
  }

  get form(): Form {
    return this.home.form;
  }

  get buffer(): GpuBuffer {
    if (this.home.buffer === null) throw new ShapeError('expected a vector, got one that was released');
    return this.home.buffer;
  }

  get size(): number {
    return this.length * this.width;
  }

  /** Whether its rows begin at words. */
  get aligned(): boolean {
    return this.form === 'words' || this.width % 2 === 0;
  }

  get bytes(): number {
    return this.form === 'pairs' ? this.size * 2 : this.size * 4;
  }

  view(length: number, width: number): GpuVector {
    return new GpuVector(length, width, this.home);
  }

  /** Every later use of the vector, or of a view of it, is an error. */
  retire(): GpuBuffer {
    const { buffer } = this;
    this.home.buffer = null;
    return buffer;
  }
}

/** v as a vector of this executor. */
export function gpuVector(v: BlockVector): GpuVector {
  if (!(v instanceof GpuVector)) throw new ShapeError('expected a vector of the gpu executor');
  return v;
}

export class GpuBlocks implements SmallBlocks {
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
  readonly buffer: GpuBuffer; // u32 residues
  /** Blocks whose parts are not added up yet (gpu-block-ops.ts). */
  unsummed: UnsummedBlocks | null = null;

  constructor(count: number, rows: number, cols: number, buffer: GpuBuffer) {
    this.count = count;
    this.rows = rows;
    this.cols = cols;
    this.buffer = buffer;
  }
}

/** Consecutive blocks, made alike, whose parts wait to be added up. */
export interface UnsummedBlocks {
  readonly key: string; // how they were made
  readonly first: number; // block
  count: number;
  readonly capacity: number; // blocks that `parts` holds
  readonly parts: GpuBuffer;
  readonly sum: (first: number, count: number) => void;
}

/** How rows of a width are cut into lanes: one invocation's share, the widest load that divides them. */
export interface WordLayout {
  readonly form: Form;
  readonly words: 1 | 2 | 4; // of a lane
  readonly count: number; // of a row
}

export function layoutOf(form: Form, width: number): WordLayout {
  const words = form === 'pairs' ? width / 2 : width;
  const share = words % 4 === 0 ? 4 : words % 2 === 0 ? 2 : 1;
  return { form, words: share, count: words / share };
}
