/** Ranks from random vectors: never above the operator's, claimed only where the samples say so, at every prime. */
import { describe, expect, test } from 'vitest';
import { sampleRank } from '../../../algorithms/schur/sampling.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Operator } from '../../../kernels/executor.js';
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
    expect(await sampled(9, 9, 300, p, FEW)).toEqual({ rank: 9, errorLog2: Number.NEGATIVE_INFINITY, repeated: 0 });
    expect(await sampled(100, 100, 300, p, ALL)).toEqual({
      rank: 100,
      errorLog2: Number.NEGATIVE_INFINITY,
      repeated: 0,
    });
  });
});

test.each([
  [0, [8]],
  [3, [8]],
  [5, [8, 8]],
  [11, [8, 8]],
])('of long vectors eight come first: rank %d', async (rank, widths) => {
  const p = 65521;
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const a = executor.operator(ofRank(rank, 200, 140_000).residues(p));
  const seen: number[] = [];
  const s: Operator = {
    ...{ rows: a.rows, cols: a.cols },
    applyTransposed: (...args) => a.applyTransposed(...args),
    apply(y, x, ...rest) {
      seen.push(x.width);
      return a.apply(y, x, ...rest);
    },
  };
  const found = await sampleRank(executor, s, 5n, FEW);
  expect(found).toMatchObject({ rank, repeated: 0 });
  expect(found.errorLog2).toBeLessThanOrEqual(-60);
  expect(seen).toEqual(widths.flatMap((width) => [width, 4])); // each with its check
});

/** The operator, whose products of the given numbers have a word off by one bit or residue, at a place by `seed`. */
function erring(executor: ReferenceExecutor, a: Operator, seed: bigint, errs: (product: number) => boolean): Operator {
  const { p } = executor.field;
  let product = 0;
  return {
    ...a,
    rows: a.rows,
    cols: a.cols,
    applyTransposed: (...args) => a.applyTransposed(...args),
    async apply(y, x, alpha, beta) {
      await a.apply(y, x, alpha, beta);
      const random = new CounterRandom(seed, product);
      if (!errs(product++)) return;
      const values = Uint32Array.from(await executor.read(y));
      const at = random.residueAt(0, values.length);
      const flipped = (values[at] ^ (1 << random.residueAt(1, 31))) >>> 0;
      // The word that a kernel would store after a flip is canonical.
      values[at] = flipped % p === values[at] ? (values[at] + 1) % p : flipped % p;
      executor.write(y, values);
    },
  };
}

describe.each(PRIMES)('an error in one product, p = %d', (p) => {
  test.each([5, 40])('rank %d: the product is made again, and the answer is that of the same seed', async (rank) => {
    for (let moment = 0; moment < 8; moment++) {
      const executor = new ReferenceExecutor(WordPrime.of(p));
      const a = executor.operator(ofRank(rank, 60, 50).residues(p));
      let products = 0;
      const right = await sampleRank(
        executor,
        erring(executor, a, 1n, () => ++products === 0),
        5n,
        ALL,
      );
      expect(right.repeated).toBe(0);
      const at = moment % products;
      const found = await sampleRank(
        executor,
        erring(executor, a, BigInt(moment), (i) => i === at),
        5n,
        ALL,
      );
      expect(found).toEqual({ ...right, repeated: 1 });
    }
  });

  test('a device that always errs gives no answer', async () => {
    const executor = new ReferenceExecutor(WordPrime.of(p));
    const a = erring(executor, executor.operator(ofRank(5, 60, 50).residues(p)), 1n, () => true);
    await expect(sampleRank(executor, a, 5n, ALL)).rejects.toThrow('disagreed with each other 3 times');
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
