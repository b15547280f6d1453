/** Which operator pivots leave of a matrix, as its digest. */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { PieceDigest } from '../checkpoint/piece-digest.js';
import { bytesOf } from '../checkpoint/words.js';
import type { Pivots } from './pattern.js';

/** The sizes, which come first, say where each list is cut. */
export async function operatorDigest(
  { rows, cols, rowPtr, colIdx, values }: ResidueMatrix,
  pivots?: Pivots,
): Promise<string> {
  const digest = new PieceDigest();
  const sizes = Uint32Array.of(rows, cols, values.length, pivots?.rows.length ?? 0);
  for (const list of [sizes, rowPtr, colIdx, values, ...(pivots ? [pivots.rows, pivots.cols] : [])]) {
    await digest.addAll(bytesOf(list));
  }
  return digest.digest();
}
