/**
 * A matrix whose rows are on several devices: each has A_d, rows bounds[d] … bounds[d + 1] − 1, in both directions.
 *
 *   Y ← A·X : X goes whole to each, Y_d ← A_d·X comes back     Y ← Aᵀ·X : X_d goes to each, Y ← Σ_d A_dᵀ·X_d
 *
 * The vectors are those of one executor, on the host's way between the devices. Sums mod p are exact, so that a product
 * has the same integers for any number of devices and any bounds. `speeds` of the devices make unequal shares.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import * as shapes from '../checks.js';
import type { BitColumns, BlockVector, Executor, Operator } from '../executor.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';

/** Another device, which multiplies by rows of a matrix. */
export interface RowDevice {
  /** Takes rows in place of those that it has; `areBits`: products are of words of 64 columns (BitColumns). */
  holdRows(rows: ResidueMatrix, field: WordPrime, areBits: boolean): Promise<void>;
  /** A_d·X or A_dᵀ·X, `width` residues a row, or two words. */
  multiply(transposed: boolean, x: Uint32Array, width: number): Promise<Uint32Array>;
}

/** The devices of a split, and their relative speeds. */
export interface RowSplit {
  readonly devices: readonly RowDevice[];
  readonly speeds: readonly number[];
}

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

  static async hold(
    { devices, speeds }: RowSplit,
    matrix: ResidueMatrix,
    field: WordPrime,
    areBits: boolean,
  ): Promise<SplitRows> {
    const bounds = cutRows(matrix.rowPtr, speeds);
    const shares = devices.map((device, d) =>
      device.holdRows(takeRows(matrix, bounds[d], bounds[d + 1]), field, areBits),
    );
    await Promise.all(shares);
    return new SplitRows(devices, bounds, matrix.cols);
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

/** Rows in as many runs as there are speeds, with entries and rows, which cost as much as an entry, by these. */
export function cutRows(rowPtr: Uint32Array, speeds: readonly number[]): Uint32Array {
  const rows = rowPtr.length - 1;
  const whole = rowPtr[rows] + rows;
  const total = speeds.reduce((sum, speed) => sum + speed, 0);
  const bounds = new Uint32Array(speeds.length + 1);
  let [row, reached] = [0, 0];
  speeds.forEach((speed, d) => {
    reached += speed;
    const end = d + 1 === speeds.length ? whole : (whole * reached) / total;
    while (row < rows && rowPtr[row + 1] + row + 1 <= end) row++;
    bounds[d + 1] = d + 1 === speeds.length ? rows : row;
  });
  return bounds;
}

function takeRows({ cols, rowPtr, colIdx, values }: ResidueMatrix, first: number, end: number): ResidueMatrix {
  const [from, to] = [rowPtr[first], rowPtr[end]];
  return {
    rows: end - first,
    cols,
    rowPtr: rowPtr.slice(first, end + 1).map((at) => at - from),
    colIdx: colIdx.subarray(from, to),
    values: values.subarray(from, to),
  };
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

/** Rows on an executor: a device's side of a split. */
export class ExecutorRows implements RowDevice {
  private readonly executor: Executor;
  private columns: BitColumns | null = null;
  private operator: Operator | null = null;
  private vectors: { readonly width: number; readonly long: BlockVector; readonly short: BlockVector } | null = null;

  /** The executor stays the caller's. */
  constructor(executor: Executor) {
    this.executor = executor;
  }

  async holdRows(rows: ResidueMatrix, field: WordPrime, areBits: boolean): Promise<void> {
    if (field.p !== this.executor.field.p) throw new shapes.ShapeError('holdRows: expected the field of the executor');
    this.free();
    if (areBits) this.columns = this.executor.bitColumns!()!;
    this.operator = (this.columns ?? this.executor).operator(rows);
  }

  async multiply(transposed: boolean, x: Uint32Array, width: number): Promise<Uint32Array> {
    const { operator } = this;
    if (operator === null) throw new shapes.ShapeError('multiply: expected rows to be held before');
    const { long, short } = this.vectorsOf(operator, width);
    const [to, from] = transposed ? [short, long] : [long, short];
    const on = this.columns ?? this.executor;
    on.write(from, x);
    await (transposed ? operator.applyTransposed(to, from) : operator.apply(to, from));
    return on.read(to);
  }

  free(): void {
    this.release();
    this.operator?.free?.();
    this.columns?.dispose();
    [this.operator, this.columns] = [null, null];
  }

  /** A vector of A_d's rows and one of its columns; those of another width are released. */
  private vectorsOf({ rows, cols }: Operator, width: number) {
    if (this.vectors?.width === width) return this.vectors;
    this.release();
    const { columns, executor } = this;
    const vector = (length: number): BlockVector => (columns ? columns.vector(length) : executor.vector(length, width));
    this.vectors = { width, long: vector(rows), short: vector(cols) };
    return this.vectors;
  }

  private release(): void {
    if (this.vectors === null) return;
    const on: { release(v: BlockVector): void } = this.columns ?? this.executor;
    for (const v of [this.vectors.long, this.vectors.short]) on.release(v);
    this.vectors = null;
  }
}
