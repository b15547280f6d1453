/**
 * The factors that an elimination leaves behind: P·A·Q = L·U in the order of its pivots.
 *
 *   step k : a pivot and the rest of its row as it is then, row k of U; of every row that loses l times that row an
 *            entry l, column k of L, whose diagonal is 1
 */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';

const FIRST_ROOM = 1024;

/** Runs of (index, value), one a step. */
class Runs {
  private readonly ptr: number[] = [0];
  private index = new Uint32Array(FIRST_ROOM);
  private values = new Uint32Array(FIRST_ROOM);
  private length = 0;

  get bytes(): number {
    return 8 * this.index.length;
  }

  add(index: number, value: number): void {
    if (this.length === this.index.length) this.grow();
    this.index[this.length] = index;
    this.values[this.length++] = value;
  }

  endRun(): void {
    this.ptr.push(this.length);
  }

  /** A row each; columns in the order of their coming. */
  toRows(cols: number): ResidueMatrix {
    const { ptr, length } = this;
    const [colIdx, values] = [this.index.slice(0, length), this.values.slice(0, length)];
    return { rows: ptr.length - 1, cols, rowPtr: Uint32Array.from(ptr), colIdx, values };
  }

  private grow(): void {
    const [index, values] = [this.index, this.values];
    this.index = new Uint32Array(2 * index.length);
    this.values = new Uint32Array(2 * index.length);
    this.index.set(index);
    this.values.set(values);
  }
}

export class EliminationRecord {
  readonly lower = new Runs();
  readonly upper = new Runs();

  get bytes(): number {
    return this.lower.bytes + this.upper.bytes;
  }

  /** Ends the run of a step in both. */
  endStep(): void {
    this.lower.endRun();
    this.upper.endRun();
  }
}
