/**
 * How the rows of a matrix are cut for several devices: equally, or by what a product has been seen to take on each.
 *
 *   A_d = rows bounds[d] … bounds[d + 1] − 1     weight of A_d : its entries and its rows, which cost as much as one
 *
 * A device of weight w that takes t seconds has the speed w/t. The next cut is in the proportion of the speeds, until
 * all devices take about as long. Time that does not depend on the rows, as that of the exchange of X, counts in t: a
 * device that needs more of it gets fewer rows, and one look does not say how many fewer.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { takeRows } from '../sparse/matrix-pieces.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';

/** Another device, which multiplies by rows of a matrix. */
export interface RowDevice {
  /** Takes rows in place of those that it has; `areBits`: products are of words of 64 columns (BitColumns). */
  holdRows(rows: ResidueMatrix, field: WordPrime, areBits: boolean): Promise<void>;
  /** A_d·X or A_dᵀ·X, `width` residues a row, or two words. */
  multiply(transposed: boolean, x: Uint32Array, width: number): Promise<Uint32Array>;
}

export interface RowSplitOptions {
  /** Relative, of the devices; measured where absent. */
  readonly speeds?: readonly number[] | undefined;
  /** Residues a row of the blocks that are multiplied while speeds are measured. */
  readonly width?: number;
  /** The largest share of the weight that a device holds. */
  readonly most?: number;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** Cuts before the last, and how far the slowest device may be behind the mean. */
const [LOOKS, SLACK] = [3, 1.1];
/** Products, of which the least time counts. */
const TIMED = 3;
/** Milliseconds of what no clock sees: the speeds that come of it still have a finite sum. */
const INSTANT = 1e-6;

/** The devices of a split, and what is known of their speeds. */
export class RowSplit {
  readonly devices: readonly RowDevice[];
  private readonly width: number;
  private readonly most: number;
  private readonly now: () => number;
  private speeds: readonly number[] | null;
  private bounds: Uint32Array = new Uint32Array(1);

  constructor(
    devices: readonly RowDevice[],
    { speeds, width = 1, most = 1, now = () => performance.now() }: RowSplitOptions = {},
  ) {
    this.devices = devices;
    this.width = width;
    this.most = most;
    this.now = now;
    this.speeds = speeds ?? (devices.length === 1 ? [1] : null);
  }

  /** Rows of the matrix that was cut last, of each device. */
  get rows(): readonly number[] {
    return this.devices.map((_, d) => this.bounds[d + 1] - this.bounds[d]);
  }

  /** Gives the devices their rows; returns the bounds. The first matrix is what speeds are measured by. */
  async hold(matrix: ResidueMatrix, field: WordPrime, areBits: boolean): Promise<Uint32Array> {
    const { devices, most } = this;
    let speeds = this.speeds ?? devices.map(() => 1);
    for (let look = 0; ; look++) {
      const bounds = cutRows(matrix.rowPtr, speeds, most);
      await Promise.all(
        devices.map((device, d) => device.holdRows(takeRows(matrix, bounds[d], bounds[d + 1]), field, areBits)),
      );
      this.bounds = bounds;
      if (this.speeds === null && look < LOOKS) {
        const taken = await this.timeProducts(bounds, matrix.cols, areBits ? 2 : this.width);
        const mean = taken.reduce((sum, t) => sum + t, 0) / taken.length;
        const next = taken.map((t, d) => (weightOf(matrix.rowPtr, bounds[d], bounds[d + 1]) + 1) / t);
        if (Math.max(...taken) > SLACK * mean) {
          speeds = next;
          continue;
        }
      }
      this.speeds = speeds;
      return bounds;
    }
  }

  /** Milliseconds of a product in each direction, one device after another: two may be one processor. */
  private async timeProducts(bounds: Uint32Array, cols: number, width: number): Promise<number[]> {
    const taken: number[] = [];
    for (const [d, device] of this.devices.entries()) {
      const [wide, tall] = [cols, bounds[d + 1] - bounds[d]].map((rows) => new Uint32Array(rows * width));
      let least = Number.POSITIVE_INFINITY;
      for (let product = 0; product <= TIMED; product++) {
        const start = this.now();
        await device.multiply(false, wide, width);
        await device.multiply(true, tall, width);
        // The first one compiles kernels.
        if (product > 0) least = Math.min(least, this.now() - start);
      }
      taken.push(Math.max(least, INSTANT));
    }
    return taken;
  }
}

function weightOf(rowPtr: Uint32Array, first: number, end: number): number {
  return rowPtr[end] - rowPtr[first] + end - first;
}

/**
 * Rows in as many runs as there are speeds, their weights by these, and none above `most` of the whole where a cut
 * between whole rows can have it so. A row above that is a run by itself, as long as there are runs for the others;
 * else the last one has what the others have no room for.
 */
export function cutRows(rowPtr: Uint32Array, speeds: readonly number[], most = 1): Uint32Array {
  const rows = rowPtr.length - 1;
  const whole = rowPtr[rows] + rows;
  const shares = limitShares(speeds, most);
  const limit = whole * limitOf(speeds, most);
  // The first row from which devices d, d + 1, … have room for all that follows: a device begins there or later.
  const earliest = new Uint32Array(speeds.length + 1).fill(rows);
  for (let d = speeds.length - 1; d > 0; d--) {
    let row = earliest[d + 1];
    while (row > 0 && (row === earliest[d + 1] || weightOf(rowPtr, row - 1, earliest[d + 1]) <= limit)) row--;
    earliest[d] = row;
  }
  const bounds = new Uint32Array(speeds.length + 1);
  let [row, reached] = [0, 0];
  shares.slice(0, -1).forEach((share, d) => {
    reached += share;
    while (
      row < rows &&
      (rowPtr[row + 1] + row + 1 <= whole * reached || row < earliest[d + 1]) &&
      (row === bounds[d] || weightOf(rowPtr, bounds[d], row + 1) <= limit)
    ) {
      row++;
    }
    bounds[d + 1] = row;
  });
  bounds[speeds.length] = rows;
  return bounds;
}

/** The largest share that a device may be given, which is an equal one at least. */
function limitOf(speeds: readonly number[], most: number): number {
  return Math.max(most, 1 / speeds.length) * (1 + 1e-9);
}

/** Shares of 1 in the proportion of the speeds; what is above `most` goes to the others. */
function limitShares(speeds: readonly number[], most: number): readonly number[] {
  const limit = limitOf(speeds, most);
  const isFull = speeds.map(() => false);
  for (;;) {
    const free = 1 - limit * isFull.filter(Boolean).length;
    const total = speeds.reduce((sum, speed, d) => (isFull[d] ? sum : sum + speed), 0);
    const open = isFull.filter((full) => !full).length;
    const shares = speeds.map((speed, d) =>
      isFull[d] ? limit : total > 0 ? (free * speed) / total : open > 0 ? free / open : 0,
    );
    const over = shares.findIndex((share, d) => !isFull[d] && share > limit);
    if (over < 0) return shares;
    isFull[over] = true;
  }
}
