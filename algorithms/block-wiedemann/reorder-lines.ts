/** A matrix in the order of lines that a run is asked for, and what the order does, in words. */

import { meanDistance, permuteLines, reverseCuthillMcKee } from '../../kernels/sparse/reordering.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from './run-context.js';

interface Reordered {
  readonly matrix: ResidueMatrix;
  readonly explanation: readonly string[];
}

/** `symmetric`: rows and columns alike, which minimal polynomials and determinants need; a rank does not. */
export function reorderLines(
  { reorder }: Pick<RunContext, 'reorder'>,
  matrix: ResidueMatrix,
  symmetric: boolean,
): Reordered {
  if (reorder === undefined) return { matrix, explanation: [] };
  const reordered = permuteLines(matrix, reverseCuthillMcKee(matrix, symmetric));
  const [before, after] = [matrix, reordered].map((a) => Math.round(meanDistance(a)));
  const lines = symmetric ? 'rows and columns alike' : 'rows and columns apart';
  const why = `reorder ${reorder}: ${lines}; an entry is ${after} columns from the diagonal, before ${before}`;
  return { matrix: reordered, explanation: [why] };
}
