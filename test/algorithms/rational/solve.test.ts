/** Solutions over Q against fraction-free elimination with bigints, and against digits from PARI. */
import { describe, expect, test } from 'vitest';
import { type RationalOptions, type RationalSolution, solveRational } from '../../../algorithms/rational/solve.js';
import { trefethen } from '../../../data/families/trefethen.js';
import { CounterRandom } from '../../../fields/random.js';
import type { Entry } from '../../../kernels/sparse/big-entries.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { gpuMissing, limitedGpu, testGpu } from '../../gpu.js';
import expected from './expected/trefethen.json' with { type: 'json' };

const context = { seed: 7n, check: () => {}, onProgress: () => {} };
const METHODS = ['lifting', 'numeric'] as const;

type Dense = bigint[][];

/** x of A·x = b as a fraction each, by Bareiss; null for a singular A. */
function eliminate(a: Dense, b: readonly bigint[]): { numerators: bigint[]; denominator: bigint } | null {
  const n = a.length;
  const m = a.map((row, i) => [...row, b[i]]);
  let last = 1n;
  for (let c = 0; c < n; c++) {
    const pivot = m.findIndex((row, i) => i >= c && row[c] !== 0n);
    if (pivot < 0) return null;
    [m[c], m[pivot]] = [m[pivot], m[c]];
    for (let i = 0; i < n; i++) {
      if (i === c) continue;
      const factor = m[i][c];
      m[i] = m[i].map((value, j) => (value * m[c][c] - factor * m[c][j]) / last);
    }
    last = m[c][c];
  }
  // Every row is now last·x_i = m[i][n].
  const sign = last < 0n ? -1n : 1n;
  return reduce(
    m.map((row) => sign * row[n]),
    sign * last,
  );
}

function reduce(numerators: bigint[], denominator: bigint): { numerators: bigint[]; denominator: bigint } {
  const divide = (a: bigint, b: bigint): bigint => (b === 0n ? a : divide(b, a % b));
  const g = numerators.reduce((d, x) => divide(d, x < 0n ? -x : x), denominator);
  return { numerators: numerators.map((x) => x / g), denominator: denominator / g };
}

function sparse(a: readonly (readonly Entry[])[]): SparseMatrix {
  return SparseMatrix.fromDense(a, a[0]?.length ?? 0);
}

async function solve(a: SparseMatrix, b: readonly Entry[], options: RationalOptions): Promise<RationalSolution> {
  return solveRational(context, a, [b], options);
}

function fraction(found: RationalSolution): { numerators: bigint[]; denominator: bigint } {
  if (found.kind !== 'solved') throw new Error(found.kind);
  const [{ numerators, denominator }] = found.solutions;
  return { numerators, denominator };
}

/** Entries in −size…size. */
function randomDense(n: number, size: number, seed: bigint, diagonal = 0): Dense {
  const random = new CounterRandom(seed, 0);
  return Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => {
      const value = random.residueAt(i * n + j, 2 * size + 1) - size;
      return BigInt(value + (i === j ? diagonal : 0));
    }),
  );
}

const column = (n: number, seed: bigint): bigint[] => randomDense(n, 1000, seed).map((row) => row[0]);

