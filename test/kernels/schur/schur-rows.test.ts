/** Rows of Schur complements against plain elimination of the same rows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SchurRows as ThreadedSchurRows } from '../../../dist/kernels/schur/schur-rows.js';
import { Team as ThreadedTeam } from '../../../dist/kernels/threads/team.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { DenseMatrix } from '../../../kernels/dense/dense-matrix.js';
import { BitMatrix } from '../../../kernels/gf2/bit-matrix.js';
import { bitSchur } from '../../../kernels/schur/bit-schur.js';
import { SchurRows } from '../../../kernels/schur/schur-rows.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import { SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';
import { KernelMemory } from '../../../kernels/threads/memory.js';
import { Team } from '../../../kernels/threads/team.js';
import { PRIMES } from '../executors/cases.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

interface Case {
  readonly matrix: ResidueMatrix;
  readonly dense: Uint32Array[];
  readonly rows: number[];
  readonly cols: number[];
  readonly rest: Uint32Array;
}

/**
 * 90 × 150 with 60 pivots at scattered places in a triangle of the given share of entries; residues are p − 1 where
 * `largest`. Rows 3, 6, 9, … have no pivot.
 */
function triangular(p: number, share: number, largest: boolean): Case {
  const random = new CounterRandom(p % 1000, 6);
  let drawn = 0;
  const below = (n: number): number => random.residueAt(drawn++, n);
  const shuffled = (list: number[]): number[] => list.sort((a, b) => ((a * 7919) % 101) - ((b * 7919) % 101));
  const rest = Uint32Array.from({ length: 30 }, (_, t) => 3 * t);
  const rows = shuffled(Array.from({ length: 90 }, (_, i) => i).filter((i) => i % 3 !== 0));
  const cols = shuffled(Array.from({ length: 60 }, (_, k) => 2 * k + 7));
  const order = new Map(cols.map((c, k) => [c, k]));
  const place = new Map(rows.map((i, k) => [i, k]));
  const entries: [number, number, number][] = [];
  for (let i = 0; i < 90; i++) {
    const k = place.get(i) ?? -1;
    for (let j = 0; j < 150; j++) {
      const l = order.get(j) ?? 60;
      if (l < k || (l !== k && below(1000) >= 1000 * share)) continue;
      entries.push([i, j, largest ? p - 1 : 1 + below(p - 1)]);
    }
  }
  const matrix = SparseMatrix.fromTriplets(90, 150, entries).residues(p);
  const dense = Array.from({ length: 90 }, () => new Uint32Array(150));
  for (const [i, j, value] of entries) dense[i][j] = value;
  return { matrix, dense, rows, cols, rest };
}

/** The rows of `rest` less multiples of the pivots' rows, at the columns without pivots. */
function complement(F: WordPrime, { dense, rows, cols, rest }: Case): number[][] {
  const others = Array.from({ length: 150 }, (_, j) => j).filter((j) => !cols.includes(j));
  return Array.from(rest, (i) => {
    const row = dense[i].slice();
    cols.forEach((c, k) => {
      const pivot = dense[rows[k]];
      const factor = F.mul(row[c], F.inv(pivot[c]));
      for (let j = 0; j < 150; j++) row[j] = F.sub(row[j], F.mul(factor, pivot[j]));
    });
    return others.map((j) => row[j]);
  });
}

