/** Ranks from random vectors: never above the operator's, claimed only where the samples say so, at every prime. */
import { describe, expect, test } from 'vitest';
import { sampleRank } from '../../../algorithms/schur/sampling.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { PRIMES } from '../../kernels/executors/cases.js';

/** rows × cols with `rank` ones on a diagonal, and every row behind a copy of one of those. */
function ofRank(rank: number, rows: number, cols: number): SparseMatrix {
  const entries = Array.from({ length: rank === 0 ? 0 : rows }, (_, i) => [i, i % rank, 1] as const);
  return SparseMatrix.fromTriplets(rows, cols, entries);
}

function sampled(rank: number, rows: number, cols: number, p: number, most: number, seed = 5n) {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  return sampleRank(executor, executor.operator(ofRank(rank, rows, cols).residues(p)), seed, most);
}

const FEW = 0;
const ALL = Number.POSITIVE_INFINITY;

describe.each(PRIMES)('p = %d', (p) => {
  test.each([0, 1, 5, 11])('rank %d is found at once, with an error below 2^-60', async (rank) => {
    const { rank: found, errorLog2 } = await sampled(rank, 200, 150, p, FEW);
    expect(found).toBe(rank);
    expect(errorLog2).toBeLessThanOrEqual(-60);
    expect(errorLog2).not.toBe(Number.NEGATIVE_INFINITY);
  });

  test('a larger rank is no claim of few samples, and one of enough', async () => {
    const short = await sampled(140, 200, 150, p, FEW);
    expect(short.errorLog2).toBeNull();
    expect(short.rank).toBeLessThanOrEqual(140);
    expect(short.rank).toBeGreaterThan(11);
    const long = await sampled(140, 200, 150, p, ALL);
    expect(long.rank).toBe(140);
    expect(long.errorLog2).toBeLessThanOrEqual(-60);
  });

  test('full row rank leaves no doubt', async () => {
    expect(await sampled(9, 9, 300, p, FEW)).toEqual({ rank: 9, errorLog2: Number.NEGATIVE_INFINITY });
    expect(await sampled(100, 100, 300, p, ALL)).toEqual({ rank: 100, errorLog2: Number.NEGATIVE_INFINITY });
  });
});

test('without rows or columns the rank is 0', async () => {
  expect((await sampled(0, 3, 0, 7, FEW)).rank).toBe(0);
});

test('the claim is about the operator, not about the samples: at p = 2 a rank near the number of samples is left open', async () => {
  // 80 samples or so, 66 of them spare: 20 may be independent, and a rank of 60 must never be taken for one of 14.
  for (let seed = 1n; seed <= 20n; seed++) {
    const { rank, errorLog2 } = await sampled(60, 200, 150, 2, FEW, seed);
    expect(rank).toBeLessThanOrEqual(60);
    expect(errorLog2 === null || rank === 60).toBe(true);
  }
});
