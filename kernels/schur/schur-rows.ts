/**
 * Rows of the Schur complement S = A22 − A21·U⁻¹·A12 of triangular pivots, formed sparse or dense on the team: the
 * host's side of kernels/schur/schur-rows.as.ts.
 *
 *   A : rows × cols; the row of pivot k has entries at no column of the pivots before it
 *   columns of S : those of A without a pivot, in order
 */
import { boundBeforeCorrection } from '../../fields/reduction.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { DenseMatrix } from '../dense/dense-matrix.js';
import type { BitMatrix } from '../gf2/bit-matrix.js';
import type { ResidueMatrix } from '../sparse/residue-matrix.js';
import { type Argument, argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import * as L from './schur-rows-layout.js';

/** Bytes of finished sparse rows that a thread may hold before the host takes them, and that all threads may hold. */
const ROOM = 2 ** 24;
const ROOM_OF_ALL = 2 ** 28;

/** In order of elimination: rows[k] has no entry at cols[l] for l < k. */
export interface EliminationOrder {
  readonly rows: ArrayLike<number>;
  readonly cols: ArrayLike<number>;
}

export interface FormingOptions {
  /** Called before every command; may throw. */
  readonly check?: () => void;
  /** Bytes that a thread holds before the host takes its rows. */
  readonly most?: number;
  /** Whether the caller's thread works alone, so that its time can be measured. */
  readonly alone?: boolean;
}

export class SchurRows {
  readonly cols: number;
  private readonly team: Team;
  private readonly field: WordPrime;
  private readonly pivots: number;
  private readonly held: number[] = [];
  private readonly arrays: readonly Argument[]; // the addresses of the matrix and of the pivots
  private readonly work: number;
  private readonly workBytes: number;
  private readonly allCols: number;

  constructor(team: Team, field: WordPrime, a: ResidueMatrix, order: EliminationOrder) {
    const pivots = order.rows.length;
    this.team = team;
    this.field = field;
    this.pivots = pivots;
    this.allCols = a.cols;
    this.cols = a.cols - pivots;
    const number = renumber(a.cols, order.cols);
    const colIdx = a.colIdx.map((c) => number[c]);
    const factors = new Uint32Array(pivots);
    for (let k = 0; k < pivots; k++) {
      let at = a.rowPtr[order.rows[k]];
      while (colIdx[at] !== k) at++;
      factors[k] = field.neg(a.values[at]);
    }
    this.workBytes = Math.ceil((8 * a.cols + 8 * Math.ceil(a.cols / 64)) / 64) * 64;
    try {
      this.arrays = [
        [L.ROW_PTR, this.upload(a.rowPtr)],
        [L.COL_IDX, this.upload(colIdx)],
        [L.VALUES, this.upload(a.values)],
        [L.PIVOT_ROWS, this.upload(Uint32Array.from(order.rows))],
        [L.FACTORS, this.upload(field.batchInv(factors))],
      ];
      this.work = team.memory.allocZeroed(this.workBytes * team.threads);
      this.held.push(this.work);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Bytes that an instance takes in the kernels' memory. */
  static bytesOf(team: Team, a: ResidueMatrix): number {
    return 4 * (2 * a.values.length + a.rows) + 9 * a.cols * team.threads;
  }

  /** The rows of S that belong to these rows of A, in their order. */
  sparse(rows: Uint32Array, { check, most = ROOM, alone = false }: FormingOptions = {}): ResidueMatrix {
    const { memory, threads } = this.team;
    // A thread begins a row where there is room for a full one.
    const row = 8 * this.cols;
    const bytes = Math.max(2 * row, Math.min(most, Math.floor(ROOM_OF_ALL / threads / 64) * 64, rows.length * row));
    const [list, results, ends, ...buffers] = memory.orNothing(() => {
      const sizes = [4 * rows.length, 8 * rows.length, 64 * threads, ...new Array<number>(threads).fill(bytes)];
      return sizes.map((size) => memory.alloc(size));
    }) as [number, number, number, ...number[]];
    const parts = new Array<Uint32Array>(rows.length);
    let nnz = 0;
    try {
      for (let left = Uint32Array.from(rows.keys()); left.length > 0; ) {
        check?.();
        buffers.forEach((at, thread) => {
          memory.u32(ends + 64 * thread, 2).set([at, at + bytes]);
        });
        memory.u32(list, left.length).set(left.map((t) => rows[t]));
        // An address of 0 marks a row that this command has not formed.
        memory.u32(results, 2 * left.length).fill(0);
        this.run(
          'schurSparse',
          list,
          left.length,
          [
            [L.RESULTS, results],
            [L.ROOM, ends],
          ],
          alone,
        );
        const table = memory.u32(results, 2 * left.length);
        left = left.filter((t, k) => {
          const [at, count] = table.subarray(2 * k, 2 * k + 2);
          if (at === 0) return true;
          parts[t] = memory.u32(at, 2 * count).slice();
          nnz += count;
          return false;
        });
      }
    } finally {
      for (const at of [list, results, ends, ...buffers]) memory.release(at);
    }
    return joinRows(parts, this.cols, nnz);
  }

  /** Row `first + t` of `to`, which holds zeros, ← the row of S of row rows[t] of A. */
  dense(rows: Uint32Array, to: DenseMatrix | BitMatrix, first: number): void {
    const list = this.upload(rows);
    this.run('schurDense', list, rows.length, [
      [L.STRIDE, to.stride],
      [L.DENSE, to.at + first * to.stride],
      [L.BYTES, to.bytes],
    ]);
    this.team.memory.release(list);
    this.held.splice(this.held.indexOf(list), 1);
  }

  release(): void {
    for (const at of this.held) this.team.memory.release(at);
    this.held.length = 0;
  }

  private run(
    name: 'schurSparse' | 'schurDense',
    list: number,
    count: number,
    rest: readonly Argument[],
    alone = false,
  ): void {
    const bound = boundBeforeCorrection(this.field.modulus);
    // biome-ignore format: a line a group of words
    const args = argumentList(
      [L.ROWS, list], [L.COUNT, count], ...this.arrays, [L.PIVOTS, this.pivots], [L.COLS, this.allCols],
      [L.WORK, this.work], [L.WORK_BYTES, this.workBytes], [L.MODULUS, this.field.p],
      [L.BOUND, Number(bound & 0xffffffffn)], [L.BOUND + 4, Number(bound >> 32n)], ...rest,
    );
    this.team.launch(name, args, alone);
  }

  private upload(words: Uint32Array): number {
    const at = this.team.memory.alloc(4 * words.length);
    this.team.memory.u32(at, words.length).set(words);
    this.held.push(at);
    return at;
  }
}

/** New numbers of the columns: the pivots' in their order, then the others. */
function renumber(cols: number, pivots: ArrayLike<number>): Uint32Array {
  const number = new Uint32Array(cols).fill(cols);
  for (let k = 0; k < pivots.length; k++) number[pivots[k]] = k;
  let next = pivots.length;
  for (let c = 0; c < cols; c++) if (number[c] === cols) number[c] = next++;
  return number;
}

/** Rows of (column, residue) pairs as compressed rows. */
function joinRows(parts: readonly Uint32Array[], cols: number, nnz: number): ResidueMatrix {
  const rowPtr = new Uint32Array(parts.length + 1);
  const colIdx = new Uint32Array(nnz);
  const values = new Uint32Array(nnz);
  let at = 0;
  parts.forEach((pairs, t) => {
    for (let k = 0; k < pairs.length; k += 2) {
      colIdx[at] = pairs[k];
      values[at++] = pairs[k + 1];
    }
    rowPtr[t + 1] = at;
  });
  return { rows: parts.length, cols, rowPtr, colIdx, values };
}
