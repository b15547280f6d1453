/** The right sides of a question as residues, row by row. */

import { matrixBytes } from '../../algorithms/methods/memory-estimate.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { MAX_SIZE, StructureError } from '../../kernels/errors/structure-error.js';
import { heapBytes, hostBytes } from '../../kernels/platform/host-memory.js';
import { WideEntries } from '../../kernels/sparse/big-entries.js';
import { EntryError, SparseMatrix, type SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { Residues } from '../questions/outcome.js';
import type { Verb } from '../questions/verbs.js';

export interface DenseRightSides {
  readonly values: Residues; // rows × s, row-major
  readonly s: number;
}

/** Bytes of an element of B, X and their copies, and of each row and column beside. */
const [ELEMENT, LINE] = [
  { word: 16, big: 128 },
  { word: 32, big: 384 },
];

/**
 * B for a matrix of these sizes. StructureError where it has other rows, EntryError where the prime divides a
 * denominator, MemoryError where B and X do not fit.
 */
export function denseRightSides(
  parts: SparseMatrixParts,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  { mod, maxMemory }: Pick<Settings, 'mod' | 'maxMemory'>,
): DenseRightSides {
  const b = SparseMatrix.fromPartsUnchecked(parts, new WideEntries(parts.wide));
  if (b.rows !== rows) throw new StructureError(`solve: expected right sides of ${rows} rows, got ${b.rows}`);
  const s = b.cols;
  checkVectors('solve', { rows, cols }, s, { mod, maxMemory }, matrixBytes(b));
  const isWord = mod <= BigInt(MAX_SIZE);
  const residues = residuesOf(b, mod, isWord);
  const values: Residues = isWord ? new Uint32Array(rows * s) : new Array<bigint>(rows * s).fill(0n);
  const [line, entry] = isTall(b) ? [1, s] : [s, 1]; // steps from one line of `residues` to the next, and within one
  for (let i = 0; i < residues.rowPtr.length - 1; i++) {
    for (let k = residues.rowPtr[i]!; k < residues.rowPtr[i + 1]!; k++)
      values[i * line + residues.colIdx[k]! * entry] = residues.values[k]!;
  }
  return { values, s };
}

/**
 * MemoryError where `s` vectors of each of the lengths do not fit beside what is taken; integers beyond a word are in
 * V8's heap.
 */
export function checkVectors(
  verb: Verb,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  s: number,
  { mod, maxMemory }: Pick<Settings, 'mod' | 'maxMemory'>,
  taken = 0,
): void {
  const kind = mod > 0n && mod <= BigInt(MAX_SIZE) ? 'word' : 'big';
  const allowed = kind === 'word' ? (maxMemory ?? hostBytes()) : Math.min(maxMemory ?? Infinity, heapBytes());
  const bytes = taken + (rows + cols) * (s * ELEMENT[kind] + LINE[kind]);
  if (bytes <= allowed) return;
  const what = verb === 'solve' ? `${s} right sides and solutions` : 'vectors';
  throw new MemoryError(`${verb}: ${what} take about ${megabytes(bytes)} MB, allowed are ${megabytes(allowed)}`);
}

const isTall = ({ rows, cols }: SparseMatrix): boolean => rows > cols;

/** Of its transpose where it is tall: nearly all of the longer side's lines may be empty. */
function residuesOf(b: SparseMatrix, mod: bigint, isWord: boolean) {
  const lines = isTall(b) ? b.moveUnchecked(b.cols, b.rows, b.colIdx, b.rowIdx) : b;
  try {
    return isWord ? lines.residues(Number(mod)) : lines.residuesBig(mod);
  } catch (error) {
    if (error instanceof EntryError) throw new EntryError(`right sides: ${error.message}`);
    throw error;
  }
}
