/** How full the rows of a matrix are, a panel for each part in which products store it, with the cut of its format. */
import { isPrime } from '../../fields/primality.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { plannedParts } from '../pictures/planned-parts.js';
import { classParts, fillOf } from '../pictures/row-fill.js';
import { sketchMatrix } from '../pictures/sketch.js';
import type { FillPanel, FillWish } from './messages.js';

/** Modulo no prime below 2^31 there is no plan: then a panel for each value class. */
export function fillPanels(matrix: SparseMatrix, { mod, storage, height }: FillWish): FillPanel[] {
  const p = /^\d{1,10}$/.test(mod) ? Number(mod) : 0;
  const isPlanned = p <= MAX_SIZE && isPrime(p);
  const lines = Math.max(1, Math.min(height, matrix.rows));
  const sketched = sketchMatrix(matrix, { size: () => [1, lines], mod: isPlanned ? BigInt(p) : 0n });
  const parts = isPlanned ? plannedParts(matrix, p, storage === 'auto' ? null : storage) : classParts(sketched);
  return parts.map(({ forEachRow, ...part }) => ({ ...part, ...fillOf(sketched.raster, forEachRow, lines) }));
}
