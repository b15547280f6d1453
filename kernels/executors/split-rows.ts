/**
 * A matrix whose rows are on several devices: each has A_d, rows bounds[d] … bounds[d + 1] − 1, in both directions.
 *
 *   Y ← A·X : X goes whole to each, Y_d ← A_d·X comes back     Y ← Aᵀ·X : X_d goes to each, Y ← Σ_d A_dᵀ·X_d
 *
 * The vectors are those of one executor, on the host's way between the devices. Sums mod p are exact, so that a product
 * has the same integers for any number of devices and any bounds.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import * as shapes from '../checks.js';
import type { BitColumns, BlockVector, Executor, Operator } from '../executor.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import type { RowDevice, RowSplit } from './row-split.js';

/** A on the devices, for vectors of `executor`. */
export async function splitOperator(executor: Executor, matrix: ResidueMatrix, split: RowSplit): Promise<Operator> {
  const { field } = executor;
  const rows = await SplitRows.hold(split, matrix, field, false);
  const { p } = field;
  const add = (sum: Uint32Array, part: Uint32Array): void => addModulo(sum, part, p);
  const applyEither = async (transposed: boolean, y: BlockVector, x: BlockVector, alpha: number, beta: number) => {
    shapes.checkApply(transposed ? 'applyTransposed' : 'apply', operator, transposed, y, x, y === x);
    const product = await rows.multiply(transposed, await executor.read(x), x.width, add);
    await store(executor, y, product, alpha, beta);
  };
  const operator: Operator = {
    rows: matrix.rows,
    cols: matrix.cols,
    apply: (y, x, alpha = 1, beta = 0) => applyEither(false, y, x, alpha, beta),
    applyTransposed: (y, x, alpha = 1, beta = 0) => applyEither(true, y, x, alpha, beta),
  };
  return operator;
}

/** The same for bits. */
export async function splitBits(
  columns: BitColumns,
  matrix: ResidueMatrix,
  field: WordPrime,
  split: RowSplit,
): Promise<Operator> {
  const rows = await SplitRows.hold(split, matrix, field, true);
  const applyEither = async (transposed: boolean, y: BlockVector, x: BlockVector) => {
    shapes.checkApply(transposed ? 'applyTransposed' : 'apply', operator, transposed, y, x, y === x);
    columns.write(y, await rows.multiply(transposed, await columns.read(x), 2, addBits));
  };
  const operator: Operator = {
    rows: matrix.rows,
    cols: matrix.cols,
    apply: (y, x) => applyEither(false, y, x),
    applyTransposed: (y, x) => applyEither(true, y, x),
  };
  return operator;
}

class SplitRows {
  private readonly devices: readonly RowDevice[];
  private readonly bounds: Uint32Array;
  private readonly cols: number;

  private constructor(devices: readonly RowDevice[], bounds: Uint32Array, cols: number) {
    this.devices = devices;
    this.bounds = bounds;
    this.cols = cols;
  }

  static async hold(split: RowSplit, matrix: ResidueMatrix, field: WordPrime, areBits: boolean): Promise<SplitRows> {
    return new SplitRows(split.devices, await split.hold(matrix, field, areBits), matrix.cols);
  }

  /** Of x with `width` words a row; `add` sums parts. */
  async multiply(
    transposed: boolean,
    x: Uint32Array,
    width: number,
    add: (sum: Uint32Array, part: Uint32Array) => void,
  ): Promise<Uint32Array> {
    const { devices, bounds, cols } = this;
    const shareOf = (d: number): Uint32Array => (transposed ? x.subarray(bounds[d] * width, bounds[d + 1] * width) : x);
    const parts = await Promise.all(devices.map((device, d) => device.multiply(transposed, shareOf(d), width)));
    if (transposed) {
      const sum = new Uint32Array(cols * width);
      for (const part of parts) add(sum, part);
      return sum;
    }
    const out = new Uint32Array(bounds[devices.length] * width);
    parts.forEach((part, d) => {
      out.set(part, bounds[d] * width);
    });
    return out;
  }
}

/** y ← alpha·product + beta·y */
async function store(executor: Executor, y: BlockVector, product: Uint32Array, alpha: number, beta: number) {
  const F = executor.field;
  if (alpha !== 1) for (let i = 0; i < product.length; i++) product[i] = F.mul(alpha, product[i]);
  if (beta !== 0) {
    const old = await executor.read(y);
    for (let i = 0; i < product.length; i++) product[i] = F.add(product[i], F.mul(beta, old[i]));
  }
  executor.write(y, product);
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

function addModulo(sum: Uint32Array, part: Uint32Array, p: number): void {
  for (let i = 0; i < sum.length; i++) {
    const value = sum[i] + part[i];
    sum[i] = value < p ? value : value - p;
  }
}

function addBits(sum: Uint32Array, part: Uint32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] ^= part[i];
}
