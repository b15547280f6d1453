/** Generated matrices against the published sizes and ranks, and bad arguments. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FAMILIES, FamilyError, generate } from '../../data/families.js';
import { EXCEPTIONS_KNOWN_UP_TO, inclusionRank, KNOWN_RANKS, projectivePlaneRank } from '../../data/known-ranks.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { writeSms } from '../../src/io/write-matrix.js';
import { rankByElimination } from './elimination.js';
import { rowsOf } from './rows.js';

const SMALL_PRIMES = [2, 3, 5, 7];
const PRIMES = [...SMALL_PRIMES, 65521];

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

const HUGE = 2 ** 31 - 1;

test.each<[string, (string | number)[], string]>([
  ['bibd', ['81'], 'bibd: expected v k, got 1 arguments'],
  ['bibd', ['81', '3', '4'], 'bibd: expected v k, got 3 arguments'],
  ['bibd', ['81', 'x'], "bibd: expected k in 2…2^31-1, got 'x'"],
  ['bibd', ['1000000', '3'], 'W_{2,3}(1000000): expected sizes below 2^31 and at most 2^28 entries'],
  ['ch', [5, 5, 5], 'chessboard: expected dimension below 5, got 5'],
  ['mk', [5, 2], 'matching: expected dimension below 2, got 2'],
  ['pg', [9], 'pg: expected a prime q, got 9, a multiple of 3'],
  ['ex', [3], 'ex: expected 1, 2 or 5, got 3'],
  ['random', [5, 5, 4, 7, 1], 'random: expected at most 2 entries a row of 5, got 4'],
  ['random', [5, 50, 4, 7, 1, 4], 'random: expected two of 5 rows to stay independent, got 4 planted'],
  ['kneser', [40, 20], 'kneser_40_20_1: expected sizes below 2^31 and at most 2^28 entries'],
  ['trefethen', [HUGE], 'Trefethen_2147483647: expected sizes below 2^31 and at most 2^28 entries'],
  ['trefethen-nb', [HUGE], 'Trefethen_2147483647: expected sizes below 2^31 and at most 2^28 entries'],
  ['pg', [HUGE], 'PG(2,2147483647): expected sizes below 2^31 and at most 2^28 entries'],
  ['wheel', [HUGE], 'wheel_2147483647_1: expected sizes below 2^31 and at most 2^28 entries'],
  ['flower', [HUGE], 'flower_2147483647_1: expected sizes below 2^31 and at most 2^28 entries'],
  ['kneser', [HUGE, 1], 'kneser_2147483647_1_1: expected sizes below 2^31 and at most 2^28 entries'],
  ['kneser', [HUGE, 2 ** 30], 'kneser_2147483647_1073741824_1: expected sizes below 2^31 and at most 2^28 entries'],
  ['kneser', [HUGE, HUGE], 'kneser_2147483647_2147483647_1: expected at most 2^28 elements, got 2147483647'],
  ['inclusion', [HUGE, HUGE, HUGE], 'expected t·v and k of at most 2^28, got 4611686014132420600 and 2147483647'],
  ['inclusion', [0, HUGE, HUGE], 'expected t·v and k of at most 2^28, got 0 and 2147483647'],
  ['ch', [30, 30, 15], 'ch30-30-b15: expected sizes below 2^31 and at most 2^28 entries'],
  ['mk', [30, 14], 'mk30-b14: expected sizes below 2^31 and at most 2^28 entries'],
  ['random', [HUGE, HUGE, HUGE, 7, 1], 'random: expected sizes below 2^31 and at most 2^28 entries'],
  ['random', [1, HUGE, 2 ** 25, 7, 1], 'random: expected at most 2^23 entries a row, got 33554432'],
  ['random', [2 ** 23, 10, 1, 7, 1, 1], 'random: expected at most 2^22 rows where some are planted, got 8388608'],
  ['low-rank', [HUGE, HUGE, 5, 7, 1, 9], 'low-rank: expected sizes below 2^31 and at most 2^28 entries'],
  ['low-rank', [2 ** 23, 9, 5, 7, 1, 9], 'low-rank: expected at most 4 entries a row of 9, got 5'],
  ['low-rank', [50, 9, 4, 6, 1, 9], 'low-rank: expected a prime p, got 6'],
  ['random', [50, 90, 4, 91, 1], 'random: expected a prime p, got 91'],
  ['power-law', [50, 90, 65520, 1], 'power-law: expected a prime p, got 65520'],
  ['web', [50, 4, 9, 1], 'web: expected a prime p, got 9'],
  ['block-structured', [8, 4, 7, 2147483646, 1], 'block-structured: expected a prime p, got 2147483646'],
  ['power-law', [HUGE, HUGE, 7, 1], 'power-law: expected at most 2^25 columns, got 2147483647'],
  ['power-law', [HUGE, 1, 7, 1], 'power-law: expected sizes below 2^31 and at most 2^28 entries'],
  ['power-law', [10_000_000, 1_000_000, 7, 1], 'power-law: expected sizes below 2^31 and at most 2^28 entries'],
  ['web', [HUGE, 2, 7, 1], 'web: expected sizes below 2^31 and at most 2^28 entries'],
  ['web', [50, 4, 7, 1], 'web: expected a degree of at most 3, the most entries of a row of 50, got 4'],
  ['web', [10, 2, 3, 1], 'web: expected p of 5 or more'],
  ['block-structured', [10, 4, 7, 7, 1], 'block-structured: expected n to be a multiple of 4, got 10'],
  ['block-structured', [8, 4, 28, 7, 1], 'block-structured: expected at most 27 blocks a row, got 28'],
  ['block-structured', [2 ** 30, 8, 7, 7, 1], 'block-structured: expected sizes below 2^31 and at most 2^28 entries'],
  ['nothing', [], 'generate: expected one of bibd, inclusion, ch, '],
])('%s %j is refused before anything is built', (name, args, message) => {
  const before = process.resourceUsage().maxRSS;
  expect(() => generate(name, args)).toThrow(FamilyError);
  expect(() => generate(name, args)).toThrow(message);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(30 * 1024);
});

test.each<[string, (string | number)[], string]>([
  ['random', [HUGE, 1, 0, 7, 1], '2147483647 x 1, 0'],
  ['random', [3, HUGE, 5, 7, 1], '3 x 2147483647, 15'],
  ['inclusion', [0, 0, HUGE], '1 x 1, 1'],
  ['inclusion', [2, 1, 60000], '1799970000 x 60000, 0'],
])('%s %j takes the memory of its entries', (name, args, expected) => {
  const before = process.resourceUsage().maxRSS;
  const { rows, cols, values } = generate(name, args);
  expect(`${rows} x ${cols}, ${values.length}`).toBe(expected);
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(30 * 1024);
});

test('random rows of many columns have as many different ones, ascending', () => {
  const { rowIdx, colIdx } = generate('random', [50, 2 ** 24 + 1, 3000, 7, 1]);
  expect(colIdx.length).toBe(50 * 3000);
  for (let k = 1; k < colIdx.length; k++)
    if (rowIdx[k] === rowIdx[k - 1]) expect(colIdx[k]).toBeGreaterThan(colIdx[k - 1]!);
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
