/**
 * A wide matrix on threads, its columns dealt out to them: y ← alpha·Σ_c A_c·x_c + beta·y over runs c of columns.
 *
 *   stacked : (runs·rows) × cols, A_0 above A_1 and so on      sums : rows × (runs·rows), identities side by side
 *
 * Both are ordinary plans, and threads take shares of stacked rows in order. Where what has just made x took about the same time for
 * each of its rows, a thread so reads what it has written itself, or a few others have, and what is still in its core's cache; by
 * rows of A each of them would read all of x, most of it from other cores. bibd_81_3's A and H, width 16, both products of a step by
 * 2, 4 and 8 threads of an Intel Xeon: 640, 345 and 242 us become 543, 305 and 210. Where cores share a cache that holds x it does not
 * pay: by 2 threads of an EPYC it takes 3 to 5 % longer (2026-11).
 */

import type { CpuContext } from '../blocks/cpu-context.js';
import { CpuVector } from '../blocks/cpu-vector.js';
import * as shapes from '../checks.js';
import type { BlockVector, Operator } from '../executor.js';
import { planOf } from '../sparse/plan.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { CpuOperator } from './cpu-operator.js';

/** Columns a row from which the runs' sums, written and read once more, are little beside x. */
const WIDE = 8;

/**
 * Entries that rows have to have in a run, on average: with 13 they take up to a tenth longer than in one piece where no cache makes up
 * for it, with 7 a third (EPYC).
 */
const WORTH_RUN = 12;

/** How many runs had better be dealt out to so many threads; 1 where none. */
export function columnRuns({ rows, cols, colIdx }: ResidueMatrix, threads: number): number {
  if (rows === 0 || cols < WIDE * rows) return 1;
  return Math.max(1, Math.min(threads, Math.floor(colIdx.length / (WORTH_RUN * rows))));
}

/** Only `apply`. */
export class ColumnRuns implements Operator {
  readonly recordable = true;
  readonly rows: number;
  readonly cols: number;
  private readonly context: CpuContext;
  private readonly stacked: CpuOperator;
  private readonly sums: CpuOperator;
  private parts: CpuVector | null = null; // stacked·x, of the last width

  constructor(context: CpuContext, matrix: ResidueMatrix, runs: number) {
    const { rows, cols } = matrix;
    const operator = (a: ResidueMatrix): CpuOperator =>
      new CpuOperator(context, a.rows, a.cols, planOf(a, context.field.p), null);
    this.context = context;
    this.rows = rows;
    this.cols = cols;
    this.stacked = operator(stackedRuns(matrix, runs));
    try {
      this.sums = operator(identities(rows, runs));
    } catch (error) {
      this.stacked.free();
      throw error;
    }
  }

  apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void {
    shapes.checkApply('apply', this, false, y, x, false); // of unlike lengths
    const parts = this.partsOf(x.width);
    this.stacked.apply(parts, x);
    this.sums.apply(y, parts, alpha, beta);
  }

  applyTransposed(): void {
    shapes.stored('applyTransposed', null);
  }

  prepare(width: number): void {
    this.partsOf(width);
    this.stacked.prepare(width);
    this.sums.prepare(width);
  }

  free(): void {
    this.stacked.free();
    this.sums.free();
    this.release();
  }

  private partsOf(width: number): CpuVector {
    if (this.parts?.width === width) return this.parts;
    this.release();
    const { holdings, lanes } = this.context;
    const at = holdings.allocZeroed(this.stacked.rows * width * lanes.bytes);
    this.parts = new CpuVector(this.stacked.rows, width, { at });
    return this.parts;
  }

  private release(): void {
    if (this.parts) this.context.holdings.release(this.parts.retire());
    this.parts = null;
  }
}

/** Runs of equally many columns, one below another. */
function stackedRuns({ rows, cols, rowPtr, colIdx, values }: ResidueMatrix, runs: number): ResidueMatrix {
  const outPtr = new Uint32Array(runs * rows + 1);
  const outIdx = new Uint32Array(colIdx.length);
  const outValues = new Uint32Array(colIdx.length);
  const next = rowPtr.slice(0, rows);
  for (let run = 0; run < runs; run++) {
    const end = Math.floor((cols * (run + 1)) / runs);
    const offsets = outPtr.subarray(run * rows, (run + 1) * rows + 1);
    takeRun(end, rowPtr, colIdx, values, next, offsets, outIdx, outValues);
  }
  return { rows: runs * rows, cols, rowPtr: outPtr, colIdx: outIdx, values: outValues };
}

/** What rows still have to the left of column `end`, from where the last run ended on. A loop of its own: residue-matrix.ts. */
function takeRun(
  end: number,
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  next: Uint32Array,
  outPtr: Uint32Array,
  outIdx: Uint32Array,
  outValues: Uint32Array,
): void {
  let at = outPtr[0];
  for (let i = 0; i < next.length; i++) {
    let k = next[i];
    for (const last = rowPtr[i + 1]; k < last && colIdx[k] < end; k++) {
      outIdx[at] = colIdx[k];
      outValues[at++] = values[k];
    }
    next[i] = k;
    outPtr[i + 1] = at;
  }
}

/** Row i is e_i + e_(rows + i) + e_(2·rows + i) and so on. */
function identities(rows: number, runs: number): ResidueMatrix {
  return {
    rows,
    cols: runs * rows,
    rowPtr: Uint32Array.from({ length: rows + 1 }, (_, i) => i * runs),
    colIdx: Uint32Array.from({ length: runs * rows }, (_, k) => Math.floor(k / runs) + (k % runs) * rows),
    values: new Uint32Array(runs * rows).fill(1),
  };
}
