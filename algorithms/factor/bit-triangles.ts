/**
 * Triangles over GF(2), a bit an entry, and systems with them: rows of right sides are bits, too.
 *
 *   row t of the factors : L's entries at pivots s < t, U's at s > t; both diagonals are 1
 */

import type { Pluq } from '../../kernels/dense/pluq.js';
import type { BitMatrix } from '../../kernels/gf2/bit-matrix.js';

export class BitTriangles {
  private readonly size: number;
  private readonly words: number; // of a row
  private readonly bits: Uint32Array;

  private constructor(size: number) {
    this.size = size;
    this.words = Math.ceil(size / 32);
    this.bits = new Uint32Array(size * this.words);
  }

  /** Of the factors that PLUQ has left in `from`. */
  static of(from: BitMatrix, { rank, pivotCols }: Pluq): BitTriangles {
    const own = new BitTriangles(rank);
    for (let t = 0; t < rank; t++) {
      const row = from.row(t);
      const to = t * own.words;
      for (let s = 0; s < rank; s++) {
        const column = pivotCols[s];
        own.bits[to + (s >>> 5)] |= ((row[column >>> 5] >>> (column & 31)) & 1) << (s & 31);
      }
    }
    return own;
  }

  /** Overwrites B, a row of `width` residues for each pivot, with X: L·U·X = B, or (L·U)ᵀ·X = B. */
  solve(b: Uint32Array, width: number, transposed: boolean): void {
    const { size } = this;
    const words = Math.ceil(width / 32);
    const x = new Uint32Array(size * words);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < width; j++) x[i * words + (j >>> 5)] |= b[i * width + j] << (j & 31);
    }
    // Row t gathers the others by its factors; transposed, row t is dealt out to the others.
    const pass = transposed ? this.deal : this.gather;
    for (let t = 0; t < size; t++) pass.call(this, x, words, t, transposed ? t + 1 : 0, transposed ? size : t);
    for (let t = size - 1; t >= 0; t--) pass.call(this, x, words, t, transposed ? 0 : t + 1, transposed ? t : size);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < width; j++) b[i * width + j] = (x[i * words + (j >>> 5)] >>> (j & 31)) & 1;
    }
  }

  private gather(x: Uint32Array, words: number, t: number, first: number, end: number): void {
    for (let s = first; s < end; s++) if (this.has(t, s)) addRow(x, words, t, s);
  }

  private deal(x: Uint32Array, words: number, t: number, first: number, end: number): void {
    for (let s = first; s < end; s++) if (this.has(t, s)) addRow(x, words, s, t);
  }

  private has(t: number, s: number): boolean {
    return ((this.bits[t * this.words + (s >>> 5)] >>> (s & 31)) & 1) === 1;
  }
}

/** Row `to` of x += row `from`. */
function addRow(x: Uint32Array, words: number, to: number, from: number): void {
  for (let w = 0; w < words; w++) x[to * words + w] ^= x[from * words + w];
}
