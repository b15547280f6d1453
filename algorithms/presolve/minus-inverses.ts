/** The factors by which rows with pivots give the entries of v at the pivots' columns (vanishing.ts). */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { PivotPlaces } from './pattern.js';

/** −1/pivot of each pivot. */
export function minusInverses(F: WordPrime, a: ResidueMatrix, pivots: PivotPlaces): Uint32Array {
  const minus = pivots.rows.map((i, k) => {
    let e = a.rowPtr[i];
    while (a.colIdx[e] !== pivots.cols[k]) e++;
    return F.neg(a.values[e]);
  });
  return F.batchInv(minus);
}
