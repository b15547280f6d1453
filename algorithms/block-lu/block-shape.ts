/**
 * A sparse square matrix as blocks of b x b on consecutive rows and columns, filled up with an identity at the end.
 *
 * Of the sizes whose pattern holds all fill the one with the least work is taken, of none such the one with the least
 * work: the products of factoring, b³ each, of which row i has one for a block (i, k) with k < i and one for each block
 * of row k to the right of k.
 */
import { BLOCK_SIZES } from '../../kernels/block-sparse/block-batch.js';
import { BlockPattern } from '../../kernels/block-sparse/block-pattern.js';
import type { BlockMatrix } from '../../kernels/block-sparse/reference.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';

export interface BlockShape {
  readonly b: number;
  readonly pattern: BlockPattern; // with every diagonal block
  readonly isComplete: boolean; // holds all fill
}

/** Null where all sizes are `tried`. */
export function chooseBlockShape(matrix: ResidueMatrix, tried: readonly number[] = []): BlockShape | null {
  const shapes = BLOCK_SIZES.filter((b) => !tried.includes(b)).map((b) => {
    const pattern = patternOfBlocks(matrix, b);
    return { b, pattern, isComplete: pattern.holdsAllFill(), work: workOf(pattern, b) };
  });
  const complete = shapes.filter(({ isComplete }) => isComplete);
  const [first, ...others] = complete.length > 0 ? complete : shapes;
  return first === undefined ? null : others.reduce((best, shape) => (shape.work < best.work ? shape : best), first);
}

export function cutIntoBlocks(matrix: ResidueMatrix, { b, pattern }: BlockShape): BlockMatrix {
  const values = new Uint32Array(pattern.blocks * b * b);
  placeEntries(matrix, b, pattern, values);
  for (let i = matrix.rows; i < pattern.n * b; i++) {
    const r = i % b;
    values[pattern.diagonal[pattern.n - 1]! * b * b + r * b + r] = 1;
  }
  return { b, pattern, values };
}

function workOf({ n, rowPtr, colIdx, diagonal }: BlockPattern, b: number): number {
  let products = 2 * n; // an inverse takes about two
  for (let i = 0; i < n; i++)
    for (let s = rowPtr[i]!; s < diagonal[i]!; s++) {
      const k = colIdx[s]!;
      products += rowPtr[k + 1]! - diagonal[k]!;
    }
  return products * b ** 3;
}

// Loops over all entries stand by themselves: kernels/sparse/residue-matrix.ts.

function patternOfBlocks({ rows, rowPtr, colIdx }: ResidueMatrix, b: number): BlockPattern {
  const n = Math.ceil(rows / b);
  const ptr = new Uint32Array(n + 1);
  const seen = new Int32Array(n).fill(-1); // the last block row that has the column
  const columns: Uint32Array[] = [];
  for (let i = 0; i < n; i++) {
    const found = [i];
    seen[i] = i;
    const end = rowPtr[Math.min(rows, (i + 1) * b)]!;
    for (let k = rowPtr[i * b]!; k < end; k++) {
      const j = Math.floor(colIdx[k]! / b);
      if (seen[j] === i) continue;
      seen[j] = i;
      found.push(j);
    }
    columns.push(Uint32Array.from(found).sort());
    ptr[i + 1] = ptr[i]! + found.length;
  }
  const all = new Uint32Array(ptr[n]!);
  for (let i = 0; i < n; i++) all.set(columns[i]!, ptr[i]!);
  return new BlockPattern(ptr, all);
}

function placeEntries(
  { rows, rowPtr, colIdx, values }: ResidueMatrix,
  b: number,
  pattern: BlockPattern,
  to: Uint32Array,
): void {
  const place = new Uint32Array(pattern.n); // of the block row's blocks, by column
  for (let i = 0; i < pattern.n; i++) {
    for (let s = pattern.rowPtr[i]!; s < pattern.rowPtr[i + 1]!; s++) place[pattern.colIdx[s]!] = s;
    for (let row = i * b; row < Math.min(rows, (i + 1) * b); row++)
      for (let k = rowPtr[row]!; k < rowPtr[row + 1]!; k++) {
        const j = colIdx[k]!;
        to[(place[Math.floor(j / b)]! * b + (row % b)) * b + (j % b)] = values[k]!;
      }
  }
}
