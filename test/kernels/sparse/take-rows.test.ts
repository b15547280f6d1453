/** Rows in another order: what they are, and that a team takes the same, all of them and some. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeRowsOnTeam as takeOnThreads } from '../../../dist/kernels/sparse/take-rows-team.js';
import { Team as ThreadedTeam } from '../../../dist/kernels/threads/team.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import { type Taking, takeRows } from '../../../kernels/sparse/take-rows.js';
import { takeRowsOnTeam } from '../../../kernels/sparse/take-rows-team.js';
import { KernelMemory } from '../../../kernels/threads/memory.js';
import { Team } from '../../../kernels/threads/team.js';
import { matrixOf } from '../executors/cases.js';

const MATRICES: Record<string, (p: number) => ResidueMatrix> = {
  'units, square': (p) => matrixOf(60, 60, p, 'unit', () => 4),
  'values, wide': (p) => matrixOf(40, 90, p, 'general', () => 5, 2),
  'rows with more than 64 entries at pivots’ columns': (p) =>
    matrixOf(300, 250, p, 'mixed', (i) => (i % 5 === 0 ? 249 : 3 + (i % 4)), 3),
  'rows without entries': (p) => matrixOf(50, 50, p, 'mixed', (i) => i % 5, 4),
  'no entries': (p) => matrixOf(5, 4, p, 'unit', () => 0),
};

/** With a pivot in each row, from the last one on, that has a column left for it; their columns come in that order. */
function takingOf(a: ResidueMatrix): Taking {
  const rows: number[] = [];
  const cols = new Set<number>();
  for (let i = a.rows - 1; i >= 0; i--) {
    const free = a.colIdx.subarray(a.rowPtr[i], a.rowPtr[i + 1]).find((j) => !cols.has(j));
    if (free === undefined) continue;
    rows.push(i);
    cols.add(free);
  }
  const given = a.cols - rows.length;
  const place = new Uint32Array(a.cols);
  [...Array.from({ length: a.cols }, (_, j) => j).filter((j) => !cols.has(j)), ...cols].forEach((j, k) => {
    place[j] = k;
  });
  const rowOrder = Uint32Array.from([
    ...rows,
    ...Array.from({ length: a.rows }, (_, i) => i).filter((i) => !rows.includes(i)),
  ]);
  const rowPtr = new Uint32Array(a.rows + 1);
  rowOrder.forEach((i, k) => {
    rowPtr[k + 1] = rowPtr[k] + a.rowPtr[i + 1] - a.rowPtr[i] - (k < rows.length ? 1 : 0);
  });
  return { a, rowOrder, place, given, pivots: rows.length, rowPtr };
}

let team: Team;
let threads: ThreadedTeam;
beforeAll(async () => {
  [team, threads] = [await Team.create(1), await ThreadedTeam.create(3)];
});
afterAll(() => Promise.all([team.dispose(), threads.dispose()]));

describe.each([2, 3, 65521, 2147483647])('p = %d', (p) => {
  const field = WordPrime.of(p);

  test.each(Object.entries(MATRICES))('%s', (_name, matrix) => {
    const taking = takingOf(matrix(p));
    const { a, rowOrder, place, given, pivots, rowPtr } = taking;
    const { colIdx, values } = takeRows(field, taking);
    rowOrder.forEach((i, k) => {
      const row = Array.from({ length: a.rowPtr[i + 1] - a.rowPtr[i] }, (_, e) => a.rowPtr[i] + e)
        .map((e): [number, number] => [place[a.colIdx[e]], a.values[e]])
        .sort(([j], [l]) => j - l);
      const pivot = row.find(([j]) => k < pivots && j === given + k)?.[1];
      const factor = pivot === undefined ? 1 : field.neg(field.inv(pivot));
      const expected = row.filter(([j]) => k >= pivots || j !== given + k).map(([j, x]) => [j, field.mul(factor, x)]);
      expect(
        Array.from({ length: rowPtr[k + 1] - rowPtr[k] }, (_, e) => rowPtr[k] + e).map((e) => [colIdx[e], values[e]]),
      ).toEqual(expected);
    });
  });

  test.each(Object.entries(MATRICES))('%s, on a team', (_name, matrix) => {
    const taking = takingOf(matrix(p));
    const { rowOrder, pivots, rowPtr } = taking;
    const all = takeRows(field, taking);
    const rows = rowOrder.length;
    for (const [take, on] of [
      [takeRowsOnTeam, team],
      [takeOnThreads, threads],
    ] as [typeof takeRowsOnTeam, Team][]) {
      const free = on.memory.alloc(1);
      on.memory.release(free);
      for (const [first, end] of [
        [0, rows],
        [0, pivots],
        [pivots, rows],
        [Math.min(3, pivots), Math.min(rows, pivots + 2)],
        [rows, rows],
      ]) {
        for (const batch of [undefined, 50]) {
          const taken = take(on, field, taking, first, end, batch)!;
          const [from, to] = [rowPtr[first], rowPtr[end]];
          expect(taken.colIdx.slice()).toEqual(all.colIdx.slice(from, to));
          expect(taken.values.slice()).toEqual(all.values.slice(from, to));
          taken.release!();
        }
      }
      expect(on.memory.alloc(1)).toBe(free);
      on.memory.release(free);
    }
  });
});

test('none where kernel memory has no room, which then is as before', async () => {
  const memory = new KernelMemory(16);
  const small = await Team.create(1, memory);
  const taking = takingOf(matrixOf(3000, 3000, 101, 'mixed', () => 30));
  expect(takeRowsOnTeam(small, WordPrime.of(101), taking)).toBeNull();
  expect(memory.alloc(1)).toBe(new KernelMemory(16).alloc(1));
  await small.dispose();
});
