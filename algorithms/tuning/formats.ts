/**
 * The formats that a tuner tries for a matrix, those first that promise most, and why it does not try the others.
 *
 * The choice without a name comes first, then formats of which statistics allow that they are faster, and last those
 * that were slower than it on all matrices that were measured (test/bench/RESULTS.md#formats). A format is left out
 * that the choice has taken already, that would pad more than it stores, or whose structure the matrix lacks.
 */
import type { Executor } from '../../kernels/executor.js';
import { areHalfFull, findBlocks } from '../../kernels/sparse/block-fill.js';
import type { BlockSize } from '../../kernels/sparse/formats/bcsr.js';
import { FORMAT_NAMES, type FormatName, formatNamed } from '../../kernels/sparse/formats/index.js';
import { planOf } from '../../kernels/sparse/plan.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { type RowLengths, rowLengths } from '../../kernels/sparse/row-statistics.js';

export type Storage = FormatName | 'auto';

export interface Untried {
  readonly storage: FormatName;
  readonly reason: string;
}

export interface SearchOrder {
  readonly storages: readonly Storage[];
  readonly leftOut: readonly Untried[];
}

/** Places for each entry from which on a padded format is not tried, and up to which rows count as even. */
const MOST_PADDING = 4;
const EVEN = 1.1;

/** The share of a line's places that entries fill, from which formats of diagonals and dense columns take it. */
const FULL = 1 / 2;

const EVEN_ROWS: readonly FormatName[] = ['ell', 'ell-r', 'csr', 'coo-s', 'csr-sorted'];
const UNEVEN_ROWS: readonly FormatName[] = ['csr-sorted', 'csr', 'coo-s', 'sell-4', 'ell-r'];
const ON_GPU: readonly FormatName[] = ['sliced-ell', 'csr', 'coo-s', 'csr-sorted'];

/** Blocks of up to so many times fewer rows than those that are there are tried, too. */
const SMALLER_BLOCKS = 2;

export function searchOrder(
  matrix: ResidueMatrix,
  { name: device, field }: Pick<Executor, 'name' | 'field'>,
): SearchOrder {
  const isGpu = device === 'gpu';
  const blocks = findBlocks(matrix);
  const lengths = rowLengths(matrix.rowPtr);
  const own = isGpu ? ownOnGpu(blocks) : ownFormat(matrix, field.p);
  const leftOut: Untried[] = [];
  const isTried = (storage: FormatName): boolean => {
    const reason = storage === own ? 'what auto takes' : reasonAgainst(storage, matrix, lengths, blocks, isGpu);
    if (reason !== null) leftOut.push({ storage, reason });
    return reason === null;
  };
  const isEven = lengths.max * lengths.rows <= EVEN * lengths.nnz;
  const first = [...blockFormats(blocks), 'dense', ...(isGpu ? ON_GPU : isEven ? EVEN_ROWS : UNEVEN_ROWS)] as const;
  return { storages: ['auto', ...[...new Set<FormatName>([...first, ...FORMAT_NAMES])].filter(isTried)], leftOut };
}

/** The format of all parts of the choice, where it is one. */
function ownFormat(matrix: ResidueMatrix, p: number): string | null {
  const kinds = new Set(planOf(matrix, p).parts.flatMap(({ formats }) => formats.map(({ kind }) => kind)));
  return kinds.size === 1 ? ([...kinds][0] as string) : null;
}

/** Without blocks a GPU takes slices; with them either (kernels/spmm/gpu-bcsr.ts). */
function ownOnGpu(blocks: BlockSize | null): FormatName | null {
  return blocks === null ? 'sliced-ell' : null;
}

/** Those whose blocks tile blocks of b rows, the largest first. */
function blockFormats(b: BlockSize | null): FormatName[] {
  const sizes: readonly BlockSize[] = [16, 8, 4, 3, 2];
  return sizes
    .filter((size) => b !== null && b % size === 0 && SMALLER_BLOCKS * size >= b)
    .map((size) => `bcsr-${size}` as const);
}

function reasonAgainst(
  name: FormatName,
  matrix: ResidueMatrix,
  { rows, nnz, max }: RowLengths,
  blocks: BlockSize | null,
  isGpu: boolean,
): string | null {
  if (name === 'jit') return isGpu ? 'no format of a GPU' : 'compiled longer than a search takes';
  if (name === 'sliced-ell' && !isGpu) return 'walked as csr by threads';
  if (name === 'coo' || name === 'csc') return 'slower than csr wherever measured';
  if (name.startsWith('bcsr-') && !blockFormats(blocks).includes(name)) {
    return blocks === null ? 'no dense blocks' : `dense blocks are ${blocks} x ${blocks}`;
  }
  if ((name === 'slices-1x2' || name === 'slices-1x4') && blocks === null && !areHalfFull(matrix))
    return 'no dense blocks';
  if ((name === 'dia' || name === 'slices-dia') && !hasFullDiagonal(matrix)) return 'no diagonal is half full';
  if (name === 'dense-columns' && !hasFullColumn(matrix)) return 'no column is half full';
  const places = formatNamed(name).places?.(rows, matrix.cols, max) ?? nnz;
  return places > MOST_PADDING * nnz ? `${Math.round(places / nnz)} places an entry` : null;
}

function hasFullDiagonal({ rows, cols, rowPtr, colIdx }: ResidueMatrix): boolean {
  const counts = new Uint32Array(rows + cols); // of offset o at o + rows
  countDiagonals(rowPtr, colIdx, counts);
  return counts.some((count, at) => count > 0 && count >= FULL * Math.min(rows, cols, at, rows + cols - at));
}

function hasFullColumn({ rows, cols, colIdx }: ResidueMatrix): boolean {
  const counts = new Uint32Array(cols);
  countColumns(colIdx, counts);
  return counts.some((count) => count > 0 && count >= FULL * rows);
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

function countDiagonals(rowPtr: Uint32Array, colIdx: Uint32Array, counts: Uint32Array): void {
  const rows = rowPtr.length - 1;
  for (let i = 0; i < rows; i++)
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) counts[colIdx[k] - i + rows]++;
}

function countColumns(colIdx: Uint32Array, counts: Uint32Array): void {
  for (let k = 0; k < colIdx.length; k++) counts[colIdx[k]]++;
}
