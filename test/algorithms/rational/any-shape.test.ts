/** Systems over Q of any shape and rank: solutions are multiplied out, refutations too, and which it is, is known. */
import { describe, expect, test } from 'vitest';
import { randomPrimes } from '../../../algorithms/rational/lifting-solver.js';
import { type RationalOptions, type RationalSolution, solveRational } from '../../../algorithms/rational/solve.js';
import { CounterRandom } from '../../../fields/random.js';
import type { Entry } from '../../../kernels/sparse/big-entries.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const context = { seed: 7n, check: () => {}, onProgress: () => {} };

type Dense = bigint[][];

function randomDense(rows: number, cols: number, size: number, seed: bigint): Dense {
  const random = new CounterRandom(seed, 0);
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: cols }, (_, j) => BigInt(random.residueAt(i * cols + j, 2 * size + 1) - size)),
  );
}

const times = (a: Dense, b: Dense, cols: number): Dense =>
  a.map((row) =>
    Array.from({ length: cols }, (_, j) => row.reduce((sum, value, k) => sum + value * (b[k]?.[j] ?? 0n), 0n)),
  );

/** rows × cols of the given rank at most: a product of thin ones. */
const ofRank = (rows: number, cols: number, rank: number, size: number, seed: bigint): Dense =>
  times(randomDense(rows, rank, size, seed), randomDense(rank, cols, size, seed + 1n), cols);

/** A·x for x over a denominator. */
const image = (a: Dense, x: readonly bigint[]): bigint[] =>
  a.map((row) => row.reduce((sum, value, j) => sum + value * x[j], 0n));

/** Solves, and compares whatever comes with A and b. */
async function solve(
  a: Dense,
  cols: number,
  columns: readonly (readonly bigint[])[],
  options: RationalOptions = {},
): Promise<RationalSolution> {
  const found = await solveRational(context, SparseMatrix.fromDense(a, cols), columns, options);
  if (found.kind === 'solved' && options.coordinates === undefined) {
    expect(found.solutions.length).toBe(columns.length);
    found.solutions.forEach(({ numerators, denominator }, t) => {
      expect(denominator > 0n && numerators.length === cols).toBe(true);
      expect(image(a, numerators)).toEqual(columns[t].map((b) => b * denominator));
    });
  }
  if (found.kind === 'inconsistent') {
    const { certificate: u, column } = found;
    expect(u.length).toBe(a.length);
    for (let j = 0; j < cols; j++) expect(u.reduce((sum, value, i) => sum + value * a[i][j], 0n)).toBe(0n);
    expect(u.reduce((sum, value, i) => sum + value * columns[column][i], 0n)).not.toBe(0n);
  }
  return found;
}

const column = (rows: number, seed: bigint): bigint[] => randomDense(rows, 1, 1000, seed).map(([x]) => x);

describe('shapes and ranks', () => {
  const SHAPES = [
    [7, 7, 3],
    [7, 7, 6],
    [4, 11, 4] /* wide */,
    [4, 11, 2],
    [11, 4, 4] /* tall */,
    [11, 4, 1],
    [1, 9, 1],
    [9, 1, 1],
    [30, 25, 17],
    [5, 5, 0],
  ] as const;

  test.each(SHAPES)('%i x %i of rank %i: consistent systems are solved, others refuted', async (rows, cols, rank) => {
    for (const size of [1, 9, 1000]) {
      const seed = BigInt(10000 * rows + 100 * cols + size);
      const a = ofRank(rows, cols, rank, size, seed);
      const x = column(cols, seed + 5n);
      expect((await solve(a, cols, [image(a, x)])).kind).toBe('solved');
      expect((await solve(a, cols, [new Array<bigint>(rows).fill(0n)])).kind).toBe('solved');
      // A random column is outside a column space that is not all.
      const found = await solve(a, cols, [column(rows, seed + 6n).map((b) => b * 2n + 1n)]);
      if (rank < rows) expect(found.kind).toBe('inconsistent');
      else if (size === 1000) expect(found.kind).toBe('solved');
    }
  });

  test('several right sides: each solved, or the first without solution named', async () => {
    const a = ofRank(8, 10, 5, 9, 71n);
    const good = [1n, 2n, 3n].map((seed) => image(a, column(10, 80n + seed)));
    expect(await solve(a, 10, good)).toMatchObject({ kind: 'solved', solutions: [{}, {}, {}] });
    expect(await solve(a, 10, [])).toMatchObject({ kind: 'solved', solutions: [] });
    const bad = column(8, 90n);
    expect(await solve(a, 10, [good[0], good[1], bad, bad])).toMatchObject({ kind: 'inconsistent', column: 2 });
  });

  test('no rows, no columns, rows of zeros', async () => {
    expect(await solve([], 3, [[]])).toMatchObject({ solutions: [{ numerators: [0n, 0n, 0n], denominator: 1n }] });
    expect(await solve([[], [], []], 0, [[0n, 0n, 0n]])).toMatchObject({ solutions: [{ numerators: [] }] });
    expect(await solve([[], [], []], 0, [[0n, 5n, 0n]])).toMatchObject({ certificate: [0n, 1n, 0n] });
    const a = [[3n, 1n], [0n, 0n], [1n, 1n]]; // biome-ignore format: a matrix
    expect(await solve(a, 2, [[5n, 0n, 3n]])).toMatchObject({ solutions: [{ numerators: [1n, 2n], denominator: 1n }] });
    expect((await solve(a, 2, [[5n, 2n, 3n]])).kind).toBe('inconsistent');
  });
});

