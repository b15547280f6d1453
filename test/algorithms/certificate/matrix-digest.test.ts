/** The digest of a matrix: that of its entries mod p, whatever their order and however they are split. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { digestInOrder, matrixDigest } from '../../../algorithms/certificate/matrix-digest.js';
import { nonzeroPart } from '../../../algorithms/certificate/nonzero-part.js';
import { random } from '../../../data/families/random.js';
import { type Entry, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const digestOfMatrix = (matrix: SparseMatrix, p: number): Uint8Array =>
  digestInOrder(matrix, p) ?? matrixDigest(nonzeroPart(matrix, p), p);

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

const WORDS = [7, 3, 5, 0, 1, 3, 0, 4, 5, 2, 0, 1, 2, 3, 5];

describe('one matrix mod 7', () => {
  const expected = createHash('sha256').update('wiedemann-rank-certificate 2 matrix\n').update(Uint32Array.from(WORDS));
  const digest = expected.digest('hex');
  test.each(Object.keys(ALIKE))('%s', (how) => {
    const matrix = SparseMatrix.fromTriplets(3, 5, [...ALIKE[how]!]);
    const inOrder = digestInOrder(matrix, 7);
    expect(inOrder === null, how).toBe(!['in order', 'with zeros mod 7'].includes(how));
    if (inOrder !== null) expect(Buffer.from(inOrder).toString('hex')).toBe(digest);
    expect(Buffer.from(matrixDigest(nonzeroPart(matrix, 7), 7)).toString('hex')).toBe(digest);
  });
});

test('in pieces of entries, and where the order ends between two of them', () => {
  const p = 65521;
  const { rowIdx, colIdx, values } = random(3000, 3000, 5, p, 3);
  const sorted = Array.from(rowIdx, (i, k): Triplet => [i, colIdx[k]!, values[k]!]);
  const matrix = SparseMatrix.fromTriplets(3000, 3000, sorted);
  const digest = digestOfMatrix(matrix, p);
  expect(digest).toEqual(matrixDigest(nonzeroPart(matrix, p), p));
  for (const at of [4095, 4096, 8191]) {
    const swapped = [...sorted];
    [swapped[at], swapped[at + 1]] = [sorted[at + 1]!, sorted[at]!];
    expect(digestOfMatrix(SparseMatrix.fromTriplets(3000, 3000, swapped), p), `${at}`).toEqual(digest);
  }
  const other = [
    ...sorted.slice(0, 5000),
    [...sorted[5000]!.slice(0, 2), 1234567] as unknown as Triplet,
    ...sorted.slice(5001),
  ];
  expect(digestOfMatrix(SparseMatrix.fromTriplets(3000, 3000, other), p)).not.toEqual(digest);
});

test('a matrix of many empty lines has their numbers', () => {
  const far: readonly Triplet[] = [
    [5, 2 ** 30, 1],
    [2 ** 30, 7, 2],
  ];
  const matrix = (entries: readonly Triplet[]) => SparseMatrix.fromTriplets(2 ** 31 - 1, 2 ** 31 - 1, [...entries]);
  const digest = digestOfMatrix(matrix(far), 101);
  expect(digestOfMatrix(matrix([...far].reverse()), 101)).toEqual(digest);
  expect(digestOfMatrix(matrix([far[0]!, [2 ** 30, 8, 2]]), 101)).not.toEqual(digest);
});
