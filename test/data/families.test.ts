/** Generated matrices against the published sizes and ranks, and bad arguments. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FAMILIES, FamilyError, generate } from '../../data/families.js';
import { EXCEPTIONS_KNOWN_UP_TO, inclusionRank, KNOWN_RANKS, projectivePlaneRank } from '../../data/known-ranks.js';
import { SparseMatrix } from '../../kernels/sparse-matrix.js';
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
