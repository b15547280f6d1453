/**
 * A product Y = A·X that is known from the reference, for X of any width: its columns are COLUMNS in turn.
 *
 *   A : rows × cols over F_p      X : cols × n      Y : rows × n
 */
import type { Executor } from '../../kernels/executor.js';
import { ReferenceExecutor } from '../../kernels/executors/reference.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';

/** Columns of X that differ. */
const COLUMNS = 4;

export class KnownProduct {
  readonly #x: Uint32Array; // cols × COLUMNS
  readonly #y: Uint32Array; // rows × COLUMNS

  private constructor(x: Uint32Array, y: Uint32Array) {
    [this.#x, this.#y] = [x, y];
  }

  static async of({ field }: Pick<Executor, 'field'>, matrix: ResidueMatrix): Promise<KnownProduct> {
    const reference = new ReferenceExecutor(field);
    const [x, y] = [reference.vector(matrix.cols, COLUMNS), reference.vector(matrix.rows, COLUMNS)];
    const columns = inputOf(matrix.cols, field.p);
    reference.write(x, columns);
    await reference.operator(matrix, { use: 'apply' }).apply(y, x);
    return new KnownProduct(columns, await reference.read(y));
  }

  /** X with so many columns. */
  input(width: number): Uint32Array {
    const length = this.#x.length / COLUMNS;
    const out = new Uint32Array(length * width);
    repeatColumns(this.#x, width, out);
    return out;
  }

  /** What is wrong with a product of so many columns, in words; null where nothing is. */
  fault(y: Uint32Array, width: number): string | null {
    const at = firstOther(this.#y, width, y);
    if (at < 0) return null;
    const [row, column] = [Math.floor(at / width), at % width];
    return `expected ${this.#y[row * COLUMNS + (column % COLUMNS)]} in row ${row}, got ${y[at]}`;
  }
}

/** Residues without a pattern that a format could share. */
function inputOf(length: number, p: number): Uint32Array {
  return Uint32Array.from({ length: length * COLUMNS }, (_, k) => (Math.imul(k + 1, 0x9e3779b1) >>> 0) % p);
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

function repeatColumns(from: Uint32Array, width: number, out: Uint32Array): void {
  for (let row = 0, at = 0; at < out.length; row += COLUMNS) {
    for (let c = 0; c < width; c++) out[at++] = from[row + (c % COLUMNS)];
  }
}

function firstOther(from: Uint32Array, width: number, y: Uint32Array): number {
  const length = (from.length / COLUMNS) * width;
  for (let row = 0, at = 0; at < length; row += COLUMNS) {
    for (let c = 0; c < width; c++, at++) if (y[at] !== from[row + (c % COLUMNS)]) return at;
  }
  return -1;
}
