/**
 * The basis of a kernel, a vector for each free column: sparse where a sample of them is, else in dense blocks.
 */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RoundBlocks } from './blocks.js';
import type { DenseEnd } from './dense-end.js';
import { denseBasisBatches, type KernelSystem } from './dense-vectors.js';
import { SparseVectorRun } from './sparse-vectors.js';
import type { SparseVectors } from './types.js';
import { unroll } from './unrolled-system.js';

/**
 * Share of entries that are not zero above which dense blocks are formed: an entry of a sparse vector takes about as
 * long as so many of a block.
 */
const DENSE = 1 / 16;

/** Entries of a dense end that are worth a sample of sparse vectors: so many, or so many times those of A. */
const SMALL_END = 2 ** 20;
const OF_MATRIX = 4;

export interface BasisSystem extends KernelSystem {
  readonly at: ResidueMatrix; // Aᵀ
  readonly blocks: readonly RoundBlocks[];
  readonly end: DenseEnd | null;
  readonly isTransposed: boolean;
}

export async function* basisBatches(system: BasisSystem, freeCols: Uint32Array): AsyncGenerator<SparseVectors> {
  const { a, at, end, context } = system;
  const size = end?.rank ?? 0;
  if (size * size <= Math.max(SMALL_END, OF_MATRIX * a.values.length)) {
    const run = sparseRun(system, freeCols);
    try {
      if (run.share(freeCols.length) < DENSE) {
        yield* run.batches(freeCols.length);
        return;
      }
    } finally {
      run.free();
    }
  }
  context.check();
  yield* denseBasisBatches(system, at, freeCols);
}

function sparseRun(system: BasisSystem, freeCols: Uint32Array): SparseVectorRun {
  const { a, at, pivotRows, pivotCols, blocks, end, isTransposed, context } = system;
  const { executor, team, check } = context;
  const rowPlace = new Int32Array(a.rows).fill(-1);
  pivotRows.forEach((row, k) => {
    rowPlace[row] = k;
  });
  const triangles = end && end.rank > 0 ? end.triangles(isTransposed) : null;
  const parts = { blocks, end: triangles, cols: a.cols, pivotCols, rowPlace, at, freeCols };
  return new SparseVectorRun(team!, executor.field, unroll(executor.field, parts), at, () => check());
}
