/**
 * Polynomial matrices on a GPU of any size: in pieces of coefficients, each in a buffer that the device binds as a
 * whole.
 *
 *   A = Σ_d z^(first_d)·A_d, the coefficients of A_d being those of A from first_d on
 *
 *   A·B = Σ_(d, e) z^(first_d + first_e)·A_d·B_e : of every product the coefficients that are wanted, and no others
 *
 * Sums mod p are exact, so the integers are those of one piece. A matrix that fits is one piece, and its products are
 * those of gpu-mul.ts as they stand.
 */
import type { GpuPolyProduct } from './gpu-mul.js';
import { type GpuPolyMatrix, type GpuPolyMemory, gpuCoefficients, gpuRows } from './gpu-poly-matrix.js';
import { groupsOf, type PolyShape, PolyShapeError } from './poly-matrix.js';

const VECTOR_BYTES = 16;

export interface SeriesPiece {
  readonly first: number; // coefficient
  readonly matrix: GpuPolyMatrix;
}

export interface GpuSeries extends PolyShape {
  readonly pieces: readonly SeriesPiece[]; // one behind the other, at least one
}

/** A matrix as a series of one piece. */
export function seriesOf(matrix: GpuPolyMatrix): GpuSeries {
  const { rows, cols, length } = matrix;
  return { rows, cols, length, pieces: [{ first: 0, matrix }] };
}

/** Coefficients first … first + count − 1 as a series of its own, on the same storage. */
export function seriesCoefficients(a: GpuSeries, first: number, count: number): GpuSeries {
  if (first < 0 || count < 0 || first + count > a.length) {
    throw new PolyShapeError(`coefficients ${first} … ${first + count - 1}: expected within 0 … ${a.length - 1}`);
  }
  const met = a.pieces.flatMap(({ first: start, matrix }) => {
    const [from, end] = [Math.max(first, start), Math.min(first + count, start + matrix.length)];
    return from < end ? [{ first: from - first, matrix: gpuCoefficients(matrix, from - start, end - from) }] : [];
  });
  const none = (): SeriesPiece => ({ first: 0, matrix: gpuCoefficients(a.pieces[0].matrix, 0, 0) });
  return { rows: a.rows, cols: a.cols, length: count, pieces: met.length > 0 ? met : [none()] };
}

/** Rows first … first + count − 1 as a series of its own, on the same storage. */
export function seriesRows(a: GpuSeries, first: number, count: number): GpuSeries {
  const pieces = a.pieces.map((piece) => ({ first: piece.first, matrix: gpuRows(piece.matrix, first, count) }));
  return { rows: count, cols: a.cols, length: a.length, pieces };
}

export class GpuSeriesProduct {
  private readonly memory: GpuPolyMemory;
  private readonly product: GpuPolyProduct;
  private readonly pieceBytes: number;

  /** In pieces of so many bytes at most, or those that the device binds. */
  constructor(product: GpuPolyProduct, pieceBytes = Infinity) {
    this.memory = product.memory;
    this.product = product;
    this.pieceBytes = Math.min(pieceBytes, this.memory.gpu.maxBindingBytes);
  }

  /** Zeros. */
  create(rows: number, cols: number, length: number): GpuSeries {
    const most = Math.max(1, Math.floor(this.pieceBytes / Math.max(1, rows * groupsOf(cols) * VECTOR_BYTES)));
    const count = Math.max(1, Math.ceil(length / most));
    const size = Math.ceil(length / count);
    const pieces: SeriesPiece[] = [];
    try {
      for (let first = 0; first < length || pieces.length === 0; first += size) {
        pieces.push({ first, matrix: this.memory.zeroMatrix(rows, cols, Math.min(size, length - first)) });
      }
    } catch (error) {
      for (const { matrix } of pieces) this.memory.release(matrix);
      throw error;
    }
    return { rows, cols, length, pieces };
  }

  release(a: GpuSeries): void {
    for (const { matrix } of a.pieces) this.memory.release(matrix);
  }

  /** Coefficients from … from + count − 1 of a·b, whose coefficients from `total` on vanish. */
  range(a: GpuSeries, b: GpuSeries, from: number, count: number, total = a.length + b.length - 1): GpuSeries {
    if (a.pieces.length === 1 && b.pieces.length === 1 && this.isOnePiece(a.rows, b.cols, count)) {
      return seriesOf(this.product.range(a.pieces[0].matrix, b.pieces[0].matrix, from, count, total));
    }
    const out = this.create(a.rows, b.cols, count);
    const end = Math.min(count, Math.max(0, total - from));
    for (const { first, matrix } of out.pieces) {
      for (const left of a.pieces) {
        for (const right of b.pieces) {
          // Of left·right, from here on coefficient 0 is the wanted one.
          const shift = left.first + right.first - from - first;
          const low = Math.max(0, -shift);
          const products = left.matrix.length + right.matrix.length - 1;
          const high = Math.min(products, Math.min(matrix.length, end - first) - shift);
          if (low >= high) continue;
          const part = this.product.range(left.matrix, right.matrix, low, high - low);
          this.product.addInto(gpuCoefficients(matrix, low + shift, high - low), part);
          this.memory.release(part);
        }
      }
    }
    return out;
  }

  /** to ← to + from; from may have fewer coefficients. */
  addInto(to: GpuSeries, from: GpuSeries): void {
    this.eachMeeting(to, from, (target, source) => this.product.addInto(target, source));
  }

  copyInto(to: GpuSeries, from: GpuSeries): void {
    this.eachMeeting(to, from, (target, source) => this.product.copyInto(target, source));
  }

  private eachMeeting(to: GpuSeries, from: GpuSeries, work: (to: GpuPolyMatrix, from: GpuPolyMatrix) => void): void {
    for (const { first, matrix } of from.pieces) {
      if (matrix.length === 0) continue;
      for (const target of seriesCoefficients(to, first, matrix.length).pieces) {
        work(target.matrix, gpuCoefficients(matrix, target.first, target.matrix.length));
      }
    }
  }

  private isOnePiece(rows: number, cols: number, length: number): boolean {
    return rows * groupsOf(cols) * length * VECTOR_BYTES <= this.pieceBytes;
  }
}
