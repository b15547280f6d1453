/**
 * A matrix with pivots as the two that its Schur complement is applied by: the rows of A with pivots, divided by −pivot
 * and without it, and the others. Columns are renumbered, those without pivots first, those with pivots behind them in
 * the pivots' order. The threads of a team make the same rows.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { RowRenumbering } from '../../kernels/sparse/renumbered-rows.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { KernelArrays } from '../../kernels/threads/kernel-arrays.js';
import type { Team } from '../../kernels/threads/team.js';
import type { Pivots } from '../presolve/pattern.js';

/** Where the pivots are, in the order of the triangle. */
export type PivotPlaces = Pick<Pivots, 'rows' | 'cols'>;

export interface SplitMatrix {
  readonly pivots: ResidueMatrix;
  readonly others: ResidueMatrix;
  /** The rows are then needed no more. */
  release(): void;
}

/** Entries from which on threads split sooner than one. */
const WORTH_THREADS = 2 ** 17;

/** `at` is the transpose of `a`. */
export function splitByPivots(
  F: WordPrime,
  a: ResidueMatrix,
  at: ResidueMatrix,
  pivots: PivotPlaces,
  team?: Team,
): SplitMatrix {
  if (team !== undefined && team.threads > 1 && a.colIdx.length >= WORTH_THREADS)
    return splitOnTeam(F, a, pivots, team);
  return { ...split(F, a, at, pivots), release: () => undefined };
}

/** The rows are in the memory of the team's kernels. */
export function splitOnTeam(F: WordPrime, a: ResidueMatrix, pivots: PivotPlaces, team: Team): SplitMatrix {
  const given = a.cols - pivots.cols.length;
  const place = placesOf(withOthers(a.cols, pivots.cols, 'before'));
  const renumbering = new RowRenumbering(team, a, F.p, { place, given });
  const arrays = new KernelArrays(team.memory);
  const others = withOthers(a.rows, pivots.rows, 'behind').subarray(pivots.rows.length);
  try {
    const rows = (list: Uint32Array, scaled: boolean): ResidueMatrix => renumbering.rows(arrays, list, scaled);
    return { pivots: rows(pivots.rows, true), others: rows(others, false), release: () => arrays.release() };
  } catch (error) {
    arrays.release();
    throw error;
  } finally {
    renumbering.release();
  }
}

function split(F: WordPrime, a: ResidueMatrix, at: ResidueMatrix, pivots: PivotPlaces): Omit<SplitMatrix, 'release'> {
  const { rows, cols } = a;
  const r = pivots.rows.length;
  const given = cols - r;
  const rowOrder = withOthers(rows, pivots.rows, 'behind');
  const colOrder = withOthers(cols, pivots.cols, 'before');
  const place = placesOf(rowOrder);
  const rowPtr = new Uint32Array(rows + 1);
  for (let k = 0; k < rows; k++) {
    const i = rowOrder[k];
    rowPtr[k + 1] = rowPtr[k] + a.rowPtr[i + 1] - a.rowPtr[i] - (k < r ? 1 : 0);
  }
  const factors = F.batchInv(minusPivots(F, a, pivots));
  const colIdx = new Uint32Array(rowPtr[rows]);
  const values = new Uint32Array(rowPtr[rows]);
  dealRows(at, colOrder, place, given, rowPtr.slice(), colIdx, values);
  scaleRows(F, rowPtr, factors, values);
  const rowsOf = (first: number, last: number): ResidueMatrix => ({
    rows: last - first,
    cols,
    rowPtr: rowPtr.subarray(first, last + 1).map((at) => at - rowPtr[first]),
    colIdx: colIdx.subarray(rowPtr[first], rowPtr[last]),
    values: values.subarray(rowPtr[first], rowPtr[last]),
  });
  return { pivots: rowsOf(0, r), others: rowsOf(r, rows) };
}

/**
 * Column after column in their order, so that the columns of every row come out increasing; the pivots, at `given` and
 * behind, are left out. A loop of its own: kernels/sparse/residue-matrix.ts.
 */
function dealRows(
  { rowPtr: colPtr, colIdx: rowIdx, values: from }: ResidueMatrix,
  colOrder: Uint32Array,
  place: Uint32Array,
  given: number,
  next: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
): void {
  for (let c = 0; c < colOrder.length; c++) {
    const j = colOrder[c];
    for (let e = colPtr[j], end = colPtr[j + 1]; e < end; e++) {
      const k = place[rowIdx[e]];
      if (c === given + k) continue;
      const to = next[k]++;
      colIdx[to] = c;
      values[to] = from[e];
    }
  }
}

/** The first rows, one factor each. */
function scaleRows(F: WordPrime, rowPtr: Uint32Array, factors: Uint32Array, values: Uint32Array): void {
  for (let k = 0; k < factors.length; k++) {
    for (let e = rowPtr[k], end = rowPtr[k + 1]; e < end; e++) values[e] = F.mul(values[e], factors[k]);
  }
}

/** The chosen lines of 0 … count − 1 in their order, and all others in theirs. */
function withOthers(count: number, chosen: Uint32Array, others: 'before' | 'behind'): Uint32Array {
  const taken = new Uint8Array(count);
  for (const line of chosen) taken[line] = 1;
  const order = new Uint32Array(count);
  order.set(chosen, others === 'before' ? count - chosen.length : 0);
  let at = others === 'before' ? 0 : chosen.length;
  for (let line = 0; line < count; line++) if (taken[line] === 0) order[at++] = line;
  return order;
}

function minusPivots(F: WordPrime, { rowPtr, colIdx, values }: ResidueMatrix, pivots: PivotPlaces): Uint32Array {
  return pivots.rows.map((i, k) => {
    let e = rowPtr[i];
    while (colIdx[e] !== pivots.cols[k]) e++;
    return F.neg(values[e]);
  });
}

/** The inverse of a permutation. */
function placesOf(order: Uint32Array): Uint32Array {
  const place = new Uint32Array(order.length);
  for (let k = 0; k < order.length; k++) place[order[k]] = k;
  return place;
}
