/** Certificates made for tests, by each of the two ways, of matrices whose ranks are known. */

import type { RankCertificate } from '../../../algorithms/certificate/format.js';
import { type NonzeroPart, nonzeroPart } from '../../../algorithms/certificate/nonzero-part.js';
import { type ProofOptions, proveRank } from '../../../algorithms/certificate/prove.js';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { denseRows } from '../../../algorithms/reference/rows.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { type Entry, planted } from '../expected/matrices.js';

/** On the reference executor: what elimination leaves is compressed, and so is all where `pivots` is false. */
export function prove(a: NonzeroPart, r: number, p: number, options?: ProofOptions): Promise<RankCertificate> {
  const context = {
    executor: new ReferenceExecutor(WordPrime.of(p)),
    seed: 3n,
    orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
    check: () => {},
    onProgress: () => {},
  };
  return proveRank(context, a, r, options);
}

/** The same where a team can eliminate the Schur complement. */
export async function proveEliminating(a: NonzeroPart, r: number, p: number): Promise<RankCertificate> {
  const executor = await CpuExecutor.create(WordPrime.of(p));
  const context = {
    ...{ executor, team: executor.team, seed: 3n },
    orderBasisEngine: () => {
      throw new Error('block Wiedemann was not expected');
    },
    check: () => {},
    onProgress: () => {},
  };
  try {
    return await proveRank(context, a, r);
  } finally {
    executor.dispose();
  }
}

export const part = (rows: number, cols: number, entries: readonly Entry[], p: number): NonzeroPart =>
  nonzeroPart(SparseMatrix.fromTriplets(rows, cols, entries), p);

export const rankOf = ({ inner }: NonzeroPart, p: number): number => {
  const F = WordPrime.of(p);
  return denseRank(F, denseRows(F, inner));
};

/** The matrix mod p, and its rank by dense elimination. */
export function example(
  rows: number,
  cols: number,
  rank: number,
  p: number,
  seed: number,
): { a: NonzeroPart; rank: number } {
  const a = part(rows, cols, planted(rows, cols, rank, 5, seed), p);
  return { a, rank: rankOf(a, p) };
}
