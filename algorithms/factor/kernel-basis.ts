/**
 * The basis of the kernel of a matrix, a sparse vector for each column without a pivot, by the cost of its entries.
 *
 *   v_f : 1 at f, −x at C, x = M⁻¹·b, b = A[R, f]
 *
 * Vectors go by groups: the part of b that reaches the dense end is a row of one Schur complement, its solution there
 * a dense one, and v_f a row of another (unrolled-system.ts). Each vector is multiplied by A before it is given.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { SchurRows } from '../../kernels/schur/schur-rows.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import type { RoundBlocks } from './blocks.js';
import type { DenseEnd } from './dense-end.js';
import { GrowingMatrix, stackRows } from './growing-matrix.js';
import { isZeroSum } from './products.js';
import type { SparseVectors } from './types.js';
import { type UnrolledSystem, unrollAll, unrollForward } from './unrolled-system.js';

/** Entries of the dense right sides of a group. */
const GROUP = 2 ** 23;

/** Vectors of a group: its matrix is uploaded once. */
const MOST = 2 ** 14;

/** Entries of a batch about, and vectors of the first one of a group. */
const BATCH = 2 ** 20;
const FIRST = 32;

export interface KernelBasis {
  readonly team: Team;
  readonly F: WordPrime;
  readonly at: ResidueMatrix; // Aᵀ
  readonly pivotRows: Uint32Array; // R
  readonly pivotCols: Uint32Array; // C
  readonly blocks: readonly RoundBlocks[]; // of M
  readonly end: DenseEnd | null;
  readonly isTransposed: boolean; // M is the transpose of the matrix that `end` is of
  readonly freeCols: Uint32Array;
  readonly check: () => void;
}

export async function* basisBatches(basis: KernelBasis): AsyncGenerator<SparseVectors> {
  const { team, F, at, pivotRows, pivotCols, blocks, end, isTransposed, freeCols, check } = basis;
  const ending = end?.rank ?? 0;
  const rounds = { blocks, rank: pivotCols.length, ending };
  const system = unrollAll(F, rounds, at.rows, pivotCols);
  const place = new Int32Array(at.cols).fill(-1);
  pivotRows.forEach((row, k) => {
    place[row] = k;
  });
  const right = rightSides(at, freeCols, place);
  const toEnd = ending > 0 ? unrollForward(rounds) : null;
  const solver = ending > 0 ? end!.solver(team, isTransposed) : null;
  const sums = new Float64Array(at.cols); // A·v, zero between vectors
  const group = Math.min(MOST, Math.max(FIRST, Math.floor(GROUP / Math.max(1, ending))));
  try {
    for (let first = 0; first < freeCols.length; first += group) {
      check();
      const count = Math.min(group, freeCols.length - first);
      let z: Uint32Array | null = null;
      if (toEnd && solver) {
        z = endSides(team, F, toEnd, right, first, count, ending, check);
        solver.solve(z, count);
      }
      const rows = startRows(system, right, first, count, freeCols, z, at.rows);
      yield* formVectors(team, F, system, rows, at, sums, check);
    }
  } finally {
    solver?.release();
  }
}

/** b of each free column as a row: its entries at the pivots' rows, by their numbers. */
function rightSides(at: ResidueMatrix, freeCols: Uint32Array, place: Int32Array): ResidueMatrix {
  const entries = new GrowingMatrix();
  freeCols.forEach((column, f) => {
    for (let k = at.rowPtr[column]; k < at.rowPtr[column + 1]; k++) {
      const pivot = place[at.colIdx[k]];
      if (pivot >= 0) entries.add(f, pivot, at.values[k]);
    }
  });
  return entries.toRows(freeCols.length, place.length);
}

/** What is left of some b at the dense end, a row each of its pivots, `count` residues. */
function endSides(
  team: Team,
  F: WordPrime,
  { unknowns, matrix, equations }: UnrolledSystem,
  right: ResidueMatrix,
  first: number,
  count: number,
  ending: number,
  check: () => void,
): Uint32Array {
  const entries = new GrowingMatrix();
  for (let f = 0; f < count; f++) {
    for (let k = right.rowPtr[first + f]; k < right.rowPtr[first + f + 1]; k++) {
      entries.add(f, equations[right.colIdx[k]], right.values[k]);
    }
  }
  const z = new Uint32Array(ending * count);
  const run = new Elimination(team, F, unknowns, stackRows(matrix, entries.toRows(count, unknowns + ending)));
  try {
    const { rowPtr, colIdx, values } = run.form(0, count, check);
    for (let f = 0; f < count; f++) {
      for (let k = rowPtr[f]; k < rowPtr[f + 1]; k++) z[colIdx[k] * count + f] = values[k];
    }
    return z;
  } finally {
    run.free();
  }
}

/** [b, z, e_f] for `count` free columns. */
function startRows(
  { unknowns, equations }: UnrolledSystem,
  right: ResidueMatrix,
  first: number,
  count: number,
  freeCols: Uint32Array,
  z: Uint32Array | null,
  cols: number,
): ResidueMatrix {
  const entries = new GrowingMatrix();
  const ending = z === null ? 0 : z.length / count;
  const endFirst = equations.length - ending;
  for (let f = 0; f < count; f++) {
    for (let k = right.rowPtr[first + f]; k < right.rowPtr[first + f + 1]; k++) {
      if (right.colIdx[k] < endFirst) entries.add(f, equations[right.colIdx[k]], right.values[k]);
    }
    for (let t = 0; t < ending; t++) {
      const value = z![t * count + f];
      if (value !== 0) entries.add(f, equations[endFirst + t], value);
    }
    entries.add(f, unknowns + freeCols[first + f], 1);
  }
  return entries.toRows(count, unknowns + cols);
}

/** The vectors of a group in batches. */
function* formVectors(
  team: Team,
  F: WordPrime,
  { unknowns, matrix }: UnrolledSystem,
  rows: ResidueMatrix,
  at: ResidueMatrix,
  sums: Float64Array,
  check: () => void,
): Generator<SparseVectors> {
  const run = new Elimination(team, F, unknowns, stackRows(matrix, rows));
  try {
    for (let first = 0, together = FIRST; first < rows.rows; ) {
      const count = Math.min(together, rows.rows - first);
      const { rowPtr, colIdx, values } = run.form(first, count, check);
      for (let i = 0; i < count; i++) {
        if (!isZeroSum(F, at, colIdx, values, rowPtr[i], rowPtr[i + 1], sums)) throw new Error(BUG);
      }
      yield { count, ptr: rowPtr, index: colIdx, values };
      first += count;
      together = Math.max(1, Math.min(8 * together, Math.floor((BATCH * count) / Math.max(1, values.length))));
    }
  } finally {
    run.free();
  }
}

/** Rows behind the unknowns, less multiples of theirs. */
class Elimination {
  private readonly unknowns: number;
  private readonly schur: SchurRows;

  constructor(team: Team, F: WordPrime, unknowns: number, matrix: ResidueMatrix) {
    this.unknowns = unknowns;
    const order = Uint32Array.from({ length: unknowns }, (_, k) => k);
    this.schur = new SchurRows(team, F, matrix, { rows: order, cols: order });
  }

  form(first: number, count: number, check: () => void): ResidueMatrix {
    const rows = Uint32Array.from({ length: count }, (_, i) => this.unknowns + first + i);
    return this.schur.sparse(rows, { check });
  }

  free(): void {
    this.schur.release();
  }
}

const BUG = 'nullspace: expected vectors that A maps to zero, got another: a bug';
