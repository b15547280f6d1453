/** Seeded matrices: reproducible, and distributed as they say. */
import { describe, expect, test } from 'vitest';
import { generate } from '../../data/families.js';
import { rankByElimination } from './elimination.js';
import { rowsOf } from './rows.js';

describe('seeded families', () => {
  test('the same seed gives the same matrix, another seed another', () => {
    for (const [family, ...args] of [
      ['random', 50, 60, 5, 65521],
      ['power-law', 50, 60, 65521],
      ['web', 100, 5, 65521],
      ['delaunay', 50],
      ['geometric', 50, 6],
    ] as const) {
      const [first, again, other] = [1, 1, 2].map((seed) => generate(family, [...args, seed]));
      expect(again).toEqual(first);
      expect(other.colIdx).not.toEqual(first.colIdx);
    }
  });

  test('random: r distinct columns a row, values in 1…p-1, about uniform', () => {
    const a = generate('random', [400, 90, 7, 5, 3]);
    expect(rowsOf(a).every((row) => row.length === 7)).toBe(true);
    const counts = [0, 0, 0, 0, 0];
    for (const value of a.values) counts[value]++;
    expect(counts[0]).toBe(0);
    // 2800 values in 4 classes: 700 each, standard deviation 23.
    for (const count of counts.slice(1)) expect(Math.abs(count - 700)).toBeLessThan(115);
  });

  test('random: planted rows lower the rank by as many', () => {
    for (const deficiency of [0, 1, 7]) {
      const a = generate('random', [60, 80, 8, 65521, 11, deficiency]);
      expect(rowsOf(a)).toHaveLength(60);
      expect(rankByElimination(a, 65521)).toBe(60 - deficiency);
    }
  });

  test('low-rank: multiples of as many rows, in turns', () => {
    for (const p of [3, 65521, 2147483629]) {
      const a = generate('low-rank', [60, 80, 8, p, 11, 20]);
      expect(a.values.every((value) => value > 0 && value < p)).toBe(true);
      const rows = rowsOf(a);
      for (const [i, row] of rows.entries()) {
        const own = rows[i % 20]!;
        expect(row.map(([j]) => j)).toEqual(own.map(([j]) => j));
        const [v, w] = [row, own].map((entries) => entries.map(([, value]) => BigInt(value)));
        expect(v!.every((value, k) => (value * w![0]! - v![0]! * w![k]!) % BigInt(p) === 0n)).toBe(true);
      }
      if (p < 2 ** 26) expect(rankByElimination(a, p)).toBe(20);
    }
    expect(rankByElimination(generate('low-rank', [5, 80, 8, 65521, 11, 20]), 65521)).toBe(5);
  });

  test('power-law: short rows, some long, three fifths of the values ±1', () => {
    const a = generate('power-law', [4000, 4000, 65521, 9]);
    const lengths = rowsOf(a).map((row) => row.length);
    expect(Math.min(...lengths)).toBe(1);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1000);
    expect(Math.max(...lengths)).toBeGreaterThan(300);
    // P(length 1) = 1/ζ(1.6) = 0.44 nearly
    expect(lengths.filter((length) => length === 1).length / 4000).toBeCloseTo(0.44, 1);
    expect(a.values.filter((value) => Math.abs(value) === 1).length / a.values.length).toBeCloseTo(0.6, 1);
    expect(a.values.some((value) => value === -1) && a.values.every((value) => value >= -1 && value !== 0)).toBe(true);
  });

  test('web: rows and columns of few and of many entries, half of the values ±1', () => {
    const a = generate('web', [4000, 8, 65521, 9]);
    const rows = rowsOf(a);
    expect(rows.every((row) => new Set(row.map(([j]) => j)).size === row.length)).toBe(true);
    expect(a.values.length / 4000).toBeGreaterThan(7);
    expect(a.values.length / 4000).toBeLessThan(9);
    const inOrder = (counts: number[]): number[] => counts.sort((x, y) => x - y);
    const lengths = inOrder(rows.map((row) => row.length));
    const columns = new Array<number>(4000).fill(0);
    for (const j of a.colIdx) columns[j]!++;
    for (const [counts, most] of [
      [lengths, 100],
      [inOrder(columns), 500],
    ] as const) {
      expect(counts[2000]).toBeLessThan(8); // the median is below the mean
      expect(counts.at(-1)).toBeGreaterThan(most);
    }
    expect(a.values.filter((value) => Math.abs(value) === 1).length / a.values.length).toBeCloseTo(0.5, 1);
    expect(a.values.every((value) => value >= -1 && value !== 0 && value < 65520)).toBe(true);
  });

  test('block-structured: dense blocks of a cell and its neighbours, aligned', () => {
    const rows = rowsOf(generate('block-structured', [5 * 27, 5, 7, 65521, 4]));
    const blocksOf = (i: number): number[] => [...new Set(rows[i]!.map(([j]) => Math.floor(j / 5)))];
    expect(blocksOf(5 * 13 + 3)).toEqual([4, 10, 12, 13, 14, 16, 22]); // in the middle of 3 x 3 x 3 cells
    expect(blocksOf(0)).toEqual([0, 1, 3, 9]);
    rows.forEach((row, i) => {
      const columns = blocksOf(i).flatMap((block) => [0, 1, 2, 3, 4].map((c) => 5 * block + c));
      expect(row.map(([j]) => j)).toEqual(columns);
      expect(row.every(([, value]) => value > 0 && value < 65521)).toBe(true);
    });
    // The side of 11 cells is 3, and the last layer has two of them.
    const last = rowsOf(generate('block-structured', [22, 2, 27, 7, 1]));
    expect([...new Set(last[20]!.map(([j]) => j >> 1))]).toEqual([0, 1, 2, 3, 4, 5, 9, 10]);
  });

  test.each([
    ['delaunay', [500, 3]],
    ['geometric', [500, 9, 3]],
  ] as const)('%s: symmetric, ones, no loops', (family, args) => {
    const a = generate(family, args);
    const rows = rowsOf(a).map((row) => row.map(([j]) => j));
    rows.forEach((row, i) => {
      expect(row).not.toContain(i);
      expect(row).toEqual([...new Set(row)].sort((x, y) => x - y));
      for (const j of row) expect(rows[j]).toContain(i);
    });
    expect(a.values.every((value) => value === 1)).toBe(true);
  });

  test('delaunay: as many edges as a triangulation of the hull has', () => {
    // Euler: 3·n − 3 − h edges, h points on the hull, at least 3.
    const edges = generate('delaunay', [2000, 5]).values.length / 2;
    expect(edges).toBeLessThanOrEqual(3 * 2000 - 6);
    expect(edges).toBeGreaterThan(3 * 2000 - 100);
    expect(generate('delaunay', [2, 1])).toMatchObject({ rows: 2, cols: 2 });
  });

  test('geometric: the degree that was asked for, less at the rim, and every near pair', () => {
    const a = generate('geometric', [4000, 13, 2]);
    expect(a.values.length / 4000).toBeGreaterThan(12);
    expect(a.values.length / 4000).toBeLessThan(13.3);
    // One cell holds all: each pair is compared.
    expect(generate('geometric', [12, 60, 1]).values.length).toBe(12 * 11);
  });
});
