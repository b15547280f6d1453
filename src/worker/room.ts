/** The share of `maxMemory` that is left to a method beside the matrix, and refusals. */

import { MethodError } from '../../algorithms/method-error.js';
import { matrixBytes } from '../../algorithms/methods/memory-estimate.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { ENCODING_BYTES, MOST_COMPILED } from '../../kernels/jit/compile-matrix.js';
import { heapObstacle, hostBytes } from '../../kernels/platform/host-memory.js';
import { type FormatName, formatNamed } from '../../kernels/sparse/formats/index.js';
import { ENTRY_BYTES, type ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { rowLengths } from '../../kernels/sparse/row-statistics.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { Remote } from './found.js';

/** Settings whose maxMemory is what may be taken beside the matrix; MemoryError where that alone takes more. */
export function besideMatrix(matrix: SparseMatrix | Remote, settings: Settings): Settings {
  const { maxMemory } = settings;
  if (maxMemory === null || !(matrix instanceof SparseMatrix)) return settings;
  const taken = matrixBytes(matrix);
  if (taken >= maxMemory) {
    throw new MemoryError(
      `maxMemory: the matrix and its residues take about ${megabytes(taken)} MB, allowed are ${megabytes(maxMemory)}`,
    );
  }
  return { ...settings, maxMemory: maxMemory - taken };
}

/** MethodError where `what` takes more than is left. */
export function checkRoom(what: string, bytes: number, { maxMemory }: Pick<Settings, 'maxMemory'>): void {
  if (maxMemory === null || bytes <= maxMemory) return;
  throw new MethodError(
    `${what} takes about ${megabytes(bytes)} MB beside the matrix, allowed are ${megabytes(maxMemory)}`,
  );
}

/** The same of integers beyond a word, which are on V8's heap. */
export function checkHeapRoom(what: string, bytes: number, settings: Pick<Settings, 'maxMemory'>): void {
  checkRoom(what, bytes, settings);
  const obstacle = heapObstacle(bytes);
  if (obstacle !== null) throw new MethodError(`${what} takes about ${obstacle}`);
}

/**
 * MethodError where the storage asked for has more places, in both directions, than there is memory for, or is compiled
 * from more entries than that takes.
 */
export function checkStorage({ rows, cols, rowIdx, colIdx }: SparseMatrix, { storage, maxMemory }: Settings): void {
  if (storage === 'jit') {
    const count = rowIdx.length;
    if (count > MOST_COMPILED)
      throw new MethodError(`storage jit: ${count} entries, of which ${MOST_COMPILED} are compiled at most`);
    checkRoom('storage jit', ENCODING_BYTES * count, { maxMemory: maxMemory ?? hostBytes() });
  }
  if (storage === null || formatNamed(storage).places === undefined) return;
  checkPlaces(storage, { rows, cols }, longestLine(rowIdx, rows), longestLine(colIdx, cols), maxMemory);
}

/** The same of residues, whose storage was chosen. */
export function checkChosenStorage(storage: FormatName, matrix: ResidueMatrix, { maxMemory }: Settings): void {
  const { cols, rowPtr, colIdx } = matrix;
  checkPlaces(storage, matrix, rowLengths(rowPtr).max, longestLine(colIdx, cols), maxMemory);
}

function checkPlaces(
  storage: FormatName,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  longestRow: number,
  longestCol: number,
  maxMemory: number | null,
): void {
  const { places } = formatNamed(storage);
  if (places === undefined) return;
  const bytes = ENTRY_BYTES * (places(rows, cols, longestRow) + places(cols, rows, longestCol));
  checkRoom(`storage ${storage}`, bytes, { maxMemory: maxMemory ?? hostBytes() });
}

/** Entries of the fullest line. */
function longestLine(lines: Uint32Array, size: number): number {
  const counts = new Uint32Array(size);
  let most = 0;
  for (const line of lines) most = Math.max(most, ++counts[line]);
  return most;
}
