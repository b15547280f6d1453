/**
 * The factors of a dense Schur complement S: as many of its rows and columns as its rank, and systems with that part.
 *
 *   D = S or Sᵀ, R : its rank      D[pivot rows, pivot columns] = L·U, R × R, L lower, U upper with 1 on its diagonal
 *   M : that part of S, L·U or Uᵀ·Lᵀ
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix } from '../../kernels/dense/dense-matrix.js';
import { type Pluq, pluq } from '../../kernels/dense/pluq.js';
import { BitMatrix } from '../../kernels/gf2/bit-matrix.js';
import { bitPluq } from '../../kernels/gf2/bit-pluq.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import { bitLines, SchurLines } from '../elimination/dense-schur.js';
import type { Pivots } from '../presolve/pattern.js';
import { BitTriangles } from './bit-triangles.js';
import { DenseTriangles } from './dense-triangles.js';

export interface SchurParts {
  readonly a: ResidueMatrix;
  readonly at: ResidueMatrix;
  readonly pivots: Pivots;
}

/** X ← M⁻¹·X or M⁻ᵀ·X on the threads of a question. */
export interface DenseSolver {
  solve(x: Uint32Array, width: number): void;
  release(): void;
}

export class DenseEnd {
  /** Of S, in the order of the factors. */
  readonly rows: Uint32Array;
  readonly cols: Uint32Array;
  private readonly field: WordPrime;
  private readonly areRows: boolean; // of S, the rows of D
  private readonly factors: Uint16Array | Uint32Array | BitTriangles; // L·U, a row a pivot

  private constructor(
    field: WordPrime,
    { pivotRows, pivotCols }: Pluq,
    areRows: boolean,
    factors: Uint16Array | Uint32Array | BitTriangles,
  ) {
    [this.rows, this.cols] = areRows ? [pivotRows, pivotCols] : [pivotCols, pivotRows];
    [this.field, this.areRows, this.factors] = [field, areRows, factors];
  }

  /** Bytes of D and of its factors. */
  static bytesOf(field: WordPrime, rows: number, cols: number): number {
    const [short, long] = [Math.min(rows, cols), Math.max(rows, cols)];
    if (field.p === 2) return BitMatrix.bytesOf(long, short) + BitMatrix.bytesOf(short, short);
    return DenseMatrix.bytesOf(field, short, long) + DenseTriangles.bytesOf(field, short);
  }

  static of(team: Team, field: WordPrime, { a, at, pivots }: SchurParts, check: () => void): DenseEnd {
    if (field.p === 2) {
      const { bits, areRows } = bitLines(team, a, at, pivots);
      try {
        const found = bitPluq(team, bits);
        return new DenseEnd(field, found, areRows, BitTriangles.of(bits, found));
      } finally {
        bits.release();
      }
    }
    const lines = new SchurLines(team, field, a, at, pivots, check);
    let d: DenseMatrix | undefined;
    try {
      d = new DenseMatrix(team.memory, field, lines.count, lines.length);
      lines.form(0, lines.count, d, 0);
      const found = pluq(team, field, d);
      return new DenseEnd(field, found, lines.areRows, gatherFactors(d, found));
    } finally {
      d?.release();
      lines.free();
    }
  }

  get rank(): number {
    return this.rows.length;
  }

  solver(team: Team, isTransposed: boolean): DenseSolver {
    const { field, factors, rank, areRows } = this;
    const isOther = isTransposed === areRows;
    if (!(factors instanceof BitTriangles)) return new DenseTriangles(team, field, factors, rank, isOther);
    return { solve: (x, width) => factors.solve(x, width, isOther), release: () => {} };
  }

  /** det of that part, its lines in the order of the factors. */
  determinant(): number {
    const { field, factors, rank } = this;
    let product = 1;
    if (factors instanceof BitTriangles) return product;
    for (let t = 0; t < rank; t++) product = field.mul(product, factors[t * rank + t]);
    return product;
  }
}

/** The factors at the pivots' columns, R residues a row. */
function gatherFactors(d: DenseMatrix, { rank, pivotCols }: Pluq): Uint16Array | Uint32Array {
  const factors = d.bytes === 2 ? new Uint16Array(rank * rank) : new Uint32Array(rank * rank);
  for (let t = 0, at = 0; t < rank; t++) {
    const row = d.row(t);
    for (let s = 0; s < rank; s++) factors[at++] = row[pivotCols[s]];
  }
  return factors;
}
