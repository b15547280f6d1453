/** Operators of a caller's that are not what they say: never a bound that does not hold, and an end in words. */
import { describe, expect, test } from 'vitest';
import { blockWiedemannRank, type RunContext } from '../../../algorithms/block-wiedemann/rank.js';
import { determinant } from '../../../algorithms/determinant.js';
import { minpoly } from '../../../algorithms/minpoly.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { BlockVector, Operator } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';

type Entrywise = (x: number, row: number) => number;

/** y[i, ·] = f(x[i, ·], i), alpha and beta as they should be. */
function entrywise(executor: ReferenceExecutor, size: number, f: Entrywise, transposed: Entrywise = f): Operator {
  const { field } = executor;
  const by = (g: Entrywise) => {
    return (y: BlockVector, x: BlockVector, alpha = 1, beta = 0): void => {
      const old = executor.read(y);
      const image = executor.read(x).map((value, at) => g(value, Math.floor(at / x.width)));
      executor.write(
        y,
        image.map((value, at) => field.add(field.mul(alpha, value), field.mul(beta, old[at]))),
      );
    };
  };
  return { rows: size, cols: size, apply: by(f), applyTransposed: by(transposed) };
}

function setUp(p: number): { executor: ReferenceExecutor; context: RunContext } {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const context = {
    executor,
    seed: 3n,
    orderBasisEngine: (field: Parameters<RunContext['orderBasisEngine']>[0]) => new NaiveEngine(field),
    check() {},
    onProgress() {},
  };
  return { executor, context };
}

const PRIMES = [3 /* vectors are coordinates of GF(3^9) */, 65521, 2147483629];

describe('rank of an operator that is no matrix', () => {
  for (const p of [65521, 2147483629]) {
    test(`squares, mod ${p}: no bound above N = 12 nor any other`, async () => {
      const { executor, context } = setUp(p);
      const square = entrywise(executor, 12, (x) => executor.field.mul(x, x));
      const none = { rank: 0, lowerBound: 0, upperBound: null, errorLog2: null };
      for (const verify of [true, false]) {
        const plain = await blockWiedemannRank({ ...context, selfChecks: false }, square, { verify });
        expect(plain).toMatchObject({ ...none, attempts: 1, reason: 'the operator is not linear' });
        const checked = await blockWiedemannRank(context, square, { verify });
        const reason = expect.stringContaining(verify ? 'applyTransposed is not the transpose' : 'not linear');
        expect(checked).toMatchObject({ ...none, attempts: 4, reason });
      }
    });
  }

  for (const p of PRIMES) {
    test(`a transpose of other rank, mod ${p}: the rank of apply from below, none from above`, async () => {
      const { executor, context } = setUp(p);
      const first =
        (rank: number): Entrywise =>
        (x, row) =>
          row < rank ? x : 0;
      for (const transposedRank of [0, 5, 11]) {
        const mixed = entrywise(executor, 12, first(8), first(transposedRank));
        for (const [selfChecks, attempts] of [
          [false, 1],
          [undefined, 4],
        ] as const) {
          const result = await blockWiedemannRank({ ...context, selfChecks }, mixed);
          expect(result.rank).toBeLessThanOrEqual(8);
          expect(result).toMatchObject({ upperBound: null, attempts, reason: expect.stringContaining('transpose') });
        }
      }
      const right = entrywise(executor, 12, first(8));
      expect(await blockWiedemannRank(context, right)).toMatchObject({ rank: 8, upperBound: 8 });
    });
  }
});

test('minpoly of an operator that is not linear claims no degree', async () => {
  for (const p of [65521, 2147483629]) {
    const { executor, context } = setUp(p);
    const square = entrywise(executor, 12, (x) => executor.field.mul(x, x));
    expect(await minpoly(context, square)).toMatchObject({
      lowerBound: 0,
      errorLog2: null,
      reason: 'the operator is not linear',
    });
    const checked = { ...context, selfChecks: true };
    const reason = expect.stringContaining('the operator is not linear, or memory');
    expect(await minpoly(checked, square)).toMatchObject({ lowerBound: 0, errorLog2: null, reason });
    expect(await determinant(checked, square)).toMatchObject({ determinant: null, reason });
  }
});

test('a polynomial shorter than another attempt has proved is not reported, though it annihilates', async () => {
  const { executor, context } = setUp(65521);
  // diag(1, 2, 3, 1, 1, …, 1) until its first verification, 0 from then on, which z annihilates.
  let changed = false;
  const before = entrywise(executor, 40, (x, row) => executor.field.mul(row < 3 ? row + 1 : 1, x));
  const after = entrywise(executor, 40, () => 0);
  const changing: Operator = {
    ...before,
    apply(y, x, alpha, beta) {
      changed ||= x.width === 4; // sequences have eight columns
      return (changed ? after : before).apply(y, x, alpha, beta);
    },
  };
  const result = await minpoly(context, changing);
  expect(changed).toBe(true);
  // Eight vectors see 1 eight times, 2 and 3 once: ten dimensions, two of one vector.
  expect(result).toMatchObject({ lowerBound: 2, errorLog2: null });
  expect(result.reason).toContain('shorter than another attempt has proved');
});

test('a determinant outside the prime field is not reported', async () => {
  // Squares of coordinates: one unknown, so that degree 1 is met whatever the operator does.
  const { executor, context } = setUp(3);
  const square = entrywise(executor, 1, (x) => executor.field.mul(x, x));
  const result = await determinant(context, square);
  expect(result).toMatchObject({ determinant: null, errorLog2: null });
  expect(result.reason).toContain('not linear');
});
