/**
 * Questions mod a prime beyond a word: exact and deterministic on arbitrary-precision integers, so proved, and slow.
 */
import { detBig, minpolyBig, rankBig } from '../../algorithms/reference/big-modulus.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Verb } from '../questions/verbs.js';
import type { Found } from './found.js';

export function answerBig(verb: Verb, matrix: SparseMatrix, p: bigint): Found {
  const start = performance.now();
  const found = solve(verb, matrix, p);
  return {
    ...found,
    errorLog2: Number.NEGATIVE_INFINITY,
    block: null,
    seconds: { elimination: (performance.now() - start) / 1000 },
  };
}

function solve(
  verb: Verb,
  matrix: SparseMatrix,
  p: bigint,
): Pick<Found, 'value' | 'lowerBound' | 'upperBound' | 'method'> {
  if (verb === 'rank') {
    const rank = rankBig(matrix, p);
    return { value: rank, lowerBound: rank, upperBound: rank, method: 'sparse-elimination' };
  }
  if (verb === 'det') {
    return { value: detBig(matrix, p), lowerBound: null, upperBound: null, method: 'sparse-elimination' };
  }
  const value = minpolyBig(matrix, p);
  return { value, lowerBound: value.length - 1, upperBound: value.length - 1, method: 'krylov-elimination' };
}