describe.each(METHODS)('%s', (method) => {
  test('agrees with elimination on random matrices', async () => {
    for (const n of [1, 2, 3, 5, 8, 13, 21]) {
      for (const size of [1, 9, 100000]) {
        const seed = BigInt(1000 * n + size);
        const a = randomDense(n, size, seed);
        const b = column(n, seed + 1n);
        const exact = eliminate(a, b);
        if (exact === null) expect((await solve(sparse(a), b, { method })).kind).not.toBe('solved');
        else expect(fraction(await solve(sparse(a), b, { method }))).toEqual(exact);
      }
    }
  });

  test('solves nothing for b = 0 and for no unknowns', async () => {
    const a = sparse(randomDense(6, 9, 3n, 40));
    expect(fraction(await solve(a, [0, 0, 0, 0, 0, 0], { method }))).toEqual({
      numerators: [0n, 0n, 0n, 0n, 0n, 0n],
      denominator: 1n,
    });
    expect(fraction(await solve(sparse([]), [], { method }))).toEqual({ numerators: [], denominator: 1n });
  });

  test('clears the denominators of rows and right sides', async () => {
    const a = sparse([
      ['1/2', '1/3'],
      [-4, 5],
    ]);
    // 3x + 2y = 6·7/5, −4x + 5y = 1/6
    expect(fraction(await solve(a, ['7/5', '1/6'], { method }))).toEqual(
      eliminate(
        [
          [15n, 10n],
          [-24n, 30n],
        ],
        [42n, 1n],
      ),
    );
  });

  test('gives a part of the solution, with a proof of its own', async () => {
    const a = randomDense(20, 9, 11n, 300);
    const b = column(20, 12n);
    const whole = eliminate(a, b) as { numerators: bigint[]; denominator: bigint };
    for (const coordinates of [[0], [19], [3, 3, 17]]) {
      const found = await solve(sparse(a), b, { method, coordinates });
      const wanted = coordinates.map((c) => whole.numerators[c]);
      expect(fraction(found)).toEqual(reduce(wanted, whole.denominator));
      expect(found.kind === 'solved' && found.solutions[0].proof).toBe('bound');
    }
  });

  test('gives integers for unimodular matrices', async () => {
    // L·U with ones on both diagonals.
    const n = 12;
    const [l, u] = [randomDense(n, 3, 21n), randomDense(n, 3, 22n)];
    const a = l.map((_, i) =>
      l.map((_, j) => {
        let sum = 0n;
        for (let k = 0; k <= Math.min(i, j); k++) sum += (k === i ? 1n : l[i][k]) * (k === j ? 1n : u[k][j]);
        return sum;
      }),
    );
    const found = fraction(await solve(sparse(a), column(n, 23n), { method }));
    expect(found.denominator).toBe(1n);
    expect(found).toEqual(eliminate(a, column(n, 23n)));
  });

  test.each([20, 200])('agrees with PARI on the first coordinate of Trefethen_%i', async (n) => {
    const a = SparseMatrix.fromCoo(trefethen(n));
    const b = Array.from({ length: n }, (_, i) => (i === 0 ? 1 : 0));
    const [numerator, denominator] = (expected as Record<string, string[]>)[n];
    const part = fraction(await solve(a, b, { method, coordinates: [0] }));
    expect(part).toEqual({ numerators: [BigInt(numerator)], denominator: BigInt(denominator) });
    const whole = fraction(await solve(a, b, { method }));
    expect(whole.numerators[0] * part.denominator).toBe(part.numerators[0] * whole.denominator);
    expect(a.multiply(whole.numerators)).toEqual(b.map((x) => BigInt(x) * whole.denominator));
  });
});

describe('what one method alone solves', () => {
  test('Hilbert matrices, whose rows have denominators', async () => {
    const n = 12;
    const a = sparse(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => `1/${i + j + 1}`)));
    const b = Array.from({ length: n }, (_, i) => (i === 0 ? 1 : 0));
    // The inverse is integral, its first entry n².
    const { numerators, denominator } = fraction(await solve(a, b, { method: 'lifting' }));
    expect(denominator).toBe(1n);
    expect(numerators[0]).toBe(BigInt(n * n));
    const scale = 5354228880n; // lcm of 1…24
    const image = sparse(
      Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => scale / BigInt(i + j + 1))),
    ).multiply(numerators);
    expect(image).toEqual(b.map((x) => BigInt(x) * scale));
  });

  test('entries beyond doubles', async () => {
    const a = randomDense(7, 1000, 31n).map((row) => row.map((x) => x ** 21n + 1n));
    const b = column(7, 32n).map((x) => x ** 30n);
    expect(fraction(await solve(sparse(a), b, { method: 'auto' }))).toEqual(eliminate(a, b));
  });

  test('a system that no floating-point solver converges for', async () => {
    // Entries of 2^30 whose determinant is 1: doubles see a singular matrix.
    const x = 2n ** 30n;
    const a = [
      [x, x + 1n],
      [x - 1n, x],
    ];
    expect((await solve(sparse(a), [1, 2], { method: 'numeric' })).kind).toBe('unsolved');
    const found = await solve(sparse(a), [1, 2], {});
    expect(found.kind === 'solved' && found.solutions[0].method).toBe('lifting');
    expect(fraction(found)).toEqual({ numerators: [-x - 2n, x + 1n], denominator: 1n });
  });

  test.each([700, 2000])('Trefethen_%i, by steps of few bits, as PARI has it', async (n) => {
    const a = SparseMatrix.fromCoo(trefethen(n));
    const b = Array.from({ length: n }, (_, i) => (i === 0 ? 1 : 0));
    const found = fraction(await solve(a, b, { method: 'numeric', coordinates: [0] }));
    const [numerator, denominator] = (expected as Record<string, string[]>)[n];
    expect(found).toEqual({ numerators: [BigInt(numerator)], denominator: BigInt(denominator) });
  });
});

