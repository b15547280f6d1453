/**
 * The rank of a Schur complement S that is full or small, by dense elimination of all of it.
 *
 *   S : m × n, the lines of its shorter side are the rows that are eliminated: Sᵀ·e_i or S·e_j
 *
 * They are formed many at a time, as products with unit vectors (kernels/schur/schur-columns.ts): the substitution then
 * runs through whole vectors, so that a full row costs far less than alone (kernels/schur/schur-rows.ts). Rows formed
 * alone win where they meet few pivots. Mod 2 they are bits from the beginning where all of S fits
 * (kernels/schur/bit-schur.ts).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { DenseMatrix } from '../../kernels/dense/dense-matrix.js';
import { CpuExecutor } from '../../kernels/executors/cpu.js';
import { BitMatrix } from '../../kernels/gf2/bit-matrix.js';
import { bitPluq } from '../../kernels/gf2/bit-pluq.js';
import type { GpuDevice } from '../../kernels/gpu/device.js';
import { bitSchur } from '../../kernels/schur/bit-schur.js';
import { SchurColumns } from '../../kernels/schur/schur-columns.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { CpuOperator } from '../../kernels/spmm/cpu-operator.js';
import type { CpuSubstitution } from '../../kernels/spmm/triangular-solve.js';
import type { Team } from '../../kernels/threads/team.js';
import type { Pivots } from '../presolve/pattern.js';
import { SchurComplement } from '../schur/schur-complement.js';
import { DENSE_BYTES, type FormRows, rankOfDenseRows } from './dense-rows.js';

export interface DenseSchurRank {
  readonly rank: number;
  readonly forming: number; // seconds of them that S took to form
}

/**
 * `at` is the transpose of `a`; throws MethodError when the rows do not fit. With a `gpu` they are eliminated there.
 */
export async function denseSchurRank(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  at: ResidueMatrix,
  pivots: Pivots,
  maxBytes: number,
  check: () => void,
  gpu?: GpuDevice,
): Promise<DenseSchurRank> {
  const most = Math.min(maxBytes, DENSE_BYTES);
  if (field.p === 2) {
    const sides = [a.rows, a.cols].map((lines) => lines - pivots.rows.length);
    if (BitMatrix.bytesOf(Math.max(...sides), Math.min(...sides)) <= most) return rankOfBits(team, a, at, pivots);
  }
  const lines = new SchurLines(team, field, a, at, pivots, check);
  let forming = 0;
  try {
    const form: FormRows = (...what) => {
      const start = performance.now();
      lines.form(...what);
      forming += (performance.now() - start) / 1000;
    };
    const { count, length } = lines;
    if (!gpu) return { rank: await rankOfDenseRows(team, field, count, length, form, most), forming };
    const { rankOfDenseRowsOnGpu } = await import('./gpu-dense-rows.js');
    const rank = await rankOfDenseRowsOnGpu(team, gpu, field, count, length, form, most, check);
    return { rank, forming };
  } finally {
    lines.free();
  }
}

function rankOfBits(team: Team, a: ResidueMatrix, at: ResidueMatrix, pivots: Pivots): DenseSchurRank {
  const start = performance.now();
  const { bits } = bitLines(team, a, at, pivots);
  const forming = (performance.now() - start) / 1000;
  try {
    return { rank: bitPluq(team, bits).rank, forming };
  } finally {
    bits.release();
  }
}

/** The lines of the shorter side of S, many at a time. */
export class SchurLines {
  readonly count: number;
  readonly length: number;
  readonly areRows: boolean; // else the columns of S
  private readonly executor: CpuExecutor;
  private readonly products: SchurColumns;
  private readonly check: () => void;

  constructor(
    team: Team,
    field: WordPrime,
    a: ResidueMatrix,
    at: ResidueMatrix,
    pivots: Pivots,
    check: () => void = () => {},
  ) {
    this.check = check;
    this.executor = new CpuExecutor(field, team);
    const s = new SchurComplement(this.executor, a, at, pivots, true);
    this.areRows = s.rows <= s.cols;
    [this.count, this.length] = this.areRows ? [s.rows, s.cols] : [s.cols, s.rows];
    try {
      const { substitution, others } = s.direction(this.areRows);
      this.products = new SchurColumns(team, field, substitution as CpuSubstitution, others as CpuOperator);
    } catch (error) {
      this.executor.dispose();
      throw error;
    }
  }

  /** Lines first … first + rows − 1 as rows place … of `to`, which hold zeros. */
  form(first: number, rows: number, to: DenseMatrix | BitMatrix, place: number): void {
    const { together } = this.products;
    for (let i = 0; i < rows; i += together) {
      this.check();
      this.products.rows(first + i, Math.min(together, rows - i), to, place + i);
    }
  }

  free(): void {
    this.products.release();
    this.executor.dispose(); // with S's memory
  }
}

/**
 * The longer side of S as rows of bits, which are those of the matrix or of its transpose: the shorter is formed 512
 * lines at a time.
 */
export function bitLines(
  team: Team,
  a: ResidueMatrix,
  at: ResidueMatrix,
  pivots: Pivots,
): { readonly bits: BitMatrix; readonly areRows: boolean } {
  // A's last pivots are eliminated first, and those of Aᵀ, the same, last.
  if (a.rows > a.cols) return { bits: bitSchur(team, a, { rows: pivots.cols, cols: pivots.rows }), areRows: true };
  const order = { rows: pivots.rows.slice().reverse(), cols: pivots.cols.slice().reverse() };
  return { bits: bitSchur(team, at, order), areRows: false };
}
