/**
 * As many independent rows and columns of a matrix as its rank: those of a nonsingular submatrix.
 *
 *   A = [L A12; A21 A22] up to order, L : the structural pivots, triangular     S = A22 − A21·L⁻¹·A12
 *   rows of L and pivot rows of S, columns likewise: A restricted to them is nonsingular, since det = det L · det of
 *     that part of S
 *
 * Where the pivots are as many as the rank S is zero and not formed. Else it is eliminated, dense, at once:
 * deterministic, and the number of lines is the rank, proved. Without threads all of A goes through sparse elimination.
 */
import type { Field } from '../../fields/field.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix } from '../../kernels/dense/dense-matrix.js';
import { type Pluq, pluq } from '../../kernels/dense/pluq.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { BitMatrix } from '../../kernels/gf2/bit-matrix.js';
import { bitPluq } from '../../kernels/gf2/bit-pluq.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import { MethodError } from '../method-error.js';
import type { Pivots } from '../presolve/pattern.js';
import { structuralPivots } from '../presolve/structural-pivots.js';
import { type Compressed, sparseRows } from '../reference/rows.js';
import { eliminateSparse } from '../reference/sparse-elimination.js';
import { DENSE_BYTES } from './dense-rows.js';
import { bitLines, SchurLines } from './dense-schur.js';

export interface IndependentLines {
  readonly rows: Uint32Array; // ascending
  readonly cols: Uint32Array; // ascending, as many
  /** Whether their number is the rank for certain, and not just no more than it. */
  readonly exact: boolean;
}

/**
 * Lines of `a`, whose rank is at least `rank`; `rank` of them are all where it is the rank. MethodError where S takes
 * more than `maxBytes`.
 */
export function independentLines(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  rank: number,
  check: () => void,
  maxBytes: number = DENSE_BYTES,
): IndependentLines {
  const at = transpose(a) as ResidueMatrix;
  const { pivots } = structuralPivots(a, at);
  const size = pivots.rows.length;
  if (size >= rank) {
    return {
      rows: pivots.rows.slice().sort(),
      cols: pivots.cols.slice().sort(),
      exact: size === Math.min(a.rows, a.cols),
    };
  }
  const [rows, cols] = [a.rows - size, a.cols - size];
  const [short, long] = [Math.min(rows, cols), Math.max(rows, cols)];
  const need = field.p === 2 ? BitMatrix.bytesOf(long, short) : DenseMatrix.bytesOf(field, short, long);
  const allowed = Math.min(maxBytes, DENSE_BYTES);
  if (need > allowed) {
    throw new MethodError(
      `pivots: the ${rows} x ${cols} Schur complement takes about ${megabytes(need)} MB, allowed are ${megabytes(allowed)}`,
    );
  }
  const found = field.p === 2 ? ofBits(team, a, at, pivots) : ofResidues(team, field, a, at, pivots, check);
  return {
    rows: mergeLines(a.rows, pivots.rows, found.rows),
    cols: mergeLines(a.cols, pivots.cols, found.cols),
    exact: true,
  };
}

/** The same over any field, without threads. */
export function independentLinesReference<E>(
  F: Field<E>,
  a: Compressed,
  check?: (held: number) => void,
): IndependentLines {
  const { pivotRows, pivotCols } = eliminateSparse(F, sparseRows(F, a), a.cols, check);
  return { rows: Uint32Array.from(pivotRows).sort(), cols: Uint32Array.from(pivotCols).sort(), exact: true };
}

interface Lines {
  readonly rows: Uint32Array;
  readonly cols: Uint32Array;
}

function ofBits(team: Team, a: ResidueMatrix, at: ResidueMatrix, pivots: Pivots): Lines {
  const { bits, areRows } = bitLines(team, a, at, pivots);
  try {
    return orient(bitPluq(team, bits), areRows);
  } finally {
    bits.release();
  }
}

function ofResidues(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  at: ResidueMatrix,
  pivots: Pivots,
  check: () => void,
): Lines {
  const lines = new SchurLines(team, field, a, at, pivots, check);
  let dense: DenseMatrix | undefined;
  try {
    dense = new DenseMatrix(team.memory, field, lines.count, lines.length);
    lines.form(0, lines.count, dense, 0);
    return orient(pluq(team, field, dense), lines.areRows);
  } finally {
    dense?.release();
    lines.free();
  }
}

function orient({ pivotRows, pivotCols }: Pluq, areRows: boolean): Lines {
  return areRows ? { rows: pivotRows, cols: pivotCols } : { rows: pivotCols, cols: pivotRows };
}

/** The lines of pivots, and of the others, in their order, those with the given numbers; ascending. */
function mergeLines(size: number, taken: Uint32Array, numbers: Uint32Array): Uint32Array {
  const isTaken = new Uint8Array(size);
  for (const line of taken) isTaken[line] = 1;
  const others = Uint32Array.from(isTaken.keys()).filter((line) => isTaken[line] === 0);
  for (const number of numbers) isTaken[others[number]] = 1;
  return Uint32Array.from(isTaken.keys()).filter((line) => isTaken[line] === 1);
}
