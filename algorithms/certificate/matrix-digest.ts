/**
 * SHA-256 of A mod p as 32-bit words: p, rows, cols, then row, column and residue of every nonzero entry, by rows,
 * columns ascending. It does not depend on the file format, on the order of the entries or on how they were split.
 */
import { sha256 } from '#platform';
import { littleEndian } from './base64.js';
import { FORMAT, VERSION } from './format.js';
import type { NonzeroPart } from './nonzero-part.js';

/** Words of a piece: three an entry. */
export const PIECE = 3 * 2 ** 15;

/** Of A without its zero lines, which others need too. */
export function matrixDigest(part: NonzeroPart, p: number): Uint8Array {
  const hash = sha256();
  hash.update(new TextEncoder().encode(`${FORMAT} ${VERSION} matrix\n`));
  hash.update(littleEndian(Uint32Array.of(p, part.rows, part.cols)));
  for (const piece of piecesOf(part)) hash.update(littleEndian(piece));
  return hash.digest();
}

/** The words of all entries, in pieces that share memory: each is full, but for the last. */
export function* piecesOf({ inner, rowNumbers, colNumbers }: NonzeroPart): Generator<Uint32Array> {
  const piece = new Uint32Array(PIECE);
  let used = 0;
  for (let i = 0; i < inner.rows; i++) {
    for (let k = inner.rowPtr[i]; k < inner.rowPtr[i + 1]; k++) {
      piece[used++] = rowNumbers[i];
      piece[used++] = colNumbers[inner.colIdx[k]];
      piece[used++] = inner.values[k];
      if (used === PIECE) {
        yield piece;
        used = 0;
      }
    }
  }
  if (used > 0) yield piece.subarray(0, used);
}
