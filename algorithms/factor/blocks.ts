/**
 * A round's share of the nonsingular part M of a matrix: the blocks that forward and backward substitution need.
 *
 *   lines of M by their pivots, those of this round first:     M = [T ·; · ·], T : size × size
 *
 *   structural : T is triangular       forward y = T⁻¹·b₁, b₂ ← b₂ − A₂₁·y       backward x₁ = T⁻¹·(b₁ − A₁₂·x₂)
 *   eliminated : T = L₁·U₁             forward y = L₁⁻¹·b₁, b₂ ← b₂ − L₂·y       backward x₁ = U₁⁻¹·(y − U₂·x₂)
 *
 * Both are: y = F⁻¹·b₁, b₂ ← b₂ − below·y, x₁ = B⁻¹·(b₁ or y − right·x₂). The transpose exchanges F with B and `below`
 * with `right`, all transposed. Rows and columns without a pivot are in none of them.
 */
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import type { Round } from './pivot-search.js';

export interface RoundBlocks {
  readonly first: number; // the place of the round's first pivot among all
  readonly size: number;
  readonly forward: Triangle; // F
  readonly backward: Triangle | null; // B, where it is not F
  readonly below: ResidueMatrix; // later pivots × size
  readonly right: ResidueMatrix; // size × later pivots
}

export interface Triangle {
  readonly matrix: ResidueMatrix; // square, with its diagonal
  readonly isLower: boolean; // else upper
}

/** `rowPlace`, `colPlace`: of each line of A, the number of its pivot, or what is no less than `rank`. */
export function roundBlocks(
  round: Round,
  first: number,
  rank: number,
  rowPlace: Uint32Array,
  colPlace: Uint32Array,
): RoundBlocks {
  const size = round.pivots.rows.length;
  const [own, later] = [
    [first, first + size],
    [first + size, rank],
  ] as const;
  const upper = round.kind === 'structural' ? round : round.upper;
  const lower = round.kind === 'structural' ? round : round.lower;
  const block = (from: typeof upper, rows: typeof own, cols: typeof own): ResidueMatrix => {
    const [rowOf, colOf] = [from.rowIds.map((i) => rowPlace[i]), from.colIds.map((j) => colPlace[j])];
    return pickBlock(from.matrix, rowOf, colOf, rows, cols);
  };
  return {
    ...{ first, size },
    forward: { matrix: block(lower, own, own), isLower: true },
    backward: round.kind === 'structural' ? null : { matrix: block(upper, own, own), isLower: false },
    below: block(lower, later, own),
    right: block(upper, own, later),
  };
}

/** The blocks of Mᵀ. */
export function transposeBlocks({ forward, backward, below, right, ...rest }: RoundBlocks): RoundBlocks {
  return {
    ...rest,
    forward: transposeTriangle(backward ?? forward),
    backward: backward && transposeTriangle(forward),
    below: transpose(right) as ResidueMatrix,
    right: transpose(below) as ResidueMatrix,
  };
}

function transposeTriangle({ matrix, isLower }: Triangle): Triangle {
  return { matrix: transpose(matrix) as ResidueMatrix, isLower: !isLower };
}

/** The entries at the given places, which count from 0; columns increase. */
function pickBlock(
  { rowPtr, colIdx, values }: ResidueMatrix,
  rowOf: Uint32Array,
  colOf: Uint32Array,
  [top, bottom]: readonly [number, number],
  [left, right]: readonly [number, number],
): ResidueMatrix {
  const ptr = new Uint32Array(bottom - top + 1);
  countEntries(rowPtr, colIdx, rowOf, colOf, top, bottom, left, right, ptr);
  for (let i = 0; i < bottom - top; i++) ptr[i + 1] += ptr[i];
  const [index, residues] = [new Uint32Array(ptr[bottom - top]), new Uint32Array(ptr[bottom - top])];
  dealEntries(rowPtr, colIdx, values, rowOf, colOf, top, bottom, left, right, ptr.slice(), index, residues);
  const block = { rows: bottom - top, cols: right - left, rowPtr: ptr, colIdx: index, values: residues };
  return transpose(transpose(block)) as ResidueMatrix;
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** ptr[i + 1] ← the number of entries of row i. */
function countEntries(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  rowOf: Uint32Array,
  colOf: Uint32Array,
  top: number,
  bottom: number,
  left: number,
  right: number,
  ptr: Uint32Array,
): void {
  for (let i = 0; i < rowOf.length; i++) {
    const row = rowOf[i];
    if (row < top || row >= bottom) continue;
    let entries = 0;
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const column = colOf[colIdx[k]];
      if (column >= left && column < right) entries++;
    }
    ptr[row - top + 1] = entries;
  }
}

function dealEntries(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  rowOf: Uint32Array,
  colOf: Uint32Array,
  top: number,
  bottom: number,
  left: number,
  right: number,
  next: Uint32Array,
  index: Uint32Array,
  residues: Uint32Array,
): void {
  for (let i = 0; i < rowOf.length; i++) {
    const row = rowOf[i];
    if (row < top || row >= bottom) continue;
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const column = colOf[colIdx[k]];
      if (column < left || column >= right) continue;
      const at = next[row - top]++;
      index[at] = column - left;
      residues[at] = values[k];
    }
  }
}
