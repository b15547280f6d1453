import { describe, expect, test } from 'vitest';
import { determinant } from '../../algorithms/determinant.js';
import { type MinpolyOptions, type MinpolyResult, minpoly } from '../../algorithms/minpoly.js';
import { denseMinpoly } from '../../algorithms/reference/dense-elimination.js';
import { denseRows } from '../../algorithms/reference/rows.js';
import { NaiveEngine } from '../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../algorithms/sigma-basis/order-basis.js';
import { PolyEngine } from '../../algorithms/sigma-basis/pm-basis.js';
import { WordPrime } from '../../fields/word-prime.js';
import type { Operator } from '../../kernels/executor.js';
import { CpuExecutor } from '../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../kernels/executors/reference.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { EXPECTED, noise } from './expected/matrices.js';

const PRIMES = [2, 3, 5, 7, 101, 2039, 32749, 65521, 65537, 2147483629, 2147483647];

const naiveEngine = (field: BasisField): NaiveEngine => new NaiveEngine(field);

interface Run {
  readonly seed?: bigint;
  readonly options?: MinpolyOptions;
  readonly wrap?: (a: Operator) => Operator;
}

function minpolyOf(matrix: SparseMatrix, p: number, run: Run = {}): Promise<MinpolyResult> {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const a = executor.operator(matrix.residues(p));
  const context = { executor, seed: run.seed ?? 1n, check() {}, onProgress() {}, orderBasisEngine: naiveEngine };
  return minpoly(context, run.wrap ? run.wrap(a) : a, run.options);
}

/** A block-diagonal matrix. */
function blocks(...parts: readonly (readonly number[])[][]): SparseMatrix {
  const entries: [number, number, number][] = [];
  let at = 0;
  for (const part of parts) {
    for (const [i, row] of part.entries()) for (const [j, x] of row.entries()) entries.push([at + i, at + j, x]);
    at += part.length;
  }
  return SparseMatrix.fromTriplets(at, at, entries);
}

const shift = (n: number): number[][] =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (j === i + 1 ? 1 : 0)));
const diagonal = (...values: number[]): number[][] => values.map((x, i) => values.map((_, j) => (i === j ? x : 0)));
const fibonacci = [
  [0, 1],
  [1, 1],
];

describe('minimal polynomials computed by PARI/GP', () => {
  for (const { shape, p, minpoly: expected } of EXPECTED.filter((e) => BigInt(e.p) < 2n ** 31n)) {
    test(`n = ${shape[0]}, fill ${shape[1]}, mod ${p}`, async () => {
      for (const seed of [1n, 2n]) {
        const result = await minpolyOf(noise(shape), Number(p), { seed });
        expect([...result.coefficients], `seed ${seed}`).toEqual(expected.map(Number));
        expect(result.errorLog2).toBeLessThanOrEqual(-57);
        expect(result.degree).toBe(expected.length - 1);
        // Below degree n as a whole the generator of the vectors bounds the degree, and its share of one vector is all.
        if (result.errorLog2 === Number.NEGATIVE_INFINITY) expect(result.lowerBound).toBe(result.degree);
        else expect(result.lowerBound * result.block.n).toBeGreaterThanOrEqual(result.degree);
        expect(result.lowerBound).toBeLessThanOrEqual(result.degree);
      }
    });
  }
});

describe('matrices made to be difficult', () => {
  const SHAPES: Record<string, SparseMatrix> = {
    '0 x 0': blocks(),
    'zero 1 x 1': blocks([[0]]),
    'zero 7 x 7': SparseMatrix.fromTriplets(7, 7, []),
    'identity 9 x 9': blocks(diagonal(1, 1, 1, 1, 1, 1, 1, 1, 1)),
    'nilpotent shift of 12': blocks(shift(12)),
    'nilpotent blocks 1, 2, 2, 5': blocks(shift(1), shift(2), shift(2), shift(5)),
    'the same block four times': blocks(fibonacci, fibonacci, fibonacci, fibonacci),
    'eigenvalue 1 in blocks 1, 2, 3': blocks(
      [[1]],
      [
        [1, 1],
        [0, 1],
      ],
      [
        [1, 1, 0],
        [0, 1, 1],
        [0, 0, 1],
      ],
    ),
    'distinct eigenvalues, twice each': blocks(diagonal(1, 2, 3, 4, 5, 6), diagonal(6, 5, 4, 3, 2, 1)),
    arrow: SparseMatrix.fromTriplets(
      15,
      15,
      Array.from(
        { length: 15 },
        (_, i) =>
          [
            [0, i, 1],
            [i, 0, 1],
            [i, i, 2],
          ] as [number, number, number][],
      ).flat(),
    ),
    'entries divisible by p, duplicates, empty lines': SparseMatrix.fromTriplets(6, 6, [
      [0, 1, 2 * 3 * 5 * 7 * 101],
      [1, 2, 1],
      [1, 2, 1],
      [2, 0, 65521],
      [4, 4, 2147483647],
      [3, 3, -1],
    ]),
    'cyclic permutation of 16': SparseMatrix.fromTriplets(
      16,
      16,
      Array.from({ length: 16 }, (_, i) => [i, (i + 1) % 16, 1] as const),
    ),
  };
  for (const [name, matrix] of Object.entries(SHAPES)) {
    test(name, async () => {
      for (const p of PRIMES) {
        const F = WordPrime.of(p);
        const expected = denseMinpoly(F, denseRows(F, matrix.residues(p)));
        for (const seed of [1n, 2n]) {
          const result = await minpolyOf(matrix, p, { seed });
          expect([...result.coefficients], `p = ${p}, seed ${seed}`).toEqual(expected);
          expect(result.errorLog2).toBeLessThanOrEqual(-57);
        }
      }
    });
  }
});

