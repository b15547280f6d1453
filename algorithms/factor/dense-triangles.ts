/**
 * Systems with the triangles that PLUQ leaves of a dense matrix over F_p, p > 2, by the kernels of PLUQ.
 *
 *   N = L·U, R × R : row t has L's entries at columns s ≤ t and U's, whose diagonal is 1, at s > t
 *   X ← N⁻¹·X or N⁻ᵀ·X, R × width : the lower triangle of what is stored, N or Nᵀ, then the upper one
 *
 * A triangle is taken by halves, down to blocks of 32 rows whose inverses are made once, so that nearly all work is
 * X ← X − T·X' (kernels/dense/gemm.ts).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix } from '../../kernels/dense/dense-matrix.js';
import { type DenseBlock, DenseProduct } from '../../kernels/dense/gemm.js';
import type { Team } from '../../kernels/threads/team.js';

const BLOCK = 32;

export class DenseTriangles {
  private readonly team: Team;
  private readonly field: WordPrime;
  private readonly size: number;
  private readonly hasUpperDiagonal: boolean; // else the lower triangle has the diagonal, and the upper one ones
  private readonly product: DenseProduct;
  private readonly triangles: DenseMatrix;
  private readonly lower: DenseMatrix; // −T⁻¹ of each block on the diagonal, 32 columns
  private readonly upper: DenseMatrix;
  private readonly columns: number; // 0, 1, … as u32

  /** Of N, as rows of R residues; throws MemoryError where there is no room. */
  constructor(team: Team, field: WordPrime, factors: Uint16Array | Uint32Array, size: number, isTransposed: boolean) {
    [this.team, this.field, this.size, this.hasUpperDiagonal] = [team, field, size, isTransposed];
    const { memory } = team;
    const held: DenseMatrix[] = [];
    const make = (cols: number): DenseMatrix => {
      const matrix = new DenseMatrix(memory, field, size, cols);
      held.push(matrix);
      return matrix;
    };
    try {
      [this.triangles, this.lower, this.upper] = [make(size), make(BLOCK), make(BLOCK)];
      this.columns = memory.alloc(4 * Math.max(size, BLOCK));
    } catch (error) {
      for (const matrix of held) matrix.release();
      throw error;
    }
    memory.u32(this.columns, Math.max(size, BLOCK)).forEach((_, i, all) => {
      all[i] = i;
    });
    for (let t = 0; t < size; t++) {
      const row = this.triangles.row(t);
      if (!isTransposed) row.set(factors.subarray(t * size, (t + 1) * size));
      else for (let s = 0; s < size; s++) row[s] = factors[s * size + t];
    }
    for (let first = 0; first < size; first += BLOCK) this.invertBlocks(first, Math.min(size, first + BLOCK));
    this.product = new DenseProduct(team, field);
  }

  /** Bytes of an instance in the kernels' memory. */
  static bytesOf(field: WordPrime, size: number): number {
    return DenseMatrix.bytesOf(field, size, size) + 2 * DenseMatrix.bytesOf(field, size, BLOCK);
  }

  /** Overwrites X, R × width residues, row-major. */
  solve(x: Uint32Array, width: number): void {
    const { size, team, field } = this;
    const rows = new DenseMatrix(team.memory, field, size, width);
    try {
      for (let t = 0; t < size; t++) rows.row(t).set(x.subarray(t * width, (t + 1) * width));
      this.takeLower(rows, 0, size);
      this.takeUpper(rows, 0, size);
      for (let t = 0; t < size; t++) x.set(rows.row(t), t * width);
    } finally {
      rows.release();
    }
  }

  release(): void {
    for (const matrix of [this.triangles, this.lower, this.upper]) matrix.release();
    this.team.memory.release(this.columns);
    this.product.release();
  }

  private takeLower(x: DenseMatrix, first: number, last: number): void {
    if (last - first <= BLOCK) {
      this.takeBlock(x, this.lower, first, last);
      return;
    }
    const middle = first + BLOCK * Math.ceil((last - first) / BLOCK / 2);
    this.takeLower(x, first, middle);
    this.subtract(x, middle, last, first, middle);
    this.takeLower(x, middle, last);
  }

  private takeUpper(x: DenseMatrix, first: number, last: number): void {
    if (last - first <= BLOCK) {
      this.takeBlock(x, this.upper, first, last);
      return;
    }
    const middle = first + BLOCK * Math.ceil((last - first) / BLOCK / 2);
    this.takeUpper(x, middle, last);
    this.subtract(x, first, middle, middle, last);
    this.takeUpper(x, first, middle);
  }

  /** Rows of X ← 0 − (−T⁻¹)·these rows. */
  private takeBlock(x: DenseMatrix, inverses: DenseMatrix, first: number, last: number): void {
    const [block, size] = [place(x, first, 0), last - first];
    this.product.subtract(block, place(inverses, first, 0), this.columns, block, size, size, widthOf(x), true);
  }

  /** Rows top … bottom − 1 of X lose T times its rows first … last − 1. */
  private subtract(x: DenseMatrix, top: number, bottom: number, first: number, last: number): void {
    const [c, t, b] = [place(x, top, 0), place(this.triangles, top, first), place(x, first, 0)];
    this.product.subtract(c, t, this.columns, b, bottom - top, last - first, widthOf(x));
  }

  /** −T⁻¹ for both triangles of rows and columns first … last − 1. */
  private invertBlocks(first: number, last: number): void {
    const { field, triangles, hasUpperDiagonal } = this;
    const size = last - first;
    const at = (i: number, j: number): number => triangles.row(first + i)[first + j];
    const backward = (i: number, j: number): number => at(size - 1 - i, size - 1 - j);
    const lower = invertLower(field, size, at, !hasUpperDiagonal);
    const upper = invertLower(field, size, backward, hasUpperDiagonal);
    for (let i = 0; i < size; i++) {
      this.lower.row(first + i).set(lower.subarray(i * size, (i + 1) * size));
      this.upper.row(first + i).set(upper.subarray((size - 1 - i) * size, (size - i) * size).reverse());
    }
  }
}

/** −T⁻¹ of a lower triangle, row-major; its diagonal is that of `entry`, or 1. */
function invertLower(
  F: WordPrime,
  size: number,
  entry: (i: number, j: number) => number,
  hasDiagonal: boolean,
): Uint32Array {
  const out = new Uint32Array(size * size);
  for (let i = 0; i < size; i++) {
    // Row i of −T⁻¹ is −(e_i + Σ_(k<i) T_ik·(row k of −T⁻¹)) / T_ii.
    const scale = F.neg(hasDiagonal ? F.inv(entry(i, i)) : 1);
    out[i * size + i] = scale;
    for (let k = 0; k < i; k++) {
      const factor = F.mul(entry(i, k), scale);
      if (factor === 0) continue;
      for (let j = 0; j <= k; j++) {
        out[i * size + j] = F.add(out[i * size + j], F.mul(factor, out[k * size + j]));
      }
    }
  }
  return out;
}

function place({ at, stride, bytes }: DenseMatrix, row: number, column: number): DenseBlock {
  return { at: at + row * stride + column * bytes, stride };
}

/** Columns with the padding that products work on. */
function widthOf({ cols }: DenseMatrix): number {
  return 8 * Math.ceil(cols / 8);
}
