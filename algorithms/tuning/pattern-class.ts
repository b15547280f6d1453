/**
 * The class of a matrix's pattern: matrices of one class are so alike that a storage found for one serves the others.
 *
 *   rows, columns, entries, longest row, longest column: each within a quarter of an octave
 *   the share of ±1, in quarters      the size of dense blocks      whether reads of X are scattered
 *
 * Alike is not equal: a choice for another matrix of the class can be a little slow here, never wrong.
 */
import { findBlocks } from '../../kernels/sparse/block-fill.js';
import { wholeRows } from '../../kernels/sparse/formats/row-runs.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { rowLengths } from '../../kernels/sparse/row-statistics.js';
import { isScattered } from '../../kernels/sparse/scattered.js';

/** Classes in an octave. */
const STEPS = 4;

export function patternClass(matrix: ResidueMatrix, p: number): string {
  const { rows, cols, rowPtr, colIdx, values } = matrix;
  const nnz = colIdx.length;
  const counts = new Uint32Array(cols);
  countColumns(colIdx, counts);
  const sizes = [rows, cols, nnz, rowLengths(rowPtr).max, longest(counts)].map(sizeClass);
  const units = nnz === 0 ? 0 : Math.round((4 * countUnits(values, p)) / nnz);
  return [
    ...sizes,
    `u${units}`,
    `b${findBlocks(matrix) ?? 1}`,
    isScattered(wholeRows(matrix)) ? 'scattered' : 'near',
  ].join(' ');
}

function sizeClass(size: number): number {
  return size === 0 ? 0 : 1 + Math.floor(STEPS * Math.log2(size));
}

/** Loops of their own: kernels/sparse/residue-matrix.ts. */
function countColumns(colIdx: Uint32Array, counts: Uint32Array): void {
  for (let k = 0; k < colIdx.length; k++) counts[colIdx[k]]++;
}

function longest(counts: Uint32Array): number {
  let most = 0;
  for (let j = 0; j < counts.length; j++) if (counts[j] > most) most = counts[j];
  return most;
}

function countUnits(values: Uint32Array, p: number): number {
  let units = 0;
  for (let k = 0; k < values.length; k++) if (values[k] === 1 || values[k] === p - 1) units++;
  return units;
}
