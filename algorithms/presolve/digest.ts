/** Which operator pivots leave of a matrix, as its digest. */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { digestOfBytes } from '../checkpoint/sealed.js';
import { bytesOf } from '../checkpoint/words.js';
import type { Pivots } from './pattern.js';

export function operatorDigest({ rows, cols, rowPtr, colIdx, values }: ResidueMatrix, pivots?: Pivots): string {
  const lists = [Uint32Array.of(rows, cols), rowPtr, colIdx, values, ...(pivots ? [pivots.rows, pivots.cols] : [])];
  return digestOfBytes(...lists.map(bytesOf));
}
