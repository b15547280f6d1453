/** PLUQ against elimination one entry at a time: rank and both rank profiles. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { DenseMatrix } from '../../../kernels/dense/dense-matrix.js';
import { pluq, pluqPivots } from '../../../kernels/dense/pluq.js';
import { Team } from '../../../kernels/threads/team.js';
import { extremes, planted } from '../executors/cases.js';

const PRIMES = [2, 3, 5, 7, 101, 8191, 16411, 65521, 65537, 2147483629, 2147483647];
/** Around panels of 16, triangles of 32 and tiles of 4 × 8. */
const SHAPES: readonly [number, number][] = [
  [0, 4],
  [4, 0],
  [1, 1],
  [1, 40],
  [40, 1],
  [15, 17],
  [16, 16],
  [33, 31],
  [64, 65],
  [70, 40],
  [40, 90],
];

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

type Rows = Uint32Array[];

const transpose = (rows: Rows, cols: number): Rows =>
  Array.from({ length: cols }, (_, j) => Uint32Array.from(rows, (row) => row[j]));

/** Columns that are no combination of those before them. */
function columnProfile(F: WordPrime, matrix: Rows, cols: number): number[] {
  const rows = matrix.map((row) => row.slice());
  const profile: number[] = [];
  for (let j = 0; j < cols && profile.length < rows.length; j++) {
    const r = profile.length;
    const at = rows.findIndex((row, i) => i >= r && row[j] !== 0);
    if (at < 0) continue;
    [rows[at], rows[r]] = [rows[r], rows[at]];
    const inverse = F.inv(rows[r][j]);
    for (let i = r + 1; i < rows.length; i++) {
      const factor = F.mul(rows[i][j], inverse);
      if (factor !== 0) for (let t = j; t < cols; t++) rows[i][t] = F.sub(rows[i][t], F.mul(factor, rows[r][t]));
    }
    profile.push(j);
  }
  return profile;
}

function check(F: WordPrime, rows: Rows, cols: number, what: string): number {
  const a = new DenseMatrix(team.memory, F, rows.length, cols);
  rows.forEach((row, i) => {
    a.row(i).set(row);
  });
  const { rank, pivotRows, pivotCols } = pluq(team, F, a);
  rows.forEach((row, i) => {
    a.row(i).set(row);
  });
  const alone = pluqPivots(team, F, a);
  a.release();
  expect(alone, what).toEqual({ rank, pivotRows, pivotCols });
  const profile = columnProfile(F, rows, cols);
  expect(rank, what).toBe(profile.length);
  expect([...pivotCols], what).toEqual(profile);
  expect(
    [...pivotRows].sort((x, y) => x - y),
    what,
  ).toEqual(columnProfile(F, transpose(rows, cols), rows.length));
  return rank;
}

/** Rows and columns of an echelon form with holes, in a random order: its pivots are wherever they fall. */
function scattered(F: WordPrime, m: number, n: number, seed: number): Rows {
  const random = new CounterRandom(seed, 5);
  const order = (size: number, at: number) =>
    Array.from({ length: size }, (_, i) => [random.residueAt(at + i, 2 ** 30), i])
      .sort((a, b) => a[0] - b[0])
      .map(([, i]) => i);
  const [rowOrder, colOrder] = [order(m, 0), order(n, m)];
  const rows = Array.from({ length: m }, () => new Uint32Array(n));
  for (let k = 0; 3 * k < n && 2 * k < m; k++) {
    const row = rows[rowOrder[2 * k]];
    for (let j = 3 * k; j < n; j++) row[colOrder[j]] = random.residueAt(m + n + k * n + j, F.p);
    row[colOrder[3 * k]] = F.p - 1;
  }
  return rows;
}

describe('dense PLUQ', () => {
  test('pivots alone: columns behind those of the last row’s are not looked at', () => {
    const F = WordPrime.of(65521);
    const rows = planted(F, 40, 4000, 40, 1);
    const a = new DenseMatrix(team.memory, F, 40, 4000);
    rows.forEach((row, i) => {
      a.row(i).set(row);
    });
    const { rank, pivotRows } = pluqPivots(team, F, a);
    const right = Array.from(pivotRows, (from, t) => a.row(t).slice(2000).join() === rows[from]!.slice(2000).join());
    a.release();
    expect({ rank, right: new Set(right) }).toEqual({ rank: 40, right: new Set([true]) });
  });

  test.each(PRIMES)('rank and rank profiles mod %i: full, planted rank, rank 1, rank 0', (p) => {
    const F = WordPrime.of(p);
    for (const [m, n] of SHAPES) {
      for (const r of [0, 1, 7, Math.ceil(Math.min(m, n) / 2), Math.max(m, n)]) {
        check(F, planted(F, m, n, r, 100 * m + n + r), n, `${m} x ${n}, rank ${r}`);
      }
      const flat = extremes(m * n, p, m);
      const rows = Array.from({ length: m }, (_, i) => flat.subarray(i * n, (i + 1) * n));
      check(F, rows, n, `${m} x ${n}, extremes`);
    }
  });

  test.each(PRIMES)('scattered echelon forms and permutations mod %i', (p) => {
    const F = WordPrime.of(p);
    for (const [m, n] of [
      [20, 33],
      [50, 70],
      [97, 64],
    ] as const) {
      const rank = check(F, scattered(F, m, n, m + p), n, `${m} x ${n}`);
      expect(rank).toBe(Math.min(Math.ceil(n / 3), Math.ceil(m / 2)));
    }
    const reversed = Array.from({ length: 45 }, (_, i) => {
      const row = new Uint32Array(45);
      row[44 - i] = 1;
      return row;
    });
    expect(check(F, reversed, 45, 'anti-diagonal')).toBe(45);
  });

  test('products deeper than a block, on a full and a deficient matrix', () => {
    for (const p of [3, 65521, 2147483647]) {
      const F = WordPrime.of(p);
      expect(check(F, planted(F, 330, 350, 290, 6), 350, `${p}`)).toBe(290);
    }
  });

  test('a larger rank is planted and found; memory is given back', () => {
    const F = WordPrime.of(65521);
    // [X, X·Z; W·X, W·X·Z] with X random 600 x 600: of full rank but for a share of 1/p
    const [k, n] = [600, 900];
    const random = new CounterRandom(9, 9);
    const rows: Rows = Array.from({ length: n }, (_, i) => {
      const row = new Uint32Array(n);
      if (i < k) random.fillResidues(row.subarray(0, k), F.p, i * k);
      return row;
    });
    for (let i = 0; i < k; i++) for (let j = k; j < n; j++) rows[i][j] = F.add(rows[i][j - k], rows[i][(7 * j) % k]);
    for (let i = k; i < n; i++) rows[i] = rows[i - k].map((x, j) => F.mulAdd(5, rows[(11 * i) % k][j], x));
    const used = team.memory.peakBytes;
    for (let round = 0; round < 3; round++) {
      const a = new DenseMatrix(team.memory, F, n, n);
      rows.forEach((row, i) => {
        a.row(i).set(row);
      });
      expect(pluq(team, F, a).rank).toBe(k);
      a.release();
    }
    const again = team.memory.peakBytes;
    expect(again).toBeGreaterThanOrEqual(used);
    const a = new DenseMatrix(team.memory, F, n, n);
    pluq(team, F, a);
    a.release();
    expect(team.memory.peakBytes).toBe(again);
  });
});
