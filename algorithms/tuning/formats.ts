/** The formats that a tuner tries for a matrix: the plan's own choice, and those that its rows do not rule out. */
import { findBlocks } from '../../kernels/sparse/block-fill.js';
import { FORMAT_NAMES, type FormatName, formatNamed } from '../../kernels/sparse/formats/index.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { rowLengths } from '../../kernels/sparse/row-statistics.js';

export type Storage = FormatName | 'auto';

/** Places for each entry from which on a padded format is not tried. */
const MOST_PADDING = 4;

export function promisingFormats(matrix: ResidueMatrix): Storage[] {
  const { rows, cols, rowPtr } = matrix;
  const { nnz, max } = rowLengths(rowPtr);
  const blocks = findBlocks(matrix);
  const fits = (name: FormatName): boolean => {
    if (name === 'jit') return false; // its compilation takes longer than a search
    if (name.startsWith('bcsr-')) return name === `bcsr-${blocks}`;
    const places = formatNamed(name).places?.(rows, cols, max) ?? nnz;
    return places <= MOST_PADDING * nnz;
  };
  return ['auto', ...FORMAT_NAMES.filter(fits)];
}