describe('more orders than the register takes', () => {
  test('order bases find the same: full degree, a low degree, and a determinant', async () => {
    for (const p of [65521, 2147483629]) {
      const executor = await CpuExecutor.create(WordPrime.of(p));
      const orderBasisEngine = (): PolyEngine => new PolyEngine(executor.team, executor.field);
      const context = { executor, seed: 1n, check() {}, onProgress() {}, orderBasisEngine };
      const cycle = (length: number, at: number): [number, number, number][] =>
        Array.from({ length }, (_, i) => [at + i, at + ((i + 1) % length), 1]);
      const expected = new Uint32Array(1401);
      [expected[0], expected[1400]] = [p - 1, 1]; // z^1400 − 1
      for (const entries of [cycle(1400, 0), [...cycle(1400, 0), ...cycle(1400, 1400)]]) {
        const N = entries.length;
        const a = executor.operator(SparseMatrix.fromTriplets(N, N, entries).residues(p));
        const result = await minpoly(context, a);
        expect(result.coefficients).toEqual(expected);
        expect(result.attempts).toBe(1);
        if (N === 1400) {
          expect(result.errorLog2).toBe(Number.NEGATIVE_INFINITY);
          // An odd permutation.
          expect(await determinant(context, a)).toMatchObject({ determinant: p - 1 });
        } else expect(result.errorLog2).toBeLessThan(-59);
      }
      executor.dispose();
    }
  });
});

describe('what is claimed', () => {
  // More of them than V has columns.
  const twelve = Array.from({ length: 12 }, () => fibonacci);

  test('degree N is proved without error, less is verified with the error stated, unverified states none', async () => {
    const full = await minpolyOf(blocks(fibonacci, [[2]]), 65521);
    expect(full).toMatchObject({ degree: 3, errorLog2: Number.NEGATIVE_INFINITY, attempts: 1 });
    const low = await minpolyOf(blocks(...twelve), 65521);
    expect(low.errorLog2).toBeLessThan(-59);
    expect(low).toMatchObject({ degree: 2, attempts: 1 });
    const unverified = await minpolyOf(blocks(...twelve), 65521, { options: { verify: false } });
    expect(unverified).toMatchObject({ degree: 2, errorLog2: null, reason: 'verification was switched off' });
  });

  test('an operator that changes after the sequence is found out by every attempt, and the answer says so', async () => {
    // Verification runs on 4 columns at once: there the operator gets an eigenvalue more.
    const spoiled = (a: Operator): Operator => ({
      ...a,
      rows: a.rows,
      cols: a.cols,
      applyTransposed: (y, x, alpha, beta) => a.applyTransposed(y, x, alpha, beta),
      apply: (y, x, alpha, beta) => (x.width === 4 ? a.apply(y, x, 2, beta) : a.apply(y, x, alpha, beta)),
    });
    const result = await minpolyOf(blocks(...twelve), 65521, { wrap: spoiled });
    expect(result).toMatchObject({ attempts: 4, errorLog2: null, degree: 2 });
    expect(result.reason).toBe('the generator does not annihilate its vectors');
  });

  test('the same seed gives the same run', async () => {
    const runs = await Promise.all([1, 2].map(() => minpolyOf(noise([30, 5, 5]), 7, { seed: 5n })));
    const facts = runs.map(({ seconds: _, ...rest }) => rest);
    expect(facts[0]).toEqual(facts[1]);
  });

  test('a matrix that is not square is refused', async () => {
    await expect(minpolyOf(SparseMatrix.fromTriplets(2, 3, []), 5)).rejects.toThrow(
      'minpoly: expected a square matrix, got 2 x 3',
    );
  });

  test('what `check` throws ends the run', async () => {
    const executor = new ReferenceExecutor(WordPrime.of(101));
    const a = executor.operator(noise([30, 13, 6]).residues(101));
    let calls = 0;
    const check = (): void => {
      if (++calls === 20) throw new Error('stopped');
    };
    await expect(
      minpoly({ executor, seed: 1n, check, onProgress() {}, orderBasisEngine: naiveEngine }, a),
    ).rejects.toThrow('stopped');
  });
});

test('eigenvalues of as many eigenvectors as a block has columns: the second attempt sees all of each', async () => {
  const [p, N, multiplicity] = [251, 2400, 16];
  const executor = await CpuExecutor.create(WordPrime.of(p));
  const orderBasisEngine = (): PolyEngine => new PolyEngine(executor.team, executor.field);
  const context = { executor, check() {}, onProgress() {}, orderBasisEngine };
  const entries = Array.from({ length: N }, (_, i) => [i, i, 1 + Math.floor(i / multiplicity)] as const);
  const a = executor.operator(SparseMatrix.fromTriplets(N, N, entries).residues(p));
  for (let seed = 1n; seed <= 6n; seed++) {
    const found = await minpoly({ ...context, seed }, a, { maxAttempts: 2 });
    expect(found, `seed ${seed}`).toMatchObject({ degree: N / multiplicity, attempts: 2, block: { n: multiplicity } });
    expect(found.errorLog2, `seed ${seed}`).toBeLessThanOrEqual(-57);
  }
  executor.dispose();
});
