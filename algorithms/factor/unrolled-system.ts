/**
 * Forward and backward substitution as one sparse triangle, whose elimination makes sparse vectors of the kernel.
 *
 *   w = (y, z, x) : what the rounds make forward, the dense end's two halves, what the rounds make backward
 *   W·w = (b, 0), W lower triangular; the x of it are M⁻¹·b          E : 1 where an unknown is an x, in its column of A
 *
 *   [Wᵀ E; Hᵀ I], a row of Hᵀ = column f of A at the pivots' rows : its Schur complement, I − Hᵀ·W⁻ᵀ·E, has the vector
 *   1 at f, −M⁻¹·A[R, f] at C as its row f
 *
 * A structural round (blocks.ts) has F·x = F·y − right·(later x), an eliminated one B·x = y − right·(later x). A last
 * round without a dense end needs no second pass: its y are its x.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RoundBlocks, Triangle } from './blocks.js';
import type { EndTriangles } from './dense-end.js';

export interface UnrolledSystem {
  readonly unknowns: number; // the first rows, and their pivots' columns
  readonly matrix: ResidueMatrix; // then a row for each free column; the columns of A after those of the unknowns
}

/** What is unrolled: M by its rounds and its dense end, and the columns of A that have no pivot. */
export interface UnrolledParts {
  readonly blocks: readonly RoundBlocks[];
  readonly end: EndTriangles | null;
  readonly cols: number; // of A
  readonly pivotCols: Uint32Array; // C
  readonly rowPlace: Int32Array; // of a row of A among R, −1 for the others
  readonly at: ResidueMatrix; // Aᵀ
  readonly freeCols: Uint32Array;
}

export function unroll(F: WordPrime, { blocks, end, cols, pivotCols, rowPlace, at, freeCols }: UnrolledParts) {
  const rank = pivotCols.length;
  const ending = end?.lower.rows ?? 0;
  const isOnce = ({ first, size }: RoundBlocks): boolean => first + size === rank && ending === 0;
  // Numbers of unknowns, in order of elimination: a round's first, and which of its lines comes first.
  const forward = new Uint32Array(rank);
  const backward = new Uint32Array(rank);
  let unknowns = 0;
  for (const { first, size, forward: triangle } of blocks) unknowns = number(forward, first, size, triangle, unknowns);
  const endFirst = rank - ending;
  for (let t = 0; t < ending; t++) forward[endFirst + t] = unknowns++;
  for (let t = ending - 1; t >= 0; t--) backward[endFirst + t] = unknowns++;
  for (const round of blocks.slice().reverse()) {
    const { first, size } = round;
    if (isOnce(round) && round.backward === null) backward.set(forward.subarray(first, first + size), first);
    else unknowns = number(backward, first, size, round.backward ?? round.forward, unknowns);
  }

  const entries = new Entries();
  for (const round of blocks) {
    const { first, size, forward: down, backward: up, below, right } = round;
    entries.addBlock(F, below, forward, first + size, forward, first, false);
    entries.addBlock(F, right, backward, first, backward, first + size, false);
    entries.addBlock(F, down.matrix, forward, first, forward, first, false);
    if (up === null) {
      if (isOnce(round)) continue;
      entries.addBlock(F, down.matrix, backward, first, backward, first, false);
      entries.addBlock(F, down.matrix, backward, first, forward, first, true);
    } else {
      entries.addBlock(F, up.matrix, backward, first, backward, first, false);
      for (let k = first; k < first + size; k++) entries.add(forward[k], backward[k], F.neg(1));
    }
  }
  if (end) {
    entries.addBlock(F, end.lower, forward, endFirst, forward, endFirst, false);
    entries.addBlock(F, end.upper, backward, endFirst, backward, endFirst, false);
    for (let k = endFirst; k < rank; k++) entries.add(forward[k], backward[k], F.neg(1));
  }
  for (let k = 0; k < rank; k++) entries.add(backward[k], unknowns + pivotCols[k], 1);
  freeCols.forEach((column, f) => {
    entries.add(unknowns + f, unknowns + column, 1);
    for (let k = at.rowPtr[column]; k < at.rowPtr[column + 1]; k++) {
      const place = rowPlace[at.colIdx[k]];
      if (place >= 0) entries.add(unknowns + f, forward[place], at.values[k]);
    }
  });
  return { unknowns, matrix: entries.toRows(unknowns + freeCols.length, unknowns + cols) };
}

/** to[first …] ← numbers from `next` on, in the order in which the triangle is solved; returns the next number. */
function number(to: Uint32Array, first: number, size: number, { isLower }: Triangle, next: number): number {
  for (let k = 0; k < size; k++) to[first + (isLower ? k : size - 1 - k)] = next++;
  return next;
}

/** Entries of the matrix in any order. */
class Entries {
  private rowIdx = new Uint32Array(1024);
  private colIdx = new Uint32Array(1024);
  private values = new Uint32Array(1024);
  private count = 0;

  add(row: number, column: number, value: number): void {
    if (this.count === this.rowIdx.length) {
      this.rowIdx = grow(this.rowIdx);
      this.colIdx = grow(this.colIdx);
      this.values = grow(this.values);
    }
    this.rowIdx[this.count] = row;
    this.colIdx[this.count] = column;
    this.values[this.count++] = value;
  }

  /** ± a block of W whose row i is equation equations[firstRow + i], its column j unknown unknowns[firstCol + j]. */
  addBlock(
    F: WordPrime,
    { rows, rowPtr, colIdx, values }: ResidueMatrix,
    equations: Uint32Array,
    firstRow: number,
    unknowns: Uint32Array,
    firstCol: number,
    isNegative: boolean,
  ): void {
    for (let i = 0; i < rows; i++) {
      const equation = equations[firstRow + i];
      for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
        this.add(unknowns[firstCol + colIdx[k]], equation, isNegative ? F.neg(values[k]) : values[k]);
      }
    }
  }

  /** Columns in the order of their coming. */
  toRows(rows: number, cols: number): ResidueMatrix {
    const { count } = this;
    const rowPtr = new Uint32Array(rows + 1);
    for (let k = 0; k < count; k++) rowPtr[this.rowIdx[k] + 1]++;
    for (let i = 0; i < rows; i++) rowPtr[i + 1] += rowPtr[i];
    const next = rowPtr.slice(0, rows);
    const [colIdx, values] = [new Uint32Array(count), new Uint32Array(count)];
    for (let k = 0; k < count; k++) {
      const to = next[this.rowIdx[k]]++;
      colIdx[to] = this.colIdx[k];
      values[to] = this.values[k];
    }
    return { rows, cols, rowPtr, colIdx, values };
  }
}

function grow(words: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(2 * words.length);
  more.set(words);
  return more;
}
