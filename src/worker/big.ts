/**
 * Questions mod a prime beyond a word: exact and deterministic on arbitrary-precision integers, so proved, and slow.
 */
import { detBig, minpolyBig, rankBig } from '../../algorithms/reference/big-modulus.js';
import { guardHeap, IN_ARRAYS, IN_MAPS } from '../../algorithms/reference/heap-guard.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { Verb } from '../questions/verbs.js';
import type { Caller } from './caller.js';
import type { Found } from './found.js';
import { factorBeyond } from './kept-factors.js';
import type { DenseRightSides } from './right-sides.js';

export interface BigQuestion {
  readonly verb: Verb;
  readonly matrix: SparseMatrix;
  readonly right: DenseRightSides | null; // of solve
  readonly settings: Settings;
}

export async function answerBig(question: BigQuestion, caller: Caller): Promise<Found> {
  const start = performance.now();
  const found = await answer(question, caller);
  return {
    errorLog2: Number.NEGATIVE_INFINITY,
    block: null,
    ...found,
    seconds: { elimination: (performance.now() - start) / 1000 },
  };
}

async function answer(
  { verb, matrix, right, settings }: BigQuestion,
  caller: Caller,
): Promise<Pick<Found, 'value' | 'lowerBound' | 'upperBound' | 'method' | 'own' | 'kept'>> {
  const p = settings.mod;
  const guard = guardHeap(p, verb === 'minpoly' ? IN_ARRAYS : IN_MAPS, settings.maxMemory);
  if (verb === 'factor') return factorBeyond(matrix, settings);
  if (verb === 'solve' || verb === 'nullspace') {
    const factors = factorBeyond(matrix, settings).kept!;
    const found =
      verb === 'solve' ? await factors.solve(null, right!, settings) : await factors.nullspace(null, settings, caller);
    return { ...found, method: 'sparse-elimination' };
  }
  if (verb === 'rank') {
    const rank = rankBig(matrix, p, guard);
    return { value: rank, lowerBound: rank, upperBound: rank, method: 'sparse-elimination' };
  }
  if (verb === 'det') {
    return { value: detBig(matrix, p, guard), lowerBound: null, upperBound: null, method: 'sparse-elimination' };
  }
  const value = minpolyBig(matrix, p, guard);
  return { value, lowerBound: value.length - 1, upperBound: value.length - 1, method: 'krylov-elimination' };
}
