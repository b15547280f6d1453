/** Elimination of bits against elimination of the same residues. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { DenseMatrix } from '../../../kernels/dense/dense-matrix.js';
import { pluq } from '../../../kernels/dense/pluq.js';
import { BitMatrix } from '../../../kernels/gf2/bit-matrix.js';
import { bitPluq } from '../../../kernels/gf2/bit-pluq.js';
import { Team } from '../../../kernels/threads/team.js';

const F = WordPrime.of(2);
/** Around strips of 64 columns, vectors of 128 and chunks of 2048, and groups of 8 pivots. */
const SHAPES: readonly [number, number][] = [
  [0, 5],
  [5, 0],
  [1, 1],
  [7, 9],
  [5, 200],
  [200, 5],
  [63, 65],
  [64, 64],
  [65, 63],
  [128, 129],
  [300, 260],
  [260, 400],
  [130, 2100],
  [2100, 130],
];

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

function uniform(m: number, n: number, seed: number): Uint32Array[] {
  const random = new CounterRandom(seed, 3);
  return Array.from({ length: m }, (_, i) => random.fillResidues(new Uint32Array(n), 2, i * n));
}

const KINDS: Readonly<Record<string, (m: number, n: number) => Uint32Array[]>> = {
  uniform: (m, n) => uniform(m, n, m + n),
  zero: (m, n) => Array.from({ length: m }, () => new Uint32Array(n)),
  'a quarter of the rank': (m, n) => {
    const rows = uniform(m, n, 2 * m + n);
    const free = Math.max(1, m >> 2);
    return rows.map((row, i) => (i < free ? row : rows[i % free].map((x, j) => x ^ rows[(7 * i) % free][j])));
  },
  'every third column, every second row': (m, n) =>
    uniform(m, n, 5).map((row, i) => row.map((x, j) => (j % 3 === 0 && i % 2 === 1 ? x : 0))),
  'some columns': (m, n) => {
    const kept = new CounterRandom(n, 9).fillResidues(new Uint32Array(n), 3);
    return uniform(m, n, 6).map((row) => row.map((x, j) => (kept[j] === 0 ? x : 0)));
  },
  'the other diagonal': (m, n) =>
    Array.from({ length: m }, (_, i) => {
      const row = new Uint32Array(n);
      if (i < n) row[n - 1 - i] = 1;
      return row;
    }),
};

function bits(rows: readonly Uint32Array[], n: number): BitMatrix {
  const a = new BitMatrix(team.memory, rows.length, n);
  rows.forEach((row, i) => {
    const words = a.row(i);
    row.forEach((x, j) => {
      words[j >> 5] |= x << (j & 31);
    });
  });
  return a;
}

function residues(rows: readonly Uint32Array[], n: number): DenseMatrix {
  const a = new DenseMatrix(team.memory, F, rows.length, n);
  rows.forEach((row, i) => {
    a.row(i).set(row);
  });
  return a;
}

describe('elimination over GF(2)', () => {
  test.each(Object.keys(KINDS))('%s: rank, columns of the pivots, and rows that are independent', (kind) => {
    for (const [m, n] of SHAPES) {
      const rows = KINDS[kind](m, n);
      const [a, b] = [bits(rows, n), residues(rows, n)];
      const { rank, pivotRows, pivotCols } = bitPluq(team, a);
      const expected = pluq(team, F, b);
      expect(rank, `${m} x ${n}`).toBe(expected.rank);
      expect(pivotCols, `${m} x ${n}`).toEqual(expected.pivotCols);
      const chosen = residues(
        Array.from(pivotRows, (i) => Uint32Array.from(pivotCols, (j) => rows[i][j])),
        rank,
      );
      expect(pluq(team, F, chosen).rank, `${m} x ${n}, the pivots' rows and columns`).toBe(rank);
      for (const matrix of [a, b, chosen]) matrix.release();
    }
  });

  test('nothing stays allocated', () => {
    const run = () => {
      const a = bits(uniform(100, 300, 1), 300);
      bitPluq(team, a);
      a.release();
    };
    run();
    const peak = team.memory.peakBytes;
    for (let k = 0; k < 5; k++) run();
    expect(team.memory.peakBytes).toBe(peak);
  });
});
