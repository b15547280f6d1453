/**
 * The digest of the matrix of a kept run: of the words of a certificate's (matrix-digest.ts), behind p, rows and cols,
 * by pieces that other threads digest (piece-digest.ts).
 */
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { PieceDigest } from '../checkpoint/piece-digest.js';
import { littleEndian } from './base64.js';
import { PIECE, piecesOf } from './matrix-digest.js';
import { nonzeroPart } from './nonzero-part.js';

/** In hexadecimal digits. */
export async function runDigest(matrix: SparseMatrix, p: number): Promise<string> {
  const inOrder = await digestOf(matrix, p, piecesInOrder(matrix, p));
  return inOrder ?? (await digestOf(matrix, p, piecesOf(nonzeroPart(matrix, p))))!;
}

/** null where a piece is. */
async function digestOf(
  { rows, cols }: SparseMatrix,
  p: number,
  pieces: Iterable<Uint32Array | null>,
): Promise<string | null> {
  const digest = new PieceDigest();
  await digest.add(littleEndian(Uint32Array.of(p, rows, cols)));
  for (const piece of pieces) {
    if (piece === null) return null;
    await digest.add(littleEndian(piece));
  }
  return digest.digest();
}

/**
 * The pieces of a matrix whose entries come by rows and columns, none repeated, without another copy of it; null and no
 * more where they come otherwise, or 32 bits do not hold one.
 */
function* piecesInOrder({ rowIdx, colIdx, values, wide }: SparseMatrix, p: number): Generator<Uint32Array | null> {
  if (wide.size > 0) return yield null;
  const piece = new Uint32Array(PIECE);
  let used = 0;
  for (let first = 0; first < values.length; ) {
    const end = Math.min(first + (PIECE - used) / 3, values.length);
    used = pack(piece, used, rowIdx, colIdx, values, first, end, p);
    if (used < 0) return yield null;
    first = end;
    if (used < PIECE) continue; // zeros were left out
    yield piece;
    used = 0;
  }
  if (used > 0) yield piece.subarray(0, used);
}

// A loop of its own: kernels/sparse/residue-matrix.ts.

/**
 * Row, column and residue of the entries first … end − 1, those that are 0 left out, into `out` from `used` on; how
 * much of it is used then, or −1 where one is out of order.
 *
 * Signs take the place of comparisons, which a processor guesses wrong for values of either sign: sizes are below 2^31,
 * so that no difference is beyond 32 bits. Few values are left for a division.
 */
function pack(
  out: Uint32Array,
  used: number,
  rowIdx: Uint32Array,
  colIdx: Uint32Array,
  values: Int32Array,
  first: number,
  end: number,
  p: number,
): number {
  let [row, col] = first > 0 ? [rowIdx[first - 1] | 0, colIdx[first - 1] | 0] : [0, -1];
  let isOut = 0; // its sign
  for (let k = first; k < end; k++) {
    const i = rowIdx[k] | 0;
    const j = colIdx[k] | 0;
    // i < row, or i ≤ row and j ≤ col
    isOut |= (i - row) | ((i - row - 1) & (j - col - 1));
    row = i;
    col = j;
    let value = values[k] | 0;
    value += p & (value >> 31);
    if (value <= 0 || value >= p) {
      value %= p;
      if (value < 0) value += p;
      if (value === 0) continue;
    }
    out[used] = i;
    out[used + 1] = j;
    out[used + 2] = value;
    used += 3;
  }
  return isOut < 0 ? -1 : used;
}
