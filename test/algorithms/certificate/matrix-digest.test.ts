/** The digest of a matrix: that of its entries mod p, whatever their order and however they are split. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { matrixDigest, PIECE } from '../../../algorithms/certificate/matrix-digest.js';
import { nonzeroPart } from '../../../algorithms/certificate/nonzero-part.js';
import { runDigest } from '../../../algorithms/certificate/run-digest.js';
import { random } from '../../../data/families/random.js';
import { type Entry, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const hashOf = (...words: number[]): Buffer => createHash('sha256').update(Uint32Array.from(words)).digest();

type Triplet = readonly [number, number, Entry];

const SMALL: readonly Triplet[] = [
  [0, 1, 3],
  [0, 4, -2],
  [2, 0, 8],
  [2, 3, -9],
];

/** The same matrix mod 7, 3 × 5. */
const ALIKE: Readonly<Record<string, readonly Triplet[]>> = {
  'in order': SMALL,
  'out of order': [...SMALL].reverse(),
  'columns out of order': [SMALL[1]!, SMALL[0]!, ...SMALL.slice(2)],
  'with repeats': [[0, 1, 1], [0, 1, 2], ...SMALL.slice(1)],
  'with zeros mod 7': [[0, 0, 14], ...SMALL.slice(0, 2), [1, 1, -7], [1, 2, 0], ...SMALL.slice(2)],
  'with two that cancel': [...SMALL, [2, 4, 5], [2, 4, 2]],
  'with entries beyond 32 bits': [[0, 1, 3n + 7n * 2n ** 40n], ...SMALL.slice(1)],
};

const SIZES = [7, 3, 5];
const WORDS = [0, 1, 3, 0, 4, 5, 2, 0, 1, 2, 3, 5];

describe('one matrix mod 7', () => {
  const expected = createHash('sha256')
    .update('wiedemann-rank-certificate 2 matrix\n')
    .update(Uint32Array.from([...SIZES, ...WORDS]));
  const digest = expected.digest('hex');
  const byPieces = createHash('sha256')
    .update(hashOf(...SIZES))
    .update(hashOf(...WORDS))
    .digest('hex');
  test.each(Object.keys(ALIKE))('%s', async (how) => {
    const matrix = SparseMatrix.fromTriplets(3, 5, [...ALIKE[how]!]);
    expect(await runDigest(matrix, 7)).toBe(byPieces);
    expect(Buffer.from(matrixDigest(nonzeroPart(matrix, 7), 7)).toString('hex')).toBe(digest);
  });
});

test('in pieces of entries, and where the order ends between two of them', async () => {
  const [p, n] = [65521, 12000];
  const { rowIdx, colIdx, values } = random(n, n, 10, p, 3);
  const sorted = Array.from(rowIdx, (i, k): Triplet => [i, colIdx[k]!, values[k]!]);
  const digestOf = (entries: Triplet[]) => runDigest(SparseMatrix.fromTriplets(n, n, entries), p);
  const digest = await digestOf(sorted);
  const pieces = [Uint32Array.of(p, n, n), ...chunks(Uint32Array.from(sorted.flat() as number[]), PIECE)];
  expect(pieces).toHaveLength(5);
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(hashOf(...piece));
  expect(digest).toBe(hash.digest('hex'));
  const each = PIECE / 3;
  for (const at of [each - 1, each, 2 * each - 1]) {
    const swapped = [...sorted];
    [swapped[at], swapped[at + 1]] = [sorted[at + 1]!, sorted[at]!];
    expect(await digestOf(swapped), `${at}`).toBe(digest);
    const repeated = [
      ...sorted.slice(0, at),
      [...sorted[at]!.slice(0, 2), 0] as unknown as Triplet,
      ...sorted.slice(at),
    ];
    expect(await digestOf(repeated), `${at}`).toBe(digest);
  }
  expect(sorted[0]!.slice(0, 2)).not.toEqual([0, 0]);
  expect(await digestOf([[0, 0, p], ...sorted]), 'a zero').toBe(digest);
  const other = [...sorted];
  other[5000] = [sorted[5000]![0], sorted[5000]![1], 1234567];
  expect(await digestOf(other)).not.toBe(digest);
});

function chunks(words: Uint32Array, length: number): Uint32Array[] {
  return Array.from({ length: Math.ceil(words.length / length) }, (_, i) =>
    words.subarray(i * length, (i + 1) * length),
  );
}

test('a matrix of many empty lines has their numbers', async () => {
  const far: readonly Triplet[] = [
    [5, 2 ** 30, 1],
    [2 ** 30, 7, 2],
  ];
  const digestOf = (entries: readonly Triplet[]) =>
    runDigest(SparseMatrix.fromTriplets(2 ** 31 - 1, 2 ** 31 - 1, [...entries]), 101);
  const digest = await digestOf(far);
  expect(await digestOf([...far].reverse())).toBe(digest);
  expect(await digestOf([far[0]!, [2 ** 30, 8, 2]])).not.toBe(digest);
});

test('entries of either sign, and beyond p, are those mod p', async () => {
  const values = [-(2 ** 31), -102, -100, -1, 1, 100, 101, 102, 2 ** 31 - 1];
  const residues = values.map((value) => ((value % 101) + 101) % 101);
  const words = residues.flatMap((value, j) => (value === 0 ? [] : [0, j, value]));
  expect(words).toHaveLength(24);
  const expected = createHash('sha256')
    .update(hashOf(101, 1, 9))
    .update(hashOf(...words))
    .digest('hex');
  for (const row of [values, residues]) expect(await runDigest(SparseMatrix.fromDense([row]), 101)).toBe(expected);
});
