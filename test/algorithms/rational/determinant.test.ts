/** Determinants over Z from residues: against fraction-free elimination, bounds, and what the error says. */
import { describe, expect, test } from 'vitest';
import { type DeterminantRun, determinantByPrimes, hadamardLog2 } from '../../../algorithms/rational/determinant.js';
import { CounterRandom } from '../../../fields/random.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

/** Bareiss 1968. */
function bareiss(given: readonly (readonly bigint[])[]): bigint {
  const a = given.map((row) => [...row]);
  const n = a.length;
  let [sign, before] = [1n, 1n];
  for (let k = 0; k < n; k++) {
    const pivot = a.findIndex((row, i) => i >= k && row[k] !== 0n);
    if (pivot < 0) return 0n;
    if (pivot > k) {
      [a[k], a[pivot]] = [a[pivot], a[k]];
      sign = -sign;
    }
    for (let i = k + 1; i < n; i++) {
      for (let j = k + 1; j < n; j++) a[i][j] = (a[i][j] * a[k][k] - a[i][k] * a[k][j]) / before;
    }
    before = a[k][k];
  }
  return n === 0 ? 1n : sign * a[n - 1][n - 1];
}

const runOf = (det: bigint, boundLog2: number, more: Partial<DeterminantRun> = {}): DeterminantRun => ({
  ...{ seed: 5n, certain: false, divisor: 1n, boundLog2 },
  modulo: async (p) => ((det % BigInt(p)) + BigInt(p)) % BigInt(p),
  onProgress: () => {},
  ...more,
});

describe.each([3, 1000, 2 ** 40])('entries below %d', (size) => {
  test('the bound holds, and the determinant comes out', async () => {
    const random = new CounterRandom(BigInt(size), 0);
    let drawn = 0;
    const draw = (below: number): number => random.residueAt(drawn++, Math.min(below, 2 ** 31));
    for (let n = 0; n < 12; n++) {
      const scale = BigInt(Math.max(1, Math.floor(size / 2 ** 31)));
      const rows = Array.from({ length: n }, () =>
        Array.from({ length: n }, () =>
          draw(3) === 0 ? 0n : scale * BigInt(draw(size) - Math.floor(Math.min(size, 2 ** 31) / 2)),
        ),
      );
      const det = bareiss(rows);
      const entries = rows.flatMap((row, i) => row.map((x, j) => [i, j, x] as const));
      const bound = hadamardLog2(SparseMatrix.fromTriplets(n, n, entries));
      if (det !== 0n) expect((det < 0n ? -det : det).toString(2).length - 1).toBeLessThanOrEqual(bound);
      const found = await determinantByPrimes(runOf(det, bound, { certain: true }));
      expect(found).toMatchObject({ determinant: det, errorLog2: Number.NEGATIVE_INFINITY });
      for (const divisor of [2n, 7n].filter((d) => det % d === 0n)) {
        expect((await determinantByPrimes(runOf(det, bound, { divisor })))!.determinant).toBe(det);
      }
    }
  });
});

test('Hadamard matrices meet the bound', () => {
  const rows = [[1]];
  while (rows.length < 16) {
    rows.push(...rows.map((row) => [...row, ...row.map((x) => -x)]));
    for (let i = 0; i < rows.length / 2; i++) rows[i] = [...rows[i], ...rows[i]];
  }
  const entries = rows.flatMap((row, i) => row.map((x, j) => [i, j, x] as const));
  const bound = hadamardLog2(SparseMatrix.fromTriplets(16, 16, entries));
  expect(bareiss(rows.map((row) => row.map(BigInt))) ** 2n).toBe(2n ** 64n);
  expect(bound).toBeGreaterThanOrEqual(32);
  expect(bound).toBeLessThan(32.001);
});

test('a short determinant below a long bound ends early, with an error below 2^-62', async () => {
  const found = await determinantByPrimes(runOf(-(10n ** 30n), 10 ** 6));
  expect(found!.determinant).toBe(-(10n ** 30n));
  expect(found!.errorLog2).toBeLessThanOrEqual(-62);
  expect(found!.errorLog2).toBeGreaterThan(-200);
  expect(found!.primes).toBeLessThan(30);
});

test('one that changes late is not believed: as many primes as the error asks for have to agree', async () => {
  // The residues of 1 for the first five primes, then those of another number.
  let asked = 0;
  const found = await determinantByPrimes(
    runOf(0n, 10 ** 5, { modulo: async (p) => (++asked <= 5 ? 1n : 2n ** 200n % BigInt(p)) }),
  );
  // What fits all residues is no number of 200 bits.
  expect(found!.determinant).not.toBe(1n);
});

test('primes that find nothing are left out; too many of them end it', async () => {
  let asked = 0;
  const some = await determinantByPrimes(runOf(77n, 50, { modulo: async () => (++asked % 2 === 0 ? 77n : null) }));
  expect(some!.determinant).toBe(77n);
  expect(await determinantByPrimes(runOf(77n, 50, { modulo: async () => null }))).toBeNull();
});
