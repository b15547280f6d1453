/** Generated matrices against the published sizes and ranks, against their definitions, and against themselves. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FAMILIES, FamilyError, generate, type Triplets } from '../../data/families.js';
import { EXCEPTIONS_KNOWN_UP_TO, inclusionRank, KNOWN_RANKS, projectivePlaneRank } from '../../data/known-ranks.js';
import { rowMajor } from '../../data/triplets.js';
import { SparseMatrix } from '../../kernels/sparse-matrix.js';
import { writeSms } from '../../src/io/write-matrix.js';
import { rankByElimination } from './elimination.js';

const SMALL_PRIMES = [2, 3, 5, 7];
const PRIMES = [...SMALL_PRIMES, 65521];

/** The matrix as rows of [column, value], which also checks range, order and that no position comes twice. */
function rowsOf(a: Triplets): [number, number][][] {
  const out: [number, number][][] = Array.from({ length: a.rows }, () => []);
  let before = -1;
  a.values.forEach((value, k) => {
    const at = a.rowIdx[k] * a.cols + a.colIdx[k];
    if (!(at > before && a.rowIdx[k] < a.rows && a.colIdx[k] < a.cols)) throw new Error(`entry ${k} is out of order`);
    before = at;
    out[a.rowIdx[k]].push([a.colIdx[k], value]);
  });
  return out;
}

describe('published instances', () => {
  test.each(KNOWN_RANKS.filter(({ nnz }) => nnz < 2e6))('$instance: $rows x $cols, $nnz entries', (known) => {
    const a = generate(known.family, known.args);
    expect([a.rows, a.cols, a.values.length]).toEqual([known.rows, known.cols, known.nnz]);
    expect(rowsOf(a)).toHaveLength(known.rows);
    const family = FAMILIES.find(({ name }) => name === known.family)!;
    expect(family.instance(...known.args)).toBe(known.instance);
  });

  // What elimination does in well under a second; the larger ones are asked of the algorithms themselves.
  const QUICK = [
    'bibd_9_5',
    'bibd_12_5',
    'bibd_13_6',
    'ch5-5-b3',
    'ch6-6-b3',
    'ch6-6-b4',
    'ch7-7-b3',
    'mk9-b3',
    'mk10-b3',
  ]
    .concat([
      'mk11-b3',
      'Trefethen_200',
      'Trefethen_500',
      'PG(2,7)',
      'EX1',
      'EX2',
      'kneser_6_2_1',
      'flower_4_1',
      'kneser_8_3_1',
    ])
    .map((instance) => KNOWN_RANKS.find((known) => known.instance === instance)!);

  test.each(QUICK)('$instance: rank $rank, and $exceptions', ({ family, args, rank, exceptions }) => {
    const a = generate(family, args);
    for (const p of PRIMES) expect(rankByElimination(a, p), `mod ${p}`).toBe(exceptions[p] ?? rank);
  });

  test('exceptions are named up to 7 and really are exceptions', () => {
    expect(EXCEPTIONS_KNOWN_UP_TO).toBe(SMALL_PRIMES.at(-1));
    for (const { exceptions, rank } of KNOWN_RANKS) {
      for (const [p, low] of Object.entries(exceptions)) {
        expect(SMALL_PRIMES).toContain(Number(p));
        expect(low).toBeLessThan(rank);
      }
    }
  });
});

describe('formulas', () => {
  const SHAPES: [number, number, number][] = [];
  for (let v = 2; v <= 8; v++)
    for (let k = 1; k < v; k++) for (let t = 0; t <= Math.min(k, v - k); t++) SHAPES.push([t, k, v]);

  test('Wilson’s rank of W_{t,k}(v), for every small shape and prime', () => {
    expect(SHAPES.length).toBeGreaterThan(60);
    for (const [t, k, v] of SHAPES) {
      const a = generate('inclusion', [t, k, v]);
      for (const p of PRIMES)
        expect(rankByElimination(a, p), `W_${t},${k}(${v}) mod ${p}`).toBe(inclusionRank(t, k, v, p));
    }
  });

  test('the table’s bibd rows are Wilson’s ranks', () => {
    for (const { family, args, rank, exceptions } of KNOWN_RANKS) {
      if (family !== 'bibd') continue;
      expect(inclusionRank(2, args[1], args[0], 0)).toBe(rank);
      for (const p of PRIMES) expect(inclusionRank(2, args[1], args[0], p)).toBe(exceptions[p] ?? rank);
    }
  });

  test.each([2, 3, 5, 7, 11, 13])('the rank of PG(2, %i): low mod q and mod the divisors of q + 1', (q) => {
    const a = generate('pg', [q]);
    for (const p of [...PRIMES, q]) expect(rankByElimination(a, p), `mod ${p}`).toBe(projectivePlaneRank(q, p));
  });
});

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

describe('seeded families', () => {
  test('the same seed gives the same matrix, another seed another', () => {
    for (const [family, ...args] of [
      ['random', 50, 60, 5, 65521],
      ['power-law', 50, 60, 65521],
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
});

test.each<[string, (string | number)[], string]>([
  ['bibd', ['81'], 'bibd: expected v k, got 1 arguments'],
  ['bibd', ['81', '3', '4'], 'bibd: expected v k, got 3 arguments'],
  ['bibd', ['81', 'x'], "bibd: expected k in 2…2^31-1, got 'x'"],
  ['bibd', ['1000000', '3'], 'W_{2,3}(1000000): expected sizes below 2^31 and at most 2^29 entries'],
  ['ch', [5, 5, 5], 'chessboard: expected dimension below 5, got 5'],
  ['mk', [5, 2], 'matching: expected dimension below 2, got 2'],
  ['pg', [9], 'pg: expected a prime q, got 9, a multiple of 3'],
  ['ex', [3], 'ex: expected 1, 2 or 5, got 3'],
  ['random', [5, 5, 4, 7, 1], 'random: expected at most 2 entries a row of 5, got 4'],
  ['random', [5, 50, 4, 7, 1, 4], 'random: expected two of 5 rows to stay independent, got 4 planted'],
  ['kneser', [40, 20], 'kneser_40_20_1: expected sizes below 2^31 and at most 2^29 entries'],
  ['nothing', [], 'generate: expected one of bibd, inclusion, ch, '],
])('%s %j is refused before anything is built', (name, args, message) => {
  expect(() => generate(name, args)).toThrow(FamilyError);
  expect(() => generate(name, args)).toThrow(message);
});

test('a family answers to its long name', () => {
  expect(generate('chessboard', [3, 3, 1])).toEqual(generate('ch', [3, 3, 1]));
});

// Made by: wiedemann generate bibd 81 3 | gzip -9n > data/bibd_81_3.sms.gz
test('data/bibd_81_3.sms.gz is what the generator makes', () => {
  const { rows, cols, ...arrays } = generate('bibd', [81, 3]);
  const text = Buffer.concat([...writeSms(SparseMatrix.fromTriplets(rows, cols, arrays))]);
  const file = readFileSync(new URL('../../data/bibd_81_3.sms.gz', import.meta.url));
  expect(file.readUInt32LE(4)).toBe(0); // no time stamp: the file is the same whenever it is made
  expect(gunzipSync(file).equals(text)).toBe(true);
});
