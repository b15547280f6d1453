/**
 * The rank of a sparse matrix by dense eliminations of its fronts (dissection.ts), deterministic and proved.
 *
 *   front   rows of the matrix, or what two fronts before it have left, on its own columns and its border
 *   rest    the rows behind the pivots of the own columns, on the border: the next front takes them
 *
 * No other row has an entry at the own columns, so that rank A is the sum of all pivots. A rest of more rows than the
 * border has columns is replaced by a basis of its row space (test/bench/RESULTS.md#fronts).
 *
 * Sources: Duff, Reid 1983; Matstoms 1994 (fronts of rows, for least squares).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix, PANEL } from '../../kernels/dense/dense-matrix.js';
import { eliminateColumns, pluq } from '../../kernels/dense/pluq.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import type { Estimates } from '../estimates.js';
import type { Presolved } from '../presolve/presolve.js';
import { isLocal } from './breadth.js';
import { DENSE_BYTES, echelon } from './dense-rows.js';
import { type Dissection, dissect, type Front, searchBytes, searchSeconds } from './dissection.js';

/** What fronts take at most, of the bytes of their cells: whole panels, packed factors, the copy of a rest. */
const PEAK = 2;

/** Seconds that are worth one. */
const LONG = 0.1;

/**
 * A dissection that should take less than `goal` seconds of one thread, and less than `maxBytes`; null without one.
 * What finds none takes little of the goal.
 */
export function frontsWithin(
  field: WordPrime,
  { a, at }: Pick<Presolved, 'a' | 'at'>,
  estimates: Pick<Estimates, 'frontsSeconds'>,
  goal: number,
  maxBytes: number,
  check: () => void,
): Dissection | null {
  const search = searchSeconds(a);
  const [bytes, room] = [PEAK * (field.isU16 ? 2 : 4), Math.min(maxBytes - searchBytes(a), DENSE_BYTES)];
  if (goal < Math.max(LONG, search) || room <= 0 || !isLocal(a, at)) return null;
  return dissect(a, at, (sizes, most) => {
    check();
    return search + estimates.frontsSeconds(sizes) > goal || bytes * most > room;
  });
}

/** In words. */
export function frontsLine({ a }: Pick<Presolved, 'a'>, { fronts, products }: Dissection): string {
  return `${fronts.length} fronts of ${a.rows} x ${a.cols}, ${products.toPrecision(2)} multiplications`;
}

type Residues = Uint16Array | Uint32Array;

/** Rows on the border of a front: of `matrix`, those from `row` on at the columns from `column` on. */
interface Rest {
  readonly border: Uint32Array;
  readonly matrix: DenseMatrix;
  readonly row: number;
  readonly column: number;
}

export function rankByFronts(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  { fronts }: Dissection,
  check: () => void,
): number {
  const rests: Rest[] = []; // that no front has taken
  const place = new Uint32Array(a.cols);
  let rank = 0;
  try {
    for (const front of fronts) {
      check();
      const parts = rests.slice(rests.length - front.parts);
      const matrix = assemble(team, field, a, front, parts, place);
      const column = wholePanels(front.own.length);
      for (const part of rests.splice(rests.length - front.parts, front.parts, {
        border: front.border,
        matrix,
        row: 0,
        column,
      }))
        part.matrix.release();
      const row = eliminateColumns(team, field, matrix, column);
      rank += row;
      const rest = { border: front.border, matrix, row, column };
      rests[rests.length - 1] = rest;
      if (matrix.rows - row > front.border.length) {
        rests[rests.length - 1] = basisOf(team, field, rest);
        matrix.release();
      }
    }
  } finally {
    for (const { matrix } of rests) matrix.release();
  }
  return rank;
}

/** Own columns are whole panels. */
function wholePanels(columns: number): number {
  return Math.ceil(columns / PANEL) * PANEL;
}

function assemble(
  team: Team,
  field: WordPrime,
  a: ResidueMatrix,
  { rows, own, border }: Front,
  parts: readonly Rest[],
  place: Uint32Array,
): DenseMatrix {
  const height = parts.reduce((sum, { matrix, row }) => sum + matrix.rows - row, rows.length);
  const first = wholePanels(own.length);
  setPlaces(own, place, 0);
  setPlaces(border, place, first);
  const all = new DenseMatrix(team.memory, field, height, first + border.length);
  const cells = all.residues();
  const step = all.stride / all.bytes;
  let to = 0;
  for (const i of rows) {
    scatterRow(a, i, place, cells, to);
    to += step;
  }
  for (const { border, matrix, row, column } of parts) {
    const apart = matrix.stride / matrix.bytes;
    const places = border.map((j) => place[j]);
    scatterRest(matrix.residues(), row * apart + column, apart, matrix.rows - row, places, cells, to, step);
    to += (matrix.rows - row) * step;
  }
  return all;
}

/** As few rows of the same row space. */
function basisOf(team: Team, field: WordPrime, { border, matrix, row, column }: Rest): Rest {
  const rows = new DenseMatrix(team.memory, field, matrix.rows - row, border.length);
  try {
    for (let i = 0; i < rows.rows; i++) rows.row(i).set(matrix.row(row + i).subarray(column));
    const basis = echelon(rows, pluq(team, field, rows));
    basis.forEach((values, t) => {
      rows.row(rows.rows - basis.length + t).set(values);
    });
    return { border, matrix: rows, row: rows.rows - basis.length, column: 0 };
  } catch (error) {
    rows.release();
    throw error;
  }
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

function setPlaces(columns: Uint32Array, place: Uint32Array, first: number): void {
  for (let t = 0; t < columns.length; t++) place[columns[t]] = first + t;
}

function scatterRow(
  { rowPtr, colIdx, values }: ResidueMatrix,
  i: number,
  place: Uint32Array,
  cells: Residues,
  to: number,
): void {
  for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) cells[to + place[colIdx[k]]] = values[k];
}

/** So many rows, `apart` from each other. */
function scatterRest(
  values: Residues,
  from: number,
  apart: number,
  rows: number,
  places: Uint32Array,
  cells: Residues,
  to: number,
  step: number,
): void {
  for (let i = 0; i < rows; i++, from += apart, to += step) {
    for (let t = 0; t < places.length; t++) cells[to + places[t]] = values[from + t];
  }
}
