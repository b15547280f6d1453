/**
 * Boundary matrices of simplicial complexes: K-simplices as rows, (K − 1)-simplices as columns, both lexicographic, and
 * (−1)^q where dropping the q-th vertex of the row gives the column.
 *
 * Columns are found by rank, not by search: a complex says how many simplices precede a given one.
 */
import { rowMajor, type Triplets, TripletWriter } from '../triplets.js';

/** A complex whose simplices can be counted, walked through and ranked; vertices are integers, ascending. */
export interface Complex {
  readonly name: string;
  /** How many simplices have `size` vertices. */
  count(size: number): number;
  /** Calls `visit` with every simplex of `size` vertices in lexicographic order; the array is reused. */
  forEach(size: number, visit: (simplex: Int32Array) => void): void;
  /** The lexicographic rank, among simplices of `size` vertices. */
  ranker(size: number): (simplex: Int32Array) => number;
}

/** The boundary matrix of the K-simplices, K ≥ 1. */
export function boundary(complex: Complex, dimension: number): Triplets {
  const size = dimension + 1; // vertices of a row
  const rows = complex.count(size);
  const out = new TripletWriter(`${complex.name}-b${dimension}`, rows, complex.count(dimension), rows * size);
  const rank = complex.ranker(dimension);
  const face = new Int32Array(dimension);
  let i = 0;
  complex.forEach(size, (simplex) => {
    // Dropping a later vertex leaves a lexicographically smaller face: columns ascend as q falls.
    for (let q = dimension; q >= 0; q--) {
      for (let at = 0; at < dimension; at++) face[at] = simplex[at < q ? at : at + 1];
      out.push(i, rank(face), q % 2 === 0 ? 1 : -1);
    }
    i++;
  });
  return rowMajorIfNeeded(out.finish());
}

/** Faces come in ascending order in every complex here; a complex where they do not is put in order. */
function rowMajorIfNeeded(a: Triplets): Triplets {
  for (let k = 1; k < a.rowIdx.length; k++) {
    if (a.rowIdx[k] === a.rowIdx[k - 1] && a.colIdx[k] < a.colIdx[k - 1]) return rowMajor(a);
  }
  return a;
}
