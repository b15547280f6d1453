/** Generated matrices against their definitions. */
import { describe, expect, test } from 'vitest';
import { generate } from '../../data/families.js';
import { rowMajor } from '../../data/triplets.js';
import { rankByElimination } from './elimination.js';
import { rowsOf } from './rows.js';

describe('definitions', () => {
  test('W_{1,2}(3), by eye', () => {
    const a = generate('inclusion', [1, 2, 3]); // columns 01, 02, 12
    expect(rowsOf(a)).toEqual([
      [
        [0, 1],
        [1, 1],
      ],
      [
        [0, 1],
        [2, 1],
      ],
      [
        [1, 1],
        [2, 1],
      ],
    ]);
  });

  test('a rook pair on 2 x 2, by eye: rows {0,3} and {1,2}', () => {
    expect(rowsOf(generate('ch', [2, 2, 1]))).toEqual([
      [
        [0, -1],
        [3, 1],
      ],
      [
        [1, -1],
        [2, 1],
      ],
    ]);
  });

  test('disjoint edges of K_4, by eye: rows 01|23, 02|13, 03|12', () => {
    expect(rowsOf(generate('mk', [4, 1]))).toEqual([
      [
        [0, -1],
        [5, 1],
      ],
      [
        [1, -1],
        [4, 1],
      ],
      [
        [2, -1],
        [3, 1],
      ],
    ]);
  });

  test('Trefethen_5, by eye', () => {
    expect(rowsOf(generate('trefethen', [5])).map((row) => row.map(([j, value]) => `${j}:${value}`).join(' '))).toEqual(
      ['0:2 1:1 2:1 4:1', '0:1 1:3 2:1 3:1', '0:1 1:1 2:5 3:1 4:1', '1:1 2:1 3:7 4:1', '0:1 2:1 3:1 4:11'],
    );
  });

  test('Trefethen_nb is Trefethen without its first row and column', () => {
    const whole = rowsOf(generate('trefethen', [70]));
    const cut = whole.slice(1).map((row) => row.filter(([j]) => j > 0).map(([j, value]) => [j - 1, value]));
    expect(rowsOf(generate('trefethen-nb', [70]))).toEqual(cut);
  });

  test('boundary of boundary is zero', () => {
    for (const [family, ...args] of [
      ['ch', 4, 5, 2],
      ['ch', 6, 4, 3],
      ['mk', 8, 2],
      ['mk', 9, 3],
    ] as const) {
      const [upper, lower] = [generate(family, args), generate(family, [...args.slice(0, -1), args.at(-1)! - 1])];
      expect(upper.cols).toBe(lower.rows);
      const faces = rowsOf(lower);
      for (const row of rowsOf(upper)) {
        const sum = new Map<number, number>();
        for (const [j, a] of row) for (const [c, b] of faces[j]) sum.set(c, (sum.get(c) ?? 0) + a * b);
        expect([...sum.values()].every((x) => x === 0)).toBe(true);
      }
    }
  });

  test('two points of PG(2, 5) lie on exactly one line, and two lines meet in one point', () => {
    const a = generate('pg', [5]);
    for (const rows of [rowsOf(a), rowsOf(rowMajor({ ...a, rowIdx: a.colIdx, colIdx: a.rowIdx }))]) {
      const sets = rows.map((row) => new Set(row.map(([j]) => j)));
      for (let x = 0; x < 31; x++) {
        expect(sets[x].size).toBe(6);
        for (let y = 0; y < x; y++) expect([...sets[x]].filter((j) => sets[y].has(j))).toHaveLength(1);
      }
    }
  });

  test.each([1, 2, 5])('EX%i is symmetric, without diagonal', (number) => {
    const a = generate('ex', [number]);
    const positions = new Set(a.values.map((_, k) => a.rowIdx[k] * a.cols + a.colIdx[k]));
    a.values.forEach((_, k) => {
      if (!positions.has(a.colIdx[k] * a.cols + a.rowIdx[k]) || a.rowIdx[k] === a.colIdx[k])
        throw new Error(`entry ${k}`);
    });
    expect(positions.size).toBeGreaterThan(8000);
  });

  test.each([3, 4, 5, 6, 7])('wheel_%i_1: |E|·|V| columns of three ones, and x^3 - 1', (n) => {
    const a = generate('wheel', [n]);
    expect(a.cols).toBe(2 * n * (n + 1) + 1);
    const columns = rowsOf(
      rowMajor({ rows: a.cols, cols: a.rows, rowIdx: a.colIdx, colIdx: a.rowIdx, values: a.values }),
    );
    expect(columns.pop()).toEqual([
      [0, -1],
      [1, 1],
    ]);
    for (const column of columns) expect(column.map(([, value]) => value)).toEqual([1, 1, 1]);
    // Odd wheels need four colours and have a certificate mod 2: the constant lies in the span of the columns.
    const constant = {
      ...a,
      cols: a.cols + 1,
      rowIdx: Uint32Array.of(0, ...a.rowIdx),
      colIdx: Uint32Array.of(a.cols, ...a.colIdx),
      values: Int32Array.of(1, ...a.values),
    };
    const rises = rankByElimination(rowMajor(constant), 2) - rankByElimination(a, 2);
    expect(rises).toBe(n % 2 === 1 ? 0 : 1);
  });
});
