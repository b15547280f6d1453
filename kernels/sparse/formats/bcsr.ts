/**
 * BCSR: dense b × b blocks in compressed block rows, each by columns: the value of row r and column c of block k is at
 * place (k·b + c)·b + r, and the block's first column is colIdx[k] itself, not a number of blocks.
 *
 * Blocks begin at multiples of b, but for the last ones, which end at the last column. Block row I owns blocks
 * blockPtr[I] … blockPtr[I + 1] − 1. It holds all value classes together, since zeros are values.
 * Source: Rossignon 2013, section 3.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkOffsets, checkPlaces, checkResidues, checkSizes } from './check.js';
import type { Csr, ResidueMatrix } from './csr.js';
import { type Format, requireValues, type Stored } from './format.js';
import { countUp, WALKS } from './layout.js';

export type BlockSize = 2 | 3 | 4 | 8 | 16;

export interface Bcsr<B extends BlockSize = BlockSize> {
  readonly kind: `bcsr-${B}`;
  readonly rows: number;
  readonly cols: number; // at least b
  readonly nnz: number;
  readonly b: B;
  readonly blockPtr: Uint32Array; // ⌈rows / b⌉ + 1 offsets, nondecreasing
  readonly colIdx: Uint32Array; // of each block, strictly increasing within a block row
  readonly values: Uint32Array; // b² a block, canonical; 0 below the last row
}

/** Checks every claim above for residues mod p. */
function check<B extends BlockSize>(part: Omit<Bcsr<B>, 'nnz'>, p: number): void {
  const { kind, rows, cols, b, blockPtr, colIdx, values } = part;
  checkSizes(kind, rows, cols);
  checkOffsets(kind, blockPtr, Math.ceil(rows / b), colIdx.length);
  if (values.length !== colIdx.length * b * b) {
    throw new StructureError(`${kind}: expected ${colIdx.length}·${b}² values, got ${values.length}`);
  }
  checkResidues(kind, values, p);
  for (let I = 0; I + 1 < blockPtr.length; I++) {
    for (let k = blockPtr[I]; k < blockPtr[I + 1]; k++) {
      const first = colIdx[k];
      if (first + b > cols || (first % b !== 0 && first + b !== cols) || (k > blockPtr[I] && first <= colIdx[k - 1])) {
        throw new StructureError(`${kind}: expected blocks in order at multiples of ${b}, got column ${first} at ${k}`);
      }
      for (let at = k * b * b; at < (k + 1) * b * b; at++) {
        if (I * b + (at % b) >= rows && values[at] !== 0) {
          throw new StructureError(`${kind}: expected 0 below the last row, got ${values[at]} at ${at}`);
        }
      }
    }
  }
}

/** The format of blocks of b rows and columns. */
function bcsrOf<B extends BlockSize>(b: B): Format<Bcsr<B>> {
  return {
    whole: true,
    fromRows: (a) => toBlocks(a, b),
    forEachEntry({ rows, blockPtr, colIdx, values }, _unit, visit) {
      for (let i = 0; i < rows; i++) {
        const I = Math.floor(i / b);
        for (let place = blockPtr[I] * b; place < blockPtr[I + 1] * b; place++) {
          const value = values[place * b + (i % b)];
          if (value > 0) visit(i, colIdx[Math.floor(place / b)] + (place % b), value);
        }
      }
    },
    check,
    layout: ({ rows, cols, blockPtr, colIdx, values }) => ({
      ...{ walk: WALKS.blocks, columns: countUp(cols), values, words: [Uint32Array.of(b, rows), blockPtr, colIdx] },
    }),
    arrays: ({ blockPtr, colIdx, values }) => [blockPtr, colIdx, values],
  };
}

export const BCSR_2 = bcsrOf(2);
export const BCSR_3 = bcsrOf(3);
export const BCSR_4 = bcsrOf(4);
export const BCSR_8 = bcsrOf(8);
export const BCSR_16 = bcsrOf(16);

export function isBcsr(part: Stored): part is Bcsr {
  return part.kind.startsWith('bcsr-');
}

/** A matrix narrower than a block stays as it is. */
function toBlocks<B extends BlockSize>(a: Csr, b: B): readonly Stored[] {
  const { rows, cols, nnz, rowPtr, colIdx: columns } = a;
  if (cols < b) return [a];
  const kind = `bcsr-${b}` as const;
  const from = requireValues(kind, a);
  const blockPtr = new Uint32Array(Math.ceil(rows / b) + 1);
  const places = new Int32Array(Math.ceil(cols / b)); // of a block column's last block
  const blocks = offsetBlocks(rowPtr, columns, b, places, blockPtr);
  checkPlaces(kind, blocks * b * b);
  const [colIdx, values] = [new Uint32Array(blocks), new Uint32Array(blocks * b * b)];
  fillBlocks(rowPtr, columns, from, b, cols, places, blockPtr, colIdx, values);
  const part: Bcsr<B> = { kind, rows, cols, nnz, b, blockPtr, colIdx, values };
  return [part];
}

/** Blocks with an entry. */
export function countBlocks({ rows, cols, rowPtr, colIdx }: ResidueMatrix, b: BlockSize): number {
  const blockPtr = new Uint32Array(Math.ceil(rows / b) + 1);
  return offsetBlocks(rowPtr, colIdx, b, new Int32Array(Math.ceil(cols / b)), blockPtr);
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** Blocks before each block row, and all of them; `seen` holds the last block row that had a block there, plus one. */
function offsetBlocks(
  rowPtr: Uint32Array,
  columns: Uint32Array,
  b: number,
  seen: Int32Array,
  blockPtr: Uint32Array,
): number {
  const rows = rowPtr.length - 1;
  let blocks = 0;
  for (let I = 0; I < blockPtr.length - 1; I++) {
    for (let k = rowPtr[I * b], end = rowPtr[Math.min(rows, (I + 1) * b)]; k < end; k++) {
      const J = Math.floor(columns[k] / b);
      if (seen[J] === I + 1) continue;
      seen[J] = I + 1;
      blocks++;
    }
    blockPtr[I + 1] = blocks;
  }
  return blocks;
}

function fillBlocks(
  rowPtr: Uint32Array,
  columns: Uint32Array,
  from: Uint32Array,
  b: number,
  cols: number,
  places: Int32Array,
  blockPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
): void {
  const rows = rowPtr.length - 1;
  const firstOf = (J: number): number => Math.min(J * b, cols - b);
  places.fill(-1);
  for (let I = 0; I < blockPtr.length - 1; I++) {
    let next = blockPtr[I];
    const [begin, end] = [rowPtr[I * b], rowPtr[Math.min(rows, (I + 1) * b)]];
    for (let k = begin; k < end; k++) {
      const J = Math.floor(columns[k] / b);
      if (places[J] >= blockPtr[I]) continue;
      places[J] = next;
      colIdx[next++] = J;
    }
    const blocks = colIdx.subarray(blockPtr[I], next).sort();
    blocks.forEach((J, at) => {
      places[J] = blockPtr[I] + at;
      blocks[at] = firstOf(J);
    });
    for (let i = I * b; i < Math.min(rows, (I + 1) * b); i++) {
      for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
        const J = Math.floor(columns[k] / b);
        values[(places[J] * b + columns[k] - firstOf(J)) * b + (i % b)] = from[k];
      }
    }
  }
}
