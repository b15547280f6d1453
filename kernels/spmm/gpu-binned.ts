/**
 * Products with one vector that is long, in two passes that read and write nothing at random beyond the memory of a
 * workgroup.
 *
 *   products   the entries of a panel of columns, times the part of X that the panel needs, to the bins of their rows
 *   sums       the products of each bin of rows, added up by row
 *
 * A read of X in a random place waits for the translation of its address, and takes a sector of 32 bytes for 4. Bins
 * write and read each product in its turn, which is less where X is out of reach. Storing them takes as long as
 * thousands of products save, so that as many others go first, by the rows (test/bench/RESULTS.md#gpu-bins).
 *
 * Source: propagation blocking, Beamer, Asanović, Patterson 2017, section IV; Buono et al. 2016.
 */
import type { GpuContext } from '../blocks/gpu-context.js';
import { type GpuVector, layoutOf } from '../blocks/gpu-vector.js';
import type { Awaitable } from '../executor.js';
import type { RowRuns } from '../sparse/formats/row-runs.js';
import { type BinnedStorage, freeBinned, tryToStore } from './gpu-binned-storage.js';
import type { StoredMatrix } from './gpu-operator.js';

/** Rows of a bin and columns of a panel, where a workgroup has the memory for them; six bytes each. */
const SIDES = [4096, 2048];
const BYTES = 6;

/** Invocations of a workgroup at most: more words on their way. */
const INVOCATIONS = 512;

/** Bytes of X and entries from which bins gain, and entries a cell: fewer are filled up with too many others. */
const LONG = 4e6;
const MANY = 6e6;
const DENSE = 16;

/** Entries of a row at most: their products are added up without a reduction (binned-u16.wgsl, binned-u32.wgsl). */
const MOST = 2 ** 16 - 1;

/** Products by the rows before bins are stored, which takes about as long as so many save of 80 million entries. */
const PAID = 4000;

/** Whether products with one vector gain by bins once there are many; of a matrix whose reads of X are scattered. */
export function gainsByBins({ rows, cols, starts, ends }: RowRuns, nnz: number): boolean {
  const [side] = SIDES;
  if (4 * cols < LONG || nnz < Math.max(MANY, DENSE * Math.ceil(rows / side!) * Math.ceil(cols / side!))) return false;
  for (let i = 0; i < rows; i++) if (ends[i] - starts[i] > MOST) return false;
  return true;
}

export class GpuBinned implements StoredMatrix {
  /** Once bins are being stored: until the device has said whether it has the room. */
  settled: Promise<void> | null = null;
  private readonly context: GpuContext;
  private readonly others: StoredMatrix;
  private readonly lend: <T>(work: (runs: RowRuns) => T) => T;
  private readonly rows: number;
  private readonly side: number;
  private left: number; // products by the rows, before bins are stored
  private stored: BinnedStorage | null = null;
  private isFreed = false;

  /** `others` serves wider vectors, the first `paid` products, and all where the device has no room for bins. */
  constructor(context: GpuContext, runs: RowRuns, others: StoredMatrix, paid = PAID, side = sideOn(context)) {
    this.context = context;
    this.others = others;
    this.rows = runs.rows;
    this.lend = runs.lend ?? ((work) => work(runs));
    this.left = paid;
    this.side = side;
  }

  multiply(y: GpuVector, x: GpuVector, alpha: number, beta: number): Awaitable<void> {
    if (y.width !== 1 || this.stored === null) {
      if (y.width === 1 && this.left-- <= 0 && this.settled === null && !this.context.gpu.isTiming) this.store();
      return this.others.multiply(y, x, alpha, beta);
    }
    const { context, side, rows } = this;
    const { gpu, field } = context;
    const { tasks, taskCount, targets, values, columns, bins, binCount, rows: rowsOf, products } = this.stored;
    const layout = layoutOf(y.form, y.width);
    const prelude = field.isU16 ? 'binned-u16' : 'binned-u32';
    const WORKGROUP = Math.min(INVOCATIONS, gpu.device.limits.maxComputeInvocationsPerWorkgroup);
    const constants = { SIDE: side, WORKGROUP };
    const multiply = context.kernel([prelude, 'binned-products'], layout, constants);
    gpu.run(multiply, [tasks, targets, values, columns, x.buffer, products], [taskCount, x.length], taskCount);
    const PLAIN = alpha === 1 && beta === 0 ? 1 : 0;
    const add = context.kernel([prelude, 'binned-sums'], layout, { ...constants, PLAIN });
    gpu.run(add, [bins, rowsOf, products, y.buffer], [binCount, rows, alpha, beta], binCount);
  }

  free(): void {
    this.isFreed = true;
    this.others.free();
    if (this.stored !== null) freeBinned(this.context, this.stored);
  }

  /** A device says later whether it had room: until then the rows go on. */
  private store(): void {
    const { context, side } = this;
    const { stored, hasRoom } = this.lend((runs) => tryToStore(context, runs, side));
    this.settled = hasRoom.then((isThere) => {
      if (isThere && !this.isFreed) this.stored = stored;
      else if (stored !== null) freeBinned(context, stored);
    });
  }
}

function sideOn({ gpu }: GpuContext): number {
  const { maxComputeWorkgroupStorageSize: bytes } = gpu.device.limits;
  return SIDES.find((side) => BYTES * side <= bytes) ?? SIDES.at(-1)!;
}
