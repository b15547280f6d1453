/**
 * SHA-256 of A mod p as 32-bit words: p, rows, cols, then row, column and residue of every nonzero entry, by rows,
 * columns ascending. It does not depend on the file format, on the order of the entries or on how they were split.
 */
import { sha256 } from '#platform';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { littleEndian } from './base64.js';
import { FORMAT, VERSION } from './format.js';
import type { NonzeroPart } from './nonzero-part.js';

/** Entries that are hashed at once, from the same words. */
const PIECE = 4096;

/** Of A without its zero lines, which others need too. */
export function matrixDigest({ rows, cols, inner, rowNumbers, colNumbers }: NonzeroPart, p: number): Uint8Array {
  const hash = begin(p, rows, cols);
  const block = new Uint32Array(3 * PIECE);
  let used = 0;
  for (let i = 0; i < inner.rows; i++) {
    for (let k = inner.rowPtr[i]; k < inner.rowPtr[i + 1]; k++) {
      block[used++] = rowNumbers[i];
      block[used++] = colNumbers[inner.colIdx[k]];
      block[used++] = inner.values[k];
      if (used === block.length) {
        hash.update(littleEndian(block));
        used = 0;
      }
    }
  }
  hash.update(littleEndian(block.subarray(0, used)));
  return hash.digest();
}

/**
 * The same of a matrix whose entries come by rows and columns, none repeated, without another copy of it; null where
 * they come otherwise, or 32 bits do not hold one.
 */
export function digestInOrder(
  { rows, cols, rowIdx, colIdx, values, wide }: SparseMatrix,
  p: number,
): Uint8Array | null {
  if (wide.size > 0) return null;
  const hash = begin(p, rows, cols);
  const block = new Uint32Array(3 * PIECE);
  for (let first = 0; first < values.length; first += PIECE) {
    const used = pack(block, rowIdx, colIdx, values, first, Math.min(first + PIECE, values.length), p);
    if (used < 0) return null;
    hash.update(littleEndian(block.subarray(0, used)));
  }
  return hash.digest();
}

function begin(p: number, rows: number, cols: number): ReturnType<typeof sha256> {
  const hash = sha256();
  hash.update(new TextEncoder().encode(`${FORMAT} ${VERSION} matrix\n`));
  hash.update(littleEndian(Uint32Array.of(p, rows, cols)));
  return hash;
}

// A loop of its own: kernels/sparse/residue-matrix.ts.

/** Row, column and residue of the entries first … end − 1, those that are 0 left out; −1 where one is out of order. */
function pack(
  out: Uint32Array,
  rowIdx: Uint32Array,
  colIdx: Uint32Array,
  values: Int32Array,
  first: number,
  end: number,
  p: number,
): number {
  let [row, col] = first > 0 ? [rowIdx[first - 1], colIdx[first - 1]] : [0, -1];
  let used = 0;
  for (let k = first; k < end; k++) {
    const i = rowIdx[k];
    const j = colIdx[k];
    if (i < row || (i === row && j <= col)) return -1;
    row = i;
    col = j;
    const rest = values[k] % p;
    if (rest === 0) continue;
    out[used] = i;
    out[used + 1] = j;
    out[used + 2] = rest < 0 ? rest + p : rest;
    used += 3;
  }
  return used;
}