describe('rows of a Schur complement', () => {
  test.each(PRIMES)('sparse, dense and as bits, mod %i', (p) => {
    const F = WordPrime.of(p);
    for (const [share, largest] of [
      [0.03, false],
      [0.3, false],
      [1, true],
    ] as const) {
      const parts = triangular(p, share, largest);
      const expected = complement(F, parts);
      const schur = new SchurRows(team, F, parts.matrix, parts);
      expect(schur.cols).toBe(90);
      const sparse = schur.sparse(parts.rest);
      const rows = expected.map((_, t) => {
        const row = new Array<number>(90).fill(0);
        for (let k = sparse.rowPtr[t]; k < sparse.rowPtr[t + 1]; k++) {
          expect(sparse.values[k]).not.toBe(0);
          row[sparse.colIdx[k]] = sparse.values[k];
        }
        return row;
      });
      expect(rows).toEqual(expected);
      const dense = p === 2 ? new BitMatrix(team.memory, 31, 90) : new DenseMatrix(team.memory, F, 31, 90);
      schur.dense(parts.rest, dense, 1);
      const entry = (i: number, j: number): number =>
        dense instanceof BitMatrix ? (dense.row(i)[j >> 5] >>> (j & 31)) & 1 : dense.row(i)[j];
      const formed = expected.map((row, t) => row.map((_, j) => entry(t + 1, j)));
      expect(formed).toEqual(expected);
      dense.release();
      schur.release();
    }
  });

  test.each([1, 3])('the same rows where there is room for few at a time, %i threads', async (threads) => {
    const several = await ThreadedTeam.create(threads);
    const F = WordPrime.of(65521);
    for (const share of [0.03, 1]) {
      const parts = triangular(65521, share, false);
      const schur = new ThreadedSchurRows(several, F as never, parts.matrix, parts);
      let commands = 0;
      const few = schur.sparse(parts.rest, { check: () => commands++, most: 0 });
      expect(few).toEqual(schur.sparse(parts.rest));
      expect(few).toEqual(schur.sparse(parts.rest, { alone: true }));
      if (share === 1) expect(commands).toBeGreaterThanOrEqual(30 / (2 * threads)); // two full rows a thread
      schur.release();
    }
    await several.dispose();
  });

  test('few rows take little room, and many threads no more than there is', () => {
    const F = WordPrime.of(65521);
    const roomOf = (threads: number, rows: number): number => {
      const memory = new KernelMemory();
      const many = { memory, threads, run: () => {} } as unknown as Team;
      const matrix = SparseMatrix.fromTriplets(rows, 5000, [[0, 0, 1]]).residues(65521);
      const schur = new SchurRows(many, F, matrix, { rows: [], cols: [] });
      const ready = memory.peakBytes;
      const ends = new Error('ends before the first command');
      const all = Uint32Array.from({ length: rows }, (_, i) => i);
      const none = (): void => {
        throw ends;
      };
      expect(() => schur.sparse(all, { check: none })).toThrow(ends);
      return memory.peakBytes - ready;
    };
    expect(roomOf(4, 10)).toBeLessThan(4 * 10 * 8 * 5000 + 2 ** 12);
    expect(roomOf(256, 2000)).toBeLessThan(2 ** 28 + 2 ** 16);
  });

  test('transposed and as bits mod 2, of A and of its transpose', () => {
    const F = WordPrime.of(2);
    for (const share of [0.03, 0.3, 1]) {
      const parts = triangular(2, share, false);
      const expected = complement(F, parts);
      const entries = (s: BitMatrix): number[][] =>
        Array.from({ length: s.rows }, (_, c) =>
          Array.from({ length: s.cols }, (_, t) => (s.row(c)[t >> 5] >>> (t & 31)) & 1),
        );
      const byColumns = bitSchur(team, transpose(parts.matrix), parts);
      expect(entries(byColumns)).toEqual(expected[0].map((_, c) => expected.map((row) => row[c])));
      byColumns.release();
      const back = { rows: parts.cols.slice().reverse(), cols: parts.rows.slice().reverse() };
      const byRows = bitSchur(team, parts.matrix, back);
      expect(entries(byRows)).toEqual(expected);
      byRows.release();
    }
  });

  test('more lines than a block of bits, against the rows one by one', () => {
    const random = new CounterRandom(9, 9);
    const entries: [number, number, number][] = [];
    for (let i = 0; i < 1400; i++) {
      // Pivots at (i, i) for i < 300 in a triangle.
      if (i < 300) entries.push([i, i, 1]);
      for (let t = 0; t < 5; t++)
        entries.push([i, Math.max(i < 300 ? i + 1 : 0, random.residueAt(5 * i + t, 1300)), 1]);
    }
    const matrix = SparseMatrix.fromTriplets(1400, 1300, entries).residues(2);
    const pivots = Array.from({ length: 300 }, (_, k) => k);
    const order = { rows: pivots, cols: pivots };
    const s = bitSchur(team, transpose(matrix), order);
    expect([s.rows, s.cols]).toEqual([1000, 1100]);
    const schur = new SchurRows(team, WordPrime.of(2), matrix, order);
    const rows = schur.sparse(Uint32Array.from({ length: 1100 }, (_, t) => 300 + t));
    let ones = 0;
    for (let t = 0; t < 1100; t++) {
      for (let k = rows.rowPtr[t]; k < rows.rowPtr[t + 1]; k++)
        ones += (s.row(rows.colIdx[k])[t >> 5] >>> (t & 31)) & 1;
    }
    expect(ones).toBe(rows.values.length);
    let all = 0;
    for (let c = 0; c < 1000; c++) for (const word of s.row(c)) for (let w = word; w !== 0; w &= w - 1) all++;
    expect(all).toBe(ones);
    schur.release();
    s.release();
  });

  test('no pivots leave the matrix, all columns with pivots leave nothing', () => {
    const F = WordPrime.of(101);
    const { matrix, rest } = triangular(101, 0.1, false);
    const none = new SchurRows(team, F, matrix, { rows: [], cols: [] });
    const all = none.sparse(Uint32Array.from({ length: 90 }, (_, i) => i));
    expect(all).toEqual({ ...matrix, colIdx: all.colIdx, values: all.values });
    expect([...all.colIdx]).toEqual([...matrix.colIdx]);
    expect([...all.values]).toEqual([...matrix.values]);
    none.release();
    const square = SparseMatrix.fromTriplets(3, 2, [
      [0, 0, 5],
      [1, 0, 2],
      [1, 1, 3],
      [2, 0, 1],
      [2, 1, 7],
    ]).residues(101);
    const empty = new SchurRows(team, F, square, { rows: [1, 0], cols: [1, 0] });
    expect(empty.sparse(Uint32Array.of(2))).toMatchObject({ rows: 1, cols: 0, values: new Uint32Array(0) });
    empty.release();
    const before = team.memory.peakBytes;
    for (let k = 0; k < 5; k++) {
      const schur = new SchurRows(team, F, matrix, { rows: [], cols: [] });
      schur.sparse(rest);
      schur.release();
    }
    expect(team.memory.peakBytes).toBe(before);
  });
});
