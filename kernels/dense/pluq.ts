/**
 * PLUQ of a dense matrix over F_p, p < 2^31: rank and both rank profiles, in place, by recursion on the columns.
 *
 *   A : m × n     r : its rank     P·A = L·U on the pivots' columns: L m × r lower, U r × n, its pivots 1
 *
 *   factor(columns) : the left half is factored; of the right half, the rows with pivots become L11⁻¹·A12 and the
 *   others lose L21 times that; then the right half is factored on the rows that are left. Panels of 16 columns end it.
 *
 * Only whole rows move. L stands in the pivots' columns, U right of its pivots, and columns without a pivot are skipped
 * by listing the others. L11⁻¹ is applied by halves too, down to triangles of 32 that are inverted, so that nearly all
 * work is C ← C − A·B (kernels/dense/gemm.ts) and the cost O(m·n·r). Sources: Toledo 1997 (recursion on the columns);
 * Dumas, Pernet, Sultan 2015 (the pivots give both rank profiles).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { polyField } from '../residues/field-words.js';
import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import { type DenseMatrix, PANEL } from './dense-matrix.js';
import { type DenseBlock, DenseProduct } from './gemm.js';
import * as L from './pluq-panel-layout.js';

/** The kernel of a panel by the bytes of a residue. */
const PANELS = { 2: 'pluqPanelU16', 4: 'pluqPanelU32' } as const;

const TRIANGLE = 32;

export interface Pluq {
  readonly rank: number;
  /** The rows and columns of the pivots, in order of elimination; A restricted to them is nonsingular. */
  readonly pivotRows: Uint32Array; // sorted: the row rank profile, the first rows that span the row space
  readonly pivotCols: Uint32Array; // increasing: the column rank profile
}

/** Overwrites `a` with its factors. */
export function pluq(team: Team, field: WordPrime, a: DenseMatrix): Pluq {
  return factor(team, field, a, true);
}

/** The same pivots, and in `a` no factors: once every row has its pivot, columns right of them are left as they are. */
export function pluqPivots(team: Team, field: WordPrime, a: DenseMatrix): Pluq {
  return factor(team, field, a, false);
}

/**
 * The pivots of the first `columns` columns, whole panels, and their number: the rows behind them keep what these leave
 * of the other columns.
 */
export function eliminateColumns(team: Team, field: WordPrime, a: DenseMatrix, columns: number): number {
  return runOn(team, field, a, false, (run) => run.eliminate(columns));
}

function factor(team: Team, field: WordPrime, a: DenseMatrix, toTheEnd: boolean): Pluq {
  return runOn(team, field, a, toTheEnd, (run) => run.go());
}

function runOn<T>(team: Team, field: WordPrime, a: DenseMatrix, toTheEnd: boolean, work: (run: PluqRun) => T): T {
  const run = new PluqRun(team, field, a, toTheEnd);
  try {
    return work(run);
  } finally {
    run.release();
  }
}

class PluqRun {
  private readonly team: Team;
  private readonly a: DenseMatrix;
  private readonly p: number;
  private readonly product: DenseProduct;
  private readonly places: readonly number[]; // all that follow
  private readonly numbers: number; // u32 a row: which row of the given matrix stands there
  private readonly pivots: number; // u32 a pivot: its column
  private readonly scratch: number; // a panel
  private readonly triangle: number; // −L11⁻¹, rows of 32
  private readonly columns: number; // 0, 1, … 31
  private readonly found: number;
  private readonly constants: number; // of the field, for u32 panels
  private readonly toTheEnd: boolean; // else until every row has its pivot

  constructor(team: Team, field: WordPrime, a: DenseMatrix, toTheEnd: boolean) {
    this.team = team;
    this.a = a;
    this.toTheEnd = toTheEnd;
    this.p = field.p;
    const { memory } = team;
    this.product = new DenseProduct(team, field);
    const { rows, cols, bytes } = a;
    const rest = [PANEL * (rows + 8) * bytes + 64 * 4, TRIANGLE * TRIANGLE * bytes, TRIANGLE * 4, 4];
    const sizes = [4 * rows, 4 * Math.min(rows, cols), ...rest];
    this.places = memory.orNothing(() => [...sizes.map((size) => memory.alloc(size)), polyField(memory, field)]);
    [this.numbers, this.pivots, this.scratch, this.triangle, this.columns, this.found, this.constants] = this
      .places as [number, number, number, number, number, number, number];
    memory.u32(this.numbers, a.rows).forEach((_, i, all) => {
      all[i] = i;
    });
    memory.u32(this.columns, TRIANGLE).set(Array.from({ length: TRIANGLE }, (_, i) => i));
  }

