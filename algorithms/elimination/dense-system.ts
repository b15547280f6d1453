/**
 * The largest nonsingular part of a Schur complement S, from its dense factors: rows and columns of pivots, and systems
 * with it.
 *
 *   D = S or Sᵀ, R : its rank      D[pivot rows, pivot columns] = L·U, R × R, L lower, U upper with 1 on its diagonal
 *   M : that part of S, which is L·U or Uᵀ·Lᵀ
 *
 * The factors are taken to the host, where a system is two triangular ones: R² multiply-adds, reduced rarely.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix } from '../../kernels/dense/dense-matrix.js';
import { type Pluq, pluq } from '../../kernels/dense/pluq.js';
import { BitMatrix } from '../../kernels/gf2/bit-matrix.js';
import { bitPluq } from '../../kernels/gf2/bit-pluq.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import type { Pivots } from '../presolve/pattern.js';
import { bitLines, SchurLines } from './dense-schur.js';

/** Bytes of a dense matrix that is made for it, and the largest R: 64 MB on the host. */
const MOST_BYTES = 2 ** 30;
const MOST_ROWS = 4096;

export class DenseSystem {
  /** Of S, as many as its rank. */
  readonly rows: Uint32Array;
  readonly cols: Uint32Array;
  private readonly F: WordPrime;
  // The triangles side by side: row t has M's lower factor left of place t and its upper one right of it.
  private readonly factors: Uint32Array[];
  private readonly inverses: Uint32Array; // of the diagonal that is not 1
  private readonly lowerUnit: boolean;

  /** `at(t, s)`: the entry of D's factors at pivot row t and the column of pivot s. */
  constructor(
    F: WordPrime,
    { rank, pivotRows, pivotCols }: Pluq,
    areRows: boolean,
    at: (t: number, s: number) => number,
  ) {
    this.F = F;
    [this.rows, this.cols] = areRows ? [pivotRows, pivotCols] : [pivotCols, pivotRows];
    this.lowerUnit = !areRows;
    this.factors = Array.from({ length: rank }, () => new Uint32Array(rank));
    for (let t = 0; t < rank; t++) {
      for (let s = 0; s < rank; s++) {
        if (areRows) this.factors[t][s] = at(t, s);
        else this.factors[s][t] = at(t, s);
      }
    }
    this.inverses = F.batchInv(Uint32Array.from({ length: rank }, (_, t) => this.factors[t][t]));
  }

  /** X with M·X = B, R rows of `width` residues. */
  solve(b: Uint32Array, width: number): Uint32Array {
    if (this.F.p === 2) return this.solveBits(b, width);
    const x = new Uint32Array(b.length);
    const R = this.rows.length;
    for (let j = 0; j < width; j++) {
      this.solveColumn(Uint32Array.from({ length: R }, (_, i) => b[i * width + j])).forEach((value, i) => {
        x[i * width + j] = value;
      });
    }
    return x;
  }

  /** Overwrites b with x, M·x = b. */
  private solveColumn(x: Uint32Array): Uint32Array {
    const { F, factors, inverses, lowerUnit } = this;
    const R = x.length;
    for (let t = 0; t < R; t++) {
      const left = F.sub(x[t], F.dot(factors[t].subarray(0, t), x.subarray(0, t)));
      x[t] = lowerUnit ? left : F.mul(left, inverses[t]);
    }
    for (let t = R - 1; t >= 0; t--) {
      const left = F.sub(x[t], F.dot(factors[t].subarray(t + 1), x.subarray(t + 1)));
      x[t] = lowerUnit ? F.mul(left, inverses[t]) : left;
    }
    return x;
  }

  /** Mod 2 both diagonals are 1, and a row is bits: 32 columns a word. */
  private solveBits(b: Uint32Array, width: number): Uint32Array {
    const { factors } = this;
    const R = this.rows.length;
    const words = Math.ceil(width / 32);
    const x = new Uint32Array(R * words);
    for (let i = 0; i < R; i++) {
      for (let j = 0; j < width; j++) x[i * words + (j >>> 5)] |= b[i * width + j] << (j & 31);
    }
    const addRows = (t: number, first: number, end: number): void => {
      const factor = factors[t];
      for (let s = first; s < end; s++) {
        if (factor[s] === 0) continue;
        for (let w = 0; w < words; w++) x[t * words + w] ^= x[s * words + w];
      }
    };
    for (let t = 0; t < R; t++) addRows(t, 0, t);
    for (let t = R - 1; t >= 0; t--) addRows(t, t + 1, R);
    return Uint32Array.from({ length: R * width }, (_, at) => {
      const j = at % width;
      return (x[((at - j) / width) * words + (j >>> 5)] >>> (j & 31)) & 1;
    });
  }
}

/**
 * Of the Schur complement of `pivots`; `at` is the transpose of `a`. Null where it is too large, or takes more than
 * `maxBytes`.
 */
export async function denseSystem(
  team: Team,
  F: WordPrime,
  a: ResidueMatrix,
  at: ResidueMatrix,
  pivots: Pivots,
  check: () => void,
  maxBytes = MOST_BYTES,
): Promise<DenseSystem | null> {
  const [rows, cols] = [a.rows - pivots.rows.length, a.cols - pivots.rows.length];
  const factors = 4 * Math.min(rows, cols) ** 2;
  if (Math.min(rows, cols) > MOST_ROWS) return null;
  const most = Math.min(MOST_BYTES, maxBytes - factors);
  if (F.p === 2) {
    if (BitMatrix.bytesOf(Math.max(rows, cols), Math.min(rows, cols)) > most) return null;
    const { bits, areRows } = bitLines(team, a, at, pivots);
    try {
      const found = bitPluq(team, bits);
      const { pivotCols } = found;
      const lines = Array.from(pivotCols, (_, t) => bits.row(t));
      return new DenseSystem(F, found, areRows, (t, s) => (lines[t][pivotCols[s] >>> 5] >>> (pivotCols[s] & 31)) & 1);
    } finally {
      bits.release();
    }
  }
  if (DenseMatrix.bytesOf(F, Math.min(rows, cols), Math.max(rows, cols)) > most) return null;
  const lines = new SchurLines(team, F, a, at, pivots, check);
  let d: DenseMatrix | undefined;
  try {
    d = new DenseMatrix(team.memory, F, lines.count, lines.length);
    lines.form(0, lines.count, d, 0);
    const found = pluq(team, F, d);
    const { pivotCols } = found;
    const views = Array.from(pivotCols, (_, t) => (d as DenseMatrix).row(t));
    return new DenseSystem(F, found, lines.areRows, (t, s) => views[t][pivotCols[s]]);
  } finally {
    d?.release();
    lines.free();
  }
}