describe('numbers', () => {
  test('a right side that every prime of the search divides, against rows of zeros', async () => {
    const b = [...randomPrimes(context.seed, 24, 20)].reduce((product, p) => product * BigInt(p) ** 3n, 1n);
    expect(await solve([[0n]], 1, [[b]])).toMatchObject({ kind: 'inconsistent', certificate: [1n] });
    expect((await solve([[1n, 1n], [2n, 2n]], 2, [[b, b]])).kind).toBe('inconsistent'); // biome-ignore format: a matrix
    expect((await solve([[2n, 2n], [1n, 1n]], 2, [[2n * b, b]])).kind).toBe('solved'); // biome-ignore format: a matrix
  });

  test('entries beyond doubles', async () => {
    const a = ofRank(9, 8, 5, 1000, 51n).map((row) => row.map((x) => x * 10n ** 40n));
    expect((await solve(a, 8, [image(a, column(8, 53n))])).kind).toBe('solved');
    expect((await solve(a, 8, [column(9, 54n)])).kind).toBe('inconsistent');
    expect((await solve(randomDense(3, 6, 9, 55n), 6, [column(3, 56n).map((x) => x ** 31n)])).kind).toBe('solved');
  });

  test('primes modulo which the rank falls are left for others', async () => {
    const [first, second] = [...randomPrimes(context.seed, 24, 2)].map(BigInt);
    // Nonsingular over Q, of rank 1 modulo each of these primes.
    const a = [
      [first, second, 0n],
      [first * second, 2n * first * second, 0n],
      [first, 0n, second * first],
    ];
    for (const b of [
      [1n, 1n, 1n],
      [first, 1n, second],
      [0n, 0n, 1n],
    ])
      expect((await solve(a, 3, [b])).kind).toBe('solved');
    const b = [1n, 1n, 1n, 7n];
    const twice = a.map((row) => row.map((x) => 2n * x));
    expect((await solve([...a, twice[0]], 3, [b])).kind).toBe('inconsistent');
    expect((await solve([...a, twice[0]], 3, [[1n, 1n, 1n, 2n]])).kind).toBe('solved');
  });

  test('fractions in rows and right sides', async () => {
    const a: Entry[][] = [
      ['1/2', '1/3', 0],
      [3, 2, 0],
      [0, 0, '-7/9'],
    ];
    const matrix = SparseMatrix.fromDense(a, 3);
    const found = await solveRational(context, matrix, [
      ['5/6', 5, '1/100000000000000000003'],
      [0, '0', 7],
    ]);
    if (found.kind !== 'solved') throw new Error(found.kind);
    const [{ numerators: x, denominator: d }, { numerators: y, denominator: e }] = found.solutions;
    expect(3n * x[0] + 2n * x[1]).toBe(5n * d);
    expect(-7n * x[2] * 100000000000000000003n).toBe(9n * d);
    expect([3n * y[0] + 2n * y[1], y[2]]).toEqual([0n, -9n * e]);
    const refuted = await solveRational(context, matrix, [['1/7', 1, 0]]);
    if (refuted.kind !== 'inconsistent') throw new Error(refuted.kind);
    // u of the rows as they are given: u_1/2 + 3·u_2 = 0.
    const [u, v, w] = refuted.certificate;
    expect([u + 6n * v, w]).toEqual([0n, 0n]);
    expect(u + 7n * v).not.toBe(0n);
  });
});

test('coordinates of systems whose rows depend on each other, and of wide ones', async () => {
  for (const [rows, cols, rank] of [
    [9, 12, 6],
    [6, 12, 6],
  ]) {
    const a = ofRank(rows, cols, rank, 9, BigInt(60 + rows));
    const b = image(a, column(cols, 65n));
    const whole = await solve(a, cols, [b]);
    const part = await solve(a, cols, [b], { coordinates: [11, 0, 3] });
    if (whole.kind !== 'solved' || part.kind !== 'solved') throw new Error('unsolved');
    const [[x], [y]] = [whole.solutions, part.solutions];
    expect([11, 0, 3].map((c) => x.numerators[c] * y.denominator)).toEqual(y.numerators.map((n) => n * x.denominator));
    expect(y.proof).toBe(rank < rows ? 'product' : 'bound');
  }
});