describe('what has no answer', () => {
  test('a singular matrix, numeric: unsolved, with a reason', async () => {
    const a = randomDense(9, 9, 41n);
    a[8] = a[0].map((x, j) => x + a[1][j]);
    for (const b of [column(9, 42n), new Array<bigint>(9).fill(0n)])
      expect(await solve(sparse(a), b, { method: 'numeric' })).toMatchObject({
        kind: 'unsolved',
        reasons: [expect.stringContaining('numeric')],
      });
    expect((await solve(sparse([[1, 2]]), [1], { method: 'numeric' })).kind).toBe('unsolved');
  });

  test('sizes that do not fit', async () => {
    await expect(solve(sparse([[1]]), [1, 2], {})).rejects.toThrow('right sides');
    await expect(solve(sparse([[1]]), [1], { coordinates: [1] })).rejects.toThrow('coordinates');
  });
});

describe.skipIf(gpuMissing)('numeric on a GPU', () => {
  const onGpu = { ...context, gpu: () => testGpu() };

  test('finds the fractions that the host finds', async () => {
    const a = sparse(randomDense(40, 9, 31n));
    const b = column(40, 32n);
    for (const options of [{}, { coordinates: [39, 0, 39] }]) {
      const found = await solveRational(onGpu, a, [b, b], { method: 'numeric', ...options });
      expect(fraction(found)).toEqual(fraction(await solve(a, b, { method: 'lifting', ...options })));
      expect(found.kind === 'solved' && found.solutions.map(({ device }) => device)).toEqual(['gpu', 'gpu']);
    }
  });

  test('leaves numbers too large for its words to doubles', async () => {
    const a = randomDense(12, 2 ** 29, 33n);
    const found = await solveRational(onGpu, sparse(a), [column(12, 34n)], { method: 'numeric' });
    expect(fraction(found)).toEqual(eliminate(a, column(12, 34n)));
    expect(found.kind === 'solved' && found.solutions[0].device).toBeUndefined();
    expect(found.reasons).toEqual(['numeric: on the host: rows too large for 32 bits']);
  });

  test('leaves a matrix that the device does not bind to the host', async () => {
    const small = await limitedGpu({ maxBindingBytes: 2 ** 20 });
    const dense = Array.from({ length: 520 }, (_, i) => Array.from({ length: 520 }, (_, j) => (i === j ? 10 ** 6 : 1)));
    const found = await solveRational({ ...context, gpu: async () => small }, sparse(dense), [Array(520).fill(1)], {
      ...{ method: 'numeric', coordinates: [0] },
    });
    expect(fraction(found)).toEqual({ numerators: [1n], denominator: 1000519n });
    expect(found.kind === 'solved' && found.solutions[0].device).toBeUndefined();
    expect(found.reasons).toEqual([expect.stringMatching(/^numeric: on the host: device gpu: \d+ bytes needed/)]);
  });
});
