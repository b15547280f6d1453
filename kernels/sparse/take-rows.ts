/**
 * The rows of a matrix in another order, with other numbers of columns, those with pivots divided by −pivot and without
 * it: what a Schur complement multiplies by (algorithms/schur/schur-complement.ts).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from './residue-matrix.js';

/** Row k of the result is row rowOrder[k] of `a`, and column j is column place[j]. */
export interface Taking {
  readonly a: ResidueMatrix;
  readonly rowOrder: Uint32Array;
  readonly place: Uint32Array;
  readonly given: number; // columns without pivots, which come first and keep their order
  readonly pivots: number; // row k below this has its pivot at column given + k
  readonly rowPtr: Uint32Array; // of the result
}

/** The entries of the result's rows, in arrays that are good until `release`, or for good where it is absent. */
export interface TakenRows extends Pick<ResidueMatrix, 'colIdx' | 'values'> {
  release?(): void;
}

export function takeRows(F: WordPrime, { a, rowOrder, place, given, pivots, rowPtr }: Taking): TakenRows {
  const nnz = rowPtr[rowOrder.length];
  const [colIdx, values, diagonal] = [new Uint32Array(nnz), new Uint32Array(nnz), new Uint32Array(pivots)];
  dealRows(a, rowOrder, place, given, rowPtr, colIdx, values, diagonal);
  scaleRows(F, rowPtr, minusReciprocals(F, diagonal), values);
  return { colIdx, values };
}

/** −1/pivot of each. */
export function minusReciprocals(F: WordPrime, diagonal: Uint32Array): Uint32Array {
  return F.batchInv(diagonal.map((pivot) => F.neg(pivot)));
}

// On a team: take-rows.as.ts.

/** Entries of a row at pivots' columns up to which each is put among those before it. */
const FEW = 64;

/**
 * Row after row in their order, each with its columns increasing by their new places; the pivots, at `given` and
 * behind, go to the diagonal. Columns without pivots keep their order and fill a row from its start, those with pivots
 * fill it from its end, each put in its place there. A loop of its own: kernels/sparse/residue-matrix.ts.
 */
function dealRows(
  { rowPtr: from, colIdx: old, values: was }: ResidueMatrix,
  rowOrder: Uint32Array,
  place: Uint32Array,
  given: number,
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  diagonal: Uint32Array,
): void {
  for (let k = 0; k < rowOrder.length; k++) {
    let next = rowPtr[k];
    const end = rowPtr[k + 1];
    const few = end - FEW;
    let least = end; // the place of the first entry at a pivot's column
    for (let e = from[rowOrder[k]], last = from[rowOrder[k] + 1]; e < last; e++) {
      const c = place[old[e]];
      if (c === given + k) {
        diagonal[k] = was[e];
        continue;
      }
      let at = next;
      if (c < given) next++;
      else {
        at = --least;
        if (least >= few) {
          for (; at + 1 < end && colIdx[at + 1] < c; at++) {
            colIdx[at] = colIdx[at + 1];
            values[at] = values[at + 1];
          }
        }
      }
      colIdx[at] = c;
      values[at] = was[e];
    }
    if (least < few) sortRow(colIdx.subarray(least, end), values.subarray(least, end));
  }
}

/** By columns. */
function sortRow(colIdx: Uint32Array, values: Uint32Array): void {
  const [columns, numbers] = [colIdx.slice(), values.slice()];
  const order = columns.map((_, k) => k).sort((i, j) => columns[i] - columns[j]);
  for (let k = 0; k < order.length; k++) {
    colIdx[k] = columns[order[k]];
    values[k] = numbers[order[k]];
  }
}

/** The first rows, one factor each. */
function scaleRows(F: WordPrime, rowPtr: Uint32Array, factors: Uint32Array, values: Uint32Array): void {
  for (let k = 0; k < factors.length; k++) {
    for (let e = rowPtr[k], end = rowPtr[k + 1]; e < end; e++) values[e] = F.mul(values[e], factors[k]);
  }
}
