/**
 * Which b x b blocks of a square matrix are stored: block CSR, checked once, so that kernels read it unchecked.
 *
 *   n          : rows of blocks, and columns     row i has the blocks rowPtr[i] … rowPtr[i+1] − 1
 *   colIdx     : the columns of blocks, strictly increasing in a row, so a block is stored once
 *   diagonal_i : the place of block (i, i), or −1
 *
 * Source of the layout: Afanasyev, Potapov 2014.
 */
import { MAX_SIZE, StructureError } from '../errors/structure-error.js';

export class BlockPattern {
  readonly n: number;
  readonly rowPtr: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly diagonal: Int32Array;

  constructor(rowPtr: Uint32Array, colIdx: Uint32Array) {
    this.n = rowPtr.length - 1;
    this.rowPtr = rowPtr;
    this.colIdx = colIdx;
    this.check();
    this.diagonal = Int32Array.from({ length: this.n }, (_, i) => this.find(i, i));
  }

  get blocks(): number {
    return this.colIdx.length;
  }

  /** The place of block (i, j), or −1, by bisection. */
  find(i: number, j: number): number {
    let low = this.rowPtr[i]!;
    let high = this.rowPtr[i + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.colIdx[middle]! < j) low = middle + 1;
      else high = middle;
    }
    return low < this.rowPtr[i + 1]! && this.colIdx[low] === j ? low : -1;
  }

  /**
   * Whether elimination without exchanges of block rows writes nowhere else: blocks (i, k) and (k, j) with k < i, k < j
   * imply block (i, j). Elimination writes to (i, j) for such k alone, and as every such place is stored already, no
   * later step has another k: one pass over the pattern decides.
   */
  holdsAllFill(): boolean {
    const { n, rowPtr, colIdx } = this;
    for (let i = 0; i < n; i++)
      for (let s = rowPtr[i]!; s < rowPtr[i + 1]! && colIdx[s]! < i; s++) {
        const k = colIdx[s]!;
        for (let t = rowPtr[k + 1]! - 1; t >= rowPtr[k]! && colIdx[t]! > k; t--)
          if (this.find(i, colIdx[t]!) < 0) return false;
      }
    return true;
  }

  private check(): void {
    const { n, rowPtr, colIdx } = this;
    if (n < 0 || n > MAX_SIZE || rowPtr[0] !== 0 || rowPtr[n] !== colIdx.length)
      throw new StructureError(`BlockPattern: expected row pointers from 0 to ${colIdx.length}`);
    for (let i = 0; i < n; i++)
      if (rowPtr[i]! > rowPtr[i + 1]!) throw new StructureError(`BlockPattern: row ${i} ends before it begins`);
    for (let i = 0; i < n; i++)
      for (let s = rowPtr[i]!; s < rowPtr[i + 1]!; s++) {
        if (colIdx[s]! >= n) throw new StructureError(`BlockPattern: column ${colIdx[s]} of ${n} in row ${i}`);
        if (s > rowPtr[i]! && colIdx[s - 1]! >= colIdx[s]!)
          throw new StructureError(`BlockPattern: the columns of row ${i} do not increase`);
      }
  }
}