  go(): Pluq {
    const { memory } = this.team;
    const rank = this.factor(0, Math.ceil(this.a.cols / PANEL) * PANEL, 0);
    return {
      rank,
      pivotRows: memory.u32(this.numbers, rank).slice(),
      pivotCols: memory.u32(this.pivots, rank).slice(),
    };
  }

  eliminate(columns: number): number {
    const rank = this.factor(0, columns, 0);
    const { rows, cols } = this.a;
    const end = Math.ceil(cols / PANEL) * PANEL;
    if (rank < rows && columns < end) {
      this.solve(0, rank, columns, end);
      this.subtract(rank, rows, 0, rank, columns, end);
    }
    return rank;
  }

  release(): void {
    this.product.release();
    for (const at of this.places) this.team.memory.release(at);
  }

  /** Factors columns first … last − 1 of the rows from `rank` on; returns the rank with them. */
  private factor(first: number, last: number, rank: number): number {
    const { rows } = this.a;
    if (rank === rows || first === last) return rank;
    if (last - first <= PANEL) return this.panel(first, rank);
    const middle = first + PANEL * Math.ceil((last - first) / PANEL / 2);
    const reached = this.factor(first, middle, rank);
    if (reached === rows && !this.toTheEnd) return reached;
    // A12 ← L11⁻¹·A12, A22 ← A22 − L21·A12
    this.solve(rank, reached, middle, last);
    this.subtract(reached, rows, rank, reached, middle, last);
    return this.factor(middle, last, reached);
  }

  private panel(column: number, rank: number): number {
    const { at, stride, rows, bytes } = this.a;
    const field = bytes === 2 ? this.p : this.constants;
    // biome-ignore format: a line a group of words
    const args = argumentList(
      [L.MATRIX, at], [L.STRIDE, stride], [L.ROWS, rows], [L.FIRST, rank], [L.COLUMN, column],
      [L.SCRATCH, this.scratch], [L.NUMBERS, this.numbers], [L.PIVOTS, this.pivots], [L.FOUND, this.found], [L.FIELD, field],
    );
    this.team.launch(PANELS[bytes], args, true);
    return rank + this.team.memory.u32(this.found, 1)[0]!;
  }

  /** Rows first … last − 1 of columns left … right − 1 ← L11⁻¹ times them, L11 the triangle of these pivots. */
  private solve(first: number, last: number, left: number, right: number): void {
    if (last - first <= TRIANGLE) {
      if (last > first) this.solveTriangle(first, last, left, right);
      return;
    }
    const middle = first + TRIANGLE * Math.ceil((last - first) / TRIANGLE / 2);
    this.solve(first, middle, left, right);
    this.subtract(middle, last, first, middle, left, right);
    this.solve(middle, last, left, right);
  }

  private solveTriangle(first: number, last: number, left: number, right: number): void {
    const { bytes, stride } = this.a;
    const size = last - first;
    const columns = this.pivots + 4 * first;
    // biome-ignore format: a line a group of words
    const args = argumentList(
      [L.TRIANGLE, this.place(first, 0).at], [L.TRIANGLE_STRIDE, stride], [L.TRIANGLE_COLUMNS, columns], [L.SIZE, size],
      [L.MODULUS, this.p], [L.OUT, this.triangle], [L.RESIDUE_BYTES, bytes],
    );
    this.team.launch('invertTriangle', args, true);
    const block = this.place(first, left);
    const inverse = { at: this.triangle, stride: TRIANGLE * bytes };
    // block ← 0 − (−L11⁻¹)·block
    this.product.subtract(block, inverse, this.columns, block, size, size, right - left, true);
  }

  /** Rows top … bottom − 1 lose L times U of pivots first … last − 1, in columns left … right − 1. */
  private subtract(top: number, bottom: number, first: number, last: number, left: number, right: number): void {
    if (first === last) return;
    const columns = this.pivots + 4 * first;
    const [c, l, u] = [this.place(top, left), this.place(top, 0), this.place(first, left)];
    this.product.subtract(c, l, columns, u, bottom - top, last - first, right - left);
  }

  private place(row: number, column: number): DenseBlock {
    const { at, stride, bytes } = this.a;
    return { at: at + row * stride + column * bytes, stride };
  }
}
