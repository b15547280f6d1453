/** Rows that verify a rank and are not the row space's: never a bound, and made again where memory erred once. */
import { describe, expect, test } from 'vitest';
import { blockWiedemannRank } from '../../../algorithms/block-wiedemann/rank.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { BlockVector, Operator } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { planted } from '../expected/matrices.js';

const [ROWS, COLS] = [30, 24];

/**
 * A matrix whose products with the transpose have one word too much where `isWrong` says so of their number; or,
 * `inFirst`, behind which the first of them, Y, has.
 */
function erring(p: number, rank: number, isWrong: (call: number) => boolean, inFirst = false) {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const a = executor.operator(SparseMatrix.fromTriplets(ROWS, COLS, planted(ROWS, COLS, rank, 4, 5)).residues(p));
  let calls = 0;
  let first: BlockVector | undefined;
  const operator: Operator = {
    rows: ROWS,
    cols: COLS,
    apply: (y, x, alpha, beta) => a.apply(y, x, alpha, beta),
    async applyTransposed(y: BlockVector, x: BlockVector, alpha?: number, beta?: number) {
      await a.applyTransposed(y, x, alpha, beta);
      first ??= y;
      if (!isWrong(calls++)) return;
      const wrong = inFirst ? first : y;
      const words = (await executor.read(wrong)).slice();
      words[5] = (words[5]! + 1) % p;
      executor.write(wrong, words);
    },
  };
  const context = {
    executor,
    seed: 3n,
    orderBasisEngine: (field: ConstructorParameters<typeof NaiveEngine>[0]) => new NaiveEngine(field) as never,
    check() {},
    onProgress() {},
  };
  return { operator, context };
}

describe.each([3, 65521, 2147483629])('mod %i', (p) => {
  test.each([15, 20, 23])(
    'rank %i: one wrong word of Y is met by self-checks, which make it once more',
    async (rank) => {
      const right = erring(p, rank, () => false);
      const expected = await blockWiedemannRank(right.context, right.operator);
      expect(expected).toMatchObject({ rank: expected.upperBound, checks: { failed: 0 } });
      const { context, operator } = erring(p, rank, (call) => call === 0);
      const found = await blockWiedemannRank({ ...context, selfChecks: true }, operator);
      expect(found).toMatchObject({
        rank: expected.rank,
        upperBound: expected.rank,
        attempts: 1,
        checks: { failed: 1 },
      });
      expect(found.warnings).toHaveLength(1);
    },
  );

  test.each([1, 2])('a word of Y that changes behind product %i of the check vectors is met', async (at) => {
    for (const rank of [15, 23]) {
      const { context, operator } = erring(p, rank, (call) => call === at, true);
      const found = await blockWiedemannRank({ ...context, selfChecks: true }, operator);
      const { rank: right } = await blockWiedemannRank(context, erring(p, rank, () => false).operator);
      expect(found).toMatchObject({ rank: right, upperBound: right, attempts: 1, checks: { failed: 1 } });
    }
  });

  test.each([false, true])(
    'a transpose that is always wrong leaves no bound, with self-checks: %s',
    async (selfChecks) => {
      for (const rank of [15, 23]) {
        const { context, operator } = erring(p, rank, () => true);
        const found = await blockWiedemannRank({ ...context, selfChecks }, operator);
        const reason = expect.stringContaining('applyTransposed is not the transpose of apply');
        expect(found).toMatchObject({ lowerBound: 0, upperBound: null, attempts: selfChecks ? 4 : 1, reason });
      }
    },
  );
});
