/**
 * Questions about a matrix of which most rows and columns are empty, asked about the others alone.
 *
 *   rank A    = rank of A without its empty lines
 *   det A     = 0 with an empty row
 *   A ~ B ⊕ 0 : μ_A = lcm(μ_B, x)
 */
import { withoutIdleIndices, withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { isAboutVectors, type Verb } from '../questions/verbs.js';
import type { Found } from './found.js';

/** The question that is left, and how the answer about the whole follows. */
export interface Core {
  readonly matrix: SparseMatrix;
  complete(found: Found): Found;
}

export function coreOf(verb: Verb, matrix: SparseMatrix): Core {
  if (verb === 'rank') return { matrix: withoutIdleLines(matrix), complete: (found) => found };
  // The vectors of these have the lengths of the matrix itself.
  if (isAboutVectors(verb)) return { matrix, complete: (found) => found };
  const core = withoutIdleIndices(matrix);
  return { matrix: core, complete: (found) => (core === matrix ? found : withZeroBlock(found)) };
}

/** The determinant that needs no computing: fewer entries than rows leave a row empty. Null where there are enough. */
export function determinantAtSight({ rows, nnz }: SparseMatrix): Found | null {
  if (rows <= nnz) return null;
  const proved = { lowerBound: null, upperBound: null, errorLog2: Number.NEGATIVE_INFINITY };
  return { value: 0n, ...proved, method: 'empty-row', block: null, seconds: {} };
}

/** f, found for B, becomes lcm(f, x): f itself where f(0) = 0, else x·f. */
function withZeroBlock(found: Found): Found {
  const f = found.value as Uint32Array | bigint[];
  if (f.length > 1 && BigInt(f[0]!) === 0n) return found;
  const value = f instanceof Uint32Array ? Uint32Array.of(0, ...f) : [0n, ...f];
  // lcm(f, x) divides μ_A whatever f was; an upper bound speaks of f = μ_B.
  const degree = f.length;
  return {
    ...found,
    value,
    lowerBound: Math.max(found.lowerBound ?? 0, degree),
    upperBound: found.upperBound === null ? null : degree,
  };
}
