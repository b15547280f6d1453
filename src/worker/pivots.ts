/**
 * Independent rows and columns of a matrix for its caller, in the numbers of that matrix: they are looked for in the
 * matrix without its idle lines.
 */
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import {
  type IndependentLines,
  independentLines,
  independentLinesReference,
} from '../../algorithms/elimination/independent-lines.js';
import { MethodError } from '../../algorithms/method-error.js';
import { guardHeap, IN_MAPS } from '../../algorithms/reference/heap-guard.js';
import { BigPrime } from '../../fields/big-prime.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import { distinct } from '../../kernels/sparse/line-numbers.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';

export interface FoundPivots {
  readonly lines: IndependentLines | null;
  readonly reason?: string; // why there are none
}

/** Of `matrix` mod the context's prime, of rank `rank` or more. */
export async function findPivots(
  { executor, team, check }: RunContext,
  matrix: SparseMatrix,
  rank: number,
  maxBytes?: number,
): Promise<FoundPivots> {
  const { field } = executor;
  const residues = withoutIdleLines(matrix).residues(field.p);
  try {
    const lines = team
      ? independentLines(team, field, residues, rank, check, maxBytes)
      : independentLinesReference(field, residues);
    return { lines: renumber(matrix, lines) };
  } catch (error) {
    if (error instanceof MethodError || error instanceof MemoryError) return { lines: null, reason: error.message };
    throw error;
  }
}

/** Mod a prime of any size. */
export function findPivotsBig(matrix: SparseMatrix, p: bigint, maxBytes: number | null): FoundPivots {
  const guard = guardHeap(p, IN_MAPS, maxBytes);
  const residues = withoutIdleLines(matrix).residuesBig(p);
  try {
    return { lines: renumber(matrix, independentLinesReference(new BigPrime(p), residues, guard)) };
  } catch (error) {
    if (error instanceof MemoryError) return { lines: null, reason: error.message };
    throw error;
  }
}

/** Line numbers behind withoutIdleLines, as the numbers that the lines had before. */
function renumber({ rows, cols, nnz, rowIdx, colIdx }: SparseMatrix, lines: IndependentLines): IndependentLines {
  const own = (found: Uint32Array, size: number, idx: Uint32Array): Uint32Array => {
    if (size <= nnz) return found;
    const used = distinct(idx);
    return found.map((line) => used[line]);
  };
  return { ...lines, rows: own(lines.rows, rows, rowIdx), cols: own(lines.cols, cols, colIdx) };
}
