/** Block vectors and small blocks of the reference executor: arrays on the host. */
import * as shapes from '../checks.js';
import type { BlockVector, SmallBlocks } from '../executor.js';

export class ReferenceVector implements BlockVector {
  readonly length: number;
  readonly width: number;
  readonly data: Uint32Array;

  constructor(length: number, width: number, data: Uint32Array) {
    this.length = length;
    this.width = width;
    this.data = data;
  }
}

export class ReferenceBlocks implements SmallBlocks {
  readonly count: number;
  readonly rows: number;
  readonly cols: number;
  readonly data: Uint32Array;

  constructor(count: number, rows: number, cols: number) {
    this.count = count;
    this.rows = rows;
    this.cols = cols;
    this.data = new Uint32Array(count * rows * cols);
  }

  at(index: number): Uint32Array {
    const size = this.rows * this.cols;
    return this.data.subarray(index * size, (index + 1) * size);
  }
}

/** The residues of a vector, row-major; throws ShapeError for one of another executor. */
export function data(v: BlockVector): Uint32Array {
  if (!(v instanceof ReferenceVector)) throw new shapes.ShapeError('expected a vector of the reference executor');
  return v.data;
}
